// Flags, queues and mutations of a core: the rest of CoreChecker.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "cc/ascendc/checks/core_checker.h"
#include "cc/ascendc/checks/names.h"

namespace attnres::checks {

// The flag of an event id, null with a finding if there is none.
Flag* CoreChecker::FindFlag(uint8_t source, uint8_t target, int32_t id, const char* call,
                            const AscendcTwinPlace& place) {
  if (source >= kPipes || target >= kPipes) {
    return nullptr;  // a pipe of the matrix core
  }
  const int32_t ids = has_pipe_ ? kEventIds : kStaticEventIds;
  if (id < 0 || id >= ids) {
    reporter_.Report(
        "synchronisation", "event-id-out-of-range", place, kNoPlace, [&](Finding* finding) {
          finding->pipe = PipeName(source);
          finding->other_pipe = PipeName(target);
          finding->sentence = std::string(call) + "<" + EventName(source, target) + "> of id " +
                              std::to_string(id) + ", ids are 0 to " + std::to_string(ids - 1) +
                              (has_pipe_ ? "" : " without a TPipe") +
                              ": take one from AllocEventID or FetchEventID";
        });
    if (id < 0 || id >= kEventIds) {
      return nullptr;
    }
  }
  return &flags_[(source * kPipes + target) * kEventIds + static_cast<uint32_t>(id)];
}

void CoreChecker::SetFlag(uint8_t source, uint8_t target, int32_t id,
                          const AscendcTwinPlace& place) {
  if (!Enter() || IsDropped(CallKind::kSetFlag, place)) {
    return;
  }
  Flag* flag = FindFlag(source, target, id, "SetFlag", place);
  if (flag == nullptr) {
    return;
  }
  if (flag->ahead > 0) {
    ReportSetTwice(*flag, place);
  }
  flag->is_unordered = IsMutated(CallKind::kFlagPair, place);
  if (flag->is_unordered) {
    return;
  }
  ++flag->ahead;
  flag->set = place;
  pipes_.Set(flag, place);
}

void CoreChecker::ReportSetTwice(const Flag& flag, const AscendcTwinPlace& place) {
  reporter_.Report("synchronisation", "flag-set-twice", place, flag.set, [&](Finding* finding) {
    const std::string event = EventName(flag.source, flag.target);
    finding->pipe = PipeName(flag.source);
    finding->other_pipe = PipeName(flag.source);
    finding->sentence = "SetFlag<" + event + ">(" + std::to_string(flag.id) +
                        ") while the flag set at " + PlaceText(flag.set) +
                        " is not awaited: put WaitFlag<" + event +
                        "> between them, or use another id";
  });
}

void CoreChecker::WaitFlag(uint8_t source, uint8_t target, int32_t id,
                           const AscendcTwinPlace& place) {
  if (!Enter() || IsDropped(CallKind::kWaitFlag, place)) {
    return;
  }
  Flag* flag = FindFlag(source, target, id, "WaitFlag", place);
  if (flag != nullptr && !flag->is_unordered) {
    WaitFor(flag, place);
  } else if (flag != nullptr) {
    flag->is_unordered = false;
  }
}

void CoreChecker::WaitFor(Flag* flag, const AscendcTwinPlace& place) {
  --flag->ahead;
  if (!pipes_.Wait(flag, place)) {
    Stop(flag, place);
  }
}

void CoreChecker::ReportLeftFlags() {
  for (const Flag& flag : flags_) {
    if (flag.ahead <= 0) {
      continue;
    }
    reporter_.Report(
        "synchronisation", "flag-left-over", flag.set, kNoPlace, [&](Finding* finding) {
          const std::string event = EventName(flag.source, flag.target);
          finding->pipe = PipeName(flag.source);
          finding->other_pipe = PipeName(flag.target);
          finding->sentence = "SetFlag<" + event + ">(" + std::to_string(flag.id) +
                              ") is not awaited when the kernel ends, and the next kernel finds "
                              "the flag set: put WaitFlag<" +
                              event + "> before the end, or remove the set";
        });
  }
}

void CoreChecker::QueueStep(const AscendcTwinQueueStep& step, const AscendcTwinPlace& place) {
  if (!Enter() || step.producer >= kPipes || step.consumer >= kPipes) {
    return;
  }
  QueueBuffer* buffer = queues_.Find(step);
  buffer->last_kind = step.kind;
  buffer->last_place = place;
  switch (step.kind) {
    case kAscendcTwinQueueEnQue:
      buffer->is_unordered = IsDropped(CallKind::kQueuePair, place);
      if (!buffer->is_unordered) {
        ++buffer->filled.ahead;
        buffer->filled.set = place;
        ReportHeldEvents(step.producer, step.consumer, place);
        pipes_.Set(&buffer->filled, place);
      }
      break;
    case kAscendcTwinQueueDeQue:
      if (!buffer->is_unordered) {
        WaitFor(&buffer->filled, place);
      }
      break;
    case kAscendcTwinQueueFree:
      ++buffer->freed.ahead;
      buffer->freed.set = place;
      ReportHeldEvents(step.consumer, step.producer, place);
      pipes_.Set(&buffer->freed, place);
      break;
    default:
      if (buffer->freed.ahead > 0) {
        WaitFor(&buffer->freed, place);
      }
      ForgetLastTurn(step);
      break;
  }
}

// In an order in which copies are late the last turn may still be read, and its bytes stay.
void CoreChecker::ForgetLastTurn(const AscendcTwinQueueStep& step) {
  uint8_t* data = core_->ub + step.ub_offset;
  const uint64_t end = uint64_t{step.ub_offset} + step.bytes;
  if (step.bytes == 0 || end > core_->ub_bytes ||
      pipes_.MayTouch(reinterpret_cast<uint64_t>(data), step.bytes)) {
    return;
  }
  memory_.Forget(step.ub_offset, end);
  std::memset(data, rules_->pass.ub_fill, step.bytes);
}

void CoreChecker::ReportHeldEvents(uint8_t source, uint8_t target, const AscendcTwinPlace& place) {
  const uint32_t held = queues_.Held(source, target);
  if (held <= QueueRules::kEventIds) {
    return;
  }
  reporter_.Report(
      "synchronisation", "event-ids-exhausted", place, kNoPlace, [&](Finding* finding) {
        finding->pipe = PipeName(source);
        finding->other_pipe = PipeName(target);
        finding->sentence = "the queues hold " + std::to_string(held) + " event ids of " +
                            EventName(source, target) + " at once, a core has " +
                            std::to_string(QueueRules::kEventIds) +
                            ": use fewer queue buffers between these pipes";
      });
}

void CoreChecker::ReportLeftTensors() {
  queues_.VisitUnfinished([&](const QueueBuffer& buffer) {
    const bool is_waiting = buffer.last_kind == kAscendcTwinQueueEnQue;
    reporter_.Report(
        "synchronisation", is_waiting ? "tensor-left-in-queue" : "tensor-not-freed",
        buffer.last_place, kNoPlace, [&](Finding* finding) {
          finding->buffer = memory_.buffers().Name(buffer.ub_offset);
          finding->begin = buffer.ub_offset;
          finding->end = uint64_t{buffer.ub_offset} + buffer.bytes;
          finding->pipe = PipeName(buffer.filled.source);
          finding->other_pipe = PipeName(buffer.filled.target);
          finding->sentence =
              is_waiting ? "a tensor is still in its queue when the pipe ends: DeQue it"
                         : "a tensor of a queue is not free when the pipe ends: FreeTensor it";
        });
  });
}

void CoreChecker::BeginCall(CallKind kind, const AscendcTwinPlace& place) {
  if (!TellsCallsApart()) {
    return;
  }
  use_ = uses_.Next(kind, place);
  noted_copy_ = nullptr;
  if (rules_->options->record_call_sites) {
    NoteCall(kind, place);
  }
}

bool CoreChecker::IsMutated(CallKind kind, const AscendcTwinPlace& place) {
  const CallSite& site = rules_->options->mutation.site;
  if (site.kind != kind || !IsAt(place, site.place)) {
    return false;
  }
  const bool is_any = site.ordinal == 0;
  const bool is_after =
      site.after.file.empty() ? uses_.after().file == nullptr : IsAt(uses_.after(), site.after);
  if (!is_any && (site.ordinal != use_ || !is_after)) {
    return false;
  }
  ++mutated_;
  return true;
}

bool CoreChecker::IsDropped(CallKind kind, const AscendcTwinPlace& place) {
  BeginCall(kind, place);
  return IsMutated(kind, place);
}

void CoreChecker::NoteCall(CallKind kind, const AscendcTwinPlace& place) {
  CallSite site;
  site.kind = kind;
  site.place = CopyPlace(place);
  site.ordinal = use_;
  site.after = CopyPlace(uses_.after());
  CallSite* noted = FindSame(&call_sites_, site);
  if (noted == nullptr) {
    call_sites_.push_back(std::move(site));
    noted = &call_sites_.back();
  }
  noted_copy_ = kind == CallKind::kCopy ? noted : nullptr;
}

void CoreChecker::NoteTensors(const AscendcTwinInstruction& instruction) {
  for (uint32_t i = 0; noted_copy_ != nullptr && i < instruction.access_count; ++i) {
    size_t hint = 0;
    const AscendcTwinAccess& access = instruction.accesses[i];
    const GmRegions::Entry* region =
        access.is_gm == 0 ? nullptr : rules_->regions->Find(access.address, &hint);
    if (region != nullptr) {
      AddTensor(region->Name(), noted_copy_);
    }
  }
  noted_copy_ = nullptr;
}

void CoreChecker::AdjustCopy(AscendcTwinCopy* copy, const AscendcTwinPlace& place) {
  if (!Enter()) {
    return;
  }
  BeginCall(CallKind::kCopy, place);
  if (noted_copy_ != nullptr) {
    noted_copy_->most_blocks = std::max(noted_copy_->most_blocks, copy->block_count);
  }
  const CopyField field = rules_->options->mutation.field;
  const bool is_gap = field == CopyField::kSrcGap || field == CopyField::kDstGap;
  if ((is_gap && copy->block_count < 2) || !IsMutated(CallKind::kCopy, place)) {
    return;
  }
  const Mutation& mutation = rules_->options->mutation;
  const auto delta = static_cast<uint64_t>(mutation.delta);  // wraps back
  switch (mutation.field) {
    case CopyField::kBlockCount:
      copy->block_count += delta;
      break;
    case CopyField::kBlockBytes:
      copy->block_bytes += delta;
      break;
    case CopyField::kSrcGap:
      copy->src_gap += mutation.delta;
      break;
    case CopyField::kDstGap:
      copy->dst_gap += mutation.delta;
      break;
    case CopyField::kSrcOffset:
      copy->src_offset += delta;
      break;
    case CopyField::kDstOffset:
      copy->dst_offset += delta;
      break;
  }
}

}  // namespace attnres::checks
