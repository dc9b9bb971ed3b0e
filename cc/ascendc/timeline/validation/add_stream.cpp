// z = x + y for half matrices, in the ways that the public measurements of an addition compare: one
// buffer or two, copies out under the next copies in or before them, operands in the same bank
// groups or not. The plan says which; points.cc has the plans.
#include "kernel_operator.h"

struct AddPlan {
  uint32_t rows;
  uint32_t columns;
  uint32_t copyElements;
  uint32_t buffers;   // 1 or 2
  uint32_t isSerial;  // nothing of a tile overlaps with the next one
  uint32_t xOffset;   // in UB, of the first buffer; bytes
  uint32_t yOffset;
  uint32_t zOffset;
  uint32_t inDistance;  // from the first buffer to the second
  uint32_t outDistance;
};

class AddStream {
 public:
  __aicore__ inline AddStream(const AddPlan& addPlan) : plan(addPlan) {}

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    const uint32_t cores = static_cast<uint32_t>(AscendC::GetBlockNum());
    const uint32_t core = static_cast<uint32_t>(AscendC::GetBlockIdx());
    const uint32_t more = plan.rows % cores;
    const uint64_t before =
        static_cast<uint64_t>(plan.rows / cores) * core + (core < more ? core : more);
    elements = static_cast<uint64_t>(plan.rows / cores + (core < more ? 1 : 0)) * plan.columns;
    const uint64_t begin = before * plan.columns;
    xGm.SetGlobalBuffer((__gm__ half*)x + begin, elements);
    yGm.SetGlobalBuffer((__gm__ half*)y + begin, elements);
    zGm.SetGlobalBuffer((__gm__ half*)z + begin, elements);
    pipe.InitBuffer(ub, plan.zOffset + plan.outDistance + plan.copyElements * sizeof(half));
  }

  __aicore__ inline void Process() {
    using AscendC::HardEvent;
    const uint32_t tiles =
        static_cast<uint32_t>((elements + plan.copyElements - 1) / plan.copyElements);
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      const int32_t buffer = static_cast<int32_t>(tile % plan.buffers);
      const bool isReused = tile >= plan.buffers;
      const uint64_t offset = static_cast<uint64_t>(tile) * plan.copyElements;
      const uint32_t count = static_cast<uint32_t>(
          elements - offset < plan.copyElements ? elements - offset : plan.copyElements);
      const uint32_t in = buffer * plan.inDistance;
      auto xLocal = ub.GetWithOffset<half>(plan.copyElements, plan.xOffset + in);
      auto yLocal = ub.GetWithOffset<half>(plan.copyElements, plan.yOffset + in);
      auto zLocal =
          ub.GetWithOffset<half>(plan.copyElements, plan.zOffset + buffer * plan.outDistance);
      if (isReused && plan.isSerial != 0) AscendC::WaitFlag<HardEvent::MTE3_MTE2>(buffer);
      if (isReused && plan.isSerial == 0) AscendC::WaitFlag<HardEvent::V_MTE2>(buffer);
      AscendC::DataCopy(xLocal, xGm[offset], count);
      AscendC::DataCopy(yLocal, yGm[offset], count);
      AscendC::SetFlag<HardEvent::MTE2_V>(buffer);
      AscendC::WaitFlag<HardEvent::MTE2_V>(buffer);
      if (isReused && plan.isSerial == 0) AscendC::WaitFlag<HardEvent::MTE3_V>(buffer);
      AscendC::Add(zLocal, xLocal, yLocal, count);
      const bool isLast = tile + plan.buffers >= tiles;
      if (!isLast && plan.isSerial == 0) AscendC::SetFlag<HardEvent::V_MTE2>(buffer);
      AscendC::SetFlag<HardEvent::V_MTE3>(buffer);
      AscendC::WaitFlag<HardEvent::V_MTE3>(buffer);
      AscendC::DataCopy(zGm[offset], zLocal, count);
      if (!isLast && plan.isSerial == 0) AscendC::SetFlag<HardEvent::MTE3_V>(buffer);
      if (!isLast && plan.isSerial != 0) AscendC::SetFlag<HardEvent::MTE3_MTE2>(buffer);
    }
  }

 private:
  const AddPlan plan;
  uint64_t elements = 0;
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECCALC> ub;
  AscendC::GlobalTensor<half> xGm;
  AscendC::GlobalTensor<half> yGm;
  AscendC::GlobalTensor<half> zGm;
};

// ADD_STREAM: the name, one per architecture so that both fit into a program.
extern "C" __global__ __aicore__ void ADD_STREAM(GM_ADDR x, GM_ADDR y, GM_ADDR z, AddPlan plan) {
  AddStream kernel(plan);
  kernel.Init(x, y, z);
  kernel.Process();
}
