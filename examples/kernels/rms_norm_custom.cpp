// y = x / sqrt(mean(x^2) + eps) * gamma, row by row, for bfloat16 data with float arithmetic. Gamma
// stays in UB for all rows of a core. Run by rms_norm_custom_test.cc.
#include "kernel_operator.h"

using namespace AscendC;

struct RmsNormTilingData {
  uint32_t rows;
  uint32_t columns;
  float epsilon;
};

class KernelRmsNorm {
 public:
  __aicore__ inline KernelRmsNorm(const RmsNormTilingData& tiling)
      : rows(tiling.rows), columns(tiling.columns), epsilon(tiling.epsilon) {}

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR y) {
    xGm.SetGlobalBuffer((__gm__ bfloat16_t*)x);
    gammaGm.SetGlobalBuffer((__gm__ bfloat16_t*)gamma);
    yGm.SetGlobalBuffer((__gm__ bfloat16_t*)y);
    const uint32_t padded = AlignUp(columns, 16);
    pipe.InitBuffer(inQueue, 2, padded * sizeof(bfloat16_t));
    pipe.InitBuffer(outQueue, 2, padded * sizeof(bfloat16_t));
    pipe.InitBuffer(rowBuf, padded * sizeof(float));
    pipe.InitBuffer(squareBuf, padded * sizeof(float));
    pipe.InitBuffer(gammaBuf, padded * sizeof(float));
    pipe.InitBuffer(sumBuf, 32);
  }

  __aicore__ inline void Process() {
    LoadGamma();
    for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
      CopyIn(xGm[static_cast<uint64_t>(row) * columns]);
      Compute();
      CopyOut(static_cast<uint64_t>(row) * columns);
    }
  }

 private:
  __aicore__ inline void LoadGamma() {
    CopyIn(gammaGm);
    LocalTensor<bfloat16_t> gamma = inQueue.DeQue<bfloat16_t>();
    Cast(gammaBuf.Get<float>(), gamma, RoundMode::CAST_NONE, columns);
    inQueue.FreeTensor(gamma);
  }

  __aicore__ inline void CopyIn(const GlobalTensor<bfloat16_t>& src) {
    LocalTensor<bfloat16_t> local = inQueue.AllocTensor<bfloat16_t>();
    DataCopyExtParams params(1, columns * sizeof(bfloat16_t), 0, 0, 0);
    DataCopyPadExtParams<bfloat16_t> padParams;
    DataCopyPad(local, src, params, padParams);
    inQueue.EnQue(local);
  }

  __aicore__ inline void Compute() {
    LocalTensor<bfloat16_t> x = inQueue.DeQue<bfloat16_t>();
    LocalTensor<bfloat16_t> y = outQueue.AllocTensor<bfloat16_t>();
    LocalTensor<float> row = rowBuf.Get<float>();
    LocalTensor<float> square = squareBuf.Get<float>();
    LocalTensor<float> sum = sumBuf.Get<float>();

    Cast(row, x, RoundMode::CAST_NONE, columns);
    PipeBarrier<PIPE_V>();
    Mul(square, row, row, columns);
    PipeBarrier<PIPE_V>();
    ReduceSum(sum, square, square, static_cast<int32_t>(columns));
    PipeBarrier<PIPE_V>();
    Muls(sum, sum, 1.0f / columns, 1);
    Adds(sum, sum, epsilon, 1);
    Sqrt(sum, sum, 1);

    TEventID id = pipe.FetchEventID(HardEvent::V_S);
    SetFlag<HardEvent::V_S>(id);
    WaitFlag<HardEvent::V_S>(id);
    const float root = sum.GetValue(0);

    Muls(row, row, 1.0f / root, columns);
    PipeBarrier<PIPE_V>();
    Mul(row, row, gammaBuf.Get<float>(), columns);
    PipeBarrier<PIPE_V>();
    Cast(y, row, RoundMode::CAST_RINT, columns);
    outQueue.EnQue(y);
    inQueue.FreeTensor(x);
  }

  __aicore__ inline void CopyOut(uint64_t offset) {
    LocalTensor<bfloat16_t> y = outQueue.DeQue<bfloat16_t>();
    DataCopyExtParams params(1, columns * sizeof(bfloat16_t), 0, 0, 0);
    DataCopyPad(yGm[offset], y, params);
    outQueue.FreeTensor(y);
  }

  TPipe pipe;
  TQue<TPosition::VECIN, 2> inQueue;
  TQue<TPosition::VECOUT, 2> outQueue;
  TBuf<TPosition::VECCALC> rowBuf;
  TBuf<TPosition::VECCALC> squareBuf;
  TBuf<TPosition::VECCALC> gammaBuf;
  TBuf<TPosition::VECCALC> sumBuf;
  GlobalTensor<bfloat16_t> xGm;
  GlobalTensor<bfloat16_t> gammaGm;
  GlobalTensor<bfloat16_t> yGm;
  uint32_t rows;
  uint32_t columns;
  float epsilon;
};

extern "C" __global__ __aicore__ void rms_norm_custom(GM_ADDR x, GM_ADDR gamma, GM_ADDR y,
                                                      GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA_WITH_STRUCT(RmsNormTilingData, tilingData, tiling);
  KernelRmsNorm op(tilingData);
  op.Init(x, gamma, y);
  op.Process();
}
