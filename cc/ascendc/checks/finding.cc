// Text and JSON of findings, and the list that keeps each once.
#include "cc/ascendc/checks/finding.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <tuple>
#include <utility>

namespace attnres::checks {

namespace {

void AppendString(const char* key, const std::string& value, std::string* json) {
  *json += '"';
  *json += key;
  *json += "\":\"";
  for (const char letter : value) {
    if (letter == '"' || letter == '\\') {
      *json += '\\';
      *json += letter;
    } else if (static_cast<unsigned char>(letter) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof(code), "\\u%04x", letter);
      *json += code;
    } else {
      *json += letter;
    }
  }
  *json += "\",";
}

void AppendNumber(const char* key, uint64_t value, std::string* json) {
  *json += '"';
  *json += key;
  *json += "\":" + std::to_string(value) + ",";
}

void AppendPlace(const char* key, const SourcePlace& place, std::string* json) {
  *json += '"';
  *json += key;
  *json += "\":";
  if (place.file.empty()) {
    *json += "null,";
    return;
  }
  *json += '{';
  AppendString("file", place.file, json);
  AppendNumber("line", place.line, json);
  AppendNumber("column", place.column, json);
  json->back() = '}';
  *json += ',';
}

std::string At(const SourcePlace& place) {
  return place.file.empty() ? "an unknown place" : place.file + ":" + std::to_string(place.line);
}

bool SamePlace(const SourcePlace& copy, const AscendcTwinPlace& place) {
  return copy.line == place.line && copy.column == place.column &&
         copy.file == (place.file == nullptr ? "" : place.file);
}

bool Same(const SourcePlace& a, const SourcePlace& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

int CategoryRank(const std::string& category) {
  static constexpr const char* kCategories[] = {"memory", "initialisation", "race",
                                                "synchronisation"};
  int rank = 0;
  while (rank < 4 && category != kCategories[rank]) {
    ++rank;
  }
  return rank;
}

}  // namespace

SourcePlace CopyPlace(const AscendcTwinPlace& place) {
  if (place.file == nullptr) {
    return {};
  }
  return {place.file, place.line, place.column};
}

std::string ToText(const Finding& finding) {
  std::string text = At(finding.place) + ": " + finding.category + " [" + finding.rule +
                     "]: " + finding.sentence + "\n  core " + std::to_string(finding.core);
  if (!finding.pipe.empty()) {
    text += ", " + finding.pipe + " pipe";
  }
  if (!finding.instruction.empty()) {
    text += ", " + finding.instruction;
    text += finding.operand.empty() ? "" : " " + finding.operand;
  }
  if (!finding.buffer.empty()) {
    text += ", " + finding.buffer;
  }
  if (finding.end > finding.begin) {
    text += ", bytes " + std::to_string(finding.begin) + " to " + std::to_string(finding.end - 1);
  }
  if (!finding.other_place.file.empty() || !finding.other_pipe.empty()) {
    text += "\n  other: " + At(finding.other_place);
    text += finding.other_pipe.empty() ? "" : ", " + finding.other_pipe + " pipe";
  }
  if (finding.count > 1) {
    text += "\n  seen " + std::to_string(finding.count) + " times";
  }
  return text;
}

std::string ToJson(const Finding& finding) {
  std::string json = "{";
  AppendString("category", finding.category, &json);
  AppendString("rule", finding.rule, &json);
  AppendString("sentence", finding.sentence, &json);
  AppendString("instruction", finding.instruction, &json);
  AppendString("operand", finding.operand, &json);
  AppendNumber("core", finding.core, &json);
  AppendString("pipe", finding.pipe, &json);
  AppendString("buffer", finding.buffer, &json);
  AppendNumber("begin", finding.begin, &json);
  AppendNumber("end", finding.end, &json);
  AppendPlace("place", finding.place, &json);
  AppendPlace("other_place", finding.other_place, &json);
  AppendString("other_pipe", finding.other_pipe, &json);
  AppendNumber("count", finding.count, &json);
  json.back() = '}';
  return json;
}

std::string ToJson(const std::vector<Finding>& findings) {
  std::string json = "[";
  for (const Finding& finding : findings) {
    json += json.size() > 1 ? ",\n " : "";
    json += ToJson(finding);
  }
  return json + "]";
}

bool IsSame(const Finding& a, const Finding& b) {
  const bool is_told_by_place = a.rule != kInstructionRule && !a.place.file.empty();
  return a.rule == b.rule && Same(a.place, b.place) && Same(a.other_place, b.other_place) &&
         (is_told_by_place || a.sentence == b.sentence);
}

void Sort(std::vector<Finding>* findings) {
  const auto key = [](const Finding& finding) {
    const bool names_no_place = finding.place.file.empty();
    const bool names_one_place =
        finding.other_place.file.empty() && !finding.other_pipe.empty();  // of two
    return std::make_tuple(CategoryRank(finding.category), names_no_place, names_one_place,
                           std::cref(finding.place.file), finding.place.line, finding.place.column,
                           std::cref(finding.rule));
  };
  std::stable_sort(findings->begin(), findings->end(),
                   [&](const Finding& a, const Finding& b) { return key(a) < key(b); });
}

bool FindingList::Repeated(const char* rule, const AscendcTwinPlace& place,
                           const AscendcTwinPlace& other) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Finding& finding : findings_) {
    if (finding.rule == rule && SamePlace(finding.place, place) &&
        SamePlace(finding.other_place, other)) {
      ++finding.count;
      return true;
    }
  }
  if (findings_.size() < most_) {
    return false;
  }
  ++dropped_;
  return true;
}

void FindingList::Add(Finding finding) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Finding& known : findings_) {
    if (IsSame(known, finding)) {
      known.count += finding.count;
      if (finding.core < known.core) {  // the same text, whichever core's thread came first
        finding.count = known.count;
        known = std::move(finding);
      }
      return;
    }
  }
  if (findings_.size() < most_) {
    findings_.push_back(std::move(finding));
  } else {
    ++dropped_;
  }
}

std::vector<Finding> FindingList::Take() {
  const std::lock_guard<std::mutex> lock(mutex_);
  Sort(&findings_);
  return std::move(findings_);
}

size_t FindingList::dropped() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return dropped_;
}

}  // namespace attnres::checks
