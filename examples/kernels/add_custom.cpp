// z = x + y for half vectors of any length: the first kernel that one writes. Two buffers per queue
// let the next tile come in while this one is computed and the last one goes out. Run by
// add_custom_test.cc.
#include "kernel_operator.h"

constexpr int32_t BUFFER_NUM = 2;
constexpr uint32_t TILE_LENGTH = 2048;  // elements of one tile: 4 KiB
constexpr uint32_t BLOCK_LENGTH = 16;   // half elements of 32 bytes

class KernelAdd {
 public:
  __aicore__ inline KernelAdd() {}

  // Cores share the vector in whole 32-byte blocks; the last core that has any takes the odd rest.
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t totalLength) {
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
    zGm.SetGlobalBuffer((__gm__ half*)z + begin, length);
    pipe.InitBuffer(inQueueX, BUFFER_NUM, TILE_LENGTH * sizeof(half));
    pipe.InitBuffer(inQueueY, BUFFER_NUM, TILE_LENGTH * sizeof(half));
    pipe.InitBuffer(outQueueZ, BUFFER_NUM, TILE_LENGTH * sizeof(half));
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
    AscendC::LocalTensor<half> xLocal = inQueueX.AllocTensor<half>();
    AscendC::LocalTensor<half> yLocal = inQueueY.AllocTensor<half>();
    const AscendC::DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(half)), 0,
                                                0, 0};
    const AscendC::DataCopyPadExtParams<half> padParams{false, 0, 0, 0};
    AscendC::DataCopyPad(xLocal, xGm[offset], copyParams, padParams);
    AscendC::DataCopyPad(yLocal, yGm[offset], copyParams, padParams);
    inQueueX.EnQue(xLocal);
    inQueueY.EnQue(yLocal);
  }

  __aicore__ inline void Compute(uint32_t count) {
    AscendC::LocalTensor<half> xLocal = inQueueX.DeQue<half>();
    AscendC::LocalTensor<half> yLocal = inQueueY.DeQue<half>();
    AscendC::LocalTensor<half> zLocal = outQueueZ.AllocTensor<half>();
    AscendC::Add(zLocal, xLocal, yLocal, count);
    outQueueZ.EnQue<half>(zLocal);
    inQueueX.FreeTensor(xLocal);
    inQueueY.FreeTensor(yLocal);
  }

  __aicore__ inline void CopyOut(uint32_t offset, uint32_t count) {
    AscendC::LocalTensor<half> zLocal = outQueueZ.DeQue<half>();
    const AscendC::DataCopyExtParams copyParams{1, static_cast<uint32_t>(count * sizeof(half)), 0,
                                                0, 0};
    AscendC::DataCopyPad(zGm[offset], zLocal, copyParams);
    outQueueZ.FreeTensor(zLocal);
  }

  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, BUFFER_NUM> inQueueX;
  AscendC::TQue<AscendC::TPosition::VECIN, BUFFER_NUM> inQueueY;
  AscendC::TQue<AscendC::TPosition::VECOUT, BUFFER_NUM> outQueueZ;
  AscendC::GlobalTensor<half> xGm;
  AscendC::GlobalTensor<half> yGm;
  AscendC::GlobalTensor<half> zGm;
  uint32_t length;
};

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                 uint32_t totalLength) {
  KernelAdd op;
  op.Init(x, y, z, totalLength);
  op.Process();
}
