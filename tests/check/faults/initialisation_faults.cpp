// Reads of bytes that nobody wrote.
#include "tests/check/faults/fault_kernel.h"

using namespace faults;

__global__ __aicore__ void row_that_nobody_wrote(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::Adds(rows.b, rows.a, 1.0f, kRow);  // expect: never-written
}

__global__ __aicore__ void end_of_a_row_that_nobody_wrote(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::Duplicate(rows.a, 1.0f, kRow - 8);
  AscendC::Adds(rows.b, rows.a, 1.0f, kRow);  // expect: never-written
}

__global__ __aicore__ void lanes_that_a_mask_left_out(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  uint64_t even[2] = {0x5555555555555555, 0};
  AscendC::Duplicate(rows.a, 1.0f, even, 1, 1, 8);
  AscendC::Adds(rows.b, rows.a, 1.0f, 64);  // expect: never-written
}

__global__ __aicore__ void tail_behind_a_padded_copy(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  const AscendC::DataCopyExtParams blocks{1, 13 * sizeof(float), 0, 0, 0};
  AscendC::DataCopyPad(rows.a, rows.x, blocks, kNoPadding);
  Order<HardEvent::MTE2_V>();
  AscendC::Adds(rows.b, rows.a, 1.0f, 16);  // expect: never-written
}

__global__ __aicore__ void tail_that_the_padding_filled(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  const AscendC::DataCopyExtParams blocks{1, 13 * sizeof(float), 0, 0, 0};
  const AscendC::DataCopyPadExtParams<float> padding{true, 0, 3, 0.0f};
  AscendC::DataCopyPad(rows.a, rows.x, blocks, padding);
  Order<HardEvent::MTE2_V>();
  AscendC::Adds(rows.b, rows.a, 1.0f, 16);
}

// The second turn of the buffer is half a row, and the sum goes over what the first one left.
__global__ __aicore__ void tail_of_the_last_turn(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::TQue<TPosition::VECIN, 1> queue;
  rows.pipe.InitBuffer(queue, 1, kRow * sizeof(float));
  for (uint32_t count : {kRow, kRow / 2}) {
    LocalTensor<float> row = queue.AllocTensor<float>();
    DataCopy(row, rows.x, count);
    queue.EnQue(row);
    row = queue.DeQue<float>();
    AscendC::Adds(rows.a, row, 1.0f, kRow);  // expect: never-written
    queue.FreeTensor(row);
  }
}

__global__ __aicore__ void workspace_that_nobody_wrote(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.workspace, kRow);  // expect: never-written
}

__global__ __aicore__ void output_that_nobody_wrote(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.y, kRow);  // expect: never-written
  // expect at the end: output-not-written
}

__global__ __aicore__ void output_written_in_part(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::Duplicate(rows.a, 1.0f, kRow);
  Order<HardEvent::V_MTE3>();
  for (uint32_t i = 0; i < kCount; i += 2 * kRow) {
    DataCopy(rows.y[i], rows.a, kRow);
  }
  // expect at the end: output-not-written
}

__global__ __aicore__ void copy_out_of_a_row_that_nobody_wrote(GM_ADDR x, GM_ADDR y,
                                                               GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.y, rows.a, kRow);  // expect: never-written
}

__global__ __aicore__ void scalar_that_nobody_wrote(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  const float value = rows.a.GetValue(7);  // expect: never-written
  AscendC::Duplicate(rows.b, value, kRow);
}
