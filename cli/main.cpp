// SPDX-License-Identifier: Apache-2.0
//
// The command line: options, exit codes, and the one place where errors become text.
#include "cli.hpp"

#include <evenly/core/config.hpp>
#include <evenly/core/error.hpp>
#include <evenly/generate/detail/nearest.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <new>
#include <stdexcept>

#include <unistd.h>

namespace {

namespace cli = evenly::cli;

constexpr char const* description =
    "Examples:\n"
    "  evenly spmv matrix.mtx --schedule all --check      every schedule on this matrix, each result checked\n"
    "  evenly explain gen:zipf --svg balance.svg          who gets how much work, as a picture; needs no GPU\n"
    "  evenly spmv gen:rmat?scale=16 --executor cuda --type f32 --json\n"
    "\n"
    "evenly shares out sparse work evenly among threads. FILE is a Matrix Market file (also .gz, .zst, .xz, .bz2, "
    ".tar.gz),\n"
    "- for standard input, or a generated matrix such as gen:rmat?scale=16 (evenly generate --list names them all).\n"
    "Results go to stdout, all else to stderr.";

constexpr char const* footer =
    "\nExit codes: 0 ok, 1 a check failed, 2 usage, 3 bad input, 4 no such device, 130 interrupted.\n"
    "evenly COMMAND --help tells more.";

extern "C" void on_interrupt(int) {
  cli::remove_partial_output();
  _exit(cli::interrupted);
}

void add_common(CLI::App& command, cli::common_options& options, bool with_file = true) {
  if (with_file)
    command.add_option("FILE", options.file, "A Matrix Market file, - for standard input, or gen:NAME?key=value&...")
        ->required();
  command.add_flag("--json", options.json, "Print exactly one JSON object on stdout");
  command.add_flag("--quiet,-q", options.quiet, "Print errors only; the exit code tells the rest");
  command.add_flag("--no-color", options.no_color, "No colours (also: NO_COLOR, TERM=dumb)");
}

/// CLI11 says what was wrong; this adds the name that was probably meant.
std::string with_suggestion(CLI::App const& app, CLI::ParseError const& failure,
                            std::vector<std::string> const& words) {
  std::string text = failure.what();
  CLI::App const* command = &app;
  for (auto const* sub : app.get_subcommands()) command = sub;
  if (command == &app && !words.empty() && !words[0].starts_with('-')) {
    std::vector<std::string> names;
    for (auto const* sub : app.get_subcommands([](CLI::App const*) { return true; })) names.push_back(sub->get_name());
    return "there is no command '" + words[0] + "'" + evenly::detail::suggest(words[0], names);
  }
  for (auto const& word : words) {
    if (!word.starts_with("--") || text.find(word) == std::string::npos) continue;
    std::vector<std::string> names;
    for (auto const* option : command->get_options())
      for (auto const& name : option->get_lnames()) names.push_back("--" + name);
    auto const bare = word.substr(0, word.find('='));
    if (std::ranges::find(names, bare) != names.end()) break;
    return "there is no option '" + bare + "'" + evenly::detail::suggest(bare, names);
  }
  return text + "; evenly " + (command == &app ? "" : command->get_name() + " ") + "--help shows what is possible";
}

int complain(int code, std::string const& what) {
  std::fflush(stdout);
  fmt::print(stderr, "evenly: {}\n", what);
  return code;
}

template <class Command>
int guarded(Command const& command) {
  try {
    return command();
  } catch (evenly::argument_error const& failure) {
    return complain(cli::usage, failure.what());
  } catch (evenly::input_error const& failure) {
    return complain(cli::bad_input, failure.what());
  } catch (evenly::device_error const& failure) {
    return complain(cli::no_device, failure.what());
  } catch (std::bad_alloc const&) {
    return complain(cli::bad_input,
                    "there is not enough memory for this matrix; take a smaller one, or a larger machine");
  } catch (std::length_error const&) {
    return complain(cli::bad_input,
                    "there is not enough memory for this matrix; take a smaller one, or a larger machine");
  } catch (std::exception const& failure) { return complain(cli::bad_input, failure.what()); }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, on_interrupt);
  CLI::App app(description, "evenly");
  app.footer(footer);
  app.set_version_flag("--version", "evenly " EVENLY_VERSION);
  app.require_subcommand(1);

  cli::spmv_command spmv;
  auto* const spmv_app = app.add_subcommand("spmv", "y = alpha A x + beta y by any schedule, checked and timed");
  add_common(*spmv_app, spmv);
  spmv_app->add_option("--schedule", spmv.schedule, "auto, all, or a name with options, as group_mapped:lanes=4")
      ->capture_default_str();
  spmv_app->add_option("--executor", spmv.executor, "host, simt (an emulated GPU) or cuda")->capture_default_str();
  spmv_app->add_option("--type", spmv.type,
                       "f32, f64, c64 or c128; without it, doubles of the kind that the file holds");
  spmv_app->add_option("--alpha", spmv.alpha, "A number; a complex one is written re,im")->capture_default_str();
  spmv_app->add_option("--beta", spmv.beta, "A number; not 0 adds beta times a random old y")->capture_default_str();
  spmv_app->add_flag("--check", spmv.check,
                     "Compare with a long double reference; exit 1 if a row exceeds its error bound");
  spmv_app->add_flag("--transpose", spmv.transpose, "Use the transpose of A");
  spmv_app->add_option("--out", spmv.out, "Write y (of the last run) to this Matrix Market file");
  spmv_app->add_option("--seed", spmv.seed, "For x, the old y, and the order of simt's threads")->capture_default_str();
  spmv_app->add_option("--threads", spmv.threads, "Host threads; 0 means one for each core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  spmv_app->add_option("--repeat", spmv.repeat, "Timed runs, of which the median is printed; 0 for none")
      ->check(CLI::Range(0, 1'000'000))
      ->capture_default_str();

  cli::common_options info;
  auto* const info_app = app.add_subcommand(
      "info", "Size, row lengths, a picture of the pattern, balance of each schedule, and which one is chosen");
  add_common(*info_app, info);

  cli::explain_command explain;
  auto* const explain_app = app.add_subcommand(
      "explain", "Work of each thread, warp and block under each schedule, as a picture; needs no GPU");
  add_common(*explain_app, explain);
  explain_app->add_option("--schedule", explain.schedule, "all, or one as for spmv")->capture_default_str();
  explain_app->add_option("--svg", explain.svg, "Write the picture to this file, which any browser shows");
  explain_app->add_option("--block", explain.block, "Threads of a block")
      ->check(CLI::Range(32, 1024))
      ->capture_default_str();

  cli::validate_command validate;
  auto* const validate_app =
      app.add_subcommand("validate", "Read a file and check the structure: exit 0 if all rules hold, 1 or 3 if not");
  add_common(*validate_app, validate);
  validate_app->add_flag("--sorted", validate.sorted, "Columns of a row must ascend");
  validate_app->add_flag("--distinct", validate.distinct, "A row must not name a column twice");

  cli::convert_command convert;
  auto* const convert_app = app.add_subcommand("convert", "Read FILE, write it as a plain Matrix Market file OUT");
  add_common(*convert_app, convert);
  convert_app->add_option("OUT", convert.out, "The file to write; it is complete or not there at all")->required();
  convert_app->add_option("--symmetry", convert.symmetry,
                          "general, symmetric, skew-symmetric or hermitian; without it, as IN has it");
  convert_app->add_flag("--pattern", convert.pattern, "Leave the values out");
  convert_app->add_flag("--sorted", convert.sorted, "Order entries by row, then column");

  cli::convert_command generate;
  bool list = false;
  auto* const generate_app =
      app.add_subcommand("generate", "Write a generated matrix, gen:NAME?key=value&..., to a file");
  add_common(*generate_app, generate, false);
  generate_app->add_option("GENERATOR", generate.file, "gen:NAME?key=value&...");
  generate_app->add_option("OUT", generate.out, "The file to write");
  generate_app->add_flag("--list", list, "List the generators and their parameters");

  cli::common_options doctor;
  auto* const doctor_app =
      app.add_subcommand("doctor", "What this machine has, what is missing, and the command that fixes it");
  add_common(*doctor_app, doctor, false);

  std::vector<std::string> const words(argv + 1, argv + argc);
  try {
    app.parse(argc, argv);
  } catch (CLI::Success const& wanted) { return app.exit(wanted); } catch (CLI::ParseError const& failure) {
    return complain(cli::usage, with_suggestion(app, failure, words));
  }

  return guarded([&] {
    if (spmv_app->parsed()) return cli::run(spmv);
    if (info_app->parsed()) return cli::run_info(info);
    if (explain_app->parsed()) return cli::run(explain);
    if (validate_app->parsed()) return cli::run(validate);
    if (convert_app->parsed()) return cli::run(convert);
    if (doctor_app->parsed()) return cli::run_doctor(doctor);
    if (list) {
      fmt::print("{}", cli::generator_help());
      return static_cast<int>(cli::done);
    }
    if (generate.file.empty() || generate.out.empty())
      throw evenly::argument_error(
          "generate needs a generator and a file: evenly generate gen:rmat?scale=10 rmat.mtx; "
          "evenly generate --list names the generators");
    if (!generate.file.starts_with("gen:")) generate.file = "gen:" + generate.file;
    return cli::run(generate);
  });
}
