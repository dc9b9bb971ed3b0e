// y = x + 1 in two cores' shares, with a fault by number: 0 none, 1 the vector unit does not wait
// for the copy, 2 it waits for a flag that nobody sets, 3 the copy-out is 32 bytes too long.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t SHARE = 512;  // elements of a core

class KernelCopies {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, uint32_t faultNumber) {
    fault = faultNumber;
    xGm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * SHARE, SHARE);
    yGm.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * SHARE, SHARE);
    pipe.InitBuffer(inBuf, SHARE * sizeof(float));
    pipe.InitBuffer(outBuf, (SHARE + 8) * sizeof(float));
  }

  __aicore__ inline void Process() {
    LocalTensor<float> in = inBuf.Get<float>();
    LocalTensor<float> out = outBuf.Get<float>();
    Duplicate(out, 0.0f, SHARE + 8);
    DataCopy(in, xGm, SHARE);
    const event_t copied = static_cast<event_t>(pipe.FetchEventID(HardEvent::MTE2_V));
    if (fault != 1) {
      SetFlag<HardEvent::MTE2_V>(copied);
      WaitFlag<HardEvent::MTE2_V>(copied);
    }
    Compute(out, in);
    CopyOut(out);
  }

 private:
  __aicore__ inline void Compute(const LocalTensor<float>& out, const LocalTensor<float>& in) {
    Adds(out, in, 1.0f, SHARE);
    const event_t computed = static_cast<event_t>(pipe.FetchEventID(HardEvent::V_MTE3));
    if (fault == 2) {
      WaitFlag<HardEvent::V_MTE3>(computed);
    } else {
      SetFlag<HardEvent::V_MTE3>(computed);
      WaitFlag<HardEvent::V_MTE3>(computed);
    }
  }

  __aicore__ inline void CopyOut(const LocalTensor<float>& out) {
    DataCopy(yGm, out, fault == 3 ? SHARE + 8 : SHARE);
  }

  TPipe pipe;
  TBuf<TPosition::VECCALC> inBuf;
  TBuf<TPosition::VECCALC> outBuf;
  GlobalTensor<float> xGm;
  GlobalTensor<float> yGm;
  uint32_t fault;
};

extern "C" __global__ __aicore__ void copies(GM_ADDR x, GM_ADDR y, uint32_t fault) {
  KernelCopies op;
  op.Init(x, y, fault);
  op.Process();
}
