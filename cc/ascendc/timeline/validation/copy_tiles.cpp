// Reads a half matrix tile by tile and does nothing with it, in the ways that the public
// measurements of copies compare. A probe of the memory: tiles overwrite each other in UB, and the
// order of copies in does not matter to it. The plan says how; points.cc has the plans.
#include "kernel_operator.h"

struct CopyPlan {
  uint32_t rows;
  uint32_t columns;
  uint32_t tileRows;
  uint32_t tileColumns;
  uint32_t parts;  // of the columns, each read `repeats` times before the next
  uint32_t repeats;
  uint32_t readsAll;   // every core reads every row
  uint32_t isRotated;  // cores begin at different rows
};

class CopyTiles {
 public:
  __aicore__ inline CopyTiles(const CopyPlan& copyPlan) : plan(copyPlan) {}

  __aicore__ inline void Init(GM_ADDR x) {
    xGm.SetGlobalBuffer((__gm__ half*)x, static_cast<uint64_t>(plan.rows) * plan.columns);
    pipe.InitBuffer(ub, plan.tileRows * plan.tileColumns * sizeof(half));
    tile = ub.Get<half>();
  }

  __aicore__ inline void Process() {
    const uint32_t cores = static_cast<uint32_t>(AscendC::GetBlockNum());
    const uint32_t core = static_cast<uint32_t>(AscendC::GetBlockIdx());
    const uint32_t share = plan.rows / cores;
    const uint32_t partColumns = plan.columns / plan.parts;
    for (uint32_t part = 0; part < plan.parts; ++part) {
      for (uint32_t repeat = 0; repeat < plan.repeats; ++repeat) {
        const uint32_t begin = part * partColumns;
        const uint32_t end = part + 1 == plan.parts ? plan.columns : begin + partColumns;
        if (plan.readsAll == 0) {
          ReadRows(core * share, share, begin, end);
          continue;
        }
        for (uint32_t block = 0; block < cores; ++block) {
          const uint32_t shifted = plan.isRotated != 0 ? (block + core) % cores : block;
          ReadRows(shifted * share, share, begin, end);
        }
      }
    }
  }

 private:
  __aicore__ inline void ReadRows(uint32_t firstRow, uint32_t rows, uint32_t begin, uint32_t end) {
    for (uint32_t row = 0; row < rows; row += plan.tileRows) {
      for (uint32_t column = begin; column < end; column += plan.tileColumns) {
        const uint32_t count = end - column < plan.tileColumns ? end - column : plan.tileColumns;
        const AscendC::DataCopyExtParams shape{
            static_cast<uint16_t>(plan.tileRows), static_cast<uint32_t>(count * sizeof(half)),
            static_cast<uint32_t>((plan.columns - count) * sizeof(half)), 0, 0};
        const AscendC::DataCopyPadExtParams<half> padding{false, 0, 0, 0};
        const uint64_t offset = static_cast<uint64_t>(firstRow + row) * plan.columns + column;
        AscendC::DataCopyPad(tile, xGm[offset], shape, padding);
      }
    }
  }

  const CopyPlan plan;
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECIN> ub;
  AscendC::LocalTensor<half> tile;
  AscendC::GlobalTensor<half> xGm;
};

// COPY_TILES: the name, one per architecture so that both fit into a program.
extern "C" __global__ __aicore__ void COPY_TILES(GM_ADDR x, CopyPlan plan) {
  CopyTiles kernel(plan);
  kernel.Init(x);
  kernel.Process();
}
