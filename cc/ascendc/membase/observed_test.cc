// What observed kernels tell about everything but vector instructions: copies, flags, barriers,
// queues, buffers, scalar accesses, synchronisation of cores, with the line of the call; and the
// sentence of each limit that is broken.
#include "cc/ascendc/membase/observed_test_support.h"

#include <stdexcept>
#include <string>

#include "cc/ascendc/membase/atomic.h"
#include "cc/ascendc/membase/copy.h"
#include "cc/ascendc/membase/copy_pad.h"
#include "cc/ascendc/membase/helpers.h"
#include "cc/ascendc/membase/sync.h"
#include "cc/ascendc/membase/system.h"
#include "cc/ascendc/membase/tbuf_pool.h"
#include "cc/ascendc/membase/tpipe.h"

namespace attnres::testing {
namespace {

using AscendC::DataCopyExtParams;
using AscendC::DataCopyPadExtParams;
using AscendC::DataCopyParams;
using AscendC::GlobalTensor;
using AscendC::HardEvent;
using AscendC::LocalTensor;
using AscendC::PaddingMode;
using AscendC::TPosition;

class MembaseObserved : public ObservedTest {
 protected:
  template <typename T = float>
  LocalTensor<T> Ub(uint32_t offset) {
    return LocalTensor<T>(TPosition::VECCALC, offset, 64);
  }
  template <typename T = float>
  GlobalTensor<T> Global(uint64_t offset = 0) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(Gm() + offset), 1024);
    return tensor;
  }
};

// What was told by the line before.
#define EXPECT_HERE(lines)         \
  EXPECT_EQ(line_, __LINE__ - 1u); \
  EXPECT_EQ(Told(), lines)

TEST_F(MembaseObserved, CopiesOfACount) {
  DataCopy(Ub(64), Global(4), 16);
  EXPECT_HERE("copy 1x64 gaps 0 0\nDataCopy MTE2: src gm 4+64/4 dst=64+64\n");
  EXPECT_EQ(work_, "16 in 1 of 4");
  EXPECT_EQ(Ub(64).Data()[3], Global(4).Data()[3]);
  DataCopy(Global(256), Ub(32), 8);
  EXPECT_HERE("copy 1x32 gaps 0 0 out\nDataCopy MTE3: src 32+32 dst=gm 256+32/4\n");
  DataCopy(Ub(512), Ub(0), 8);
  EXPECT_HERE("copy 1x32 gaps 0 0\nDataCopy V: src 0+32 dst=512+32\n");
}

TEST_F(MembaseObserved, CopiesOfBlocks) {
  DataCopy(Ub(0), Global(), DataCopyParams(2, 1, 2, 3));
  EXPECT_EQ(Told(),
            "copy 2x32 gaps 64 96\n"
            "DataCopy MTE2: src gm 0+32/4 src gm 96+32/4 dst=0+32 dst=128+32\n");
  DataCopy(Global(), Ub(0), DataCopyParams(2, 1, 0, 0));
  EXPECT_HERE("copy 2x32 gaps 0 0 out\nDataCopy MTE3: src 0+64 dst=gm 0+64/4\n");
}

TEST_F(MembaseObserved, ACountThatIsRoundedDown) {
  DataCopy(Ub(0), Global(), 13);
  EXPECT_EQ(
      Told(),
      "copy 1x52 gaps 0 0\n"
      "memory: DataCopy moves whole blocks of 32 bytes and leaves out the rest of this length: use "
      "DataCopyPad, or a length that is a multiple of 32 bytes\n"
      "DataCopy MTE2: src gm 0+32/4 dst=0+32\n");
}

TEST_F(MembaseObserved, ACopyThatTheObserverChanges) {
  adjusted_bytes_ = 96;
  DataCopy(Ub(0), Global(), 16);
  EXPECT_HERE("copy 1x64 gaps 0 0\nDataCopy MTE2: src gm 0+96/4 dst=0+96\n");
}

TEST_F(MembaseObserved, PaddedCopiesIn) {
  const DataCopyExtParams two(2, 20, 4, 1, 0);
  // Nobody promises what is behind the blocks.
  DataCopyPad(Ub(0), Global(), two, DataCopyPadExtParams<float>(false, 0, 0, 0));
  EXPECT_EQ(Told(),
            "copy 2x20 gaps 4 32 pad\n"
            "DataCopyPad MTE2: src gm 0+20 src gm 24+20 dst=0+20/1 dst=64+20/1\n");
  DataCopyPad(Ub(0), Global(), two, DataCopyPadExtParams<float>(true, 1, 2, 0));
  EXPECT_EQ(Told(),
            "copy 2x20 gaps 4 32 pad\n"
            "DataCopyPad MTE2: src gm 0+20 src gm 24+20 dst=0+32/1 dst=64+32/1\n");
  DataCopyPad(Ub(0), Global(), two, DataCopyPadExtParams<float>(false, 1, 0, 0));
  EXPECT_EQ(Told(),
            "copy 2x20 gaps 4 32 pad\n"
            "DataCopyPad MTE2: src gm 0+20 src gm 24+20 dst=4+20/1 dst=68+20/1\n");
  AscendC::DataCopyPad<float, PaddingMode::Compact>(Ub(0), Global(), two,
                                                    DataCopyPadExtParams<float>(true, 0, 1, 0));
  EXPECT_EQ(Told(),
            "copy 2x20 gaps 4 32 pad\n"
            "DataCopyPad MTE2: src gm 0+20 src gm 24+20 dst=0+64\n");
  DataCopyPad(Ub(0), Global(), DataCopyExtParams(2, 0, 0, 0, 0), {});
  EXPECT_HERE("copy 2x0 gaps 0 0 pad\n");
}

TEST_F(MembaseObserved, PaddedCopiesOut) {
  DataCopyPad(Global(), Ub(0), DataCopyExtParams(2, 20, 1, 4, 0));
  EXPECT_EQ(Told(),
            "copy 2x20 gaps 32 4 out pad\n"
            "DataCopyPad MTE3: src 0+20 src 64+20 dst=gm 0+20 dst=gm 24+20\n");
  AscendC::DataCopyPad<float, PaddingMode::Compact>(Global(), Ub(0),
                                                    DataCopyExtParams(2, 20, 1, 4, 0));
  EXPECT_EQ(Told(),
            "copy 2x20 gaps 32 4 out pad\n"
            "DataCopyPad MTE3: src 0+40/1 dst=gm 0+20 dst=gm 24+20\n");
}

TEST_F(MembaseObserved, LimitsOfCopies) {
  proves_ = false;
  refuses_ = true;
  const auto told_once = [this](const std::string& sentence) {
    const std::string told = Told();
    EXPECT_NE(told.find("\nmemory: " + sentence + "\n"), std::string::npos) << told;
  };
  DataCopyPad(Global(), Ub(0), DataCopyExtParams(4096, 4, 0, 0, 0));
  told_once("blockCount is above 4095: copy in several instructions");
  DataCopyPad(Global(), Ub(0), DataCopyExtParams(1, 6, 0, 0, 0));
  told_once("blockLen of DataCopyPad, in bytes, is no multiple of the size of an element");
  DataCopyPad(Ub(0), Global(), DataCopyExtParams(1, 4, 0, 0, 0),
              DataCopyPadExtParams<float>(true, 9, 0, 0));
  told_once("leftPadding or rightPadding of DataCopyPad is more than 32 bytes");
  DataCopyPad(Ub<int64_t>(0), Global<int64_t>(), DataCopyExtParams(1, 8, 0, 0, 0),
              DataCopyPadExtParams<int64_t>(true, 0, 1, 7));
  told_once("DataCopyPad of 8-byte elements pads with 0 only: set paddingValue to 0");
  DataCopyPad(Ub(4), Global(), DataCopyExtParams(1, 4, 0, 0, 0), {});
  told_once("dst of DataCopyPad does not begin at a multiple of 32 bytes of UB");
}

TEST_F(MembaseObserved, AtomicCopiesOut) {
  AscendC::SetAtomicAdd<float>();
  DataCopy(Global(), Ub(0), 8);
  EXPECT_HERE("copy 1x32 gaps 0 0 out\nDataCopy MTE3: src 0+32 dst=gm 0+32/4 atomic\n");
  AscendC::DisableDmaAtomic();
  auto global = Global();
  AscendC::InitGlobalMemory(global, 5, 2.0f);
  EXPECT_HERE("InitGlobalMemory MTE3: dst=gm 0+20\n");
  AscendC::InitOutput(global, 5);
  EXPECT_HERE("InitGlobalMemory MTE3: dst=gm 0+20\n");
}

TEST_F(MembaseObserved, ScalarAccesses) {
  const LocalTensor<float> local = Ub(64);
  GlobalTensor<float> global = Global();
  local.SetValue(1, 3.5f);
  EXPECT_HERE("write 68+4\n");
  const float value = local.GetValue(1);
  EXPECT_HERE("read 68+4\n");
  EXPECT_EQ(value, 3.5f);
  local(2) = local(1);
  EXPECT_HERE("read 68+4\nwrite 72+4\n");
  local(2) += 1.0f;
  EXPECT_HERE("read 72+4\nwrite 72+4\n");
  EXPECT_EQ(local.Data()[2], 4.5f);
  EXPECT_EQ(&local(2), local.Data() + 2);
  global.SetValue(3, global.GetValue(2));
  EXPECT_HERE("read gm 8+4\nwrite gm 12+4\n");
  global(4) = 1.0f;
  EXPECT_HERE("write gm 16+4\n");
  refuses_ = true;
  local.SetValue(1, 9.0f);
  EXPECT_EQ(local.Data()[1], 3.5f);
  EXPECT_EQ(local.GetValue(1), 0.0f);
}

TEST_F(MembaseObserved, FlagsAndBarriers) {
  AscendC::SetFlag<HardEvent::MTE2_V>(3);
  EXPECT_HERE("set MTE2 V 3\n");
  AscendC::WaitFlag<HardEvent::V_MTE3>(1);
  EXPECT_HERE("wait V MTE3 1\n");
  AscendC::SetFlag<HardEvent::S_MTE2>(0);
  EXPECT_HERE("set S MTE2 0\n");
  AscendC::TQueSync<PIPE_MTE3, PIPE_S> sync;
  sync.SetFlag(2);
  EXPECT_HERE("set MTE3 S 2\n");
  sync.WaitFlag(2);
  EXPECT_HERE("wait MTE3 S 2\n");
  set_flag(PIPE_V, PIPE_MTE2, EVENT_ID4);
  EXPECT_HERE("set V MTE2 4\n");
  wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID4);
  EXPECT_HERE("wait V MTE2 4\n");
  AscendC::PipeBarrier<PIPE_V>();
  EXPECT_HERE("barrier V\n");
  pipe_barrier(PIPE_ALL);
  EXPECT_HERE("barrier ALL\n");
  const std::string not_a_pipe =
      "synchronisation: a flag or barrier of a pipe that a vector core does not have: it has S, V, "
      "MTE2 and MTE3\n";
  AscendC::SetFlag<HardEvent::M_V>(0);
  EXPECT_HERE(not_a_pipe);
  pipe_barrier(PIPE_FIX);
  EXPECT_HERE(not_a_pipe);
}

TEST_F(MembaseObserved, SynchronisationOfCores) {
  AscendC::SyncAll();
  EXPECT_HERE("sync 0 hard\nsynchronised\n");
  AscendC::SyncAll(Global<int32_t>(), Ub<int32_t>(0), 2);
  EXPECT_HERE("sync 2\nsynchronised\n");
  AscendC::SyncAll(Global<int32_t>(), LocalTensor<int32_t>(TPosition::VECIN, 0, 8));
  EXPECT_EQ(
      Told(),
      "memory: a workspace of SyncAll holds less than 32 bytes for each core: make it larger\n"
      "sync 0\nsynchronised\n");
  AscendC::CrossCoreSetFlag<0, PIPE_MTE3>(1);
  EXPECT_HERE("sync 0\n");
  AscendC::CrossCoreWaitFlag(1);
  EXPECT_EQ(Told(), "synchronised\n");
  drops_syncs_ = true;
  AscendC::SyncAll();
  EXPECT_HERE("sync 0 hard\n");
}

TEST_F(MembaseObserved, QueuesAndBuffers) {
  AscendC::TPipe pipe;
  EXPECT_EQ(Told(), "reset\n");
  AscendC::TQue<TPosition::VECIN, 2> in;
  AscendC::TQue<TPosition::VECOUT, 1> out;
  AscendC::TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> through;
  AscendC::TBuf<> buffer;
  pipe.InitBuffer(in, 2, 100);
  EXPECT_HERE("buffer 0+128\nbuffer 128+128\n");
  pipe.InitBuffer(buffer, 32);
  EXPECT_HERE("buffer 256+32\n");
  pipe.InitBuffer(out, 1, 64);
  pipe.InitBuffer(through, 1, 64);
  Told();
  LocalTensor<float> x = in.AllocTensor<float>();
  EXPECT_HERE("alloc MTE2 V 0+128\n");
  in.EnQue(x);
  EXPECT_HERE("enque MTE2 V 0+128\n");
  x = in.DeQue<float>();
  EXPECT_HERE("deque MTE2 V 0+128\n");
  in.FreeTensor(x);
  EXPECT_HERE("free MTE2 V 0+128\n");
  LocalTensor<float> y = out.AllocTensor<float>();
  EXPECT_HERE("alloc V MTE3 288+64\n");
  out.EnQue<TPosition::VECCALC, TPosition::VECCALC>(y);
  EXPECT_HERE("enque V V 288+64\n");
  through.AllocTensor<float>();
  EXPECT_HERE("alloc MTE2 MTE3 352+64\n");
  EXPECT_THROW(through.DeQue<float>(), std::runtime_error);
  EXPECT_HERE("synchronisation: DeQue from an empty queue: an EnQue is missing\n");
  EXPECT_THROW(pipe.InitBuffer(buffer, 20000), std::runtime_error);
  EXPECT_HERE("memory: InitBuffer needs 20416 bytes of Unified Buffer, the core has 16384\n");
  AscendC::TBufPool<TPosition::VECCALC> pool;
  pipe.InitBufPool(pool, 256);
  pool.InitBuffer(buffer, 64);
  EXPECT_HERE("buffer 416+64\n");
  pipe.Reset();
  EXPECT_EQ(Told(), "reset\n");
}

TEST_F(MembaseObserved, BuffersOfTheAllocator) {
  AscendC::LocalMemAllocator<> allocator;
  allocator.Alloc<float>(4);
  EXPECT_HERE("buffer 0+32\n");
  allocator.Alloc<TPosition::VECIN, float, 16>();
  EXPECT_HERE("buffer 32+64\n");
}

}  // namespace
}  // namespace attnres::testing
