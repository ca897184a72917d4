// SPDX-License-Identifier: Apache-2.0
//
// What is written reads back equal to the bit, symmetric or not; and CSR is the stable order by row.
#include "random_matrix_market.hpp"

namespace {

using namespace random_market;

template <class Value, class Index>
void check_round_trip() {
  EXPECT_TRUE(rc::check("what is written reads back equal", [](std::uint64_t seed) {
    random_engine random(seed);
    const auto m = any_matrix<Value, Index>(random, false);
    std::ostringstream out;
    evenly::write_matrix_market(out, m);
    const auto threads = static_cast<unsigned>(1 + random() % 8);
    const auto back =
        evenly::parse_matrix_market<Value, Index>(out.str(), "m", {.threads = threads, .bytes_per_thread = 1});
    RC_ASSERT(reference::same(m, back));
  }));
}

TEST(matrix_market_property, what_is_written_reads_back_to_the_bit) {
  check_round_trip<double, std::int32_t>();
  check_round_trip<float, std::int64_t>();
  check_round_trip<complex<double>, std::int64_t>();
  check_round_trip<complex<float>, std::int32_t>();
  check_round_trip<std::int64_t, std::int32_t>();
}

template <class Value>
void check_symmetric_round_trip(evenly::matrix_market_symmetry symmetry) {
  using enum evenly::matrix_market_symmetry;
  EXPECT_TRUE(rc::check("a symmetric matrix reads back equal", [symmetry](std::uint64_t seed) {
    random_engine random(seed);
    auto m = any_matrix<Value, std::int32_t>(random, true);
    for (std::size_t k = 0; k < m.rows.size(); ++k) {
      if (m.rows[k] < m.columns[k]) std::swap(m.rows[k], m.columns[k]);
      if (m.rows[k] != m.columns[k]) continue;
      if (symmetry == skew_symmetric) m.values[k] = Value(0);
      if constexpr (evenly::is_complex<Value>)
        if (symmetry == hermitian) m.values[k].im = 0;
    }
    const std::size_t stored = m.rows.size();
    for (std::size_t k = 0; k < stored; ++k) {
      if (m.rows[k] == m.columns[k]) continue;
      Value mirror = m.values[k];
      if (symmetry == skew_symmetric) {
        if constexpr (std::integral<Value>) mirror = static_cast<Value>(0U - static_cast<std::uint64_t>(mirror));
        else mirror = -mirror;
      }
      if constexpr (evenly::is_complex<Value>)
        if (symmetry == hermitian) mirror = evenly::conj(mirror);
      m.rows.push_back(m.columns[k]);
      m.columns.push_back(m.rows[k]);
      m.values.push_back(mirror);
    }
    std::ostringstream out;
    evenly::write_matrix_market(out, m, {.symmetry = symmetry});
    RC_ASSERT(reference::same(m, evenly::parse_matrix_market<Value>(out.str(), "m")));
    if (m.rows.size() > stored) {  // and without one mirror it is refused
      m.rows.pop_back(), m.columns.pop_back(), m.values.pop_back();
      RC_ASSERT_THROWS_AS(evenly::write_matrix_market(out, m, {.symmetry = symmetry}), evenly::argument_error);
    }
  }));
}

TEST(matrix_market_property, symmetric_matrices_read_back_to_the_bit) {
  using enum evenly::matrix_market_symmetry;
  check_symmetric_round_trip<double>(symmetric);
  check_symmetric_round_trip<double>(skew_symmetric);
  check_symmetric_round_trip<std::int64_t>(symmetric);
  check_symmetric_round_trip<std::int64_t>(skew_symmetric);
  check_symmetric_round_trip<complex<float>>(symmetric);
  check_symmetric_round_trip<complex<double>>(skew_symmetric);
  check_symmetric_round_trip<complex<double>>(hermitian);
}

TEST(matrix_market_property, every_way_to_csr_is_the_stable_order_by_row) {
  EXPECT_TRUE(rc::check("csr keeps the order within a row", [](std::uint64_t seed) {
    random_engine random(seed);
    evenly::coo<std::int64_t, std::int32_t> m;
    m.shape = {static_cast<std::int64_t>(up_to(random, random() % 2 ? 20 : 3000)), 5};
    const std::size_t nnz = m.shape.rows == 0 ? 0 : up_to(random, 4000);
    for (std::size_t k = 0; k < nnz; ++k) {
      m.rows.push_back(static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(m.shape.rows)));
      m.columns.push_back(static_cast<std::int32_t>(random() % 5));
      m.values.push_back(static_cast<std::int64_t>(k));  // tells the place in the triplets
    }
    if (random() % 4 == 0) std::ranges::sort(m.rows);
    std::ostringstream text;
    evenly::write_matrix_market(text, m);
    const auto csr = evenly::parse_matrix_market_csr<std::int64_t, std::int32_t>(text.str(), "m");
    RC_ASSERT(csr.shape == m.shape);
    RC_ASSERT(csr.offsets.size() == static_cast<std::size_t>(m.shape.rows) + 1);
    RC_ASSERT(csr.offsets.front() == 0 && csr.offsets.back() == static_cast<std::int32_t>(nnz));
    for (std::size_t row = 0; row + 1 < csr.offsets.size(); ++row) {
      RC_ASSERT(csr.offsets[row] <= csr.offsets[row + 1]);
      for (auto k = static_cast<std::size_t>(csr.offsets[row]); k < static_cast<std::size_t>(csr.offsets[row + 1]);
           ++k) {
        const auto from = static_cast<std::size_t>(csr.values[k]);
        RC_ASSERT(m.rows[from] == static_cast<std::int32_t>(row));
        RC_ASSERT(m.columns[from] == csr.columns[k]);
        if (k > static_cast<std::size_t>(csr.offsets[row])) RC_ASSERT(csr.values[k - 1] < csr.values[k]);
      }
    }
  }));
}

}  // namespace
