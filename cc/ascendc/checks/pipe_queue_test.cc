// When instructions run in each order, and what they know of each other.
#include "cc/ascendc/checks/pipe_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>

#include "cc/ascendc/checks/clocks.h"
#include "cc/ascendc/checks/flag.h"
#include "cc/ascendc/checks/order.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {
namespace {

constexpr uint8_t kV = kAscendcTwinPipeV;
constexpr uint8_t kIn = kAscendcTwinPipeMte2;
constexpr uint8_t kOut = kAscendcTwinPipeMte3;
constexpr AscendcTwinPlace kHere = {"k.h", 1, 1};

// Notes what runs, by name.
class Log : public Performer {
 public:
  void Perform(const AscendcTwinInstruction& instruction, uint32_t, const Clock& known) override {
    instruction.run(instruction.closure);
    ran += std::string(ran.empty() ? "" : " ") + instruction.name;
    clocks[instruction.name] = known;
  }

  std::string ran;
  std::map<std::string, Clock> clocks;
};

class Pipes {
 public:
  explicit Pipes(Order order, bool vector_in_order = true) : queue(order, vector_in_order, &log) {}

  void Issue(uint8_t pipe, const char* name) {
    AscendcTwinInstruction instruction = {};
    instruction.name = name;
    instruction.pipe = pipe;
    instruction.place = kHere;
    instruction.run = [](const void* closure) {
      EXPECT_STREQ(static_cast<const char*>(closure), "closure");
    };
    char closure[] = "closure";
    instruction.closure = closure;
    instruction.closure_bytes = sizeof(closure);
    queue.Issue(instruction);
    closure[0] = 0;  // it was copied
  }
  Flag* Set(uint8_t source, uint8_t target) {
    Flag& flag = flags_[source * 4 + target];
    flag.source = source;
    flag.target = target;
    flag.id = 0;
    queue.Set(&flag, kHere);
    return &flag;
  }
  void Order(uint8_t source, uint8_t target) {
    EXPECT_TRUE(queue.Wait(Set(source, target), kHere));
  }

  Log log;
  PipeQueue queue;

 private:
  std::map<int, Flag> flags_;
};

// in0 -> v0 -> out0, twice, each step ordered by a flag.
void PlayTwice(Pipes* pipes) {
  for (const bool again : {false, true}) {
    pipes->Issue(kIn, again ? "in1" : "in0");
    pipes->Order(kIn, kV);
    pipes->Issue(kV, again ? "v1" : "v0");
    pipes->Order(kV, kOut);
    pipes->Issue(kOut, again ? "out1" : "out0");
  }
  EXPECT_TRUE(pipes->queue.BarrierAll());
}

TEST(PipeQueue, RunsInTheOrderAskedFor) {
  const std::map<Order, std::string> expected = {
      {Order::kEager, "in0 v0 out0 in1 v1 out1"},
      {Order::kLateIn, "in0 v0 out0 in1 v1 out1"},
      {Order::kLateOut, "in0 v0 in1 v1 out0 out1"},
      {Order::kLateVector, "in0 in1 v0 out0 v1 out1"},
      {Order::kLateCopies, "in0 v0 in1 v1 out0 out1"},
  };
  for (const auto& [order, ran] : expected) {
    Pipes pipes(order);
    PlayTwice(&pipes);
    EXPECT_EQ(pipes.log.ran, ran) << OrderName(order);
  }
}

TEST(PipeQueue, WithoutFlagsTheLatePipeComesLast) {
  Pipes pipes(Order::kLateIn);
  pipes.Issue(kIn, "in");
  pipes.Issue(kV, "v");
  EXPECT_EQ(pipes.log.ran, "v");
  EXPECT_TRUE(pipes.queue.Drain(kIn));
  EXPECT_EQ(pipes.log.ran, "v in");
}

TEST(PipeQueue, FlagsCarryWhatTheirPipeKnows) {
  Pipes pipes(Order::kEager);
  pipes.Issue(kIn, "in0");
  pipes.Order(kIn, kV);
  pipes.Issue(kV, "v0");
  pipes.Order(kV, kOut);
  pipes.Issue(kOut, "out0");
  EXPECT_EQ(pipes.log.clocks["v0"].at[kIn], 1u);
  EXPECT_EQ(pipes.log.clocks["out0"].at[kV], 1u);
  EXPECT_EQ(pipes.log.clocks["out0"].at[kIn], 1u);
  pipes.Issue(kIn, "in1");
  EXPECT_EQ(pipes.log.clocks["in1"].at[kIn], 0u);
  EXPECT_EQ(pipes.log.clocks["in1"].at[kV], 0u);
  pipes.queue.Barrier(kIn, kHere);
  pipes.Issue(kIn, "in2");
  EXPECT_EQ(pipes.log.clocks["in2"].at[kIn], 2u);
}

TEST(PipeQueue, WhatIsIssuedKnowsWhatTheScalarUnitKnew) {
  for (const Order order : {Order::kEager, Order::kLateIn}) {
    Pipes pipes(order);
    pipes.Issue(kV, "v0");
    pipes.Order(kV, kAscendcTwinPipeS);
    pipes.Issue(kIn, "in0");
    EXPECT_TRUE(pipes.queue.BarrierAll());
    EXPECT_EQ(pipes.log.clocks["in0"].at[kV], 1u);
  }
}

TEST(PipeQueue, VectorInstructionsAreOrderedOnlyIfAsked) {
  for (const bool in_order : {false, true}) {
    Pipes pipes(Order::kEager, in_order);
    pipes.Issue(kV, "v0");
    pipes.Issue(kV, "v1");
    EXPECT_EQ(pipes.log.clocks["v1"].at[kV], in_order ? 1u : 0u);
  }
}

TEST(PipeQueue, SaysWhereItIsStuck) {
  Pipes pipes(Order::kLateVector);
  Flag flag;
  flag.source = kIn;
  flag.target = kV;
  flag.id = 4;
  EXPECT_TRUE(pipes.queue.Wait(&flag, {"k.h", 7, 1}));
  pipes.Issue(kV, "v0");
  EXPECT_FALSE(pipes.queue.BarrierAll());
  const PipeQueue::Stuck stuck = pipes.queue.Describe(nullptr, {"k.h", 9, 1});
  EXPECT_EQ(stuck.flag, &flag);
  EXPECT_EQ(stuck.place.line, 7u);
  EXPECT_FALSE(stuck.is_set_behind);
  EXPECT_EQ(stuck.pipes,
            "scalar at k.h:9; vector at WaitFlag<MTE2_V>(4) of k.h:7 with 1 behind it; copy-in has "
            "nothing to do; copy-out has nothing to do");
  pipes.queue.Set(&flag, kHere);
  EXPECT_TRUE(pipes.queue.BarrierAll());
  EXPECT_EQ(pipes.log.ran, "v0");
}

TEST(PipeQueue, LongQueuesRunBeforeTheyMust) {
  Pipes pipes(Order::kLateIn);
  for (int i = 0; i < 10000; ++i) {
    pipes.Issue(kIn, "i");
  }
  EXPECT_GT(pipes.log.ran.size(), 2u * 9000);
}

}  // namespace
}  // namespace attnres::checks
