// CoreRecorder: the observer of one core in time mode. Instructions run as they are issued, in
// program order; what they were becomes a CoreTrace. It adds what a compiler's automatic
// synchronisation adds: a vector instruction waits for the results of earlier ones that it reads or
// overwrites, the scalar unit for what it reads in UB.
#ifndef CC_ASCENDC_TIMELINE_CORE_RECORDER_H_
#define CC_ASCENDC_TIMELINE_CORE_RECORDER_H_

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/timeline/core_trace.h"
#include "cc/ascendc/timeline/cost_profile.h"
#include "cc/ascendc/timeline/vector_cost.h"

namespace attnres::timeline {

class CoreRecorder {
 public:
  CoreRecorder(const CostProfile& profile, const AscendcTwinCore& core);

  // As the functions of AscendcTwinObserver.
  void Issue(const AscendcTwinInstruction& instruction);
  void VectorAccess(uint64_t address, uint64_t bytes, bool is_write);
  void RegisterOperation(const char* name, uint32_t element_bytes);
  void VectorEnd();
  void ScalarAccess(uint64_t address, uint64_t bytes, bool is_gm, const AscendcTwinPlace& place);
  void AwaitVector(const AscendcTwinPlace& place);
  void SetFlag(uint8_t source, uint8_t target, int32_t id, const AscendcTwinPlace& place);
  void WaitFlag(uint8_t source, uint8_t target, int32_t id, const AscendcTwinPlace& place);
  void PipeBarrier(uint8_t pipe, const AscendcTwinPlace& place);
  void QueueStep(const AscendcTwinQueueStep& step, const AscendcTwinPlace& place);
  void SyncAll(uint32_t count, const AscendcTwinPlace& place);
  void PipeReset();
  void End();

  const CoreTrace& trace() const { return trace_; }

 private:
  // source, target, queue, offset or id.
  using FlagKey = std::tuple<uint8_t, uint8_t, const void*, int64_t>;

  struct Flag {
    uint32_t index;
    uint64_t pending = 0;        // sets less waits so far
    uint32_t copies_in = 0;      // done when it was last set
    double vector_position = 0;  // likewise
  };

  void AddVector(const AscendcTwinInstruction& instruction, double duration, double ready);
  void AddScalar(double cycles, const AscendcTwinPlace& place);
  void AddOperation(const Operation& operation);
  void AddCopy(const AscendcTwinInstruction& instruction);
  void AddBlocks(const AscendcTwinAccess& access, Copy* copy);
  void AddStep(StepKind kind, uint8_t pipe, uint8_t other, uint32_t index,
               const AscendcTwinPlace& place);
  void EndRun();
  uint32_t RunIndex();

  Flag& FindFlag(const FlagKey& key, int32_t id);
  void Set(Flag* flag, uint8_t source, uint8_t target, const AscendcTwinPlace& place);
  void Wait(Flag* flag, uint8_t source, uint8_t target, const AscendcTwinPlace& place);

  uint32_t PlaceIndex(const AscendcTwinPlace& place);
  uint32_t NameIndex(const char* name);

  // DataBlocks of UB that these bytes touch; empty for other memory.
  std::pair<uint32_t, uint32_t> UbBlocks(uint64_t address, uint64_t bytes) const;
  double LastWritten(uint64_t address, uint64_t bytes) const;
  void MarkWritten(uint64_t address, uint64_t bytes, double position);

  const CostProfile& profile_;
  const uint64_t ub_;
  VectorCost cost_;
  CoreTrace trace_;

  Run run_;
  std::unordered_multimap<uint64_t, uint32_t> run_indices_;  // by hash
  std::map<FlagKey, Flag> flags_;
  std::map<std::pair<const char*, uint32_t>, uint32_t> place_indices_;
  std::unordered_map<const char*, uint32_t> name_indices_;
  const char* last_file_ = nullptr;
  uint32_t last_line_ = 0;
  uint32_t last_place_ = UINT32_MAX;

  // Cycles of vector work so far, were it never to wait for another pipe; and where along it each
  // DataBlock of UB was last written.
  double vector_position_ = 0;
  std::vector<double> vector_written_;
  // The same for copies in, by their number.
  uint32_t copies_in_ = 0;
  std::vector<uint32_t> copy_written_;
  // What the scalar unit and the vector unit have waited for.
  double scalar_knows_vector_ = 0;
  uint32_t scalar_knows_copies_ = 0;
  uint32_t vector_knows_copies_ = 0;

  bool in_function_ = false;
  AscendcTwinInstruction function_ = {};
  VectorFunctionWork work_;
  uint64_t loaded_bytes_ = 0;
  uint64_t stored_bytes_ = 0;
  double function_ready_ = kNever;
  std::vector<std::pair<uint64_t, uint64_t>> stored_;
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_CORE_RECORDER_H_
