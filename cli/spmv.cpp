// SPDX-License-Identifier: Apache-2.0
//
// evenly spmv: y = alpha A x + beta y by one schedule or all, checked and timed.
#include "output.hpp"

#include "../src/check.hpp"

#include <evenly/core/error.hpp>
#include <evenly/generate/random.hpp>
#include <evenly/io/matrix_market.hpp>

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace evenly::cli {

namespace {

using namespace instances;

double parse_real(std::string_view word, std::string_view text, char const* option) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  auto const [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (status != std::errc{} || end != word.data() + word.size())
    throw argument_error(fmt::format("{}: '{}' is not a number; write 2.5, or 2.5,-1 for a complex one", option, text));
  return value;
}

complex<double> parse_scalar(std::string_view text, char const* option) {
  auto const comma = text.find(',');
  if (comma == std::string_view::npos) return parse_real(text, text, option);
  return {parse_real(text.substr(0, comma), text, option), parse_real(text.substr(comma + 1), text, option)};
}

template <class T>
std::vector<T> random_vector(std::int64_t size, std::uint64_t seed, std::int64_t which) {
  std::vector<T> result(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = generate::unit<T>(generate::hash(seed, which, static_cast<std::int64_t>(i)));
  return result;
}

struct run_record {
  std::string name, options, because;
  multiply_result times;
  check_result check;
  double gbps = 0, gflops = 0;
};

/// A dense vector as a Matrix Market array file has one column; infinities and NaN as the reader takes them.
template <class T>
void write_vector(std::string const& path, std::vector<T> const& y) {
  remember_output(path);
  detail::mtx::temporary_file file{std::filesystem::path(path)};
  detail::mtx::block_writer text([&file](std::string_view block) { file.put(block); });
  text(is_complex<T> ? "%%MatrixMarket matrix array complex general" : "%%MatrixMarket matrix array real general");
  text.end_line();
  text(static_cast<std::int64_t>(y.size())), text(" 1"), text.end_line();
  for (T const& value : y) {
    if constexpr (is_complex<T>) text(value.re), text(' '), text(value.im);
    else text(value);
    text.end_line();
  }
  text.flush();
  file.commit();
}

nlohmann::ordered_json run_json(run_record const& run, spmv_command const& command, value_type type,
                                any_schedule const& schedule) {
  nlohmann::ordered_json options = nlohmann::ordered_json::object();
  std::visit(
      [&](auto chosen) { each_option(chosen, [&](char const* name, int& value, int, int) { options[name] = value; }); },
      schedule);
  nlohmann::ordered_json result{{"schedule", run.name},
                                {"options", options},
                                {"executor", command.executor},
                                {"type", name_of(type)},
                                {"time_ms", run.times.time_ms},
                                {"plan_ms", run.times.plan_ms},
                                {"plan_bytes", run.times.plan_bytes},
                                {"gbps", run.gbps},
                                {"gflops", run.gflops}};
  if (command.check) {
    result["max_error"] = run.check.max_error;
    result["error_bound"] = run.check.error_bound;
    result["worst_row"] = run.check.worst_row;
    result["bad_rows"] = run.check.bad_rows;
  } else {
    result["max_error"] = nullptr;
    result["error_bound"] = nullptr;
  }
  result["ok"] = command.check ? nlohmann::ordered_json(run.check.ok) : nlohmann::ordered_json(nullptr);
  if (!run.because.empty()) result["chosen_because"] = run.because;
  return result;
}

/// Fewest bytes that any y = A x must move: nnz (I + s) + O (rows + 1) + s (rows + columns), and the old y where it is
/// read.
double least_bytes(any_csr const& A, bool reads_y) {
  return std::visit(
      [&]<class T, class Offset>(csr<T, Offset, std::int32_t> const& matrix) {
        auto const nnz = static_cast<double>(matrix.nnz()), rows = static_cast<double>(matrix.shape.rows),
                   columns = static_cast<double>(matrix.shape.columns);
        double const s = sizeof(T);
        return nnz * (4 + s) + sizeof(Offset) * (rows + 1) + s * (rows * (reads_y ? 2 : 1) + columns);
      },
      A);
}

struct task {
  any_schedule schedule;
  std::string because;
};

std::vector<task> tasks_for(spmv_command const& command, any_csr const& A, executor_kind executor) {
  std::vector<task> tasks;
  if (command.schedule == "all") {
    for (auto const& schedule : executor == executor_kind::host ? all_host_schedules() : all_schedules())
      tasks.push_back({schedule, {}});
  } else if (command.schedule == "auto") {
    auto const chosen = choose_schedule(features_of(A), executor);
    tasks.push_back({chosen.schedule, chosen.because});
  } else {
    tasks.push_back({parse_schedule(command.schedule), {}});
  }
  return tasks;
}

template <class T>
int run_typed(spmv_command const& command, named_matrix const& matrix, executor_kind executor, complex<double> alpha,
              complex<double> beta) {
  if constexpr (!is_complex<T>)
    if (alpha.im != 0 || beta.im != 0)
      throw argument_error("alpha and beta are complex, the type is not; use --type c64 or c128");
  auto const type = value_type_of<T>;
  any_csr const A = rows_of(matrix, type);
  auto const shape = matrix.shape();
  auto const scalar = [](complex<double> z) {
    if constexpr (is_complex<T>) return T(z);
    else return static_cast<T>(z.re);
  };
  any_vector const x = random_vector<T>(shape.columns, command.seed, 0);
  bool const reads_y = !(scalar(beta) == T{});
  std::vector<T> old_y;
  if (reads_y) old_y = random_vector<T>(shape.rows, command.seed, 1);
  else {
    T nothing(std::numeric_limits<real_of_t<T>>::quiet_NaN());
    if constexpr (is_complex<T>) nothing.im = nothing.re;
    old_y.assign(static_cast<std::size_t>(shape.rows), nothing);
  }
  auto const tasks = tasks_for(command, A, executor);
  std::optional<reference<T>> right;
  if (command.check)
    std::visit(
        [&](auto const& list) {
          if constexpr (is_complex<T> || !is_complex<typename std::remove_cvref_t<decltype(list)>::value_type>)
            right.emplace(list, std::get<std::vector<T>>(x), old_y, scalar(alpha), scalar(beta));
        },
        matrix.entries);

  auto const session = open_session(A, x, {.executor = executor, .threads = command.threads, .seed = command.seed});
  std::vector<run_record> runs;
  any_vector y;
  {
    progress line(static_cast<int>(tasks.size()), command.quiet);
    for (auto const& [schedule, because] : tasks) {
      line.at(static_cast<int>(runs.size()), name_of(schedule));
      y = old_y;
      run_record run{std::string(name_of(schedule)), describe(schedule), because, {}, {}};
      run.times = session->multiply(schedule, y, {alpha, beta, command.repeat});
      run.gbps = least_bytes(A, reads_y) / (run.times.time_ms * 1e6);
      run.gflops = 2 * static_cast<double>(matrix.nnz()) / (run.times.time_ms * 1e6);
      if (right) run.check = right->compare(std::get<std::vector<T>>(y));
      runs.push_back(std::move(run));
    }
  }
  if (!command.out.empty()) write_vector(command.out, std::get<std::vector<T>>(y));

  bool all_ok = true;
  for (auto const& run : runs) all_ok = all_ok && run.check.ok;
  if (command.json) {
    auto object = json_head("spmv");
    object["matrix"] = matrix_json(matrix);
    object["runs"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < runs.size(); ++i)
      object["runs"].push_back(run_json(runs[i], command, type, tasks[i].schedule));
    print_json(object);
  } else if (!command.quiet) {
    palette const color(command.no_color);
    fmt::print("{}  {} x {}, {} nonzeros, {} on {}\n", color.strong(matrix.name), grouped(shape.rows),
               grouped(shape.columns), grouped(matrix.nnz()), name_of(type), command.executor);
    table out({"schedule", "time", "plan", "GB/s", "GFLOP/s", "error / bound", "ok"});
    for (auto const& run : runs) {
      double const ratio = run.check.max_error == 0 ? 0 : run.check.max_error / run.check.error_bound;
      out.add({run.options, duration(run.times.time_ms), duration(run.times.plan_ms), number(run.gbps, 2),
               number(run.gflops, 3), command.check ? fmt::format("{:.3g}", ratio) : "-",
               !command.check ? color.faint("not checked")
               : run.check.ok ? color.good("ok")
                              : color.bad("WRONG")});
    }
    fmt::print("{}", out.text());
    for (auto const& run : runs)
      if (!run.because.empty()) fmt::print("{} was chosen: {}.\n", run.name, run.because);
  }
  std::fflush(stdout);
  for (auto const& run : runs)
    if (!run.check.ok)
      fmt::print(stderr,
                 "evenly: {}: {} of {} rows are wrong, the worst is row {} (error {:.3g}, bound {:.3g}); "
                 "run it on --executor simt to find out why\n",
                 run.options, run.check.bad_rows, shape.rows, run.check.worst_row, run.check.max_error,
                 run.check.error_bound);
  return all_ok ? exit_code::done : exit_code::check_failed;
}

}  // namespace

int run(spmv_command const& command) {
  auto const alpha = parse_scalar(command.alpha, "--alpha"), beta = parse_scalar(command.beta, "--beta");
  auto const executor = parse_executor(command.executor);
  if (command.schedule != "all" && command.schedule != "auto")
    parse_schedule(command.schedule);  // refused before a long read
  std::optional<value_type> type;
  if (!command.type.empty()) type = parse_value_type(command.type);
  if (executor == executor_kind::cuda && cuda_devices() == 0)
    throw device_error("no CUDA device: " + cuda_description());
  auto matrix = load(command.file);
  if (command.transpose) transpose(matrix);
  if (!type) type = matrix.is_complex() ? value_type::c128 : value_type::f64;
  return with_type(*type, [&]<class T>(T) { return run_typed<T>(command, matrix, executor, alpha, beta); });
}

}  // namespace evenly::cli
