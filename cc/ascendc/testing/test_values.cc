// One table of dtypes, and the version 1 to 3 headers of .npy files
// (numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
#include "cc/ascendc/testing/test_values.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "cc/ascendc/membase/float16.h"

namespace attnres::testing {
namespace {

template <typename T>
void Store(double value, uint8_t* to) {
  const T element = static_cast<T>(value);
  std::memcpy(to, &element, sizeof(element));
}

template <typename T>
double Load(const uint8_t* from) {
  T element;
  std::memcpy(&element, from, sizeof(element));
  if constexpr (sizeof(T) == 2 && !std::is_integral_v<T>) {
    return static_cast<double>(static_cast<float>(element));
  } else {
    return static_cast<double>(element);
  }
}

struct Dtype {
  const char* name;
  uint64_t bytes;
  void (*store)(double value, uint8_t* to);
  double (*load)(const uint8_t* from);
};

constexpr Dtype kDtypes[] = {
    {"float32", 4, Store<float>, Load<float>},
    {"float16", 2, Store<half>, Load<half>},
    {"bfloat16", 2, Store<bfloat16_t>, Load<bfloat16_t>},
    {"int8", 1, Store<int8_t>, Load<int8_t>},
    {"int16", 2, Store<int16_t>, Load<int16_t>},
    {"int32", 4, Store<int32_t>, Load<int32_t>},
    {"int64", 8, Store<int64_t>, Load<int64_t>},
    {"uint8", 1, Store<uint8_t>, Load<uint8_t>},
    {"uint16", 2, Store<uint16_t>, Load<uint16_t>},
    {"uint32", 4, Store<uint32_t>, Load<uint32_t>},
    {"uint64", 8, Store<uint64_t>, Load<uint64_t>},
};

const Dtype* FindDtype(const std::string& name) {
  for (const Dtype& dtype : kDtypes) {
    if (name == dtype.name) return &dtype;
  }
  return nullptr;
}

}  // namespace

uint64_t ElementBytes(const std::string& dtype) {
  const Dtype* found = FindDtype(dtype);
  return found == nullptr ? 0 : found->bytes;
}

void StoreElement(const std::string& dtype, double value, uint8_t* to) {
  FindDtype(dtype)->store(value, to);
}

double LoadElement(const std::string& dtype, const uint8_t* from) {
  return FindDtype(dtype)->load(from);
}

std::vector<uint8_t> ReadNpy(const std::string& path, uint64_t bytes, std::string* error) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    *error = path + " cannot be opened";
    return {};
  }
  const std::vector<uint8_t> content((std::istreambuf_iterator<char>(file)),
                                     std::istreambuf_iterator<char>());
  static constexpr char kMagic[] = "\x93NUMPY";
  constexpr size_t kMagicBytes = sizeof(kMagic) - 1;
  const size_t length_bytes = content.size() > kMagicBytes && content[kMagicBytes] == 1 ? 2 : 4;
  const size_t fixed = kMagicBytes + 2 + length_bytes;
  if (content.size() < fixed || std::memcmp(content.data(), kMagic, kMagicBytes) != 0) {
    *error = path + " is no .npy file";
    return {};
  }
  size_t header = 0;
  for (size_t i = 0; i < length_bytes; ++i) {
    header |= static_cast<size_t>(content[kMagicBytes + 2 + i]) << (8 * i);
  }
  const size_t begin = fixed + header;
  if (begin > content.size() || content.size() - begin != bytes) {
    *error = path + " holds " +
             std::to_string(begin > content.size() ? 0 : content.size() - begin) +
             " bytes of elements, expected " + std::to_string(bytes);
    return {};
  }
  const std::string text(content.begin() + static_cast<std::ptrdiff_t>(fixed),
                         content.begin() + static_cast<std::ptrdiff_t>(begin));
  if (text.find("'fortran_order': False") == text.npos) {
    *error = path + " is not in C order";
    return {};
  }
  return {content.begin() + static_cast<std::ptrdiff_t>(begin), content.end()};
}

bool WriteNpy(const std::string& path, const std::vector<uint8_t>& bytes) {
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" +
                       std::to_string(bytes.size()) + ",), }";
  constexpr size_t kFixed = 10;  // magic, version and length
  header.append(63 - (kFixed + header.size()) % 64, ' ');
  header += '\n';  // the elements begin at a multiple of 64 bytes
  std::ofstream file(path, std::ios::binary);
  file << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(header.size() & 0xFF)
       << static_cast<char>(header.size() >> 8) << header;
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  return file.good();
}

}  // namespace attnres::testing
