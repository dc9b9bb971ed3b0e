// Row-wise softmax of a float matrix [rows, columns] on ascend950, in registers; a row fits in UB.
// Maximum and sum of a row never leave the vector unit. Written with the names before CANN 9
// (MicroAPI, DataCopy, ReduceMax, FusedExpSub), which most kernels in use have. Run by
// softmax_reg_custom_test.cc.
#include "kernel_operator.h"

using namespace AscendC;

struct SoftmaxRegTilingData {
  uint32_t rows;
  uint32_t columns;
};

constexpr uint32_t LANES = 256 / sizeof(float);  // elements of a register

__aicore__ inline void SoftmaxRow(__local_mem__ float* dst, __local_mem__ float* src,
                                  uint32_t columns) {
  const uint16_t steps = static_cast<uint16_t>((columns + LANES - 1) / LANES);
  __VEC_SCOPE__ {
    MicroAPI::RegTensor<float> x;
    MicroAPI::RegTensor<float> largest;
    MicroAPI::RegTensor<float> sum;
    MicroAPI::MaskReg mask;
    MicroAPI::MaskReg all = MicroAPI::CreateMask<float, MicroAPI::MaskPattern::ALL>();

    // Lanes beyond the row keep what they have: -infinity, unless the row is longer than one step.
    MicroAPI::Duplicate(largest, -__builtin_inff());
    uint32_t left = columns;
    for (uint16_t i = 0; i < steps; ++i) {
      mask = MicroAPI::UpdateMask<float>(left);
      MicroAPI::DataCopy(x, src + i * LANES);
      MicroAPI::Max<float, MicroAPI::MaskMergeMode::MERGING>(largest, largest, x, mask);
    }
    MicroAPI::ReduceMax(largest, largest, all);
    MicroAPI::Duplicate(largest, largest, all);

    // Lanes beyond the row are 0 and do not count.
    MicroAPI::Duplicate(sum, 0.0f);
    left = columns;
    for (uint16_t i = 0; i < steps; ++i) {
      mask = MicroAPI::UpdateMask<float>(left);
      MicroAPI::DataCopy(x, src + i * LANES);
      MicroAPI::FusedExpSub(x, x, largest, mask);
      MicroAPI::Add(sum, sum, x, all);
      MicroAPI::DataCopy(dst + i * LANES, x, mask);
    }
    MicroAPI::ReduceSum(sum, sum, all);
    MicroAPI::Duplicate(sum, sum, all);

    MicroAPI::LocalMemBar<MicroAPI::MemType::VEC_STORE, MicroAPI::MemType::VEC_LOAD>();
    left = columns;
    for (uint16_t i = 0; i < steps; ++i) {
      mask = MicroAPI::UpdateMask<float>(left);
      MicroAPI::DataCopy(x, dst + i * LANES);
      MicroAPI::Div(x, x, sum, mask);
      MicroAPI::DataCopy(dst + i * LANES, x, mask);
    }
  }
}

class KernelSoftmaxReg {
 public:
  __aicore__ inline KernelSoftmaxReg() {}

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns, TPipe* pipe) {
    this->rows = rows;
    this->columns = columns;
    xGm.SetGlobalBuffer((__gm__ float*)x, static_cast<uint64_t>(rows) * columns);
    yGm.SetGlobalBuffer((__gm__ float*)y, static_cast<uint64_t>(rows) * columns);
    // Whole registers, because a load takes a whole one.
    const uint32_t rowBytes = AlignUp(columns * sizeof(float), 256);
    pipe->InitBuffer(inQueue, 2, rowBytes);
    pipe->InitBuffer(outQueue, 2, rowBytes);
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
    SoftmaxRow((__local_mem__ float*)y.GetPhyAddr(), (__local_mem__ float*)x.GetPhyAddr(), columns);
    outQueue.EnQue(y);
    inQueue.FreeTensor(x);
  }

  __aicore__ inline void CopyOut(uint64_t offset) {
    LocalTensor<float> y = outQueue.DeQue<float>();
    DataCopyExtParams params{1, static_cast<uint32_t>(columns * sizeof(float)), 0, 0, 0};
    DataCopyPad(yGm[offset], y, params);
    outQueue.FreeTensor(y);
  }

  TQue<QuePosition::VECIN, 1> inQueue;
  TQue<QuePosition::VECOUT, 1> outQueue;
  GlobalTensor<float> xGm;
  GlobalTensor<float> yGm;
  uint32_t rows;
  uint32_t columns;
};

extern "C" __global__ __aicore__ void softmax_reg_custom(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                         GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(SoftmaxRegTilingData);
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA(tilingData, tiling);
  TPipe pipe;
  KernelSoftmaxReg op;
  op.Init(x, y, tilingData.rows, tilingData.columns, &pipe);
  op.Process();
}
