// For tests of what observed kernels tell: a core with UB and global memory in one piece, and an
// observer that writes down everything it is told and runs instructions at once.
//
// Of each instruction it also proves the description: everything that the body changes is described
// as written, everything described as written gets the same bytes whatever it held before, and
// nothing but what is described as read matters for them.
#ifndef CC_ASCENDC_MEMBASE_OBSERVED_TEST_SUPPORT_H_
#define CC_ASCENDC_MEMBASE_OBSERVED_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "cc/ascendc/membase/core.h"

static_assert(ASCENDC_TWIN_OBSERVED, "compile with -DASCENDC_TWIN_OBSERVED=1");

namespace attnres::testing {

constexpr uint64_t kUbBytes = 16384;
constexpr uint64_t kGmBytes = 16384;

class ObservedTest : public ::testing::Test {
 protected:
  ObservedTest() : memory_(kUbBytes + kGmBytes + 64) {
    const uint64_t address = reinterpret_cast<uint64_t>(memory_.data());
    ub_ = memory_.data() + (64 - address % 64) % 64;
    for (uint64_t i = 0; i < kUbBytes + kGmBytes; ++i) {
      ub_[i] = static_cast<uint8_t>(i * 37 % 61);  // small numbers of any type
    }
    observer_.issue = Issue;
    observer_.vector_access = VectorAccess;
    observer_.scalar_access = ScalarAccess;
    observer_.await_vector = [](AscendcTwinCore* core, const AscendcTwinPlace* place) {
      Of(core).Note("await V", place);
    };
    observer_.adjust_copy = AdjustCopy;
    observer_.set_flag = SetFlag;
    observer_.wait_flag = WaitFlag;
    observer_.pipe_barrier = PipeBarrier;
    observer_.queue_step = QueueStep;
    observer_.sync_all = SyncAll;
    observer_.synchronised = [](AscendcTwinCore* core) { Of(core).Note("synchronised"); };
    observer_.buffer = Buffer;
    observer_.pipe_reset = [](AscendcTwinCore* core) { Of(core).Note("reset"); };
    observer_.violation = Violation;
    core_.ub = ub_;
    core_.ub_bytes = kUbBytes;
    core_.block_num = 2;
    core_.observer = &observer_;
    core_.observed = this;
    core_.fail = [](AscendcTwinCore*, const char* message) { throw std::runtime_error(message); };
    core_.sync_all = [](AscendcTwinCore*) {};
    core_.sync_some = [](AscendcTwinCore*, uint32_t) {};
    core_.set_flag = [](AscendcTwinCore*, uint32_t) {};
    core_.wait_flag = [](AscendcTwinCore*, uint32_t) {};
    core_.await_lower_cores = [](AscendcTwinCore*) {};
    state_.core = &core_;
    AscendC::twin::current = &state_;
  }
  ~ObservedTest() override { AscendC::twin::current = &AscendC::twin::no_core; }

  uint8_t* Gm() { return ub_ + kUbBytes; }

  // What was told since the last call, one line each.
  std::string Told() {
    std::string told;
    told.swap(told_);
    return told;
  }

  AscendcTwinCore core_ = {};
  AscendC::twin::CoreState state_;
  uint32_t line_ = 0;            // of the last thing told
  bool proves_ = true;           // see above
  bool drops_syncs_ = false;     // answers sync_all with 0
  bool refuses_ = false;         // and every access
  uint64_t adjusted_bytes_ = 0;  // what a copy's blocks become, unless 0

 private:
  static ObservedTest& Of(AscendcTwinCore* core) {
    return *static_cast<ObservedTest*>(core->observed);
  }
  static const char* PipeName(uint8_t pipe) {
    static const char* const kNames[] = {"S", "V", "MTE2", "MTE3"};
    return pipe < 4 ? kNames[pipe] : "ALL";
  }

  void Note(const std::string& line, const AscendcTwinPlace* place = nullptr) {
    told_ += line + "\n";
    if (place != nullptr) {
      EXPECT_NE(place->file, nullptr) << line;
      EXPECT_NE(std::strstr(place->file == nullptr ? "" : place->file, "_test.cc"), nullptr)
          << line << " at " << place->file;
      line_ = place->line;
    }
  }

  std::string Range(uint64_t address, uint64_t bytes) const {
    const uint64_t offset = address - reinterpret_cast<uint64_t>(ub_);
    return offset < kUbBytes
               ? std::to_string(offset) + "+" + std::to_string(bytes)
               : "gm " + std::to_string(offset - kUbBytes) + "+" + std::to_string(bytes);
  }

  // "src 0+256" is read, "dst=64+256" written; "/4" is an alignment other than the usual one.
  std::string Text(const AscendcTwinAccess& access) const {
    std::string text = access.operand + std::string(access.is_write != 0 ? "=" : " ") +
                       Range(access.address, access.bytes);
    if (access.alignment != (access.is_gm != 0 ? 1 : 32)) {
      text += "/" + std::to_string(access.alignment);
    }
    return text;
  }

  static void Issue(AscendcTwinCore* core, const AscendcTwinInstruction* instruction) {
    ObservedTest& test = Of(core);
    std::string line = std::string(instruction->name) + " " + PipeName(instruction->pipe) + ":";
    std::vector<AscendcTwinAccess> accesses(instruction->accesses,
                                            instruction->accesses + instruction->access_count);
    for (const AscendcTwinAccess& access : accesses) {
      line += " " + test.Text(access);
    }
    line += instruction->is_atomic != 0 ? " atomic" : "";
    test.Note(line, &instruction->place);
    test.work_ = std::to_string(instruction->elements) + " in " +
                 std::to_string(instruction->repeats) + " of " +
                 std::to_string(instruction->element_bytes);
    test.discovered_ = &accesses;
    if (test.proves_) {
      test.Prove(*instruction, &accesses);
    } else {
      instruction->run(instruction->closure);
    }
    test.discovered_ = nullptr;
  }

  void Prove(const AscendcTwinInstruction& instruction, std::vector<AscendcTwinAccess>* accesses) {
    const std::vector<uint8_t> before(ub_, ub_ + kUbBytes + kGmBytes);
    const AscendC::twin::VectorState registers = state_.vector;
    instruction.run(instruction.closure);
    const std::vector<uint8_t> after(ub_, ub_ + before.size());
    const AscendC::twin::VectorState registers_after = state_.vector;
    std::vector<bool> read(before.size());
    std::vector<bool> written(before.size());
    for (const AscendcTwinAccess& access : *accesses) {
      std::vector<bool>& set = access.is_write != 0 ? written : read;
      const uint64_t begin = access.address - reinterpret_cast<uint64_t>(ub_);
      ASSERT_LE(begin + access.bytes, before.size());
      for (uint64_t i = begin; i < begin + access.bytes; ++i) {
        set[i] = true;
      }
    }
    const bool has_dummy = std::string(instruction.name) == "DataCopyPad";
    for (uint64_t i = 0; i < before.size(); ++i) {
      ASSERT_TRUE(before[i] == after[i] || written[i] || has_dummy)
          << instruction.name << " changes byte " << i << ", which its description leaves out";
      ub_[i] = static_cast<uint8_t>(
          read[i] || (instruction.is_atomic != 0 && written[i]) ? before[i] : before[i] ^ 0x15);
    }
    state_.vector = registers;
    instruction.run(instruction.closure);
    for (uint64_t i = 0; i < before.size(); ++i) {
      ASSERT_TRUE(!written[i] || ub_[i] == after[i])
          << instruction.name << " writes to byte " << i
          << " what depends on memory that its description leaves out, or nothing";
    }
    std::memcpy(ub_, after.data(), after.size());
    state_.vector = registers_after;
  }

  static int VectorAccess(AscendcTwinCore* core, uint64_t address, uint64_t bytes, int is_write,
                          uint32_t alignment, const AscendcTwinPlace*) {
    ObservedTest& test = Of(core);
    test.discovered_->push_back({address, bytes, "discovered", static_cast<uint16_t>(alignment),
                                 static_cast<uint8_t>(is_write), 0});
    return test.refuses_ ? 0 : 1;
  }
  static int ScalarAccess(AscendcTwinCore* core, uint64_t address, uint64_t bytes, int is_write,
                          int is_gm, const AscendcTwinPlace* place) {
    ObservedTest& test = Of(core);
    const bool in_gm = address - reinterpret_cast<uint64_t>(test.ub_) >= kUbBytes;
    EXPECT_EQ(in_gm, is_gm != 0);
    test.Note(std::string(is_write != 0 ? "write " : "read ") + test.Range(address, bytes), place);
    return test.refuses_ ? 0 : 1;
  }
  static void AdjustCopy(AscendcTwinCore* core, AscendcTwinCopy* copy,
                         const AscendcTwinPlace* place) {
    ObservedTest& test = Of(core);
    test.Note("copy " + std::to_string(copy->block_count) + "x" +
                  std::to_string(copy->block_bytes) + " gaps " + std::to_string(copy->src_gap) +
                  " " + std::to_string(copy->dst_gap) + (copy->is_out != 0 ? " out" : "") +
                  (copy->is_pad != 0 ? " pad" : ""),
              place);
    if (test.adjusted_bytes_ != 0) {
      copy->block_bytes = test.adjusted_bytes_;
    }
  }
  static void SetFlag(AscendcTwinCore* core, uint8_t source, uint8_t target, int32_t id,
                      const AscendcTwinPlace* place) {
    Of(core).Note(
        std::string("set ") + PipeName(source) + " " + PipeName(target) + " " + std::to_string(id),
        place);
  }
  static void WaitFlag(AscendcTwinCore* core, uint8_t source, uint8_t target, int32_t id,
                       const AscendcTwinPlace* place) {
    Of(core).Note(
        std::string("wait ") + PipeName(source) + " " + PipeName(target) + " " + std::to_string(id),
        place);
  }
  static void PipeBarrier(AscendcTwinCore* core, uint8_t pipe, const AscendcTwinPlace* place) {
    Of(core).Note(std::string("barrier ") + PipeName(pipe), place);
  }
  static void QueueStep(AscendcTwinCore* core, const AscendcTwinQueueStep* step,
                        const AscendcTwinPlace* place) {
    static const char* const kKinds[] = {"alloc", "enque", "deque", "free"};
    Of(core).Note(std::string(kKinds[step->kind]) + " " + PipeName(step->producer) + " " +
                      PipeName(step->consumer) + " " + std::to_string(step->ub_offset) + "+" +
                      std::to_string(step->bytes),
                  place);
  }
  static int SyncAll(AscendcTwinCore* core, uint32_t count, int is_hard,
                     const AscendcTwinPlace* place) {
    ObservedTest& test = Of(core);
    test.Note("sync " + std::to_string(count) + (is_hard != 0 ? " hard" : ""), place);
    return test.drops_syncs_ ? 0 : 1;
  }
  static void Buffer(AscendcTwinCore* core, uint32_t ub_offset, uint32_t bytes,
                     const AscendcTwinPlace* place) {
    Of(core).Note("buffer " + std::to_string(ub_offset) + "+" + std::to_string(bytes), place);
  }
  static void Violation(AscendcTwinCore* core, const char* category, const char* message,
                        const AscendcTwinPlace* place) {
    Of(core).Note(std::string(category) + ": " + message, place);
  }

 protected:
  uint8_t* ub_ = nullptr;
  std::string work_;  // of the last instruction

 private:
  std::vector<uint8_t> memory_;
  AscendcTwinObserver observer_ = {};
  std::string told_;
  std::vector<AscendcTwinAccess>* discovered_ = nullptr;
};

}  // namespace attnres::testing

#endif  // CC_ASCENDC_MEMBASE_OBSERVED_TEST_SUPPORT_H_
