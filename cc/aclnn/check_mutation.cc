// Names of calls and of a copy's fields, places as text.
#include "cc/aclnn/check_mutation.h"

#include <cstdint>
#include <cstdlib>

#include "acl/acl_base.h"
#include "cc/ascendc/checks/finding.h"

namespace attnres::aclnn {
namespace {

using checks::CallKind;
using checks::CopyField;

template <typename Value>
struct Named {
  const char* name;
  Value value;
};

constexpr Named<CallKind> kKinds[] = {
    {"set_flag", CallKind::kSetFlag},   {"wait_flag", CallKind::kWaitFlag},
    {"flag_pair", CallKind::kFlagPair}, {"pipe_barrier", CallKind::kPipeBarrier},
    {"sync_all", CallKind::kSyncAll},   {"queue_pair", CallKind::kQueuePair},
    {"copy", CallKind::kCopy},
};
constexpr Named<CopyField> kFields[] = {
    {"block_count", CopyField::kBlockCount}, {"block_bytes", CopyField::kBlockBytes},
    {"src_gap", CopyField::kSrcGap},         {"dst_gap", CopyField::kDstGap},
    {"src_offset", CopyField::kSrcOffset},   {"dst_offset", CopyField::kDstOffset},
};

template <typename Value, size_t kCount>
bool Find(const Named<Value> (&table)[kCount], const std::string& name, Value* value) {
  for (const Named<Value>& named : table) {
    if (name == named.name) {
      *value = named.value;
      return true;
    }
  }
  return false;
}

// False unless all of `text` is digits.
bool ReadNumber(const std::string& text, uint32_t* number) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos) {
    return false;
  }
  *number = static_cast<uint32_t>(strtoul(text.c_str(), nullptr, 10));
  return true;
}

// "FILE:LINE:COLUMN"
bool ReadPlace(const std::string& text, checks::SourcePlace* place) {
  const size_t column = text.rfind(':');
  if (column == text.npos || column == 0) return false;
  const size_t line = text.rfind(':', column - 1);
  if (line == text.npos || line == 0) return false;
  place->file = text.substr(0, line);
  return ReadNumber(text.substr(line + 1, column - line - 1), &place->line) &&
         ReadNumber(text.substr(column + 1), &place->column);
}

bool ReadSite(const std::string& text, checks::CallSite* site) {
  const size_t at = text.find('@');
  return at != text.npos && Find(kKinds, text.substr(0, at), &site->kind) &&
         ReadPlace(text.substr(at + 1), &site->place);
}

bool ReadUse(const std::string& text, checks::CallSite* site) {
  const size_t at = text.find('@');
  return at != text.npos && ReadNumber(text.substr(0, at), &site->ordinal) && site->ordinal > 0 &&
         (at + 1 == text.size() || ReadPlace(text.substr(at + 1), &site->after));
}

bool ReadChange(const std::string& text, checks::Mutation* mutation) {
  const size_t sign = text.find_first_of("+-");
  uint32_t size = 0;
  if (sign == text.npos || !Find(kFields, text.substr(0, sign), &mutation->field) ||
      !ReadNumber(text.substr(sign + 1), &size)) {
    return false;
  }
  mutation->delta = text[sign] == '-' ? -int64_t{size} : int64_t{size};
  return true;
}

std::string PlaceJson(const checks::SourcePlace& place) {
  if (place.file.empty()) return "null";
  return "{\"file\":\"" + place.file + "\",\"line\":" + std::to_string(place.line) +
         ",\"column\":" + std::to_string(place.column) + "}";
}

struct Option {
  const char* name;
  const char* expected;
  bool (*read)(const std::string& text, checks::CheckOptions* check);
};

constexpr Option kOptions[] = {
    {"call_sites", "true or false",
     [](const std::string& text, checks::CheckOptions* check) {
       check->record_call_sites = text == "true";
       return text == "true" || text == "false";
     }},
    {"mutate", "KIND@FILE:LINE:COLUMN, e.g. set_flag@kernel.cpp:120:9",
     [](const std::string& text, checks::CheckOptions* check) {
       return ReadSite(text, &check->mutation.site);
     }},
    {"mutate_use", "N@FILE:LINE:COLUMN or N@, N from 1 on",
     [](const std::string& text, checks::CheckOptions* check) {
       return ReadUse(text, &check->mutation.site);
     }},
    {"mutate_copy", "FIELD+N or FIELD-N, e.g. block_bytes-32",
     [](const std::string& text, checks::CheckOptions* check) {
       return ReadChange(text, &check->mutation);
     }},
};

const Option* FindOption(const std::string& name) {
  for (const Option& option : kOptions) {
    if (name == option.name) return &option;
  }
  return nullptr;
}

}  // namespace

bool IsMutationOption(const std::string& name) { return FindOption(name) != nullptr; }

acl::Error ReadMutationOption(const ModeOption& option, checks::CheckOptions* check) {
  const Option* known = FindOption(option.name);
  if (known->read(option.value, check)) return {};
  return acl::MakeError(ACL_ERROR_INVALID_PARAM, "%s is '%s': expected %s", known->name,
                        option.value.c_str(), known->expected);
}

std::string CallSitesJson(const std::vector<checks::CallSite>& sites) {
  std::string json;
  for (const checks::CallSite& site : sites) {
    const char* kind = "";
    for (const Named<CallKind>& named : kKinds) {
      kind = named.value == site.kind ? named.name : kind;
    }
    std::string tensors;
    for (const std::string& tensor : site.tensors) {
      tensors += (tensors.empty() ? "\"" : ",\"") + tensor + '"';
    }
    json += (json.empty() ? "{\"kind\":\"" : ",{\"kind\":\"") + std::string(kind) +
            "\",\"place\":" + PlaceJson(site.place) +
            ",\"ordinal\":" + std::to_string(site.ordinal) + ",\"after\":" + PlaceJson(site.after) +
            ",\"tensors\":[" + tensors + "],\"most_blocks\":" + std::to_string(site.most_blocks) +
            "}";
  }
  return "[" + json + "]";
}

}  // namespace attnres::aclnn
