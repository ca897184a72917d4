// SPDX-License-Identifier: Apache-2.0
//
// The commands of `evenly` and the options that they share. A command takes its options, writes results to stdout and
// all else to stderr, and returns the exit code.
#pragma once

#include "../src/automatic.hpp"
#include "../src/instances.hpp"
#include "../src/triplets.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace evenly::cli {

/// Exit codes, as documented in docs/cli.md.
enum exit_code : int { done = 0, check_failed = 1, usage = 2, bad_input = 3, no_device = 4, interrupted = 130 };

struct common_options {
  std::string file;
  bool json = false;
  bool quiet = false;
  bool no_color = false;
  std::uint64_t seed = 1;
};

struct spmv_command : common_options {
  std::string schedule = "auto";
  std::string executor = "host";
  std::string type;  // empty: what the file holds
  std::string alpha = "1";
  std::string beta = "0";
  std::string out;
  bool check = false;
  bool transpose = false;
  int threads = 0;
  int repeat = 10;
};

struct explain_command : common_options {
  std::string schedule = "all";
  std::string svg;
  int block = 256;
};

struct validate_command : common_options {
  bool sorted = false;
  bool distinct = false;
};

struct convert_command : common_options {
  std::string out;
  std::string symmetry;  // empty: as the file has it
  bool pattern = false;
  bool sorted = false;
};

int run(spmv_command const& command);
int run_info(common_options const& command);
int run(explain_command const& command);
int run(validate_command const& command);
int run(convert_command const& command);
int run_doctor(common_options const& command);
/// The generators and their parameters, one line each.
std::string generator_help();

/// Reads a path, `-` or `gen:...`. Errors: input_error, argument_error.
instances::named_matrix load(std::string const& file);

/// Names the file that a command is about to write, so that an interrupt takes away what is half-written beside it.
void remember_output(std::string const& path);
/// Removes that; may be called from a signal handler.
void remove_partial_output();

}  // namespace evenly::cli
