// Row-wise softmax of a float matrix [rows, columns]; a row fits in UB. The maximum is taken out
// first, so no exponent overflows. Run by softmax_custom_test.cc.
#include "kernel_operator.h"

using namespace AscendC;

struct SoftmaxTilingData {
  uint32_t rows;
  uint32_t columns;
};

class KernelSoftmax {
 public:
  __aicore__ inline KernelSoftmax() {}

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, TPipe* pipe) {
    this->rows = rows;
    this->columns = columns;
    xGm.SetGlobalBuffer((__gm__ float*)x, static_cast<uint64_t>(rows) * columns);
    yGm.SetGlobalBuffer((__gm__ float*)y, static_cast<uint64_t>(rows) * columns);
    const uint32_t rowBytes = AlignUp(columns * sizeof(float), 32);
    pipe->InitBuffer(inQueue, 2, rowBytes);
    pipe->InitBuffer(outQueue, 2, rowBytes);
    pipe->InitBuffer(workBuf, rowBytes);
    pipe->InitBuffer(statBuf, 32);
  }

  __aicore__ inline void Process() {
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
      const uint64_t offset = static_cast<uint64_t>(row) * columns;
      CopyIn(offset);
      Compute();
      CopyOut(offset);
    }
  }

 private:
  __aicore__ inline void CopyIn(uint64_t offset) {
    LocalTensor<float> x = inQueue.AllocTensor<float>();
    DataCopyExtParams params{1, static_cast<uint32_t>(columns * sizeof(float)), 0, 0, 0};
    DataCopyPad(x, xGm[offset], params, DataCopyPadExtParams<float>{});
    inQueue.EnQue(x);
  }

  __aicore__ inline void Compute() {
    LocalTensor<float> x = inQueue.DeQue<float>();
    LocalTensor<float> y = outQueue.AllocTensor<float>();
    LocalTensor<float> work = workBuf.Get<float>();
    LocalTensor<float> stat = statBuf.Get<float>();
    const int32_t count = static_cast<int32_t>(columns);

    ReduceMax<float>(stat, x, work, count);
    WaitForScalar();
    Adds(x, x, -stat.GetValue(0), count);
    Exp(y, x, count);
    ReduceSum<float>(stat, y, work, count);
    WaitForScalar();
    Muls(y, y, 1.0f / stat.GetValue(0), count);

    outQueue.EnQue(y);
    inQueue.FreeTensor(x);
  }

  __aicore__ inline void CopyOut(uint64_t offset) {
    LocalTensor<float> y = outQueue.DeQue<float>();
    DataCopyExtParams params{1, static_cast<uint32_t>(columns * sizeof(float)), 0, 0, 0};
    DataCopyPad(yGm[offset], y, params);
    outQueue.FreeTensor(y);
  }

  // The scalar unit reads what the vector unit has written.
  __aicore__ inline void WaitForScalar() {
    event_t id = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
    SetFlag<HardEvent::V_S>(id);
    WaitFlag<HardEvent::V_S>(id);
  }

  TQue<QuePosition::VECIN, 1> inQueue;
  TQue<QuePosition::VECOUT, 1> outQueue;
  TBuf<TPosition::VECCALC> workBuf;
  TBuf<TPosition::VECCALC> statBuf;
  GlobalTensor<float> xGm;
  GlobalTensor<float> yGm;
  uint32_t rows;
  uint32_t columns;
};

extern "C" __global__ __aicore__ void softmax_custom(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                     GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(SoftmaxTilingData);
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA(tilingData, tiling);
  TPipe pipe;
  KernelSoftmax op;
  op.Init(x, y, tilingData.rows, tilingData.columns, &pipe);
  op.Process();
}
