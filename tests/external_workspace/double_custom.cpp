// y = x + x of one tile of floats: the smallest kernel, compiled from a workspace that depends on
// this project.
#include "kernel_operator.h"

constexpr uint32_t LENGTH = 64;

extern "C" __global__ __aicore__ void double_custom(GM_ADDR x, GM_ADDR y) {
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> inQueue;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> outQueue;
  pipe.InitBuffer(inQueue, 1, LENGTH * sizeof(float));
  pipe.InitBuffer(outQueue, 1, LENGTH * sizeof(float));
  AscendC::GlobalTensor<float> xGm;
  AscendC::GlobalTensor<float> yGm;
  xGm.SetGlobalBuffer((__gm__ float*)x, LENGTH);
  yGm.SetGlobalBuffer((__gm__ float*)y, LENGTH);

  AscendC::LocalTensor<float> in = inQueue.AllocTensor<float>();
  AscendC::DataCopy(in, xGm, LENGTH);
  inQueue.EnQue(in);
  in = inQueue.DeQue<float>();
  AscendC::LocalTensor<float> out = outQueue.AllocTensor<float>();
  AscendC::Add(out, in, in, LENGTH);
  outQueue.EnQue(out);
  inQueue.FreeTensor(in);
  out = outQueue.DeQue<float>();
  AscendC::DataCopy(yGm, out, LENGTH);
  outQueue.FreeTensor(out);
}
