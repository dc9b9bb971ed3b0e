// An observer for the tests beside it: a core to run register instructions on, and a record of what
// they tell. It runs instructions at once or, on demand, later.
#ifndef CC_ASCENDC_REG_RECORDING_OBSERVER_H_
#define CC_ASCENDC_REG_RECORDING_OBSERVER_H_

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "cc/ascendc/membase/core.h"

namespace attnres::testing {

struct Told {
  std::string what;  // "issue VF_CALL", "load", "store", "barrier 0 1", "end"
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint32_t alignment = 0;
  std::string file;
  uint32_t line = 0;
};

class RecordingObserver {
 public:
  RecordingObserver() {
    table_.issue = Issue;
    table_.vector_access = Access;
    table_.register_operation = Operation;
    table_.vector_end = End;
    table_.vector_barrier = Barrier;
    core_.observer = &table_;
    core_.observed = this;
    state_.core = &core_;
    AscendC::twin::current = &state_;
  }
  ~RecordingObserver() { AscendC::twin::current = &AscendC::twin::no_core; }
  RecordingObserver(const RecordingObserver&) = delete;
  RecordingObserver& operator=(const RecordingObserver&) = delete;

  // As observers that see nothing, or that need little.
  void Disconnect() { core_.observer = nullptr; }
  void RequireLittle() {
    table_.register_operation = nullptr;
    table_.vector_end = nullptr;
    table_.vector_barrier = nullptr;
  }

  void RunLater() {
    for (const Queued& queued : queue_) {
      queued.run(queued.closure.data());
    }
    queue_.clear();
  }

  std::vector<Told> Take() { return std::exchange(told_, {}); }
  std::vector<std::string> TakeOperations() { return std::exchange(operations_, {}); }

  bool deny = false;       // accesses
  bool run_later = false;  // what is issued with a closure

 private:
  struct Queued {
    void (*run)(const void*);
    std::vector<uint64_t> closure;
  };

  static RecordingObserver& Of(AscendcTwinCore* core) {
    return *static_cast<RecordingObserver*>(core->observed);
  }
  void Tell(const std::string& what, const AscendcTwinPlace* place, uint64_t address = 0,
            uint64_t bytes = 0, uint32_t alignment = 0) {
    Told told{what, address, bytes, alignment, "", 0};
    if (place != nullptr) {
      told.file = place->file == nullptr ? "" : place->file;
      told.line = place->line;
    }
    told_.push_back(told);
  }

  static void Issue(AscendcTwinCore* core, const AscendcTwinInstruction* instruction) {
    RecordingObserver& self = Of(core);
    const char* const kinds[] = {"issue ", "issue function ", "issue block "};
    self.Tell(kinds[instruction->discovers] + std::string(instruction->name), &instruction->place);
    if (self.run_later && instruction->discovers != kAscendcTwinDiscoversUntilEnd) {
      Queued queued{instruction->run,
                    std::vector<uint64_t>(instruction->closure_bytes / sizeof(uint64_t) + 1)};
      std::memcpy(queued.closure.data(), instruction->closure, instruction->closure_bytes);
      self.queue_.push_back(queued);
    } else {
      instruction->run(instruction->closure);
    }
  }
  static int Access(AscendcTwinCore* core, uint64_t address, uint64_t bytes, int is_write,
                    uint32_t alignment, const AscendcTwinPlace* place) {
    Of(core).Tell(is_write != 0 ? "store" : "load", place, address, bytes, alignment);
    return Of(core).deny ? 0 : 1;
  }
  static void Operation(AscendcTwinCore* core, const char* name, uint32_t element_bytes) {
    Of(core).operations_.push_back(name + (" " + std::to_string(element_bytes)));
  }
  static void End(AscendcTwinCore* core) { Of(core).Tell("end", nullptr); }
  static void Barrier(AscendcTwinCore* core, uint8_t source, uint8_t target,
                      const AscendcTwinPlace* place) {
    Of(core).Tell("barrier " + std::to_string(source) + " " + std::to_string(target), place);
  }

  AscendcTwinObserver table_ = {};
  AscendcTwinCore core_ = {};
  AscendC::twin::CoreState state_;
  std::vector<Queued> queue_;
  std::vector<Told> told_;
  std::vector<std::string> operations_;
};

}  // namespace attnres::testing

#endif  // CC_ASCENDC_REG_RECORDING_OBSERVER_H_
