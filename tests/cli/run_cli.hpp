// SPDX-License-Identifier: Apache-2.0
//
// Runs the built `evenly` as a user does and gives back what it printed and its exit code; and finds the matrices.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace cli_test {

struct outcome {
  int code = -1;  // 128 + signal where one ended it
  std::string out;
  std::string err;
};

/// A folder of this process, removed when it ends.
inline std::filesystem::path const& scratch() {
  struct folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("evenly-cli-test-" + std::to_string(::getpid()));
    folder() { std::filesystem::create_directories(path); }
    ~folder() {
      std::error_code ignore;
      std::filesystem::remove_all(path, ignore);
    }
  };
  static folder const here;
  return here.path;
}

inline std::string slurp(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string spill(std::string const& name, std::string const& text) {
  auto const path = scratch() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

inline outcome run_cli(std::vector<std::string> arguments, std::string const& input = "/dev/null") {
  arguments.insert(arguments.begin(), EVENLY_CLI);
  std::vector<char*> words;
  for (auto& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  std::string const out = (scratch() / "stdout").string(), err = (scratch() / "stderr").string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  int const failed = posix_spawn(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  outcome result;
  if (failed != 0) {
    ADD_FAILURE() << "cannot start " << words[0];
    return result;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = slurp(out);
  result.err = slurp(err);
  return result;
}

/// $EVENLY_DATA, or the folder beside the repository; empty where there is neither.
inline std::filesystem::path data_folder() {
  if (char const* const folder = std::getenv("EVENLY_DATA"); folder != nullptr && *folder != '\0') return folder;
  auto const beside = std::filesystem::path(EVENLY_SOURCE_DIR) / ".." / "shared" / "data" / "matrices";
  return std::filesystem::is_directory(beside) ? beside : std::filesystem::path();
}

/// Everything in the folder but its table of contents, by name.
inline std::vector<std::string> data_files() {
  std::vector<std::string> files;
  for (auto const& entry : std::filesystem::directory_iterator(data_folder()))
    if (entry.path().filename() != "MANIFEST.csv") files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

inline bool is_matrix_market(std::string const& file) { return file.ends_with(".mtx") || file.ends_with(".mtx.gz"); }

/// Small ones of every kind: empty, dense, complex, pattern, integer, hermitian, hypersparse, with comments and without
/// order.
inline constexpr std::array small_matrices{
    "a00_0x0",           "a10_1x0",    "empty_3x4",         "nz001_10x10", "nz100_10x10",
    "c_hermitian3",      "full_array", "longdouble_1x1",    "matrix_bool", "matrix_int64",
    "sources_7_64x1",    "test_BF",    "LFAT5_hypersparse", "karate",      "west0067_jumbled",
    "comments_west0067", "cage5",      "lp_afiro",          "qc324",       "west0479"};

inline std::string small_matrix(std::string const& name) {
  auto const plain = data_folder() / (name + ".mtx");
  return std::filesystem::exists(plain) ? plain.string() : plain.string() + ".gz";
}

/// One JSON object and nothing else.
inline nlohmann::json parse_only_object(std::string const& text) {
  auto const object = nlohmann::json::parse(text, nullptr, false);
  EXPECT_TRUE(object.is_object()) << text;
  return object;
}

inline std::string describe(outcome const& result) {
  return "exit " + std::to_string(result.code) + "\n" + result.out + result.err;
}

}  // namespace cli_test

#define EVENLY_NEEDS_DATA() \
  if (cli_test::data_folder().empty()) GTEST_SKIP() << "no matrices: set EVENLY_DATA to their folder"
