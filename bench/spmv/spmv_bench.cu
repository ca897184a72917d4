// SPDX-License-Identifier: Apache-2.0
//
// SpMV on a GPU: every schedule that makes sense there against every algorithm of cuSPARSE, over one matrix of each class
// of evenly/generate. What is measured, and what the numbers mean: docs/performance.md.
// Exit codes: 0, 1 a result beyond its bound or a method that failed, 2 usage, 77 no GPU.
#include "cusparse.hpp"
#include "matrices.hpp"
#include "reference.hpp"
#include "report.hpp"
#include "timer.hpp"

#include <evenly/algorithm/relabelled.hpp>
#include <evenly/algorithm/two_way.hpp>
#include <evenly/algorithm/x_in_scratch.hpp>
#include <evenly/cuda.hpp>
#include <evenly/exec/cuda_scan.hpp>
#include <evenly/exec/cuda_sort.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

constexpr char usage[] =
    "spmv_bench [OPTION VALUE]...\n"
    "  --size small|full     a million nonzeros of each class (small), or those and 11 to 109 million (full)\n"
    "  --only CLASS,...      of the generators' names; all without it\n"
    "  --types f32,f64       of values, x and y\n"
    "  --samples N           of each method, in turns with its rivals (7)\n"
    "  --cap-ms N            methods whose run takes longer are run once and called capped (20)\n"
    "  --deadline SECONDS    no matrix is begun later\n"
    "  --conversions yes|no  also plans that convert the matrix: relabelled columns, two-way blocks (yes)\n"
    "  --sweep yes|no        also staged forms whose blocks scan from fewer or more long tiles on (no)\n"
    "  --commit HASH         to be written down\n"
    "  --out FILE            the results as JSON\n";

struct options {
  bool full = false;
  std::vector<std::string> only;
  std::vector<std::string> types{"f32", "f64"};
  int samples = 7;
  bool conversions = true, sweep = false;
  double cap_us = 20'000;
  double deadline_s = 1e9;
  std::string commit = "unknown", out, command;
  bool wants(std::string const& name) const { return only.empty() || std::ranges::find(only, name) != only.end(); }
};

using clock = std::chrono::steady_clock;

/// What a method's first run tells, and its samples.
struct method {
  std::string name;
  std::function<void()> run;
  double plan_us = 0;
  double first_us = 0;
  std::int64_t batch = 1;
  bool capped = false;  // one run takes longer than all that is worth waiting for
  std::string failed;
  verdict worst;
  std::vector<double> warm, cold;
};

/// Writes the row of each nonzero, which is all that COO adds to CSR.
struct write_row {
  std::int32_t* row_of_each;
  EVENLY_HD void operator()(std::int32_t row, std::int32_t atom) const { row_of_each[atom] = row; }
};

/// Made three times; the median time, and the last one to keep.
template <class Make>
auto timed_plan(double& microseconds, Make const& make) {
  std::vector<double> samples;
  decltype(make()) made;
  for (int i = 0; i < 3; ++i) {
    made.reset();
    samples.push_back(host_time([&] { made = make(); }));
  }
  microseconds = middle_of(samples).median;
  return made;
}

template <class T>
class measurement {
 public:
  measurement(evenly::cuda const& run, device_problem<T> const& A, reference<T> const& right, cache_flush const& flush,
              std::shared_ptr<cusparse const> rival, options const& chosen)
      : run_(run), A_(A), right_(right), flush_(flush), chosen_(chosen), y_(A.rows) {
    add_ours("thread_mapped", evenly::thread_mapped{});
    for (int lanes : {2, 4, 8, 16, 32}) add_ours("group_mapped/" + std::to_string(lanes), evenly::group_mapped{lanes});
    for (int items : {4, 8, 12, 16}) add_ours("merge_path/" + std::to_string(items), evenly::merge_path{items});
    add_ours("nonzero_split/8", evenly::nonzero_split{8});
    if (chosen_.sweep)
      for (int items : {4, 8, 12, 16})
        for (int long_tiles : {-4, 0, 1, 7, 15, 1 << 30}) add_staged(items, long_tiles);
    if (chosen_.conversions) {
      add_converted("relabelled/merge_path", evenly::relabelled{evenly::merge_path{12}});
      add_converted("two_way", evenly::two_way{});
      add_converted("relabelled/two_way", evenly::relabelled{evenly::two_way{}});
    }
    add_converted("x_in_scratch/merge_path", evenly::x_in_scratch{evenly::merge_path{8}});
    add_converted("x_in_scratch/group_mapped/8", evenly::x_in_scratch{evenly::group_mapped{8}});
#if BENCH_HAS_CUSPARSE
    if (rival)
      for (auto const& one : cusparse_methods)
        add(
            "cusparse/" + std::string(one.name), [&] { return std::make_shared<cusparse_spmv<T>>(rival, one, A_); },
            [](auto const& made) { (*made)(); });
#endif
  }

  std::vector<method> const& run_all() {
    for (auto& m : methods_) attempt(m, [&] { start(m); });
    for (int round = 0; round < std::max(chosen_.samples, 11); ++round) {
      // rivals in turns, there and back, so that a drift of the clock meets all of them alike
      for (std::size_t i = 0; i < methods_.size(); ++i) {
        method& m = methods_[round % 2 == 0 ? i : methods_.size() - 1 - i];
        if (m.capped || !m.failed.empty()) continue;
        attempt(m, [&] {
          if (round < chosen_.samples) {
            m.run();
            m.warm.push_back(watch_.time_batch(m.batch, m.run));
          }
          flush_();
          m.cold.push_back(watch_.time(m.run));
        });
      }
    }
    for (auto& m : methods_)
      if (!m.capped) attempt(m, [&] { judge(m); });
    return methods_;
  }

 private:
  evenly::csr_view<T> A() const {
    return {A_.values, A_.offsets, A_.indices, {A_.rows, A_.columns}, static_cast<std::int32_t>(A_.nnz)};
  }
  template <class Schedule>
  void add_ours(std::string name, Schedule const& schedule) {
    evenly::view<T const> const x{A_.x, A_.columns};
    evenly::view<T> const y{A_.y, A_.rows};
    using plan = evenly::plan<evenly::cuda, evenly::csr_view<T>, Schedule>;
    add(
        "evenly/" + std::move(name), [&] { return std::make_shared<plan>(run_, A(), schedule, sizeof(T)); },
        [x, y](auto const& made) { evenly::spmv(*made, x, y); });
  }
  /// A plan that converts the matrix or keeps x in scratch; one that refuses this matrix is left out.
  template <class Conversion>
  void add_converted(std::string const& name, Conversion const& conversion) {
    evenly::view<T const> const x{A_.x, A_.columns};
    evenly::view<T> const y{A_.y, A_.rows};
    try {
      add(
          "evenly/" + name,
          [&] {
            auto made = evenly::make_spmv_plan(run_, A(), conversion);
            run_.wait();
            return std::make_shared<decltype(made)>(std::move(made));
          },
          [x, y](auto const& made) { evenly::spmv(*made, x, y); });
    } catch (evenly::argument_error const& e) { std::printf("  no %s: %s\n", name.c_str(), e.what()); }
  }
  /// merge_path with another tolerance for long tiles (evenly::stage); what a schedule's default is judged by.
  void add_staged(int items, int long_tiles) {
    evenly::times_x<T, T> const map{A_.x};
    evenly::scale_into<T, T> const emit{A_.y, T{1}, T{0}, false};
    using plan = evenly::plan<evenly::cuda, evenly::csr_view<T>, evenly::merge_path>;
    add(
        "sweep/merge_path/" + std::to_string(items) + "/long_tiles=" + std::to_string(long_tiles),
        [&] { return std::make_shared<plan>(run_, A(), evenly::merge_path{items}, sizeof(T)); },
        [map, emit, long_tiles](auto const& made) {
          auto rows = made->staged();
          rows.stage.long_tiles = long_tiles;
          evenly::launch_staged(made->run(), rows, map, evenly::plus<T>{}, emit);
        });
  }
  template <class Make, class Run>
  void add(std::string name, Make const& make, Run const& run) {
    method m;
    m.name = std::move(name);
    attempt(m, [&] {
      auto const made = timed_plan(m.plan_us, make);
      m.run = [made, run] { run(made); };
    });
    methods_.push_back(std::move(m));
  }

  /// A method that cannot run is reported, and the others go on.
  template <class F>
  static void attempt(method& m, F const& f) {
    if (!m.failed.empty()) return;
    try {
      f();
    } catch (evenly::argument_error const&) {
      throw;  // refused: not a method for this matrix
    } catch (evenly::error const& e) { m.failed = e.what(); }
  }

  void start(method& m) {
    judge(m);
    m.first_us = watch_.time(m.run);
    m.capped = m.first_us > chosen_.cap_us;
    if (!m.capped) m.batch = watch_.batch_for(batch_us, m.first_us, 2000, m.run);
  }

  /// Runs into a poisoned y and looks at every row.
  void judge(method& m) {
    std::size_t const bytes = static_cast<std::size_t>(A_.rows) * sizeof(T);
    run_.fill(A_.y, 0xff, bytes);  // NaN everywhere
    m.run();
    run_.wait();
    run_.copy_from(y_.data(), A_.y, bytes);
    verdict const now = right_.judge(y_.data());
    if (m.worst.row < 0 || !(now.share <= m.worst.share)) m.worst = now;
  }

  static constexpr double batch_us = 2000;
  evenly::cuda run_;
  device_problem<T> A_;
  reference<T> const& right_;
  cache_flush const& flush_;
  options const& chosen_;
  raw_array<T> y_;
  stopwatch watch_;
  std::vector<method> methods_;
};

template <class T>
evenly::buffer<evenly::cuda> upload(evenly::cuda const& run, T const* here, std::int64_t count) {
  evenly::buffer<evenly::cuda> there(run, static_cast<std::size_t>(std::max<std::int64_t>(count, 1)) * sizeof(T));
  run.copy_to(there.data(), here, static_cast<std::size_t>(count) * sizeof(T));
  return there;
}

class benchmark {
 public:
  benchmark(options const& chosen, evenly::cuda const& run)
      : chosen_(chosen), run_(run), flush_(run), copy_gbps_(copy_bandwidth(run)) {
#if BENCH_HAS_CUSPARSE
    rival_ = cusparse::load();
#endif
    describe();
  }

  /// False if a result was wrong.
  bool run() {
    auto const begin = clock::now();
    for (auto const& of : recipes(chosen_.full)) {
      if (!chosen_.wants(of.name)) continue;
      if (std::chrono::duration<double>(clock::now() - begin).count() > chosen_.deadline_s) {
        std::printf("stopped before %s %s: the deadline is over\n", of.name.c_str(), of.size.c_str());
        ok_ = false;
        break;
      }
      one_matrix(of);
      report_.write(chosen_.out);
    }
    return ok_;
  }

 private:
  void one_matrix(recipe const& of) {
    auto const begin = clock::now();
    structure const A = build(host_, of.text);
    double const seconds = std::chrono::duration<double>(clock::now() - begin).count();
    auto const offsets = upload(run_, A.offsets.data(), A.rows + 1), indices = upload(run_, A.indices.data(), A.nnz());
    evenly::buffer<evenly::cuda> const row_of_each(run_,
                                                   static_cast<std::size_t>(std::max<std::int64_t>(A.nnz(), 1)) * 4);
    auto const first = static_cast<std::int32_t const*>(offsets.data());
    evenly::offset_tiles<std::int32_t, std::int32_t> const rows{first, static_cast<std::int32_t>(A.rows),
                                                                static_cast<std::int32_t>(A.nnz())};
    evenly::for_each_atom(run_, rows, evenly::nonzero_split{8},
                          write_row{static_cast<std::int32_t*>(row_of_each.data())});
    run_.wait();
    std::printf("%s (%s): %lld rows, %lld nonzeros, built in %.1f s\n", of.text.c_str(), of.size.c_str(),
                static_cast<long long>(A.rows), static_cast<long long>(A.nnz()), seconds);
    for (auto const& type : chosen_.types) {
      auto const structure_on_device = [&]<class T>(T) {
        one_type<T>(of, A,
                    {A.rows, A.columns, A.nnz(), first, static_cast<std::int32_t const*>(row_of_each.data()),
                     static_cast<std::int32_t const*>(indices.data()), nullptr, nullptr, nullptr},
                    type);
      };
      if (type == "f32") structure_on_device(float{});
      else structure_on_device(double{});
    }
  }

  template <class T>
  void one_type(recipe const& of, structure const& A, device_problem<T> there, std::string const& type) {
    auto const begin = clock::now();
    auto const values = random_numbers<T>(host_, A.nnz(), 1), x = random_numbers<T>(host_, A.columns, 2);
    reference<T> const right(host_, A, values, x);
    auto const device_values = upload(run_, values.data(), values.size()), device_x = upload(run_, x.data(), x.size());
    evenly::buffer<evenly::cuda> const device_y(run_, static_cast<std::size_t>(A.rows) * sizeof(T));
    there.values = static_cast<T const*>(device_values.data());
    there.x = static_cast<T const*>(device_x.data());
    there.y = static_cast<T*>(device_y.data());
    double const prepared = std::chrono::duration<double>(clock::now() - begin).count();

    double const s = sizeof(T), nnz = static_cast<double>(A.nnz()), m = static_cast<double>(A.rows),
                 n = static_cast<double>(A.columns);
    double const bytes = nnz * (4 + s) + 4 * (m + 1) + s * (m + n);
    measurement<T> measured(run_, there, right, flush_, rival_, chosen_);
    double ours = 0, theirs = 0;
    std::string our_name = "none", their_name = "none";
    for (auto const& one : measured.run_all()) {
      bool const ok = one.failed.empty() && one.worst.ok();
      ok_ = ok_ && ok;
      for (bool const warm : {true, false}) {
        middle const took = one.capped ? middle{one.first_us, 0} : middle_of(warm ? one.warm : one.cold);
        json_line line;
        line.add("class", of.name).add("size", of.size).add("matrix", of.text).add("type", type);
        line.add("rows", A.rows).add("cols", A.columns).add("nnz", A.nnz()).add("method", one.name);
        line.add("cache", warm ? "warm" : "cold")
            .add("time_us", took.median)
            .add("spread", took.spread)
            .add("plan_us", one.plan_us);
        line.add("gbps", took.median > 0 ? bytes / took.median / 1000 : 0.0).add("bound_us", bytes / copy_gbps_ / 1000);
        line.add("max_error", one.worst.error).add("error_bound", one.worst.bound).add("ok", ok);
        if (one.capped) line.add("capped", true);
        if (!one.failed.empty()) line.add("failed", one.failed);
        report_.lines.push_back(std::move(line));
        if (!warm || !ok) continue;
        bool const is_ours = one.name.starts_with("evenly/");
        auto& best = is_ours ? ours : theirs;
        if (best == 0 || took.median < best) {
          best = took.median;
          (is_ours ? our_name : their_name) = one.name;
        }
      }
      if (!ok)
        std::printf("  WRONG %s: row %lld off by %g, bound %g %s\n", one.name.c_str(),
                    static_cast<long long>(one.worst.row), one.worst.error, one.worst.bound, one.failed.c_str());
    }
    std::printf("  %s %.1f us %s, %.1f us %s, ratio %.2f, %.0f%% of copy; %.1f s, prepared in %.1f\n", type.c_str(),
                ours, our_name.c_str(), theirs, their_name.c_str(), ours > 0 ? theirs / ours : 0.0,
                ours > 0 ? bytes / ours / 10 / copy_gbps_ : 0.0,
                std::chrono::duration<double>(clock::now() - begin).count(), prepared);
    std::fflush(stdout);
  }

  void describe() {
    cudaDeviceProp device{};
    check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    int toolkit = 0;
    check(cudaRuntimeGetVersion(&toolkit), "cudaRuntimeGetVersion");
    stopwatch watch;
    auto const nothing = [] { do_nothing<<<1, 1>>>(); };
    std::vector<double> back_to_back, single;
    for (int i = 0; i < 11; ++i) {
      back_to_back.push_back(watch.time_batch(1000, nothing));
      flush_();
      single.push_back(watch.time(nothing));
    }
    std::string version = "none";
#if BENCH_HAS_CUSPARSE
    if (rival_) version = rival_->version();
    else std::printf("cuSPARSE cannot be loaded (set EVENLY_CUSPARSE to its file): no rival\n");
#endif
    auto& about = report_.context;
    about.add("gpu", device.name).add("driver", asked("driver_version")).add("clocks", asked("clocks.sm,clocks.mem"));
    about.add("cuda", std::to_string(toolkit / 1000) + "." + std::to_string(toolkit % 1000 / 10))
        .add("cusparse", version);
    about.add("commit", chosen_.commit).add("command", chosen_.command).add("copy_gbps", copy_gbps_);
    about.add("bound", "minimum bytes / copy_gbps, for caches that hold nothing");
    about.add("empty_kernel_warm_us", middle_of(back_to_back).median)
        .add("empty_kernel_cold_us", middle_of(single).median);
    about.add("samples", chosen_.samples).add("host_threads", host_.num_threads());
    std::printf("%s\n", about.text().c_str());
  }

  /// What nvidia-smi says, on one line; empty without it.
  static std::string asked(std::string const& what) {
    std::string answer;
    if (FILE* const pipe =
            popen(("nvidia-smi --id=0 --format=csv,noheader --query-gpu=" + what + " 2>/dev/null").c_str(), "r")) {
      for (int c = 0; (c = std::fgetc(pipe)) != EOF && c != '\n';) answer += static_cast<char>(c);
      pclose(pipe);
    }
    return answer;
  }

  options const& chosen_;
  evenly::cuda run_;
  evenly::host host_;
  cache_flush flush_;
  double copy_gbps_;
  std::shared_ptr<cusparse const> rival_;
  report report_;
  bool ok_ = true;
};

std::vector<std::string> words(std::string_view list) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at <= list.size();) {
    auto const end = std::min(list.find(',', at), list.size());
    all.emplace_back(list.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

/// Throws argument_error for what cannot be.
options parse(int argc, char** argv) {
  options chosen;
  chosen.command = "spmv_bench";
  for (int i = 1; i < argc; ++i) {
    std::string const option = argv[i];
    if (i + 1 == argc) throw evenly::argument_error(option + " has no value, or is no option");
    std::string const value = argv[++i];
    auto const one_of = [&](std::vector<std::string> const& known, std::string const& word) {
      if (std::ranges::find(known, word) == known.end())
        throw evenly::argument_error(option + ": there is no '" + word + "'");
    };
    auto const number = [&] {
      char* end = nullptr;
      double const x = std::strtod(value.c_str(), &end);
      if (end == value.c_str() || *end != '\0' || !(x > 0))
        throw evenly::argument_error(option + " must be a number above 0, not '" + value + "'");
      return x;
    };
    if (option == "--size") {
      one_of({"small", "full"}, value);
      chosen.full = value == "full";
    } else if (option == "--only") {
      chosen.only = words(value);
      std::vector<std::string> known;
      for (auto const& of : recipes(true)) known.push_back(of.name);
      for (auto const& word : chosen.only) one_of(known, word);
    } else if (option == "--types") {
      chosen.types = words(value);
      for (auto const& word : chosen.types) one_of({"f32", "f64"}, word);
    } else if (option == "--samples") {
      chosen.samples = static_cast<int>(std::max(1.0, std::min(number(), 1000.0)));
    } else if (option == "--sweep") {
      one_of({"yes", "no"}, value);
      chosen.sweep = value == "yes";
    } else if (option == "--conversions") {
      one_of({"yes", "no"}, value);
      chosen.conversions = value == "yes";
    } else if (option == "--cap-ms") {
      chosen.cap_us = 1000 * number();
    } else if (option == "--deadline") {
      chosen.deadline_s = number();
    } else if (option == "--commit") {
      chosen.commit = value;
    } else if (option == "--out") {
      chosen.out = value;
    } else {
      throw evenly::argument_error("there is no option " + option);
    }
    // where the results go and what they are of is no part of what was measured
    if (option != "--out" && option != "--commit") chosen.command += " " + option + " " + value;
  }
  return chosen;
}

}  // namespace bench

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--help") {
    std::fputs(bench::usage, stdout);
    return 0;
  }
  try {
    bench::options const chosen = bench::parse(argc, argv);
    if (evenly::cuda_device_count() == 0) {
      std::printf("no CUDA device: nothing to measure\n");
      return 77;
    }
    return bench::benchmark(chosen, evenly::cuda()).run() ? 0 : 1;
  } catch (evenly::argument_error const& e) {
    std::fprintf(stderr, "spmv_bench: %s\n%s", e.what(), bench::usage);
    return 2;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "spmv_bench: %s\n", e.what());
    return 1;
  }
}
