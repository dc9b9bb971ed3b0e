// The kernel of ScaleCustom, y = factor * x: each core takes every GetBlockNum()-th tile.
#include "kernel_operator.h"
#include "scale_custom_tiling.h"

extern "C" __global__ __aicore__ void scale_custom(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  using T = DTYPE_X;
  GET_TILING_DATA_WITH_STRUCT(ScaleCustomTilingData, tilingData, tiling);
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 2> inQueue;
  AscendC::TQue<AscendC::TPosition::VECOUT, 2> outQueue;
  pipe.InitBuffer(inQueue, 2, tilingData.tileElements * sizeof(T));
  pipe.InitBuffer(outQueue, 2, tilingData.tileElements * sizeof(T));
  AscendC::GlobalTensor<T> xGm;
  AscendC::GlobalTensor<T> yGm;
  xGm.SetGlobalBuffer((__gm__ T*)x, tilingData.elements);
  yGm.SetGlobalBuffer((__gm__ T*)y, tilingData.elements);

  const uint64_t step = static_cast<uint64_t>(tilingData.tileElements) * AscendC::GetBlockNum();
  for (uint64_t begin = static_cast<uint64_t>(tilingData.tileElements) * AscendC::GetBlockIdx();
       begin < tilingData.elements; begin += step) {
    const uint64_t left = tilingData.elements - begin;
    const uint32_t count =
        left < tilingData.tileElements ? static_cast<uint32_t>(left) : tilingData.tileElements;
    const AscendC::DataCopyExtParams extent{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
    AscendC::LocalTensor<T> in = inQueue.AllocTensor<T>();
    AscendC::DataCopyPad(in, xGm[begin], extent, AscendC::DataCopyPadExtParams<T>{false, 0, 0, 0});
    inQueue.EnQue(in);
    in = inQueue.DeQue<T>();
    AscendC::LocalTensor<T> out = outQueue.AllocTensor<T>();
    AscendC::Muls(out, in, static_cast<T>(tilingData.factor), static_cast<int32_t>(count));
    outQueue.EnQue(out);
    inQueue.FreeTensor(in);
    out = outQueue.DeQue<T>();
    AscendC::DataCopyPad(yGm[begin], out, extent);
    outQueue.FreeTensor(out);
  }
}
