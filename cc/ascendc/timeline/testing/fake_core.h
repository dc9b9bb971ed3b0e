// A core that tests drive by hand: each call is what an observed kernel would tell, at the line
// that the test gives. The profile has round numbers, and a clock of 1 GHz: a cycle is a
// nanosecond.
#ifndef CC_ASCENDC_TIMELINE_TESTING_FAKE_CORE_H_
#define CC_ASCENDC_TIMELINE_TESTING_FAKE_CORE_H_

#include <cstdint>
#include <vector>

#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/observe/observer_abi.h"
#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/timeline.h"

namespace attnres::timeline {

constexpr uint64_t kGm = uint64_t{1} << 40;  // an address that is aligned to everything

// A core moves 10 bytes per cycle, all together 40 and L2 1000; no start-up, latency or scalar
// cost.
inline CostProfile PlainProfile() {
  static const InstructionCost kVector[] = {{"Default", 0, 1, 0, 1}, {"Slow", 100, 1, 100, 1}};
  static const InstructionCost kRegisters[] = {{"Default", 1, 0, 1, 0},
                                               {"Exp", 1, 8, 1, 4},
                                               {"LoadAlign", 0, 0, 0, 0},
                                               {"StoreAlign", 0, 0, 0, 0}};
  CostProfile profile = {};
  profile.name = profile.short_name = "plain";
  profile.cores = 8;
  profile.clock_mhz = 1000;
  profile.vector_bytes_per_cycle = 256;
  profile.gm_bytes_per_second = 40e9;
  profile.gm_efficiency = 1;
  profile.gm_line_bytes = 512;
  profile.l2_bytes = uint64_t{1} << 20;
  profile.l2_line_bytes = 128;
  profile.l2_bytes_per_second = 1000e9;
  profile.gm_read_bytes_per_cycle = 10;
  profile.l2_read_bytes_per_cycle = 20;
  profile.write_bytes_per_cycle = 10;
  profile.vf_issues_per_cycle = 2;
  profile.vf_loads_per_cycle = 2;
  profile.vf_stores_per_cycle = 1;
  profile.vf_ub_accesses_per_cycle = 2;
  profile.vector = kVector;
  profile.vector_count = 2;
  profile.registers = kRegisters;
  profile.register_count = 4;
  return profile;
}

class FakeCore {
 public:
  static constexpr uint8_t kS = kAscendcTwinPipeS;
  static constexpr uint8_t kV = kAscendcTwinPipeV;
  static constexpr uint8_t kIn = kAscendcTwinPipeMte2;
  static constexpr uint8_t kOut = kAscendcTwinPipeMte3;

  FakeCore(const Timeline& timeline, uint32_t block) : ub_(1 << 16) {
    core_.block_idx = block;
    core_.ub = ub_.data();
    core_.ub_bytes = ub_.size();
    core_.observer = timeline.observer();
    core_.observer->begin(&core_);
  }
  FakeCore(const FakeCore&) = delete;
  FakeCore& operator=(const FakeCore&) = delete;

  void End() { core_.observer->end(&core_); }

  // `cycles` of work on the vector unit that reads and writes the 32 bytes at these UB offsets.
  void Vector(uint32_t line, uint32_t cycles, uint32_t dst, uint32_t src,
              const char* name = "Add") {
    const AscendcTwinAccess accesses[] = {{Ub(src), 32, "src", 32, 0, 0},
                                          {Ub(dst), 32, "dst", 32, 1, 0}};
    Issue(line, kV, name, cycles, accesses, 2);
  }
  void CopyIn(uint32_t line, uint64_t bytes, uint64_t gm = kGm, uint32_t ub = 0) {
    const AscendcTwinAccess accesses[] = {{gm, bytes, "src", 1, 0, 1},
                                          {Ub(ub), bytes, "dst", 32, 1, 0}};
    Issue(line, kIn, "DataCopy", 1, accesses, 2);
  }
  void CopyOut(uint32_t line, uint64_t bytes, uint64_t gm = kGm, uint32_t ub = 0) {
    const AscendcTwinAccess accesses[] = {{Ub(ub), bytes, "src", 32, 0, 0},
                                          {gm, bytes, "dst", 1, 1, 1}};
    Issue(line, kOut, "DataCopy", 1, accesses, 2);
  }
  void Set(uint32_t line, uint8_t source, uint8_t target, int32_t id = 0) {
    const AscendcTwinPlace place = Place(line);
    core_.observer->set_flag(&core_, source, target, id, &place);
  }
  void Wait(uint32_t line, uint8_t source, uint8_t target, int32_t id = 0) {
    const AscendcTwinPlace place = Place(line);
    core_.observer->wait_flag(&core_, source, target, id, &place);
  }
  void Barrier(uint32_t line, uint8_t pipe) {
    const AscendcTwinPlace place = Place(line);
    core_.observer->pipe_barrier(&core_, pipe, &place);
  }
  void Queue(uint32_t line, uint8_t kind, uint8_t producer, uint8_t consumer, uint32_t offset = 0) {
    const AscendcTwinPlace place = Place(line);
    const AscendcTwinQueueStep step = {kind, producer, consumer, 0, this, offset, 32};
    core_.observer->queue_step(&core_, &step, &place);
  }
  void SyncAll(uint32_t line, uint32_t count = 0) {
    const AscendcTwinPlace place = Place(line);
    core_.observer->sync_all(&core_, count, 0, &place);
  }
  void ReadScalar(uint32_t line, uint32_t ub) {
    const AscendcTwinPlace place = Place(line);
    core_.observer->scalar_access(&core_, Ub(ub), 4, 0, 0, &place);
  }
  // A vector function of so many loads, stores and operations on 256 bytes each.
  void Function(uint32_t line, uint32_t loads, uint32_t stores, uint32_t operations,
                const char* operation = "Add") {
    AscendcTwinInstruction instruction = {};
    instruction.name = "VF_CALL";
    instruction.place = Place(line);
    instruction.pipe = kV;
    instruction.discovers = kAscendcTwinDiscoversUntilEnd;
    instruction.run = [](const void*) {};
    core_.observer->issue(&core_, &instruction);
    const AscendcTwinPlace place = Place(line);
    for (uint32_t i = 0; i < loads; ++i) {
      core_.observer->register_operation(&core_, "LoadAlign", 4);
      core_.observer->vector_access(&core_, Ub(0), 256, 0, 32, &place);
    }
    for (uint32_t i = 0; i < operations; ++i) {
      core_.observer->register_operation(&core_, operation, 4);
    }
    for (uint32_t i = 0; i < stores; ++i) {
      core_.observer->register_operation(&core_, "StoreAlign", 4);
      core_.observer->vector_access(&core_, Ub(8192), 256, 1, 32, &place);
    }
    core_.observer->vector_end(&core_);
  }

 private:
  static AscendcTwinPlace Place(uint32_t line) { return {"kernel.cpp", line, 1}; }
  uint64_t Ub(uint32_t offset) const { return reinterpret_cast<uint64_t>(ub_.data()) + offset; }

  void Issue(uint32_t line, uint8_t pipe, const char* name, uint32_t repeats,
             const AscendcTwinAccess* accesses, uint32_t count) {
    AscendcTwinInstruction instruction = {};
    instruction.name = name;
    instruction.place = Place(line);
    instruction.pipe = pipe;
    instruction.element_bytes = 4;
    instruction.repeats = repeats;
    instruction.elements = uint64_t{64} * repeats;
    instruction.accesses = accesses;
    instruction.access_count = count;
    instruction.run = [](const void*) {};
    core_.observer->issue(&core_, &instruction);
  }

  std::vector<uint8_t> ub_;
  AscendcTwinCore core_ = {};
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_TESTING_FAKE_CORE_H_
