// SPDX-License-Identifier: Apache-2.0
//
// The edge table of the contract, one test a row, for any executor: EdgeTable is instantiated by edge_table_host_test.cpp,
// edge_table_simt_test.cpp and edge_table_cuda_test.cu. Each row holds on every schedule. Rows that one executor alone can
// meet stand elsewhere, as EdgeTable too: graph_test.cu, cuda_error_test.cu, plan_test.cpp, large_test.cpp.
#pragma once

#include "edge_products.hpp"
#include "edge_structures.hpp"
#include "edge_tiles.hpp"

#include <gtest/gtest.h>

namespace tests {

template <class Executor>
class EdgeTable : public ::testing::Test {
 public:
  Executor run{};
};
TYPED_TEST_SUITE_P(EdgeTable);

TYPED_TEST_P(EdgeTable, zero_tiles_atoms_rows_columns_and_null_pointers_succeed) {
  zero_tiles_atoms_rows_or_columns_and_null_pointers(this->run);
}
TYPED_TEST_P(EdgeTable, leading_trailing_and_all_empty_tiles_are_emitted_with_the_identity) {
  empty_tiles_are_emitted_with_the_identity(this->run);
}
TYPED_TEST_P(EdgeTable, one_tile_holding_all_atoms_or_spanning_any_number_of_workers_or_ending_on_a_border) {
  one_tile_over_any_number_of_workers(this->run);
}
TYPED_TEST_P(EdgeTable, beta_zero_overwrites_y_and_no_nan_of_the_old_y_survives) { beta_zero_overwrites_y(this->run); }
TYPED_TEST_P(EdgeTable, beta_nonzero_and_y_nan_is_nan) { beta_nonzero_keeps_a_nan_of_y(this->run); }
TYPED_TEST_P(EdgeTable, alpha_zero_reads_no_values_of_A_and_x) { alpha_zero_reads_neither_A_nor_x(this->run); }
TYPED_TEST_P(EdgeTable, alpha_and_beta_in_memory_branch_in_the_kernel_and_null_is_their_default) {
  scalars_in_memory_branch_in_the_kernel(this->run);
}
TYPED_TEST_P(EdgeTable, stored_zero_times_inf_or_nan_is_nan) { stored_zero_times_inf_is_nan(this->run); }
TYPED_TEST_P(EdgeTable, coo_whose_rows_are_unsorted_is_sorted_stably_and_its_duplicates_are_summed) {
  unsorted_coo_is_sorted_stably(this->run);
}
TYPED_TEST_P(EdgeTable, tile_begin_beyond_num_tiles_is_never_read) { no_offset_behind_the_last_is_read(this->run); }
TYPED_TEST_P(EdgeTable, a_size_that_does_not_fit_is_refused_by_size_and_type) {
  sizes_that_do_not_fit_are_refused(this->run);
}
TYPED_TEST_P(EdgeTable, dense_operands_row_major_column_major_or_strided_are_right) {
  dense_operands_of_any_layout(this->run);
}
TYPED_TEST_P(EdgeTable, bad_structure_is_named_by_its_first_bad_row_and_rule) { bad_structure_is_named(this->run); }
TYPED_TEST_P(EdgeTable, graphs_unreachable_is_infinity_and_self_loops_and_parallel_edges_do_no_harm) {
  shortest_paths(this->run);
}
TYPED_TEST_P(EdgeTable, duplicates_in_csr_are_summed) { duplicates_are_summed(this->run); }
TYPED_TEST_P(EdgeTable, unsorted_columns_in_a_row_are_accepted) { unsorted_columns_are_accepted(this->run); }
TYPED_TEST_P(EdgeTable, entries_of_an_index_array_beyond_num_atoms_are_never_read) {
  entries_beyond_num_atoms_are_never_read(this->run);
}
TYPED_TEST_P(EdgeTable, pointers_aligned_only_to_their_element_each_array_its_own_way) {
  pointers_aligned_only_to_their_element(this->run);
}
TYPED_TEST_P(EdgeTable, y_that_meets_x_or_the_arrays_of_A_is_refused) { y_that_meets_x_or_A_is_refused(this->run); }
TYPED_TEST_P(EdgeTable, offsets_of_64_bits_with_columns_of_32_are_right) {
  offsets_of_64_bits_with_columns_of_32(this->run);
}

REGISTER_TYPED_TEST_SUITE_P(
    EdgeTable, zero_tiles_atoms_rows_columns_and_null_pointers_succeed,
    leading_trailing_and_all_empty_tiles_are_emitted_with_the_identity,
    one_tile_holding_all_atoms_or_spanning_any_number_of_workers_or_ending_on_a_border,
    beta_zero_overwrites_y_and_no_nan_of_the_old_y_survives, beta_nonzero_and_y_nan_is_nan,
    alpha_zero_reads_no_values_of_A_and_x, alpha_and_beta_in_memory_branch_in_the_kernel_and_null_is_their_default,
    stored_zero_times_inf_or_nan_is_nan, duplicates_in_csr_are_summed,
    coo_whose_rows_are_unsorted_is_sorted_stably_and_its_duplicates_are_summed, unsorted_columns_in_a_row_are_accepted,
    entries_of_an_index_array_beyond_num_atoms_are_never_read, tile_begin_beyond_num_tiles_is_never_read,
    offsets_of_64_bits_with_columns_of_32_are_right, a_size_that_does_not_fit_is_refused_by_size_and_type,
    pointers_aligned_only_to_their_element_each_array_its_own_way, y_that_meets_x_or_the_arrays_of_A_is_refused,
    dense_operands_row_major_column_major_or_strided_are_right, bad_structure_is_named_by_its_first_bad_row_and_rule,
    graphs_unreachable_is_infinity_and_self_loops_and_parallel_edges_do_no_harm);

}  // namespace tests
