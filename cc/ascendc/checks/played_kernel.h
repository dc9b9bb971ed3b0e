// PlayedKernel: a kernel that a test plays by hand, on cores without an engine. Each call names the
// line of "kernel.h" where it is said to stand.
//
//   PlayedKernel kernel;
//   kernel.In(10, 0, 0, 64);  // copies 64 bytes of the input to UB byte 0, at line 10
//   EXPECT_EQ(kernel.Rules(), "ub-race 12/10");
#ifndef CC_ASCENDC_CHECKS_PLAYED_KERNEL_H_
#define CC_ASCENDC_CHECKS_PLAYED_KERNEL_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cc/ascendc/checks/checker.h"
#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/gm_regions.h"
#include "cc/ascendc/checks/options.h"
#include "cc/ascendc/checks/order.h"
#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

constexpr uint8_t kS = kAscendcTwinPipeS;
constexpr uint8_t kV = kAscendcTwinPipeV;
constexpr uint8_t kMte2 = kAscendcTwinPipeMte2;
constexpr uint8_t kMte3 = kAscendcTwinPipeMte3;
constexpr uint8_t kPipeAll = kAscendcTwinPipeAll;

class PlayedKernel {
 public:
  static constexpr uint64_t kUbBytes = 4096;
  static constexpr uint64_t kGmBytes = 1024;

  explicit PlayedKernel(const CheckOptions& options = {}, uint32_t cores = 1,
                        Order order = Order::kEager)
      : options_(options),
        regions_({{"x", RegionKind::kInput, input_, kGmBytes, false},
                  {"y", RegionKind::kOutput, output_, kGmBytes, false},
                  {"w", RegionKind::kWorkspace, workspace_, kGmBytes, false},
                  {"sum", RegionKind::kOutput, sum_, kGmBytes, true},
                  {"tiling", RegionKind::kTiling, tiling_, 48, false}}),
        checker_(options_, Pass{order}, regions_, cores),
        cores_(cores),
        ub_(cores) {
    for (uint64_t i = 0; i < kGmBytes; ++i) {
      input_[i] = static_cast<uint8_t>(i * 7 + 1);
    }
    for (uint32_t i = 0; i < cores; ++i) {
      ub_[i] = std::make_unique<Ub>();
      cores_[i].block_idx = i;
      cores_[i].block_num = cores;
      cores_[i].ub = ub_[i]->bytes;
      cores_[i].ub_bytes = kUbBytes;
      cores_[i].observer = checker_.observer();
      cores_[i].engine = this;
      cores_[i].fail = [](AscendcTwinCore* core, const char* message) {
        static_cast<PlayedKernel*>(core->engine)->failure_ = message;
      };
      observer()->begin(&cores_[i]);
    }
  }

  // Later calls are those of this core.
  void OnCore(uint32_t core) { at_ = core; }

  void In(uint32_t line, uint64_t ub, uint64_t x, uint64_t bytes) {
    CopyIn(line, ub, input_ + x, bytes);
  }
  void InFromWorkspace(uint32_t line, uint64_t ub, uint64_t w, uint64_t bytes) {
    CopyIn(line, ub, workspace_ + w, bytes);
  }
  void Out(uint32_t line, uint64_t y, uint64_t ub, uint64_t bytes, uint8_t* gm = nullptr) {
    CopyOut(line, (gm == nullptr ? output_ : gm) + y, ub, bytes, false);
  }
  void OutToWorkspace(uint32_t line, uint64_t w, uint64_t ub, uint64_t bytes) {
    CopyOut(line, workspace_ + w, ub, bytes, false);
  }
  void Accumulate(uint32_t line, uint8_t* gm, uint64_t ub, uint64_t bytes) {
    CopyOut(line, gm, ub, bytes, true);
  }
  // A vector instruction: dst = src + 1, byte by byte.
  void Add(uint32_t line, uint64_t dst, uint64_t src, uint64_t bytes) {
    const AscendcTwinAccess accesses[] = {UbAccess("dst", dst, bytes, true, 32),
                                          UbAccess("src", src, bytes, false, 32)};
    const Move move = {core().ub + dst, core().ub + src, bytes, 1};
    Issue(kV, "Add", line, accesses, 2, move, false);
  }
  // A vector instruction that only writes.
  void Fill(uint32_t line, uint64_t dst, uint64_t bytes) {
    const AscendcTwinAccess accesses[] = {UbAccess("dst", dst, bytes, true, 32)};
    const Move move = {core().ub + dst, input_, bytes < kGmBytes ? bytes : 0, 0};
    Issue(kV, "Duplicate", line, accesses, 1, move, false);
  }

  void Set(uint32_t line, uint8_t source, uint8_t target, int32_t id = 0) {
    const AscendcTwinPlace place = At(line);
    observer()->set_flag(&core(), source, target, id, &place);
  }
  void Wait(uint32_t line, uint8_t source, uint8_t target, int32_t id = 0) {
    const AscendcTwinPlace place = At(line);
    observer()->wait_flag(&core(), source, target, id, &place);
  }
  void Order(uint32_t line, uint8_t source, uint8_t target, int32_t id = 0) {
    Set(line, source, target, id);
    Wait(line, source, target, id);
  }
  void Barrier(uint32_t line, uint8_t pipe) {
    const AscendcTwinPlace place = At(line);
    observer()->pipe_barrier(&core(), pipe, &place);
  }
  // On all cores.
  void SyncAll(uint32_t line) {
    for (AscendcTwinCore& each : cores_) {
      const AscendcTwinPlace place = At(line);
      if (observer()->sync_all(&each, 0, 0, &place) != 0) {
        observer()->synchronised(&each);
      }
    }
  }
  // As CrossCoreSetFlag and CrossCoreWaitFlag tell it.
  void CrossSet(uint32_t line) {
    const AscendcTwinPlace place = At(line);
    observer()->sync_all(&core(), 0, 0, &place);
  }
  void CrossWait() { observer()->synchronised(&core()); }
  bool HardSyncAll(uint32_t line) {
    const AscendcTwinPlace place = At(line);
    return observer()->sync_all(&core(), 0, 1, &place) != 0;
  }
  int Scalar(uint32_t line, uint64_t ub, uint64_t bytes, bool is_write) {
    const AscendcTwinPlace place = At(line);
    return observer()->scalar_access(&core(), Address(ub), bytes, is_write ? 1 : 0, 0, &place);
  }
  int ScalarGm(uint32_t line, const uint8_t* gm, uint64_t bytes, bool is_write) {
    const AscendcTwinPlace place = At(line);
    return observer()->scalar_access(&core(), reinterpret_cast<uint64_t>(gm), bytes,
                                     is_write ? 1 : 0, 1, &place);
  }
  int Vector(uint32_t line, uint64_t ub, uint64_t bytes, bool is_write, uint32_t alignment = 32) {
    const AscendcTwinPlace place = At(line);
    return observer()->vector_access(&core(), Address(ub), bytes, is_write ? 1 : 0, alignment,
                                     &place);
  }
  // A vector function's block begins; Vector is inside it until VectorEnd.
  void VectorBegin(uint32_t line) {
    AscendcTwinInstruction instruction = {};
    instruction.name = "__VEC_SCOPE__";
    instruction.place = At(line);
    instruction.pipe = kV;
    instruction.discovers = kAscendcTwinDiscoversUntilEnd;
    instruction.run = [](const void*) {};
    observer()->issue(&core(), &instruction);
  }
  void VectorEnd() { observer()->vector_end(&core()); }
  void VectorBarrier(uint32_t line, uint8_t source, uint8_t target) {
    const AscendcTwinPlace place = At(line);
    observer()->vector_barrier(&core(), source, target, &place);
  }
  void Queue(uint32_t line, int kind, uint8_t producer, uint8_t consumer, uint32_t ub,
             uint32_t bytes = 64) {
    AscendcTwinQueueStep step = {};
    step.kind = static_cast<uint8_t>(kind);
    step.producer = producer;
    step.consumer = consumer;
    step.queue = this;
    step.ub_offset = ub;
    step.bytes = bytes;
    const AscendcTwinPlace place = At(line);
    observer()->queue_step(&core(), &step, &place);
  }
  void Buffer(uint32_t line, uint32_t ub, uint32_t bytes) {
    const AscendcTwinPlace place = At(line);
    observer()->buffer(&core(), ub, bytes, &place);
  }
  // A TPipe is made.
  void Pipe() { observer()->pipe_reset(&core()); }

  // The kernel ends on all cores.
  std::vector<Finding> Finish() {
    for (AscendcTwinCore& each : cores_) {
      observer()->end(&each);
    }
    return FinishEarly();
  }
  // The launch ends where the cores stand.
  std::vector<Finding> FinishEarly() {
    result_ = checker_.Finish(failure_);
    return result_.findings;
  }
  void End() { observer()->end(&core()); }
  // "rule line/other line" of each finding after Finish, separated by ", ".
  std::string Rules() { return RulesOf(Finish()); }
  static std::string RulesOf(const std::vector<Finding>& findings) {
    std::string rules;
    for (const Finding& finding : findings) {
      rules += rules.empty() ? "" : ", ";
      rules += finding.rule + " " + std::to_string(finding.place.line);
      if (finding.other_place.line != 0) {
        rules += "/" + std::to_string(finding.other_place.line);
      }
    }
    return rules;
  }

  static AscendcTwinPlace At(uint32_t line) { return {"kernel.h", line, 1}; }
  AscendcTwinCore& core() { return cores_[at_]; }
  const AscendcTwinObserver* observer() const { return checker_.observer(); }
  void SetFailure(const std::string& message) { failure_ = message; }
  const std::string& failure() const { return failure_; }
  const CheckerResult& result() const { return result_; }
  uint8_t* input() { return input_; }
  uint8_t* output() { return output_; }
  uint8_t* workspace() { return workspace_; }
  uint8_t* sum() { return sum_; }
  uint8_t* tiling() { return tiling_; }
  uint8_t* ub() { return core().ub; }

  AscendcTwinAccess UbAccess(const char* operand, uint64_t ub, uint64_t bytes, bool is_write,
                             uint16_t alignment) {
    return {Address(ub), bytes, operand, alignment, static_cast<uint8_t>(is_write ? 1 : 0), 0};
  }

  struct Move {
    uint8_t* dst;
    const uint8_t* src;
    uint64_t bytes;
    uint8_t add;
  };
  void Issue(uint8_t pipe, const char* name, uint32_t line, const AscendcTwinAccess* accesses,
             uint32_t count, const Move& move, bool is_atomic) {
    AscendcTwinInstruction instruction = {};
    instruction.name = name;
    instruction.place = At(line);
    instruction.pipe = pipe;
    instruction.is_atomic = is_atomic ? 1 : 0;
    instruction.accesses = accesses;
    instruction.access_count = count;
    instruction.run = [](const void* closure) {
      const auto* to_do = static_cast<const Move*>(closure);
      for (uint64_t i = 0; i < to_do->bytes; ++i) {
        to_do->dst[i] = static_cast<uint8_t>(to_do->src[i] + to_do->add);
      }
    };
    instruction.closure = &move;
    instruction.closure_bytes = sizeof(move);
    observer()->issue(&core(), &instruction);
  }

 private:
  struct alignas(64) Ub {
    uint8_t bytes[kUbBytes];
  };

  uint64_t Address(uint64_t ub) { return reinterpret_cast<uint64_t>(core().ub) + ub; }

  void CopyIn(uint32_t line, uint64_t ub, const uint8_t* gm, uint64_t bytes) {
    const AscendcTwinAccess accesses[] = {UbAccess("dst", ub, bytes, true, 32),
                                          {reinterpret_cast<uint64_t>(gm), bytes, "src", 1, 0, 1}};
    Issue(kMte2, "DataCopy", line, accesses, 2, {core().ub + ub, gm, bytes, 0}, false);
  }
  void CopyOut(uint32_t line, uint8_t* gm, uint64_t ub, uint64_t bytes, bool is_atomic) {
    const AscendcTwinAccess accesses[] = {{reinterpret_cast<uint64_t>(gm), bytes, "dst", 1, 1, 1},
                                          UbAccess("src", ub, bytes, false, 32)};
    Issue(kMte3, "DataCopy", line, accesses, 2, {gm, core().ub + ub, bytes, 0}, is_atomic);
  }

  static constexpr uint64_t kApart = 4096;  // no region follows another directly

  alignas(64) uint8_t gm_[5 * kApart] = {};
  uint8_t* const input_ = gm_;
  uint8_t* const output_ = gm_ + kApart;
  uint8_t* const workspace_ = gm_ + 2 * kApart;
  uint8_t* const sum_ = gm_ + 3 * kApart;
  uint8_t* const tiling_ = gm_ + 4 * kApart;
  CheckOptions options_;
  GmRegions regions_;
  Checker checker_;
  std::vector<AscendcTwinCore> cores_;
  std::vector<std::unique_ptr<Ub>> ub_;
  uint32_t at_ = 0;
  std::string failure_;
  CheckerResult result_;
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_PLAYED_KERNEL_H_
