// SPDX-License-Identifier: Apache-2.0
//
// sort_pairs: a stable sort of pairs by unsigned keys, where conversions bring atoms into a new order. This is the host's;
// <evenly/exec/cuda_sort.hpp> has the same for CUDA. Least significant digit first, so that only the bits in use cost.
#pragma once

#include <evenly/exec/executor.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace evenly {

/// Bits that hold every number of 0 .. largest.
constexpr int bits_for(std::uint64_t largest) { return std::max(1, static_cast<int>(std::bit_width(largest))); }

/// Pairs in the order of the keys' lowest `bits` bits, equal keys in the order they came in; the inputs stay as they are.
/// All arrays: [count], in the executor's memory, and apart. Allocates.
template <executor Executor, std::unsigned_integral Key, class Value>
  requires(!Executor::is_device)
void sort_pairs(Executor const&, Key const* keys, Key* sorted_keys, Value const* values, Value* sorted_values,
                std::int64_t count, int bits) {
  constexpr int digit_bits = 8;
  int const passes = std::max(1, (bits + digit_bits - 1) / digit_bits);
  auto const size = static_cast<std::size_t>(count);
  std::vector<Key> other_keys(passes > 1 ? size : 0);
  std::vector<Value> other_values(passes > 1 ? size : 0);
  for (int pass = 0; pass < passes; ++pass) {
    bool const into_result = (passes - pass) % 2 == 1;  // the last pass ends there
    Key const* const from_keys = pass == 0 ? keys : into_result ? other_keys.data() : sorted_keys;
    Value const* const from_values = pass == 0 ? values : into_result ? other_values.data() : sorted_values;
    Key* const to_keys = into_result ? sorted_keys : other_keys.data();
    Value* const to_values = into_result ? sorted_values : other_values.data();
    int const shift = pass * digit_bits, left = std::min(digit_bits, bits - shift);
    auto const digit = [&](Key key) { return static_cast<std::size_t>((key >> shift) & ((1u << left) - 1u)); };
    std::array<std::size_t, (1u << digit_bits) + 1> place{};
    for (std::size_t i = 0; i < size; ++i) ++place[digit(from_keys[i]) + 1];
    for (std::size_t d = 1; d < place.size(); ++d) place[d] += place[d - 1];
    for (std::size_t i = 0; i < size; ++i) {
      std::size_t const to = place[digit(from_keys[i])]++;
      to_keys[to] = from_keys[i];
      to_values[to] = from_values[i];
    }
  }
}

}  // namespace evenly
