// Flags, queues and barriers that do not fit together.
#include "tests/check/faults/fault_kernel.h"

using namespace faults;

__global__ __aicore__ void flag_that_nobody_sets(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  WaitFlag<HardEvent::MTE2_V>(0);  // expect: flag-never-set
  AscendC::Adds(rows.b, rows.a, 1.0f, kRow);
}

__global__ __aicore__ void flag_of_another_id(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(1);  // expect: flag-never-set
  AscendC::Adds(rows.b, rows.a, 1.0f, kRow);
}

__global__ __aicore__ void flag_set_twice(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  SetFlag<HardEvent::MTE2_V>(0);
  SetFlag<HardEvent::MTE2_V>(0);  // expect: flag-set-twice flag-left-over
  WaitFlag<HardEvent::MTE2_V>(0);
}

__global__ __aicore__ void flag_left_over(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  SetFlag<HardEvent::MTE2_V>(0);  // expect: flag-left-over
}

__global__ __aicore__ void event_id_out_of_range(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  DataCopy(rows.a, rows.x, kRow);
  SetFlag<HardEvent::MTE2_V>(8);   // expect: event-id-out-of-range
  WaitFlag<HardEvent::MTE2_V>(8);  // expect: event-id-out-of-range
}

__global__ __aicore__ void pipes_that_wait_for_each_other(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  WaitFlag<HardEvent::MTE2_V>(0);  // expect: wait-cycle
  SetFlag<HardEvent::V_MTE2>(0);
  WaitFlag<HardEvent::V_MTE2>(0);
  SetFlag<HardEvent::MTE2_V>(0);
}

__global__ __aicore__ void tensor_left_in_its_queue(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::TQue<TPosition::VECIN, 2> queue;
  rows.pipe.InitBuffer(queue, 2, kRow * sizeof(float));
  LocalTensor<float> tensor = queue.AllocTensor<float>();
  DataCopy(tensor, rows.x, kRow);
  queue.EnQue(tensor);  // expect: tensor-left-in-queue
}

__global__ __aicore__ void tensor_that_is_not_freed(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::TQue<TPosition::VECIN, 2> queue;
  rows.pipe.InitBuffer(queue, 2, kRow * sizeof(float));
  LocalTensor<float> tensor = queue.AllocTensor<float>();
  DataCopy(tensor, rows.x, kRow);
  queue.EnQue(tensor);
  tensor = queue.DeQue<float>();  // expect: tensor-not-freed
  AscendC::Adds(rows.b, tensor, 1.0f, kRow);
}

__global__ __aicore__ void dequeue_from_an_empty_queue(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::TQue<TPosition::VECIN, 2> queue;
  rows.pipe.InitBuffer(queue, 2, kRow * sizeof(float));
  LocalTensor<float> tensor = queue.DeQue<float>();  // expect: instruction-rule
  AscendC::Adds(rows.b, tensor, 1.0f, kRow);
}

__global__ __aicore__ void allocate_more_than_there_are(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::TQue<TPosition::VECIN, 2> queue;
  rows.pipe.InitBuffer(queue, 1, kRow * sizeof(float));
  LocalTensor<float> first = queue.AllocTensor<float>();
  LocalTensor<float> second = queue.AllocTensor<float>();  // expect: instruction-rule
  DataCopy(second, rows.x, kRow);
  queue.EnQue(first);
}

__global__ __aicore__ void tensor_that_is_freed_twice(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::TQue<TPosition::VECIN, 2> queue;
  rows.pipe.InitBuffer(queue, 2, kRow * sizeof(float));
  LocalTensor<float> tensor = queue.AllocTensor<float>();
  DataCopy(tensor, rows.x, kRow);
  queue.EnQue(tensor);
  tensor = queue.DeQue<float>();
  AscendC::Adds(rows.b, tensor, 1.0f, kRow);
  queue.FreeTensor(tensor);
  queue.FreeTensor(tensor);  // expect: instruction-rule
}

__global__ __aicore__ void queue_in_order(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::TQue<TPosition::VECIN, 2> in;
  AscendC::TQue<TPosition::VECOUT, 2> out;
  rows.pipe.InitBuffer(in, 2, kRow * sizeof(float));
  rows.pipe.InitBuffer(out, 2, kRow * sizeof(float));
  for (uint32_t i = 0; i < 4; ++i) {
    LocalTensor<float> source = in.AllocTensor<float>();
    DataCopy(source, rows.x[i * kRow], kRow);
    in.EnQue(source);
    source = in.DeQue<float>();
    LocalTensor<float> result = out.AllocTensor<float>();
    AscendC::Adds(result, source, 1.0f, kRow);
    in.FreeTensor(source);
    out.EnQue(result);
    result = out.DeQue<float>();
    DataCopy(rows.y[i * kRow], result, kRow);
    out.FreeTensor(result);
  }
}

__global__ __aicore__ void nine_queue_buffers_at_once(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  AscendC::TQue<TPosition::VECIN, 9> queue;
  rows.pipe.InitBuffer(queue, 9, kRow * sizeof(float));
  for (uint32_t i = 0; i < 9; ++i) {
    LocalTensor<float> tensor = queue.AllocTensor<float>();
    DataCopy(tensor, rows.x[i * kRow], kRow);
    queue.EnQue(tensor);  // expect: event-ids-exhausted
  }
  for (uint32_t i = 0; i < 9; ++i) {
    LocalTensor<float> tensor = queue.DeQue<float>();
    AscendC::Adds(rows.b, tensor, 1.0f, kRow);
    queue.FreeTensor(tensor);  // expect: event-ids-exhausted
  }
}

// On two cores.
__global__ __aicore__ void sync_all_of_one_core_only(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  Rows rows(x, y, workspace);
  if (AscendC::GetBlockIdx() == 0) {
    AscendC::SyncAll();  // expect: sync-all-not-reached
  }
}

// On two cores.
__global__ __aicore__ void sync_all_of_a_kernel_without_matrix_cores(GM_ADDR x, GM_ADDR y,
                                                                     GM_ADDR workspace) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  Rows rows(x, y, workspace);
  AscendC::SyncAll();  // expect: hard-sync-all
}

// On two cores.
__global__ __aicore__ void sync_all_of_a_mixed_kernel(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
  Rows rows(x, y, workspace);
  AscendC::SyncAll();
}
