// A kernel with one of everything that the debugger prints; gdb_test.py stops it at the lines
// marked "stop". z = bfloat16(2 x) for half vectors, by a queue, a vector function and a buffer.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t LENGTH = 64;  // elements of each core: as many as a register of floats

__simd_vf__ inline void DoubleVf(__ubuf__ float* dst, __ubuf__ float* src) {
  MicroAPI::RegTensor<float> value;
  MicroAPI::MaskReg mask = MicroAPI::CreateMask<float, MicroAPI::MaskPattern::VL8>();
  MicroAPI::MaskReg all = MicroAPI::CreateMask<float, MicroAPI::MaskPattern::ALL>();
  MicroAPI::DataCopy(value, src);
  MicroAPI::Muls(value, value, 2.0f, all);
  MicroAPI::DataCopy(dst, value, all);  // stop: register
  static_cast<void>(mask);
}

class KernelDebugged {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, TPipe* pipe) {
    xGm.SetGlobalBuffer((__gm__ half*)x + LENGTH * GetBlockIdx(), LENGTH);
    zGm.SetGlobalBuffer((__gm__ bfloat16_t*)z + LENGTH * GetBlockIdx(), LENGTH);
    pipe->InitBuffer(inQueue, 2, LENGTH * sizeof(half));
    pipe->InitBuffer(outQueue, 1, LENGTH * sizeof(bfloat16_t));
    pipe->InitBuffer(work, LENGTH * sizeof(float));
  }

  __aicore__ inline void Process() {
    LocalTensor<half> xLocal = inQueue.AllocTensor<half>();
    DataCopy(xLocal, xGm, LENGTH);
    inQueue.EnQue(xLocal);
    xLocal = inQueue.DeQue<half>();
    LocalTensor<float> wide = work.Get<float>();
    Cast(wide, xLocal, RoundMode::CAST_NONE, LENGTH);
    LocalTensor<int32_t> numbers = wide.ReinterpretCast<int32_t>()[LENGTH - 3];
    VF_CALL<DoubleVf>((__ubuf__ float*)wide.GetPhyAddr(), (__ubuf__ float*)wide.GetPhyAddr());
    LocalTensor<bfloat16_t> zLocal = outQueue.AllocTensor<bfloat16_t>();
    Cast(zLocal, wide, RoundMode::CAST_RINT, LENGTH);
    const half single = xLocal.GetValue(3);
    outQueue.EnQue(zLocal);  // stop: tensors
    inQueue.FreeTensor(xLocal);
    zLocal = outQueue.DeQue<bfloat16_t>();
    DataCopy(zGm, zLocal, LENGTH);
    outQueue.FreeTensor(zLocal);  // stop: free
    SyncAll();
    static_cast<void>(numbers);
    static_cast<void>(single);  // stop: synchronised
  }

 private:
  TQue<TPosition::VECIN, 2> inQueue;
  TQue<TPosition::VECOUT, 1> outQueue;
  TBuf<TPosition::VECCALC> work;
  GlobalTensor<half> xGm;
  GlobalTensor<bfloat16_t> zGm;
};

extern "C" __global__ __aicore__ void debugged_kernel(GM_ADDR x, GM_ADDR z) {
  TPipe pipe;
  KernelDebugged op;
  op.Init(x, z, &pipe);
  op.Process();
}
