// y = gelu(x) for a float matrix, in the two ways that the public measurements on ascend950
// compare: eight instructions on UB, or one vector function that keeps everything in registers. Two
// buffers each way. The plan says which; points.cc has the plans.
#include "kernel_operator.h"

struct GeluPlan {
  uint32_t elements;  // of each core
  uint32_t tileElements;
  uint32_t inRegisters;
};

constexpr float CUBE = 0.044715f;
constexpr float SCALE = -1.595769f;

__simd_vf__ inline void GeluVf(__ubuf__ float* dst, __ubuf__ float* src, uint32_t count,
                               uint16_t steps) {
  constexpr uint32_t LANES = AscendC::GetVecLen() / sizeof(float);
  AscendC::Reg::RegTensor<float> x;
  AscendC::Reg::RegTensor<float> y;
  for (uint16_t i = 0; i < steps; ++i) {
    AscendC::Reg::MaskReg mask = AscendC::Reg::UpdateMask<float>(count);
    AscendC::Reg::LoadAlign(x, src + i * LANES);
    AscendC::Reg::Mul(y, x, x, mask);
    AscendC::Reg::Mul(y, y, x, mask);
    AscendC::Reg::Muls(y, y, CUBE, mask);
    AscendC::Reg::Add(y, x, y, mask);
    AscendC::Reg::Muls(y, y, SCALE, mask);
    AscendC::Reg::Exp(y, y, mask);
    AscendC::Reg::Adds(y, y, 1.0f, mask);
    AscendC::Reg::Div(y, x, y, mask);
    AscendC::Reg::StoreAlign(dst + i * LANES, y, mask);
  }
}

class GeluStream {
 public:
  __aicore__ inline GeluStream(const GeluPlan& geluPlan) : plan(geluPlan) {}

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y) {
    const uint64_t begin = static_cast<uint64_t>(plan.elements) * AscendC::GetBlockIdx();
    xGm.SetGlobalBuffer((__gm__ float*)x + begin, plan.elements);
    yGm.SetGlobalBuffer((__gm__ float*)y + begin, plan.elements);
    pipe.InitBuffer(inQueue, 2, plan.tileElements * sizeof(float));
    pipe.InitBuffer(outQueue, 2, plan.tileElements * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (uint32_t offset = 0; offset < plan.elements; offset += plan.tileElements) {
      AscendC::LocalTensor<float> in = inQueue.AllocTensor<float>();
      AscendC::DataCopy(in, xGm[offset], plan.tileElements);
      inQueue.EnQue(in);
      Compute();
      AscendC::LocalTensor<float> out = outQueue.DeQue<float>();
      AscendC::DataCopy(yGm[offset], out, plan.tileElements);
      outQueue.FreeTensor(out);
    }
  }

 private:
  __aicore__ inline void Compute() {
    AscendC::LocalTensor<float> x = inQueue.DeQue<float>();
    AscendC::LocalTensor<float> y = outQueue.AllocTensor<float>();
    const uint32_t count = plan.tileElements;
    if (plan.inRegisters != 0) {
      asc_vf_call<GeluVf>((__ubuf__ float*)y.GetPhyAddr(), (__ubuf__ float*)x.GetPhyAddr(), count,
                          static_cast<uint16_t>(count * sizeof(float) / AscendC::GetVecLen()));
    } else {
      AscendC::Mul(y, x, x, count);
      AscendC::Mul(y, y, x, count);
      AscendC::Muls(y, y, CUBE, count);
      AscendC::Add(y, x, y, count);
      AscendC::Muls(y, y, SCALE, count);
      AscendC::Exp(y, y, count);
      AscendC::Adds(y, y, 1.0f, count);
      AscendC::Div(y, x, y, count);
    }
    outQueue.EnQue(y);
    inQueue.FreeTensor(x);
  }

  const GeluPlan plan;
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueue;
  AscendC::GlobalTensor<float> xGm;
  AscendC::GlobalTensor<float> yGm;
};

extern "C" __global__ __aicore__ void gelu_stream(GM_ADDR x, GM_ADDR y, GeluPlan plan) {
  GeluStream kernel(plan);
  kernel.Init(x, y);
  kernel.Process();
}
