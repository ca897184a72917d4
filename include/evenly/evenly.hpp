// SPDX-License-Identifier: Apache-2.0
//
// Everything that needs no GPU. <evenly/cuda.hpp> adds the CUDA executor, <evenly/simt.hpp> the emulated one.
#pragma once

#include <evenly/algorithm/automatic_plan.hpp>
#include <evenly/algorithm/relabelled.hpp>
#include <evenly/algorithm/row_form.hpp>
#include <evenly/algorithm/spmv.hpp>
#include <evenly/algorithm/two_way.hpp>
#include <evenly/algorithm/x_in_scratch.hpp>
#include <evenly/core/atomic.hpp>
#include <evenly/core/complex.hpp>
#include <evenly/core/error.hpp>
#include <evenly/core/monoid.hpp>
#include <evenly/core/plan_view.hpp>
#include <evenly/core/range.hpp>
#include <evenly/core/schedule.hpp>
#include <evenly/core/share.hpp>
#include <evenly/core/sink.hpp>
#include <evenly/core/tile_set.hpp>
#include <evenly/core/view.hpp>
#include <evenly/core/worker.hpp>
#include <evenly/exec/any_executor.hpp>
#include <evenly/exec/array.hpp>
#include <evenly/exec/host.hpp>
#include <evenly/exec/launch.hpp>
#include <evenly/exec/materialize.hpp>
#include <evenly/exec/plan.hpp>
#include <evenly/kernel/for_each_atom.hpp>
#include <evenly/kernel/reduce_tiles.hpp>
#include <evenly/schedule/block_mapped.hpp>
#include <evenly/schedule/group_dealt.hpp>
#include <evenly/schedule/group_mapped.hpp>
#include <evenly/schedule/merge_path.hpp>
#include <evenly/schedule/nonzero_split.hpp>
#include <evenly/schedule/thread_mapped.hpp>
#include <evenly/schedule/warp_mapped.hpp>
#include <evenly/sparse/convert.hpp>
#include <evenly/sparse/coo.hpp>
#include <evenly/sparse/csr.hpp>
#include <evenly/sparse/validate.hpp>
