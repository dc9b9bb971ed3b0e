// y = gelu(x) for half vectors of any length on ascend950, in registers: one vector function reads
// 64 half elements, computes in float and writes 64 half elements, without a step through UB in
// between. The tanh form x / (1 + exp(-2 * sqrt(2 / pi) * (x + 0.044715 * x^3))). Run by
// gelu_reg_custom_test.cc.
#include "kernel_operator.h"

namespace {

using AscendC::Reg::CastTrait;
using AscendC::Reg::LoadDist;
using AscendC::Reg::MaskReg;
using AscendC::Reg::RegTensor;
using AscendC::Reg::StoreDist;

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t TILE_LENGTH = 4096;  // elements of one tile: 8 KiB
constexpr uint32_t BLOCK_LENGTH = 16;   // half elements of 32 bytes
constexpr uint32_t STEP = AscendC::GetVecLen() / sizeof(float);

constexpr float CUBE = 0.044715f;
constexpr float MINUS_TWO_SQRT_TWO_OVER_PI = -1.5957691216057308f;

// A half lies in the lower part of the 32 bits that it shares with nothing.
constexpr CastTrait WIDEN = {AscendC::Reg::RegLayout::ZERO, AscendC::Reg::SatMode::UNKNOWN,
                             AscendC::Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::UNKNOWN};
constexpr CastTrait NARROW = {AscendC::Reg::RegLayout::ZERO, AscendC::Reg::SatMode::NO_SAT,
                              AscendC::Reg::MaskMergeMode::ZEROING, AscendC::RoundMode::CAST_RINT};

__simd_callee__ inline void Gelu(RegTensor<float>& y, RegTensor<float>& x, MaskReg& mask) {
  RegTensor<float> inner;
  RegTensor<float> one;
  AscendC::Reg::Duplicate(one, 1.0f);
  AscendC::Reg::Mul(inner, x, x, mask);
  AscendC::Reg::Muls(inner, inner, CUBE, mask);
  AscendC::Reg::Adds(inner, inner, 1.0f, mask);
  AscendC::Reg::Mul(inner, inner, x, mask);
  AscendC::Reg::Muls(inner, inner, MINUS_TWO_SQRT_TWO_OVER_PI, mask);
  AscendC::Reg::Exp(inner, inner, mask);
  AscendC::Reg::Add(inner, inner, one, mask);
  AscendC::Reg::Div(y, x, inner, mask);
}

__simd_vf__ inline void GeluVf(__ubuf__ half* dst, __ubuf__ half* src, uint32_t count,
                               uint16_t steps) {
  RegTensor<half> narrow;
  RegTensor<float> x;
  RegTensor<float> y;
  for (uint16_t i = 0; i < steps; ++i) {
    MaskReg mask = AscendC::Reg::UpdateMask<float>(count);
    AscendC::Reg::LoadAlign<half, LoadDist::DIST_UNPACK_B16>(narrow, src + i * STEP);
    AscendC::Reg::Cast<float, half, WIDEN>(x, narrow, mask);
    Gelu(y, x, mask);
    AscendC::Reg::Cast<half, float, NARROW>(narrow, y, mask);
    AscendC::Reg::StoreAlign<half, StoreDist::DIST_PACK_B32>(dst + i * STEP, narrow, mask);
  }
}

class KernelGelu {
 public:
  __aicore__ inline KernelGelu() {}

  // Cores share the vector in whole 32-byte blocks; the last core that has any takes the odd rest.
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t totalLength, AscendC::TPipe* pipe) {
    const uint32_t blocks = (totalLength + BLOCK_LENGTH - 1) / BLOCK_LENGTH;
    const uint32_t coreNum = static_cast<uint32_t>(AscendC::GetBlockNum());
    const uint32_t share = (blocks + coreNum - 1) / coreNum * BLOCK_LENGTH;
    const uint64_t begin = static_cast<uint64_t>(share) * AscendC::GetBlockIdx();
    if (begin >= totalLength) {
      length = 0;
      return;
    }
    length = totalLength - begin < share ? static_cast<uint32_t>(totalLength - begin) : share;
    xGm.SetGlobalBuffer((__gm__ half*)x + begin, length);
    yGm.SetGlobalBuffer((__gm__ half*)y + begin, length);
    pipe->InitBuffer(inQueue, BUFFER_NUM, TILE_LENGTH * sizeof(half));
    pipe->InitBuffer(outQueue, BUFFER_NUM, TILE_LENGTH * sizeof(half));
  }

  __aicore__ inline void Process() {
    for (uint32_t offset = 0; offset < length; offset += TILE_LENGTH) {
      const uint32_t count = length - offset < TILE_LENGTH ? length - offset : TILE_LENGTH;
      CopyIn(offset, count);
      Compute(count);
      CopyOut(offset, count);
    }
  }

 private:
  __aicore__ inline void CopyIn(uint32_t offset, uint32_t count) {
    AscendC::LocalTensor<half> x = inQueue.AllocTensor<half>();
    const AscendC::DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(half)), 0,
                                                0, 0};
    AscendC::DataCopyPad(x, xGm[offset], copyParams,
                         AscendC::DataCopyPadExtParams<half>{false, 0, 0, 0});
    inQueue.EnQue(x);
  }

  __aicore__ inline void Compute(uint32_t count) {
    AscendC::LocalTensor<half> x = inQueue.DeQue<half>();
    AscendC::LocalTensor<half> y = outQueue.AllocTensor<half>();
    const uint16_t steps = static_cast<uint16_t>((count + STEP - 1) / STEP);
    asc_vf_call<GeluVf>((__ubuf__ half*)y.GetPhyAddr(), (__ubuf__ half*)x.GetPhyAddr(), count,
                        steps);
    outQueue.EnQue(y);
    inQueue.FreeTensor(x);
  }

  __aicore__ inline void CopyOut(uint32_t offset, uint32_t count) {
    AscendC::LocalTensor<half> y = outQueue.DeQue<half>();
    const AscendC::DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(half)), 0,
                                                0, 0};
    AscendC::DataCopyPad(yGm[offset], y, copyParams);
    outQueue.FreeTensor(y);
  }

  AscendC::TQue<AscendC::TPosition::VECIN, BUFFER_NUM> inQueue;
  AscendC::TQue<AscendC::TPosition::VECOUT, BUFFER_NUM> outQueue;
  AscendC::GlobalTensor<half> xGm;
  AscendC::GlobalTensor<half> yGm;
  uint32_t length;
};

}  // namespace

extern "C" __global__ __aicore__ void gelu_reg_custom(GM_ADDR x, GM_ADDR y, uint32_t totalLength) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::TPipe pipe;
  KernelGelu op;
  op.Init(x, y, totalLength, &pipe);
  op.Process();
}
