// Two pipes, or two cores, that touch the same bytes in no order.
#include "tests/check/faults/fault_kernel.h"

using namespace faults;

__global__ __aicore__ void no_fault(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_V>();
  AscendC::Adds(rows.b, rows.a, 1.0f, kRow);
  Order<HardEvent::V_MTE3>();
  DataCopy(rows.y, rows.b, kRow);
}

__global__ __aicore__ void compute_before_copy_in(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  AscendC::Adds(rows.b, rows.a, 1.0f, kRow);  // expect: ub-race
  Order<HardEvent::V_MTE3>();
  DataCopy(rows.y, rows.b, kRow);
}

__global__ __aicore__ void copy_out_before_compute(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_V>();
  AscendC::Adds(rows.b, rows.a, 1.0f, kRow);
  DataCopy(rows.y, rows.b, kRow);  // expect: ub-race
}

__global__ __aicore__ void copy_in_over_what_is_computed(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_V>();
  AscendC::Adds(rows.b, rows.a, 1.0f, kRow);
  // With the vector instruction before it, and with the copy before that. expect: ub-race ub-race
  DataCopy(rows.a, rows.x[kRow], kRow);
  Order<HardEvent::MTE2_V>(1);
  AscendC::Add(rows.b, rows.b, rows.a, kRow);
  Order<HardEvent::V_MTE3>();
  DataCopy(rows.y, rows.b, kRow);
}

__global__ __aicore__ void copy_in_over_what_is_copied_out(GM_ADDR x, GM_ADDR y,
                                                           GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_MTE3>();
  DataCopy(rows.y, rows.a, kRow);
  // With the copy out before it, and with the copy in before that. expect: ub-race ub-race
  DataCopy(rows.a, rows.x[kRow], kRow);
  Order<HardEvent::MTE2_MTE3>(1);
  DataCopy(rows.y[kRow], rows.a, kRow);
}

__global__ __aicore__ void compute_over_what_is_copied_out(GM_ADDR x, GM_ADDR y,
                                                           GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_V>();
  AscendC::Adds(rows.b, rows.a, 1.0f, kRow);
  Order<HardEvent::V_MTE3>();
  DataCopy(rows.y, rows.b, kRow);
  AscendC::Adds(rows.b, rows.a, 2.0f, kRow);  // expect: ub-race
  Order<HardEvent::V_MTE3>(1);
  DataCopy(rows.y[kRow], rows.b, kRow);
}

__global__ __aicore__ void two_copies_in_to_one_row(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  DataCopy(rows.a, rows.x[kRow], kRow);  // expect: ub-race
  Order<HardEvent::MTE2_MTE3>();
  DataCopy(rows.y, rows.a, kRow);
}

__global__ __aicore__ void two_copies_in_with_a_barrier(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  AscendC::PipeBarrier<PIPE_MTE2>();
  DataCopy(rows.a, rows.x[kRow], kRow);
  Order<HardEvent::MTE2_MTE3>();
  DataCopy(rows.y, rows.a, kRow);
}

__global__ __aicore__ void scalar_reads_while_copy_in_writes(GM_ADDR x, GM_ADDR y,
                                                             GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  const float value = rows.a.GetValue(0);  // expect: ub-race
  AscendC::Duplicate(rows.b, value, kRow);
  Order<HardEvent::V_MTE3>();
  DataCopy(rows.y, rows.b, kRow);
}

__global__ __aicore__ void vector_after_vector(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_V>();
  AscendC::Adds(rows.b, rows.a, 1.0f, kRow);
  AscendC::Adds(rows.c, rows.b, 1.0f, kRow);  // expect: ub-race
  Order<HardEvent::V_MTE3>();
  DataCopy(rows.y, rows.c, kRow);
}

__global__ __aicore__ void workspace_read_back_at_once(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_MTE3>();
  DataCopy(rows.workspace, rows.a, kRow);
  DataCopy(rows.b, rows.workspace, kRow);  // expect: gm-race
  Order<HardEvent::MTE2_MTE3>(1);
  DataCopy(rows.y, rows.b, kRow);
}

__global__ __aicore__ void workspace_read_back_in_order(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_MTE3>();
  DataCopy(rows.workspace, rows.a, kRow);
  Order<HardEvent::MTE3_MTE2>();
  DataCopy(rows.b, rows.workspace, kRow);
  Order<HardEvent::MTE2_MTE3>(1);
  DataCopy(rows.y, rows.b, kRow);
}

// On two cores.
__global__ __aicore__ void cores_write_the_same_row(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_MTE3>();
  DataCopy(rows.y, rows.a, kRow);  // expect: gm-race-between-cores
}

// On two cores.
__global__ __aicore__ void core_reads_the_row_of_another(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  const uint32_t own = static_cast<uint32_t>(AscendC::GetBlockIdx());
  const uint32_t other = 1 - own;
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_MTE3>();
  DataCopy(rows.workspace[own * kRow], rows.a, kRow);  // expect: gm-race-between-cores
  AscendC::PipeBarrier<PIPE_ALL>();
  // expect: gm-race-between-cores never-written
  DataCopy(rows.b, rows.workspace[other * kRow], kRow);
  Order<HardEvent::MTE2_MTE3>(1);
  DataCopy(rows.y[own * kRow], rows.b, kRow);
}

// On two cores.
__global__ __aicore__ void core_reads_the_row_of_another_after_sync_all(GM_ADDR x, GM_ADDR y,
                                                                        GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  const uint32_t own = static_cast<uint32_t>(AscendC::GetBlockIdx());
  const uint32_t other = 1 - own;
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_MTE3>();
  DataCopy(rows.workspace[own * kRow], rows.a, kRow);
  AscendC::SyncAll();
  DataCopy(rows.b, rows.workspace[other * kRow], kRow);
  Order<HardEvent::MTE2_MTE3>(1);
  DataCopy(rows.y[own * kRow], rows.b, kRow);
}
