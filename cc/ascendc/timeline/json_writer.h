// JsonWriter: JSON as text, piece by piece: commas and quotes are its business, the structure the
// caller's.
#ifndef CC_ASCENDC_TIMELINE_JSON_WRITER_H_
#define CC_ASCENDC_TIMELINE_JSON_WRITER_H_

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>

namespace attnres::timeline {

class JsonWriter {
 public:
  JsonWriter& BeginObject() { return Open('{'); }
  JsonWriter& EndObject() { return Close('}'); }
  JsonWriter& BeginArray() { return Open('['); }
  JsonWriter& EndArray() { return Close(']'); }

  JsonWriter& Key(const std::string& key) {
    Separate();
    Quote(key);
    text_ += ':';
    needs_comma_ = false;
    return *this;
  }
  JsonWriter& Value(const std::string& value) {
    Separate();
    Quote(value);
    return *this;
  }
  JsonWriter& Value(const char* value) { return Value(std::string(value)); }
  // Numbers keep 9 digits; those that JSON does not have become 0.
  JsonWriter& Value(double value) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%.9g", std::isfinite(value) ? value : 0.0);
    return Raw(digits);
  }
  JsonWriter& Value(uint64_t value) { return Raw(std::to_string(value)); }
  JsonWriter& Value(uint32_t value) { return Raw(std::to_string(value)); }
  // A value that is JSON already.
  JsonWriter& Raw(const std::string& json) {
    Separate();
    text_ += json;
    return *this;
  }
  template <typename T>
  JsonWriter& Field(const std::string& key, const T& value) {
    return Key(key).Value(value);
  }

  const std::string& text() const { return text_; }
  std::string Take() { return std::move(text_); }

 private:
  JsonWriter& Open(char bracket) {
    Separate();
    text_ += bracket;
    needs_comma_ = false;
    return *this;
  }
  JsonWriter& Close(char bracket) {
    text_ += bracket;
    needs_comma_ = true;
    return *this;
  }

  void Separate() {
    if (needs_comma_) text_ += ',';
    needs_comma_ = true;
  }

  void Quote(const std::string& value) {
    text_ += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') {
        text_ += '\\';
        text_ += c;
      } else if (static_cast<unsigned char>(c) < 0x20) {
        char escape[8];
        std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
        text_ += escape;
      } else {
        text_ += c;
      }
    }
    text_ += '"';
  }

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_JSON_WRITER_H_
