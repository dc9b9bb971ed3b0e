// See core_recorder.h; vector_cost.cc says what vector work costs.
#include "cc/ascendc/timeline/core_recorder.h"

#include <algorithm>
#include <cstring>

namespace attnres::timeline {
namespace {

constexpr uint32_t kDataBlockBytes = 32;
constexpr uint64_t kVectorBytes = 256;
constexpr size_t kLongestRun = 4096;  // so that an endless loop of scalars does not grow one
constexpr uint32_t kNoName = UINT32_MAX;

uint64_t Mix(uint64_t hash, uint64_t value) {
  hash ^= value;
  hash *= 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

uint64_t Bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

uint64_t Hash(const std::vector<Operation>& operations) {
  uint64_t hash = operations.size();
  for (const Operation& operation : operations) {
    hash = Mix(hash, (static_cast<uint64_t>(operation.place) << 32) | operation.name);
    hash = Mix(hash, (Bits(operation.gap) << 32) | Bits(operation.duration));
    hash = Mix(hash, Bits(operation.issue));
  }
  return hash;
}

}  // namespace

CoreRecorder::CoreRecorder(const CostProfile& profile, const AscendcTwinCore& core)
    : profile_(profile),
      ub_(reinterpret_cast<uint64_t>(core.ub)),
      cost_(profile),
      vector_written_(core.ub_bytes / kDataBlockBytes, kNever),
      copy_written_(core.ub_bytes / kDataBlockBytes, 0) {}

void CoreRecorder::Issue(const AscendcTwinInstruction& instruction) {
  ++trace_.instructions;
  if (instruction.pipe == kAscendcTwinPipeMte2 || instruction.pipe == kAscendcTwinPipeMte3) {
    AddCopy(instruction);
    instruction.run(instruction.closure);
    return;
  }
  if (instruction.pipe == kAscendcTwinPipeS) {
    AddScalar(profile_.scalar_issue_cycles, instruction.place);
    instruction.run(instruction.closure);
    return;
  }
  if (instruction.discovers != 0) {
    in_function_ = true;
    function_ = instruction;
    work_ = {};
    loaded_bytes_ = stored_bytes_ = 0;
    function_ready_ = kNever;
    instruction.run(instruction.closure);
    if (instruction.discovers == kAscendcTwinDiscoversInRun) VectorEnd();
    return;
  }
  double ready = kNever;
  for (uint32_t i = 0; i < instruction.access_count; ++i) {
    const AscendcTwinAccess& access = instruction.accesses[i];
    if (access.is_gm == 0) ready = std::max(ready, LastWritten(access.address, access.bytes));
  }
  AddVector(instruction, cost_.OfInstruction(instruction), ready);
  for (uint32_t i = 0; i < instruction.access_count; ++i) {
    const AscendcTwinAccess& access = instruction.accesses[i];
    if (access.is_gm == 0 && access.is_write != 0) {
      MarkWritten(access.address, access.bytes, vector_position_);
    }
  }
  trace_.vector_elements += static_cast<double>(instruction.elements);
  trace_.vector_bytes += static_cast<double>(instruction.elements) * instruction.element_bytes;
  instruction.run(instruction.closure);
}

void CoreRecorder::VectorAccess(uint64_t address, uint64_t bytes, bool is_write) {
  if (!in_function_ || bytes == 0) return;
  function_ready_ = std::max(function_ready_, LastWritten(address, bytes));
  if (!is_write) {
    loaded_bytes_ += bytes;
    ++work_.loads;
    return;
  }
  stored_bytes_ += bytes;
  ++work_.stores;
  if (!stored_.empty() && stored_.back().first + stored_.back().second == address) {
    stored_.back().second += bytes;
  } else {
    stored_.emplace_back(address, bytes);
  }
}

void CoreRecorder::RegisterOperation(const char* name, uint32_t element_bytes) {
  cost_.AddOperation(name, element_bytes, &work_);
}

void CoreRecorder::VectorEnd() {
  in_function_ = false;
  // A load or store of two registers is one access, one of a masked register several.
  work_.loads = std::max(work_.loads, (loaded_bytes_ + kVectorBytes - 1) / kVectorBytes);
  work_.stores = std::max(work_.stores, (stored_bytes_ + kVectorBytes - 1) / kVectorBytes);
  AddVector(function_, cost_.OfFunction(work_), function_ready_);
  for (const auto& [address, bytes] : stored_) MarkWritten(address, bytes, vector_position_);
  stored_.clear();
  trace_.vector_elements += work_.elements;
  trace_.vector_bytes += work_.bytes;
}

void CoreRecorder::AddVector(const AscendcTwinInstruction& instruction, double duration,
                             double ready) {
  const double gap = std::max(0.0, ready + profile_.vector_drain_cycles - vector_position_);
  AddOperation({PlaceIndex(instruction.place), NameIndex(instruction.name),
                static_cast<float>(profile_.scalar_issue_cycles), static_cast<float>(gap),
                static_cast<float>(duration), true});
  vector_position_ += gap + duration;
}

void CoreRecorder::AddScalar(double cycles, const AscendcTwinPlace& place) {
  AddOperation({PlaceIndex(place), kNoName, static_cast<float>(cycles), 0, 0, false});
}

void CoreRecorder::AddOperation(const Operation& operation) {
  run_.operations.push_back(operation);
  run_.scalar += operation.issue;
  if (operation.is_vector) {
    run_.vector += operation.gap;
    run_.feed = std::max(run_.feed + operation.gap, run_.scalar) + operation.duration;
    run_.vector += operation.duration;
    run_.vector_busy += operation.duration;
  }
  if (run_.operations.size() >= kLongestRun) EndRun();
}

void CoreRecorder::EndRun() {
  if (run_.operations.empty()) return;
  const Operation& first = run_.operations.front();
  const uint8_t pipe = run_.has_vector() ? kAscendcTwinPipeV : kAscendcTwinPipeS;
  const uint32_t place = first.place;
  trace_.steps.push_back({StepKind::kRun, pipe, pipe, place, RunIndex()});
  run_ = {};
}

uint32_t CoreRecorder::RunIndex() {
  const uint64_t hash = Hash(run_.operations);
  const auto [first, last] = run_indices_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (trace_.runs[known->second].operations == run_.operations) return known->second;
  }
  const uint32_t index = static_cast<uint32_t>(trace_.runs.size());
  trace_.runs.push_back(std::move(run_));
  run_indices_.emplace(hash, index);
  return index;
}

void CoreRecorder::AddCopy(const AscendcTwinInstruction& instruction) {
  const bool is_write = instruction.pipe == kAscendcTwinPipeMte3;
  Copy copy = {
      NameIndex(instruction.name), static_cast<uint32_t>(trace_.blocks.size()), 0, 0, is_write,
      instruction.bypasses_l2 != 0};
  if (!is_write) ++copies_in_;
  for (uint32_t i = 0; i < instruction.access_count; ++i) {
    const AscendcTwinAccess& access = instruction.accesses[i];
    if (access.is_gm != 0 && (access.is_write != 0) == is_write) {
      AddBlocks(access, &copy);
    } else if (access.is_gm == 0 && access.is_write != 0) {
      const auto [begin, end] = UbBlocks(access.address, access.bytes);
      std::fill(copy_written_.begin() + begin, copy_written_.begin() + end, copies_in_);
    }
  }
  (is_write ? trace_.gm_bytes_written : trace_.gm_bytes_read) += copy.bytes;
  trace_.copies.push_back(copy);
  AddStep(StepKind::kCopy, instruction.pipe, instruction.pipe,
          static_cast<uint32_t>(trace_.copies.size() - 1), instruction.place);
}

void CoreRecorder::AddBlocks(const AscendcTwinAccess& access, Copy* copy) {
  copy->bytes += access.bytes;
  if (copy->block_groups > 0) {
    CopyBlocks& last = trace_.blocks.back();
    const int64_t step = static_cast<int64_t>(access.address - last.address);
    if (last.bytes == access.bytes && (last.count == 1 || step == last.stride * last.count)) {
      if (last.count == 1) last.stride = step;
      ++last.count;
      return;
    }
  }
  trace_.blocks.push_back({access.address, access.bytes, 1, 0});
  ++copy->block_groups;
}

void CoreRecorder::AddStep(StepKind kind, uint8_t pipe, uint8_t other, uint32_t index,
                           const AscendcTwinPlace& place) {
  EndRun();
  trace_.steps.push_back({kind, pipe, other, PlaceIndex(place), index});
}

void CoreRecorder::ScalarAccess(uint64_t address, uint64_t bytes, bool is_gm,
                                const AscendcTwinPlace& place) {
  if (is_gm) {
    AddScalar(profile_.scalar_gm_cycles, place);
    return;
  }
  if (LastWritten(address, bytes) > scalar_knows_vector_) AwaitVector(place);
  const auto [begin, end] = UbBlocks(address, bytes);
  for (uint32_t block = begin; block < end; ++block) {
    if (copy_written_[block] > scalar_knows_copies_) {
      AddStep(StepKind::kScalarWait, kAscendcTwinPipeS, kAscendcTwinPipeMte2, 0, place);
      scalar_knows_copies_ = copies_in_;
    }
  }
  AddScalar(profile_.scalar_ub_cycles, place);
}

void CoreRecorder::AwaitVector(const AscendcTwinPlace& place) {
  if (vector_position_ <= scalar_knows_vector_) return;
  AddStep(StepKind::kScalarWait, kAscendcTwinPipeS, kAscendcTwinPipeV, 0, place);
  scalar_knows_vector_ = vector_position_;
  scalar_knows_copies_ = std::max(scalar_knows_copies_, vector_knows_copies_);
}

CoreRecorder::Flag& CoreRecorder::FindFlag(const FlagKey& key, int32_t id) {
  const auto [entry, is_new] = flags_.try_emplace(key);
  if (is_new) {
    entry->second.index = static_cast<uint32_t>(trace_.flags.size());
    trace_.flags.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key) != nullptr, id});
  }
  return entry->second;
}

void CoreRecorder::Set(Flag* flag, uint8_t source, uint8_t target, const AscendcTwinPlace& place) {
  ++flag->pending;
  flag->copies_in = source == kAscendcTwinPipeMte2 ? copies_in_ : vector_knows_copies_;
  flag->vector_position = source == kAscendcTwinPipeV ? vector_position_ : scalar_knows_vector_;
  AddStep(StepKind::kSet, source, target, flag->index, place);
}

void CoreRecorder::Wait(Flag* flag, uint8_t source, uint8_t target, const AscendcTwinPlace& place) {
  if (flag->pending > 0) --flag->pending;
  if (target == kAscendcTwinPipeS) {
    scalar_knows_vector_ = std::max(scalar_knows_vector_, flag->vector_position);
    scalar_knows_copies_ = std::max(scalar_knows_copies_, flag->copies_in);
  } else if (target == kAscendcTwinPipeV) {
    vector_knows_copies_ = std::max(vector_knows_copies_, flag->copies_in);
  }
  AddStep(StepKind::kWait, target, source, flag->index, place);
}

void CoreRecorder::SetFlag(uint8_t source, uint8_t target, int32_t id,
                           const AscendcTwinPlace& place) {
  Set(&FindFlag({source, target, nullptr, id}, id), source, target, place);
}

void CoreRecorder::WaitFlag(uint8_t source, uint8_t target, int32_t id,
                            const AscendcTwinPlace& place) {
  Wait(&FindFlag({source, target, nullptr, id}, id), source, target, place);
}

void CoreRecorder::QueueStep(const AscendcTwinQueueStep& step, const AscendcTwinPlace& place) {
  if (step.producer == step.consumer) return;
  const int32_t offset = static_cast<int32_t>(step.ub_offset);
  const bool is_forward =
      step.kind == kAscendcTwinQueueEnQue || step.kind == kAscendcTwinQueueDeQue;
  const uint8_t source = is_forward ? step.producer : step.consumer;
  const uint8_t target = is_forward ? step.consumer : step.producer;
  Flag& flag = FindFlag({source, target, step.queue, offset}, offset);
  if (step.kind == kAscendcTwinQueueEnQue || step.kind == kAscendcTwinQueueFree) {
    Set(&flag, source, target, place);
  } else if (step.kind == kAscendcTwinQueueDeQue || flag.pending > 0) {
    // The first AllocTensor of a buffer has nothing to wait for.
    Wait(&flag, source, target, place);
  }
}

void CoreRecorder::PipeBarrier(uint8_t pipe, const AscendcTwinPlace& place) {
  AddStep(StepKind::kBarrier, pipe, pipe, 0, place);
  if (pipe == kAscendcTwinPipeAll) {
    scalar_knows_vector_ = vector_position_;
    scalar_knows_copies_ = vector_knows_copies_ = copies_in_;
  }
}

void CoreRecorder::SyncAll(uint32_t count, const AscendcTwinPlace& place) {
  PipeBarrier(kAscendcTwinPipeAll, place);
  AddStep(StepKind::kSyncAll, kAscendcTwinPipeS, kAscendcTwinPipeS, count, place);
}

void CoreRecorder::PipeReset() {
  // Buffers of queues may be others from now on.
  for (auto& [key, flag] : flags_) {
    if (std::get<2>(key) != nullptr) flag.pending = 0;
  }
}

void CoreRecorder::End() { EndRun(); }

uint32_t CoreRecorder::PlaceIndex(const AscendcTwinPlace& place) {
  if (last_place_ != UINT32_MAX && place.file == last_file_ && place.line == last_line_) {
    return last_place_;
  }
  const auto [entry, is_new] = place_indices_.try_emplace(
      {place.file, place.line}, static_cast<uint32_t>(trace_.places.size()));
  if (is_new) trace_.places.push_back(place);
  last_file_ = place.file;
  last_line_ = place.line;
  last_place_ = entry->second;
  return entry->second;
}

uint32_t CoreRecorder::NameIndex(const char* name) {
  const auto [entry, is_new] =
      name_indices_.try_emplace(name, static_cast<uint32_t>(trace_.names.size()));
  if (is_new) trace_.names.push_back(name);
  return entry->second;
}

std::pair<uint32_t, uint32_t> CoreRecorder::UbBlocks(uint64_t address, uint64_t bytes) const {
  const uint64_t size = vector_written_.size() * kDataBlockBytes;
  if (address < ub_ || address - ub_ >= size || bytes == 0) return {0, 0};
  const uint64_t begin = address - ub_;
  const uint64_t end = std::min(size, begin + bytes);
  return {static_cast<uint32_t>(begin / kDataBlockBytes),
          static_cast<uint32_t>((end + kDataBlockBytes - 1) / kDataBlockBytes)};
}

double CoreRecorder::LastWritten(uint64_t address, uint64_t bytes) const {
  const auto [begin, end] = UbBlocks(address, bytes);
  double last = kNever;
  for (uint32_t block = begin; block < end; ++block) last = std::max(last, vector_written_[block]);
  return last;
}

void CoreRecorder::MarkWritten(uint64_t address, uint64_t bytes, double position) {
  const auto [begin, end] = UbBlocks(address, bytes);
  std::fill(vector_written_.begin() + begin, vector_written_.begin() + end, position);
}

}  // namespace attnres::timeline
