// SPDX-License-Identifier: Apache-2.0
//
// Every matrix of a folder of real ones agrees with the folder's manifest. The folder is EVENLY_DATA, or the one that
// lies beside the repository; where there is none the test is skipped, and says so.
#include <gtest/gtest.h>
#include <evenly/io/matrix_market.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace {

std::filesystem::path data_folder() {
  const char* set = std::getenv("EVENLY_DATA");
  return set != nullptr ? std::filesystem::path(set)
                        : std::filesystem::path(EVENLY_SOURCE_DIR) / "../shared/data/matrices";
}

/// The rows of a CSV file by column name; fields may be quoted.
std::vector<std::map<std::string, std::string>> read_csv(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::vector<std::string> names;
  std::vector<std::map<std::string, std::string>> rows;
  while (std::getline(in, line)) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
      if (c == '"') quoted = !quoted;
      else if (c == ',' && !quoted) fields.emplace_back();
      else fields.back() += c;
    }
    if (names.empty()) {
      names = fields;
      continue;
    }
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < std::min(names.size(), fields.size()); ++i) row[names[i]] = fields[i];
  }
  return rows;
}

struct row_counts {
  std::int64_t rows, columns, nnz, longest, empty;
  friend bool operator==(const row_counts&, const row_counts&) = default;
  friend std::ostream& operator<<(std::ostream& out, const row_counts& c) {
    return out << c.rows << " x " << c.columns << ", " << c.nnz << " nonzeros, longest row " << c.longest << ", "
               << c.empty << " empty rows";
  }
};

template <class Value>
row_counts counts_of(const std::filesystem::path& path) {
  const auto csr = evenly::read_matrix_market_csr<Value>(path);
  row_counts counts{csr.shape.rows, csr.shape.columns, csr.nnz(), 0, 0};
  for (std::size_t row = 0; row + 1 < csr.offsets.size(); ++row) {
    const auto length = csr.offsets[row + 1] - csr.offsets[row];
    counts.longest = std::max(counts.longest, length);
    counts.empty += length == 0 ? 1 : 0;
  }
  return counts;
}

TEST(real_data, every_file_is_read_as_its_manifest_says_or_refused_by_its_name) {
  const auto folder = data_folder();
  if (!std::filesystem::exists(folder / "MANIFEST.csv"))
    GTEST_SKIP() << "no matrices at " << folder << "; set EVENLY_DATA to a folder with a MANIFEST.csv";
  const std::map<std::string, std::string> other_formats = {
      {"graph", "this is a METIS graph"},
      {"rb", "this is a Harwell-Boeing or Rutherford-Boeing matrix"},
      {"rua", "this is a Harwell-Boeing or Rutherford-Boeing matrix"},
      {"gr", "this is a DIMACS graph"},
      {"tns", "this is a FROSTT tensor"},
      {"txt", "this is an edge list"}};
  int read = 0, refused = 0;
  for (auto& row : read_csv(folder / "MANIFEST.csv")) {
    const std::string file = row["file"];
    const auto path = folder / file;
    const auto number = [&](const char* name) { return std::stoll(row.at(name)); };
    if (file.ends_with(".mtx") || file.ends_with(".mtx.gz")) {
      const row_counts expected{number("rows"), number("cols"), number("nnz_expanded"), number("max_row"),
                                number("empty_rows")};
      const auto header = evenly::read_matrix_market_header(path);
      EXPECT_EQ(evenly::name_of(header.field), row["field"]) << file;
      EXPECT_EQ(evenly::name_of(header.symmetry), row["symmetry"]) << file;
      EXPECT_EQ(header.entries, number("nnz_stored")) << file;
      EXPECT_EQ(counts_of<evenly::complex<double>>(path), expected) << file;
      if (header.field != evenly::matrix_market_field::complex) { EXPECT_EQ(counts_of<float>(path), expected) << file; }
      ++read;
    } else {
      const std::string suffix = evenly::detail::mtx::format_suffix(file);
      ASSERT_TRUE(other_formats.contains(suffix)) << file;
      try {
        evenly::read_matrix_market<double>(path);
        ADD_FAILURE() << file << " was read";
      } catch (const evenly::input_error& e) {
        EXPECT_TRUE(std::string(e.what()).starts_with(path.string() + ":1:1: " + other_formats.at(suffix))) << e.what();
      }
      ++refused;
    }
  }
  EXPECT_EQ(read, 95);
  EXPECT_EQ(refused, 7);
}

}  // namespace
