// SPDX-License-Identifier: Apache-2.0
//
// SpMV on the CPU: the executor `host` against Eigen and SuiteSparse:GraphBLAS with the same number of threads, over one
// matrix of each class of evenly/generate, at a size that fits the last level of the cache and one that does not. Methods
// run in turns, there and back; times are medians. Results are checked row by row, before and after.
// Exit codes: 0, 1 a result beyond its bound, 2 usage.
#include "host_rivals.hpp"
#include "matrices.hpp"
#include "middle.hpp"
#include "reference.hpp"
#include "report.hpp"

#include <evenly/algorithm/spmv.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

constexpr char usage[] =
    "host_bench [OPTION VALUE]...\n"
    "  --threads N           of every method (all cores)\n"
    "  --only CLASS,...      of the generators' names; all without it\n"
    "  --types f32,f64       of values, x and y\n"
    "  --samples N           of each method (9)\n"
    "  --deadline SECONDS    no matrix is begun later\n"
    "  --commit HASH         to be written down\n"
    "  --out FILE            the results as JSON\n";

struct options {
  int threads = 0;
  std::vector<std::string> only, types{"f32", "f64"};
  int samples = 9;
  double deadline_s = 1e9;
  std::string commit = "unknown", out, command = "host_bench";
};

using clock = std::chrono::steady_clock;
inline double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

/// About ten million nonzeros of each class: several times the last level of a desktop's or a small server's cache.
std::vector<recipe> host_recipes() {
  std::vector<recipe> all;
  for (auto const& [name, settings] : std::initializer_list<std::pair<char const*, char const*>>{
           {"stencil5", "side=1400"},
           {"stencil7", "side=112"},
           {"stencil27", "side=72"},
           {"fem", "side=38"},
           {"uniform", "rows=300k&length=32"},
           {"random", "rows=600k"},
           {"rmat", "scale=19"},
           {"zipf", "rows=700k"},
           {"web", "rows=800k"},
           {"road", "side=2100"},
           {"hypersparse", "rows=20M&empty=90"},
           {"rail", "rows=4284&columns=1096894"},
           {"arrow", "rows=1M"},
           {"bimodal", "rows=20k"},
           {"adversary", "rows=300k"},
           {"band", "rows=400k&width=10k"},
       })
    all.push_back({name, "large", "gen:" + std::string(name) + "?" + settings});
  for (auto& of : recipes(false)) all.push_back(std::move(of));
  return all;
}

struct method {
  std::string name;
  std::function<void()> run;
  std::function<void()> finish = [] {};  // brings the result into y; not timed
  double plan_us = 0;
  std::int64_t batch = 1;
  verdict worst{};
  std::vector<double> samples{};
};

template <class T>
class measurement {
 public:
  measurement(evenly::host const& run, host_problem<T> const& p, reference<T> const& right, options const& chosen)
      : run_(run), p_(p), right_(right), chosen_(chosen) {
    add_ours("merge_path", evenly::default_schedule(run));
    add_ours("thread_mapped", evenly::thread_mapped{});
    add_ours("nonzero_split/4096", evenly::nonzero_split{4096});
#if BENCH_HAS_EIGEN
    add("eigen", [&] { return std::make_shared<eigen_spmv<T>>(p_, run_.num_threads()); });
#endif
#if BENCH_HAS_GRAPHBLAS
    for (auto form : {graphblas_form::replaced, graphblas_form::accumulated}) {
      add(form == graphblas_form::replaced ? "graphblas" : "graphblas/accumulated",
          [&] { return std::make_shared<graphblas_spmv<T>>(p_, form, run_.num_threads()); });
    }
#endif
  }

  std::vector<method> const& run_all() {
    for (auto& m : methods_) {
      judge(m);
      auto const begin = clock::now();
      m.run();
      double const once = seconds_since(begin);
      m.batch = std::max<std::int64_t>(1, std::min<std::int64_t>(2000, static_cast<std::int64_t>(batch_s / once)));
    }
    for (int round = 0; round < chosen_.samples; ++round)
      for (std::size_t i = 0; i < methods_.size(); ++i) {
        method& m = methods_[round % 2 == 0 ? i : methods_.size() - 1 - i];
        m.run();
        auto const begin = clock::now();
        for (std::int64_t k = 0; k < m.batch; ++k) m.run();
        m.samples.push_back(seconds_since(begin) * 1e6 / static_cast<double>(m.batch));
      }
    for (auto& m : methods_) judge(m);
    return methods_;
  }

 private:
  template <class Schedule>
  void add_ours(std::string name, Schedule const& schedule) {
    auto const begin = clock::now();
    evenly::csr_view<T> const A(p_.values, p_.offsets, p_.indices, {p_.rows, p_.columns},
                                static_cast<std::int32_t>(p_.nnz));
    using plan = evenly::plan<evenly::host, evenly::csr_view<T>, Schedule>;
    auto const made = std::make_shared<plan>(run_, A, schedule, sizeof(T));
    evenly::view<T const> const x{p_.x, p_.columns};
    evenly::view<T> const y{p_.y, p_.rows};
    methods_.push_back({.name = "evenly/" + std::move(name), .run = [made, x, y] { evenly::spmv(*made, x, y); }});
    methods_.back().plan_us = seconds_since(begin) * 1e6;
  }
  template <class Make>
  void add(std::string name, Make const& make) {
    auto const begin = clock::now();
    auto const made = make();
    methods_.push_back({.name = std::move(name), .run = [made] { (*made)(); }});
    methods_.back().plan_us = seconds_since(begin) * 1e6;
    if constexpr (requires { made->copy_result(); }) methods_.back().finish = [made] { made->copy_result(); };
  }
  /// Runs into a poisoned y and looks at every row.
  void judge(method& m) {
    std::fill_n(p_.y, p_.rows, std::numeric_limits<T>::quiet_NaN());
    m.run();
    m.finish();
    verdict const now = right_.judge(p_.y);
    if (m.worst.row < 0 || !(now.share <= m.worst.share)) m.worst = now;
  }

  static constexpr double batch_s = 0.008;
  evenly::host run_;
  host_problem<T> p_;
  reference<T> const& right_;
  options const& chosen_;
  std::vector<method> methods_;
};

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

/// Bytes a second of a sum over 256 MB with all threads, in GB/s: what a product that reads its matrix once can reach.
double read_bandwidth(evenly::host const& run) {
  raw_array<double> const words(32 << 20);
  parallel(run, words.size(), 1 << 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) words[i] = 1;
  });
  std::vector<double> samples;
  for (int i = 0; i < 9; ++i) {
    std::atomic<std::int64_t> wrong{0};
    auto const begin = clock::now();
    parallel(run, words.size(), 1 << 16, [&](std::int64_t first, std::int64_t last) {
      double sums[8]{};
      for (std::int64_t k = first; k < last; k += 8)
        for (int j = 0; j < 8; ++j) sums[j] += words[k + j];
      double all = 0;
      for (double sum : sums) all += sum;
      if (all != static_cast<double>(last - first)) wrong.fetch_add(1);
    });
    if (wrong == 0) samples.push_back(static_cast<double>(words.size()) * 8e-9 / seconds_since(begin));
  }
  return middle_of(samples).median;
}

class benchmark {
 public:
  explicit benchmark(options const& chosen) : chosen_(chosen), run_({.threads = chosen.threads}) {
    auto& about = report_.context;
    about.add("cpu", cpu_name()).add("threads", run_.num_threads()).add("compiler", __VERSION__);
    read_gbps_ = read_bandwidth(run_);
    about.add("read_gbps", read_gbps_).add("bound", "minimum bytes / read_gbps, for caches that hold nothing");
#if BENCH_HAS_EIGEN
    about.add("eigen", std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
                           std::to_string(EIGEN_MINOR_VERSION));
#endif
#if BENCH_HAS_GRAPHBLAS
    about.add("graphblas", std::to_string(GxB_IMPLEMENTATION_MAJOR) + "." + std::to_string(GxB_IMPLEMENTATION_MINOR) +
                               "." + std::to_string(GxB_IMPLEMENTATION_SUB));
#endif
    about.add("commit", chosen.commit).add("command", chosen.command).add("samples", chosen.samples);
    std::printf("%s\n", about.text().c_str());
  }

  /// False if a result was wrong.
  bool run() {
    auto const begin = clock::now();
    for (auto const& of : host_recipes()) {
      if (!chosen_.only.empty() && std::ranges::find(chosen_.only, of.name) == chosen_.only.end()) continue;
      if (seconds_since(begin) > chosen_.deadline_s) {
        std::printf("stopped before %s: the deadline is over\n", of.text.c_str());
        return false;
      }
      structure const A = build(run_, of.text);
      for (auto const& type : chosen_.types) {
        if (type == "f32") one_type<float>(of, A, type);
        else one_type<double>(of, A, type);
      }
      report_.write(chosen_.out);
    }
    return ok_;
  }

 private:
  template <class T>
  void one_type(recipe const& of, structure const& A, std::string const& type) {
    auto const values = random_numbers<T>(run_, A.nnz(), 1), x = random_numbers<T>(run_, A.columns, 2);
    raw_array<T> const y(A.rows);
    reference<T> const right(run_, A, values, x);
    measurement<T> measured(
        run_, {A.rows, A.columns, A.nnz(), A.offsets.data(), A.indices.data(), values.data(), x.data(), y.data()},
        right, chosen_);
    double const s = sizeof(T), nnz = static_cast<double>(A.nnz()), m = static_cast<double>(A.rows),
                 n = static_cast<double>(A.columns);
    double const bytes = nnz * (4 + s) + 4 * (m + 1) + s * (m + n);
    std::printf("%-38s %s", of.text.c_str(), type.c_str());
    double ours = 0, theirs = 0;
    for (auto const& one : measured.run_all()) {
      middle const took = middle_of(one.samples);
      bool const ok = one.worst.ok();
      ok_ = ok_ && ok;
      json_line line;
      line.add("class", of.name).add("size", of.size).add("matrix", of.text).add("type", type);
      line.add("rows", A.rows).add("cols", A.columns).add("nnz", A.nnz()).add("method", one.name).add("cache", "warm");
      line.add("time_us", took.median).add("spread", took.spread).add("plan_us", one.plan_us);
      line.add("gbps", bytes / took.median / 1000).add("bound_us", bytes / read_gbps_ / 1000);
      line.add("max_error", one.worst.error).add("error_bound", one.worst.bound).add("ok", ok);
      report_.lines.push_back(std::move(line));
      std::printf("  %s %.0f%s", one.name.c_str(), took.median, ok ? "" : " WRONG");
      auto& best = one.name.starts_with("evenly/") ? ours : theirs;
      if (best == 0 || took.median < best) best = took.median;
    }
    std::printf("  ratio %.2f\n", ours > 0 ? theirs / ours : 0.0);
    std::fflush(stdout);
  }

  options const& chosen_;
  evenly::host run_;
  double read_gbps_ = 0;
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
  for (int i = 1; i < argc; ++i) {
    std::string const option = argv[i];
    if (i + 1 == argc) throw evenly::argument_error(option + " has no value, or is no option");
    std::string const value = argv[++i];
    auto const among = [&](std::vector<std::string> const& known) {
      for (auto const& word : words(value))
        if (std::ranges::find(known, word) == known.end())
          throw evenly::argument_error(option + ": there is no '" + word + "'");
      return words(value);
    };
    auto const number = [&] {
      char* end = nullptr;
      double const x = std::strtod(value.c_str(), &end);
      if (end == value.c_str() || *end != '\0' || !(x > 0))
        throw evenly::argument_error(option + " must be a number above 0, not '" + value + "'");
      return x;
    };
    if (option == "--threads") {
      chosen.threads = static_cast<int>(number());
    } else if (option == "--only") {
      std::vector<std::string> known;
      for (auto const& of : host_recipes()) known.push_back(of.name);
      chosen.only = among(known);
    } else if (option == "--types") {
      chosen.types = among({"f32", "f64"});
    } else if (option == "--samples") {
      chosen.samples = static_cast<int>(number());
    } else if (option == "--deadline") {
      chosen.deadline_s = number();
    } else if (option == "--commit") {
      chosen.commit = value;
    } else if (option == "--out") {
      chosen.out = value;
    } else {
      throw evenly::argument_error("there is no option " + option);
    }
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
    return bench::benchmark(chosen).run() ? 0 : 1;
  } catch (evenly::argument_error const& e) {
    std::fprintf(stderr, "host_bench: %s\n%s", e.what(), bench::usage);
    return 2;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "host_bench: %s\n", e.what());
    return 1;
  }
}
