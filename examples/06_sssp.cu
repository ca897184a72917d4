// SPDX-License-Identifier: Apache-2.0
// The paper's Listing 5, single-source shortest paths: edges are dealt across the lanes of a group whatever vertex they
// leave, and each finds its source by a search in scratch memory (get_tile). A portable atomic min relaxes the distances.
// Method: Bellman-Ford rounds until nothing changes. Unreachable vertices keep infinity; weights must not be negative.
#include <evenly/cuda.hpp>

#include <cstdio>
#include <limits>

struct relax {
  float* distance;
  int* changed;
  EVENLY_HD void operator()(int source, evenly::ignored, int target, float weight) const {
    float const through = distance[source] + weight;
    if (through < evenly::atomic_min(distance + target, through)) *changed = 1;
  }
};

template <class Executor, class Schedule>
bool run_with(Executor const& run, Schedule schedule) {
  //   0 -1-> 1 -1-> 2 -1-> 3      0 -5-> 3      4 is on its own
  float const far = std::numeric_limits<float>::infinity();
  evenly::array<int> offsets{0, 2, 3, 4, 4, 4}, targets{1, 3, 2, 3}, changed{1};
  evenly::array<float> weights{1, 5, 1, 1}, distance{0, far, far, far, far};
  evenly::csr_view graph(weights.view(run), offsets.view(run), targets.view(run), {5, 5});

  auto const edges = evenly::make_plan(run, graph, schedule);
  while (changed[0] != 0) {
    changed[0] = 0;
    evenly::for_each_atom(edges, relax{distance.view(run).data, changed.view(run).data});
    run.wait();
  }
  std::printf("%-14s %g %g %g %g %g\n", Schedule::name, distance[0], distance[1], distance[2], distance[3],
              distance[4]);
  return distance[1] == 1 && distance[2] == 2 && distance[3] == 3 && distance[4] == far;
}

int main() {
  return evenly::best_executor().visit([](auto const& run) {
    bool const right = run_with(run, evenly::group_dealt{.lanes = 32, .tiles = 32}) &&
                       run_with(run, evenly::thread_mapped{}) &&
                       run_with(run, evenly::merge_path{.items_per_thread = 2});
    return right ? 0 : 1;
  });
}
