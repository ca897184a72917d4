// SPDX-License-Identifier: Apache-2.0
//
// Matrix Market by example: what the format allows is read, what it does not is refused at the right line and column.
#include <gtest/gtest.h>
#include <evenly/io/matrix_market.hpp>

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "reference_reader.hpp"

namespace {

using evenly::complex;

template <class Value, class Index = std::int32_t>
evenly::coo<Value, Index> parse(const std::string& text) {
  return evenly::parse_matrix_market<Value, Index>(text, "m.mtx", {.threads = 1});
}

template <class Value, class Index = std::int32_t>
std::string refusal(const std::string& text, const std::string& name = "m.mtx") {
  try {
    evenly::parse_matrix_market<Value, Index>(text, name);
  } catch (const evenly::input_error& e) { return e.what(); }
  return "it was read";
}

using ints = std::vector<std::int32_t>;
using doubles = std::vector<double>;

TEST(matrix_market, reads_every_field_as_every_type_that_holds_it) {
  const std::string pattern = "%%MatrixMarket matrix coordinate pattern general\n2 3 2\n2 3\n1 1\n";
  const std::string integer =
      "%%MatrixMarket matrix coordinate integer general\n2 3 2\n2 3 -9223372036854775808\n1 1 9223372036854775807\n";
  const std::string real = "%%MatrixMarket matrix coordinate real general\n2 3 2\n2 3 -2.5\n1 1 1e2\n";
  const std::string cplx = "%%MatrixMarket matrix coordinate complex general\n2 3 2\n2 3 -2.5 1\n1 1 1e2 -0.5\n";
  EXPECT_EQ(parse<double>(pattern).rows, (ints{1, 0}));
  EXPECT_EQ(parse<double>(pattern).columns, (ints{2, 0}));
  EXPECT_EQ(parse<double>(pattern).values, (doubles{1, 1}));
  EXPECT_EQ(parse<std::int64_t>(pattern).values, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(parse<complex<float>>(pattern).values, (std::vector<complex<float>>{1, 1}));
  EXPECT_EQ(parse<std::int64_t>(integer).values, (std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min(),
                                                                            std::numeric_limits<std::int64_t>::max()}));
  EXPECT_EQ(parse<double>(integer).values, (doubles{-0x1p63, 0x1p63}));
  EXPECT_EQ(parse<float>(real).values, (std::vector<float>{-2.5F, 100}));
  EXPECT_EQ(parse<complex<double>>(real).values, (std::vector<complex<double>>{-2.5, 100.0}));
  EXPECT_EQ((parse<complex<double>, std::int64_t>(cplx).values),
            (std::vector<complex<double>>{{-2.5, 1}, {100, -0.5}}));
  EXPECT_EQ(parse<complex<float>>(cplx).shape, (evenly::shape{2, 3}));
}

TEST(matrix_market, refuses_values_that_the_type_would_cut) {
  EXPECT_EQ(refusal<double>("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n"),
            "m.mtx:1:1: the file holds complex values; read it as complex<double> or complex<float>, or take the part "
            "you want");
  EXPECT_EQ(refusal<std::int64_t>("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1\n"),
            "m.mtx:1:1: the file holds real values, which an integer would cut; read it as double or float");
}

TEST(matrix_market, letter_case_blanks_comments_and_line_ends_do_not_matter) {
  const auto plain = parse<double>("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1.5\n3 3 -4\n");
  for (const std::string text : {
           "%%matrixmarket MATRIX Coordinate REAL Symmetric\n3 3 2\n2 1 1.5\n3 3 -4\n",
           "%%MatrixMarket\tmatrix  coordinate real   symmetric  \r\n%\r\n\r\n  % x\r\n 3\t3  2 \r\n2 1 1.5\r\n3 3 "
           "-4\r\n",
           "%%MatrixMarket matrix coordinate real symmetric\n% c\n\n3 3 2\n\n  %c\n2 1 1.5\n%\n% 9 9 9\n \t\n   3\t 3  "
           "-4  \n\n%end",
           "%%MatrixMarket matrix coordinate double symmetric\n+3 3 2\n2 1 +1.5\n+3 +3 -4.",
       })
    EXPECT_TRUE(reference::same(parse<double>(text), plain)) << text;
}

TEST(matrix_market, reads_every_spelling_of_a_real) {
  const std::map<std::string, double> spellings = {
      {"1", 1},
      {"+1.5", 1.5},
      {"-1.5", -1.5},
      {"12.", 12},
      {".5", 0.5},
      {"-.5", -0.5},
      {"1e3", 1000},
      {"1E+03", 1000},
      {"1.0D+03", 1000},
      {"1d3", 1000},
      {"1.25d-2", 0.0125},
      {"00012.500", 12.5},
      {"1e-400", 0},
      {"-0", -0.0},
      {"0e9", 0},
      {"1E310", std::numeric_limits<double>::infinity()},
      {"-1d999999999999999999999", -std::numeric_limits<double>::infinity()},
      {"0.0e999999999999999999999", 0},
      {"1e-999999999999999999999", 0},
      {"inf", std::numeric_limits<double>::infinity()},
      {"-Infinity", -std::numeric_limits<double>::infinity()},
      {"+INF", std::numeric_limits<double>::infinity()},
      {"nan", std::numeric_limits<double>::quiet_NaN()},
      {"NaN", std::numeric_limits<double>::quiet_NaN()},
      {"4.9406564584124654e-324", 4.9406564584124654e-324},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"9007199254740993", 9007199254740992},
      {"9007199254740993.0000000000000000000000000000001", 9007199254740994},
      {"0.1", 0.1},
      {"0.30000000000000004", 0.30000000000000004},
      {"123456789012345678901234567890", 123456789012345678901234567890.0},
      {"0.0000000000000000000000000000000000000001234", 1.234e-40}};
  for (const auto& [text, value] : spellings) {
    const auto m = parse<double>("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 " + text);
    EXPECT_TRUE(reference::same_value(m.values.at(0), value)) << text << " was read as " << m.values[0];
  }
}

TEST(matrix_market, a_float_is_rounded_once) {
  // Halfway between two floats but for the last digit: by way of a double it would round to even.
  const auto m = parse<float>("%%MatrixMarket matrix array real general\n2 1\n1.00000005960464477540\n1e39\n");
  EXPECT_EQ(m.values.at(0), 1.00000012F);
  EXPECT_EQ(m.values.at(1), std::numeric_limits<float>::infinity());
}

TEST(matrix_market, symmetric_storage_expands_behind_the_stored_entries) {
  const auto skew =
      parse<double>("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 3\n2 1 1.5\n2 2 0\n3 1 -0.0\n");
  EXPECT_EQ(skew.rows, (ints{1, 1, 2, 0, 0}));
  EXPECT_EQ(skew.columns, (ints{0, 1, 0, 1, 2}));
  EXPECT_EQ(skew.values, (doubles{1.5, 0, -0.0, -1.5, 0}));
  const auto hermitian =
      parse<complex<double>>("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 2 0\n2 1 3 4\n");
  EXPECT_EQ(hermitian.values, (std::vector<complex<double>>{2, {3, 4}, {3, -4}}));
  const auto upper = parse<std::int64_t>("%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 2 7\n1 2 7\n");
  EXPECT_EQ(upper.rows, (ints{0, 0, 1, 1}));
  const auto least =
      parse<std::int64_t>("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n");
  EXPECT_EQ(least.values[1], std::numeric_limits<std::int64_t>::min());  // has no negative in 64 bits, and wraps
}

TEST(matrix_market, array_files_come_column_by_column) {
  const auto general = parse<double>("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n0\n5\n6\n");
  EXPECT_EQ(general.rows, (ints{0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(general.columns, (ints{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(general.values, (doubles{1, 2, 3, 0, 5, 6}));
  const auto symmetric = parse<double>("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n");
  EXPECT_EQ(symmetric.rows, (ints{0, 1, 1, 0}));
  EXPECT_EQ(symmetric.values, (doubles{1, 2, 3, 2}));
  const auto skew = parse<double>("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
  EXPECT_EQ(skew.rows, (ints{1, 2, 2, 0, 0, 1}));
  EXPECT_EQ(skew.values, (doubles{1, 2, 3, -1, -2, -3}));
  const auto hermitian = parse<complex<double>>("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 -0\n");
  EXPECT_EQ(hermitian.values, (std::vector<complex<double>>{1, {2, 3}, 4, {2, -3}}));
}

TEST(matrix_market, empty_matrices_are_read) {
  for (const std::string sizes : {"0 0", "0 5", "7 0", "3 4"}) {
    const auto m = parse<double>("%%MatrixMarket matrix coordinate real general\n" + sizes + " 0");
    EXPECT_EQ(m.nnz(), 0);
    EXPECT_EQ(std::to_string(m.shape.rows) + ' ' + std::to_string(m.shape.columns), sizes);
  }
  EXPECT_EQ(parse<double>("%%MatrixMarket matrix array real general\n0 5\n").nnz(), 0);
  EXPECT_EQ((parse<double, std::int64_t>("%%MatrixMarket matrix array real general\n0 9000000000000000000\n").nnz()),
            0);
  EXPECT_EQ(parse<double>("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").nnz(), 0);
}

TEST(matrix_market, the_header_alone_says_what_a_file_holds) {
  const auto h = evenly::parse_matrix_market_header(
      "%%MatrixMarket matrix coordinate complex hermitian\n% c\n  4 4 2\n1 1 1 0\n2 1 1 1\n", "m");
  EXPECT_EQ(h.format, evenly::matrix_market_format::coordinate);
  EXPECT_EQ(h.field, evenly::matrix_market_field::complex);
  EXPECT_EQ(h.symmetry, evenly::matrix_market_symmetry::hermitian);
  EXPECT_EQ(h.rows, 4);
  EXPECT_EQ(h.columns, 4);
  EXPECT_EQ(h.entries, 2);
  EXPECT_EQ(h.size_line, 3);
  EXPECT_EQ(h.size_column, 3);
  EXPECT_EQ(
      evenly::parse_matrix_market_header("%%MatrixMarket matrix array real symmetric\n3 3\n1\n1\n1\n1\n1\n1\n", "m")
          .entries,
      6);
}

TEST(matrix_market, refuses_sizes_that_the_index_type_or_csr_cannot_hold) {
  const std::string wide = "%%MatrixMarket matrix coordinate pattern general\n3 2147483648 1\n1 2147483648\n";
  EXPECT_EQ((parse<double, std::int64_t>(wide).columns.at(0)), 2147483647);
  EXPECT_EQ(
      (parse<double, std::int32_t>("%%MatrixMarket matrix coordinate pattern general\n3 2147483647 1\n1 2147483647\n")
           .columns.at(0)),
      2147483646);
  const std::string tall = "%%MatrixMarket matrix coordinate pattern general\n9000000000000000000 1 1\n1 1\n";
  EXPECT_EQ((parse<double, std::int64_t>(tall).nnz()), 1);
  try {
    evenly::parse_matrix_market_csr<double, std::int64_t, std::int64_t>(tall, "m.mtx");
    ADD_FAILURE() << "it was read";
  } catch (const evenly::input_error& e) {
    EXPECT_EQ(
        std::string(e.what()),
        "m.mtx:2:1: 9000000000000000000 rows need far more memory as CSR than the 77 bytes of the file hold entries "
        "for; read it as coo, or renumber the rows in use");
  }
}

// Every file of tests/data/malformed, each named after its defect.
const std::map<std::string, std::string> defects = {
#include "malformed_messages.inc"
};

TEST(matrix_market, every_malformed_file_is_refused_at_its_line_and_column) {
  std::set<std::string> seen;
  for (const auto& entry : std::filesystem::directory_iterator(EVENLY_SOURCE_DIR "/tests/data/malformed")) {
    const std::string name = entry.path().filename().string();
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    seen.insert(name);
    ASSERT_TRUE(defects.contains(name)) << name << " has no expected message";
    const std::string expected = name + ':' + defects.at(name);
    EXPECT_EQ((refusal<complex<double>>(text.str(), name)), expected);
    for (const unsigned threads : {1U, 2U, 3U, 8U}) {
      try {
        evenly::parse_matrix_market<complex<float>>(text.str(), name, {.threads = threads, .bytes_per_thread = 1});
        ADD_FAILURE() << name << " was read by " << threads << " threads";
      } catch (const evenly::input_error& e) { EXPECT_EQ(e.what(), expected) << threads << " threads"; }
    }
    EXPECT_FALSE((reference::parse<complex<double>, std::int32_t>(text.str()).has_value())) << name;
    try {
      evenly::read_matrix_market<complex<double>>(entry.path());
      ADD_FAILURE() << name << " was read";
    } catch (const evenly::input_error& e) { EXPECT_EQ(e.what(), entry.path().string() + ':' + defects.at(name)); }
  }
  EXPECT_EQ(seen.size(), defects.size()) << "a message without a file";
}

TEST(matrix_market, a_mistake_far_into_a_large_text_is_found_at_its_place_by_any_number_of_threads) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n% c\n1000 1000 20000\n";
  const std::size_t head = 3;
  for (int k = 0; k < 20000; ++k)
    text += std::to_string(k % 1000 + 1) + " " + std::to_string(k / 20 + 1) + " 0.12345678901234567\n";
  std::vector<std::size_t> line_starts{0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') line_starts.push_back(i + 1);
  for (const std::size_t entry : {0U, 1U, 2U, 777U, 9999U, 19997U, 19998U, 19999U})
    for (const unsigned threads : {1U, 2U, 4U, 8U}) {
      std::string broken = text;
      const std::size_t start = line_starts[head + entry];
      broken[text.find('\n', start) - 1] = 'x';
      const std::size_t column = text.find("0.1234", start) - start + 1;
      std::string what;
      try {
        evenly::parse_matrix_market<double>(broken, "big.mtx", {.threads = threads, .bytes_per_thread = 1});
      } catch (const evenly::input_error& e) { what = e.what(); }
      EXPECT_EQ(what, "big.mtx:" + std::to_string(head + entry + 1) + ':' + std::to_string(column) +
                          ": '0.1234567890123456x' is not a number; correct the value");
    }
}

TEST(matrix_market, control_characters_do_not_pass_for_blanks_in_the_fast_path) {
  const std::string line = "1 1 0.5\n";
  std::string lines;
  for (int k = 0; k < 100; ++k) lines += line;
  const std::string head =
      "%%MatrixMarket matrix coordinate real general\n% so that the entries begin behind 64 bytes\n9 9 100\n";
  EXPECT_EQ(parse<double>(head + lines).nnz(), 100);
  for (int c = 0; c < 256; ++c)
    for (const std::size_t at : {1U, 3U, 7U}) {
      std::string broken = lines;
      broken[50 * line.size() + at] = static_cast<char>(c);
      const auto expected = reference::parse<double, std::int32_t>(head + broken);
      EXPECT_EQ(refusal<double>(head + broken) == "it was read", expected.has_value())
          << "character " << c << " at " << at;
    }
}

TEST(matrix_market, writes_what_the_options_say) {
  evenly::coo<double> m;
  m.shape = {2, 2};
  m.rows = {0, 1, 0};
  m.columns = {0, 0, 1};
  m.values = {0.1, -2, -2};
  std::ostringstream general, symmetric, pattern;
  evenly::write_matrix_market(general, m, {.comment = "one\ntwo"});
  EXPECT_EQ(general.str(),
            "%%MatrixMarket matrix coordinate real general\n% one\n% two\n2 2 3\n1 1 0.1\n2 1 -2\n1 2 -2\n");
  evenly::write_matrix_market(symmetric, m, {.symmetry = evenly::matrix_market_symmetry::symmetric});
  EXPECT_EQ(symmetric.str(), "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 0.1\n2 1 -2\n");
  evenly::write_matrix_market(pattern, m, {.pattern = true});
  EXPECT_EQ(pattern.str(), "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n2 1\n1 2\n");
}

TEST(matrix_market, the_writer_refuses_what_is_no_matrix_and_writes_nothing) {
  evenly::coo<double> m;
  m.shape = {2, 2};
  m.rows = {0, 1};
  m.columns = {0, 0};
  m.values = {0.1, -2};
  const auto refuses = [](const auto& matrix, evenly::write_options options = {}) {
    std::ostringstream out;
    EXPECT_THROW(evenly::write_matrix_market(out, matrix, options), evenly::argument_error);
    EXPECT_EQ(out.str(), "");
  };
  using enum evenly::matrix_market_symmetry;
  refuses(m, {.symmetry = symmetric});  // no mirror of (1, 0)
  refuses(m, {.symmetry = skew_symmetric});
  refuses(m, {.symmetry = hermitian});
  auto outside = m;
  outside.rows[1] = 2;
  refuses(outside);
  auto negative = m;
  negative.columns[0] = -1;
  refuses(negative);
  auto uneven = m;
  uneven.values.pop_back();
  refuses(uneven);
}

}  // namespace
