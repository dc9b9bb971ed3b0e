// Accesses outside of what they may touch, and arguments that the interface does not allow.
#include "tests/check/faults/fault_kernel.h"

using namespace faults;

__global__ __aicore__ void beyond_ub(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  const LocalTensor<float> last(TPosition::VECCALC, AscendC::GetRuntimeUBSize() - 512, kRow);
  AscendC::Duplicate(last, 1.0f, kRow);  // expect: ub-out-of-bounds
}

__global__ __aicore__ void beyond_its_buffer(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::Duplicate(rows.c, 1.0f, kRow + 64);  // expect: ub-buffer-overrun
}

__global__ __aicore__ void copy_in_beyond_the_input(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x[kCount - kRow / 2], kRow);  // expect: gm-out-of-bounds
}

__global__ __aicore__ void copy_out_beyond_the_output(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  Order<HardEvent::MTE2_MTE3>();
  DataCopy(rows.y[kCount - kRow / 2], rows.a, kRow);  // expect: gm-out-of-bounds
}

__global__ __aicore__ void copy_out_to_the_input(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::Duplicate(rows.a, 1.0f, kRow);
  Order<HardEvent::V_MTE3>();
  DataCopy(rows.x, rows.a, kRow);  // expect: write-to-input
}

__global__ __aicore__ void misaligned_operand(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::Duplicate(rows.a, 1.0f, kRow);
  AscendC::Adds(rows.b, rows.a[3], 1.0f, 64);  // expect: ub-misaligned
}

__global__ __aicore__ void misaligned_global_address(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x + 2, y, workspace);
  DataCopy(rows.a, rows.x, kRow);  // expect: gm-misaligned
}

__global__ __aicore__ void count_that_is_rounded_down(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, 13);  // expect: instruction-rule
}

__global__ __aicore__ void too_many_blocks_of_a_copy(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  const AscendC::DataCopyExtParams blocks{5000, 4, 0, 0, 0};
  // expect: instruction-rule gm-out-of-bounds
  AscendC::DataCopyPad(rows.a, rows.x, blocks, kNoPadding);
}

__global__ __aicore__ void block_that_is_too_long(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  const AscendC::DataCopyExtParams blocks{1, 2097152, 0, 0, 0};
  // expect: instruction-rule ub-out-of-bounds gm-out-of-bounds
  AscendC::DataCopyPad(rows.a, rows.x, blocks, kNoPadding);
}

__global__ __aicore__ void padding_that_is_too_wide(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  const AscendC::DataCopyExtParams blocks{1, 128, 0, 0, 0};
  const AscendC::DataCopyPadExtParams<float> padding{true, 9, 0, 0.0f};
  AscendC::DataCopyPad(rows.a, rows.x, blocks, padding);  // expect: instruction-rule
}

__global__ __aicore__ void mask_that_is_too_wide(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::Duplicate(rows.a, 1.0f, kRow);
  // expect: instruction-rule
  AscendC::Adds(rows.b, rows.a, 1.0f, static_cast<uint64_t>(65), 1, {1, 1, 8, 8});
}

__global__ __aicore__ void destination_block_stride_of_zero(GM_ADDR x, GM_ADDR y,
                                                            GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::Duplicate(rows.a, 1.0f, kRow);
  // expect: instruction-rule
  AscendC::Adds(rows.b, rows.a, 1.0f, static_cast<uint64_t>(64), 1, {0, 1, 8, 8});
}

__global__ __aicore__ void operands_that_overlap(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::Duplicate(rows.a, 1.0f, kRow);
  AscendC::Adds(rows.a[8], rows.a, 1.0f, 64);  // expect: instruction-rule
}

__global__ __aicore__ void more_ub_than_there_is(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::TBuf<TPosition::VECCALC> large;
  rows.pipe.InitBuffer(large, AscendC::GetRuntimeUBSize());  // expect: instruction-rule
}

__global__ __aicore__ void more_than_64_buffers(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::TBuf<TPosition::VECCALC> buffers[62];
  for (auto& buffer : buffers) {
    rows.pipe.InitBuffer(buffer, 32);  // expect: instruction-rule
  }
}

struct ThreeNumbers {
  uint64_t first;
  uint64_t second;
  uint64_t third;
};

__global__ __aicore__ void tiling_data_of_another_size(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                       GM_ADDR tiling) {
  Rows rows(x, y, workspace);
  GET_TILING_DATA_WITH_STRUCT(ThreeNumbers, numbers, tiling);  // expect: tiling-size
  AscendC::Duplicate(rows.a, static_cast<float>(numbers.first), kRow);
}
