// TPipe, TQue, TQueBind, TBuf, TBufPool, event ids and LocalMemAllocator: addresses, order, states,
// and the message of each misuse.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/testing/kernel_runner.h"
#include "kernel_operator.h"

namespace {

using attnres::testing::KernelOptions;
using attnres::testing::KernelRun;
using attnres::testing::RunKernel;

using AscendC::HardEvent;
using AscendC::LocalTensor;
using AscendC::TBuf;
using AscendC::TPipe;
using AscendC::TPosition;
using AscendC::TQue;
using AscendC::TQueBind;

#define CHECK_ON_CORE(condition)                   \
  do {                                             \
    if (!(condition)) {                            \
      AscendC::twin::Fail("expected " #condition); \
    }                                              \
  } while (0)

template <auto kKernel>
std::string Message(KernelOptions options = {}) {
  return RunKernel(&AscendcTwinEntry<kKernel>, options).status.message;
}

uint64_t OffsetInUb(uint64_t address) {
  return address - reinterpret_cast<uint64_t>(AscendC::twin::Core()->ub);
}

void CutsBuffersInOrder() {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TBuf<TPosition::VECCALC> calc;
  pipe.InitBuffer(in, 2, 100);  // rounded up to 128
  pipe.InitBuffer(calc, 33);    // rounded up to 64
  LocalTensor<float> first = in.AllocTensor<float>();
  LocalTensor<float> second = in.AllocTensor<float>();
  LocalTensor<half> whole = calc.Get<half>();
  CHECK_ON_CORE(OffsetInUb(first.GetPhyAddr()) == 0);
  CHECK_ON_CORE(OffsetInUb(second.GetPhyAddr()) == 128);
  CHECK_ON_CORE(OffsetInUb(whole.GetPhyAddr()) == 256);
  CHECK_ON_CORE(first.GetSize() == 32);
  CHECK_ON_CORE(whole.GetSize() == 32);
  CHECK_ON_CORE(calc.Get<int32_t>(4).GetSize() == 4);
  CHECK_ON_CORE(OffsetInUb(calc.GetWithOffset<int32_t>(8, 32).GetPhyAddr()) == 288);
  CHECK_ON_CORE(first.GetPosition() == static_cast<int32_t>(TPosition::VECIN));
  CHECK_ON_CORE(pipe.UbBytesUsed() == 320);
  CHECK_ON_CORE(AscendC::GetTPipePtr() == &pipe);
  pipe.Reset();
  pipe.InitBuffer(calc, 32);
  CHECK_ON_CORE(OffsetInUb(calc.Get<half>().GetPhyAddr()) == 0);
  pipe.Destroy();
  TPipe next;
  CHECK_ON_CORE(AscendC::GetTPipePtr() == &next);
}
TEST(Pipe, CutsBuffersInOrder) { EXPECT_EQ(Message<&CutsBuffersInOrder>(), ""); }

void QueueIsFirstInFirstOut() {
  TPipe pipe;
  TQue<TPosition::VECOUT, 2> queue;
  pipe.InitBuffer(queue, 3, 32);
  for (int round = 0; round < 7; ++round) {
    LocalTensor<int32_t> a = queue.AllocTensor<int32_t>();
    LocalTensor<int32_t> b = queue.AllocTensor<int32_t>();
    LocalTensor<int32_t> c;
    queue.AllocTensor(c);
    a.SetValue(0, 10 * round + 1);
    b.SetValue(0, 10 * round + 2);
    CHECK_ON_CORE(!queue.HasIdleBuffer());
    CHECK_ON_CORE(queue.EnQue(a));
    CHECK_ON_CORE(queue.VacantInQue());
    CHECK_ON_CORE(queue.EnQue(b));
    CHECK_ON_CORE(!queue.VacantInQue());
    CHECK_ON_CORE(!queue.EnQue(c));
    CHECK_ON_CORE(queue.GetTensorCountInQue() == 2);
    LocalTensor<int32_t> first = queue.DeQue<int32_t>();
    LocalTensor<int32_t> second;
    queue.DeQue(second);
    CHECK_ON_CORE(first.GetValue(0) == 10 * round + 1);
    CHECK_ON_CORE(second.GetValue(0) == 10 * round + 2);
    CHECK_ON_CORE(!queue.HasTensorInQue());
    CHECK_ON_CORE(queue.GetState(first) == AscendC::TBufState::DEQUE);
    queue.FreeTensor(first);
    queue.FreeTensor(second);
    queue.FreeTensor(c);
    CHECK_ON_CORE(queue.GetState(first) == AscendC::TBufState::FREE);
  }
}
TEST(Queue, IsFirstInFirstOut) { EXPECT_EQ(Message<&QueueIsFirstInFirstOut>(), ""); }

void InPlaceQueue() {
  TPipe pipe;
  TQue<TPosition::VECIN, 0> queue;
  pipe.InitBuffer(queue, 2, 64);
  for (int round = 0; round < 3; ++round) {
    LocalTensor<float> a;
    LocalTensor<float> b;
    queue.AllocTensor(a);
    queue.AllocTensor(b);
    queue.EnQue(a);
    queue.EnQue(b);
    const uint64_t address = b.GetPhyAddr();
    queue.DeQue(b);
    queue.DeQue(a);
    CHECK_ON_CORE(b.GetPhyAddr() == address);
    queue.FreeTensor(a);
    queue.FreeTensor(b);
  }
}
TEST(Queue, DepthZeroDequeuesTheTensorItself) { EXPECT_EQ(Message<&InPlaceQueue>(), ""); }

void BoundQueue() {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 32);
  LocalTensor<half> tensor = queue.AllocTensor<half>();
  queue.EnQue<TPosition::GM, TPosition::VECIN, half>(tensor);
  tensor = queue.DeQue<TPosition::GM, TPosition::VECIN, half>();
  queue.EnQue<TPosition::VECOUT, TPosition::GM, half>(tensor);
  tensor = queue.DeQue<TPosition::VECOUT, TPosition::GM, half>();
  queue.FreeTensor(tensor);
}
TEST(Queue, BoundQueueServesBothEnds) { EXPECT_EQ(Message<&BoundQueue>(), ""); }

void TensorViews() {
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 64);
  LocalTensor<float> tensor = buffer.Get<float>();
  tensor.SetValue(3, 1.5f);
  CHECK_ON_CORE(tensor[3].GetValue(0) == 1.5f);
  CHECK_ON_CORE(tensor(3) == 1.5f);
  CHECK_ON_CORE(tensor[3].GetSize() == 13);
  CHECK_ON_CORE(tensor.ReinterpretCast<half>().GetSize() == 32);
  CHECK_ON_CORE(tensor.ReinterpretCast<uint32_t>().GetValue(3) == 0x3FC00000);
  CHECK_ON_CORE(tensor.GetPhyAddr(2) == tensor.GetPhyAddr() + 8);
  tensor.SetSize(5);
  CHECK_ON_CORE(tensor.GetSize() == 5);
}
TEST(Tensor, Views) { EXPECT_EQ(Message<&TensorViews>(), ""); }

void PoolsShareMemory() {
  TPipe pipe;
  AscendC::TBufPool<TPosition::VECCALC> first;
  AscendC::TBufPool<TPosition::VECCALC> second;
  pipe.InitBufPool(first, 256);
  pipe.InitBufPool(second, 256, first);
  TQue<TPosition::VECIN, 1> queue;
  TBuf<> buffer;
  first.InitBuffer(queue, 2, 64);
  first.InitBuffer(buffer, 128);
  const uint64_t address = buffer.Get<float>().GetPhyAddr();
  CHECK_ON_CORE(OffsetInUb(address) == 128);
  first.Reset();
  second.InitBuffer(buffer, 32);
  CHECK_ON_CORE(OffsetInUb(buffer.Get<float>().GetPhyAddr()) == 0);
}
TEST(Pool, PoolsShareMemory) { EXPECT_EQ(Message<&PoolsShareMemory>(), ""); }

void EventIds() {
  TPipe pipe;
  CHECK_ON_CORE(pipe.AllocEventID<HardEvent::MTE2_V>() == 0);
  CHECK_ON_CORE(pipe.AllocEventID<HardEvent::MTE2_V>() == 1);
  CHECK_ON_CORE(pipe.AllocEventID<HardEvent::V_MTE2>() == 0);
  CHECK_ON_CORE(pipe.FetchEventID(HardEvent::MTE2_V) == 2);
  CHECK_ON_CORE(pipe.FetchEventID<HardEvent::MTE2_V>() == 2);
  pipe.ReleaseEventID<HardEvent::MTE2_V>(0);
  const event_t id = static_cast<event_t>(AscendC::GetTPipePtr()->FetchEventID(HardEvent::MTE2_V));
  CHECK_ON_CORE(id == EVENT_ID0);
  AscendC::SetFlag<HardEvent::MTE2_V>(id);
  AscendC::WaitFlag<HardEvent::MTE2_V>(id);
  AscendC::PipeBarrier<PIPE_ALL>();
}
TEST(Pipe, EventIds) { EXPECT_EQ(Message<&EventIds>(), ""); }

void StaticTensors() {
  AscendC::LocalMemAllocator<AscendC::Hardware::UB> allocator;
  LocalTensor<float> a = allocator.Alloc<TPosition::VECIN, float, 3>();
  LocalTensor<half> b = allocator.Alloc<half>(40);
  LocalTensor<half> c = allocator.Alloc<TPosition::VECOUT, half>(8);
  CHECK_ON_CORE(OffsetInUb(a.GetPhyAddr()) == 0);
  CHECK_ON_CORE(OffsetInUb(b.GetPhyAddr()) == 32);
  CHECK_ON_CORE(OffsetInUb(c.GetPhyAddr()) == 128);
  CHECK_ON_CORE(allocator.GetCurAddr() == 160);
}
TEST(Allocator, HandsOutDataBlocks) { EXPECT_EQ(Message<&StaticTensors>(), ""); }

// ---- misuse

template <int kCase>
void Misuse() {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  TQue<TPosition::VECIN, 1> other;
  TBuf<> buffer;
  if constexpr (kCase == 0) {
    pipe.InitBuffer(queue, 3, 65536 + 1);
  } else if constexpr (kCase == 1) {
    pipe.InitBuffer(queue, 65, 32);
  } else if constexpr (kCase == 2) {
    TPipe second;
  } else if constexpr (kCase == 3) {
    queue.AllocTensor<half>();
  } else if constexpr (kCase == 4) {
    pipe.InitBuffer(queue, 1, 32);
    queue.AllocTensor<half>();
    queue.AllocTensor<half>();
  } else if constexpr (kCase == 5) {
    pipe.InitBuffer(queue, 1, 32);
    queue.DeQue<half>();
  } else if constexpr (kCase == 6) {
    pipe.InitBuffer(queue, 1, 32);
    pipe.InitBuffer(other, 1, 32);
    LocalTensor<half> tensor = other.AllocTensor<half>();
    queue.EnQue(tensor);
  } else if constexpr (kCase == 7) {
    pipe.InitBuffer(queue, 1, 32);
    LocalTensor<half> tensor = queue.AllocTensor<half>();
    queue.FreeTensor(tensor);
    queue.FreeTensor(tensor);
  } else if constexpr (kCase == 8) {
    pipe.InitBuffer(queue, 1, 32);
    LocalTensor<half> tensor = queue.AllocTensor<half>();
    queue.EnQue(tensor);
    queue.FreeTensor(tensor);
  } else if constexpr (kCase == 9) {
    buffer.Get<half>();
  } else if constexpr (kCase == 10) {
    pipe.InitBuffer(buffer, 32);
    buffer.Get<float>(9);
  } else if constexpr (kCase == 11) {
    for (int i = 0; i < 9; ++i) {
      pipe.AllocEventID<HardEvent::MTE2_V>();
    }
  } else if constexpr (kCase == 12) {
    pipe.ReleaseEventID<HardEvent::MTE2_V>(3);
  } else if constexpr (kCase == 13) {
    AscendC::LocalMemAllocator<> allocator;
    allocator.Alloc<float>(49153);
  }
}

TEST(Misuse, FailsTheLaunchWithTheReason) {
  const char* core = " (core 0 of 1)";
  const auto text = [core](const char* reason) { return std::string("kernel: ") + reason + core; };
  EXPECT_EQ(Message<&Misuse<0>>(),
            text("InitBuffer needs 196704 bytes of Unified Buffer, the core has 196608"));
  EXPECT_EQ(Message<&Misuse<1>>(), text("InitBuffer of more than 64 buffers in one TPipe"));
  EXPECT_EQ(Message<&Misuse<2>>(), text("a second TPipe on a core: call Destroy on the first"));
  EXPECT_EQ(Message<&Misuse<3>>(),
            text("AllocTensor before TPipe::InitBuffer gave the queue buffers"));
  EXPECT_EQ(Message<&Misuse<4>>(),
            text("AllocTensor while no buffer of the queue is free: a FreeTensor is missing"));
  EXPECT_EQ(Message<&Misuse<5>>(), text("DeQue from an empty queue: an EnQue is missing"));
  EXPECT_EQ(Message<&Misuse<6>>(), text("EnQue of a tensor that is not from this queue"));
  EXPECT_EQ(Message<&Misuse<7>>(), text("FreeTensor of a tensor that is free already"));
  EXPECT_EQ(Message<&Misuse<8>>(), text("FreeTensor of a tensor that is still in the queue"));
  EXPECT_EQ(Message<&Misuse<9>>(),
            text("TBuf::Get before TPipe::InitBuffer gave the buffer memory"));
  EXPECT_EQ(Message<&Misuse<10>>(), text("TBuf::Get of more bytes than the buffer has"));
  EXPECT_EQ(Message<&Misuse<11>>(),
            text("AllocEventID while all 8 ids of the event are allocated"));
  EXPECT_EQ(Message<&Misuse<12>>(), text("ReleaseEventID of an id that is not allocated"));
  EXPECT_EQ(Message<&Misuse<13>>(),
            text("InitBuffer needs 196640 bytes of Unified Buffer, the core has 196608"));
}

TEST(Misuse, UbOfTheOtherChipIsEnough) {
  KernelOptions options;
  options.ub_bytes = 253952;
  EXPECT_EQ(Message<&Misuse<0>>(options), "");
}

}  // namespace
