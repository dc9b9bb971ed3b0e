// Elements of kernel tests by the name of their dtype: numbers into memory and back, and .npy
// files.
#ifndef CC_ASCENDC_TESTING_TEST_VALUES_H_
#define CC_ASCENDC_TESTING_TEST_VALUES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace attnres::testing {

// 0 for a dtype that is not known.
uint64_t ElementBytes(const std::string& dtype);

// Rounds `value` as a cast does. Precondition: the dtype is known.
void StoreElement(const std::string& dtype, double value, uint8_t* to);
double LoadElement(const std::string& dtype, const uint8_t* from);

// The elements of a .npy file as bytes; `*error` says what is wrong with it, or that it does not
// hold `bytes` bytes of elements in C order.
std::vector<uint8_t> ReadNpy(const std::string& path, uint64_t bytes, std::string* error);

// A .npy file of bytes; false if it cannot be written.
bool WriteNpy(const std::string& path, const std::vector<uint8_t>& bytes);

}  // namespace attnres::testing

#endif  // CC_ASCENDC_TESTING_TEST_VALUES_H_
