// NativeCall: an aclnn call for C++ code that is loaded beside the extension _twin and does not
// link it. The extension hands out the function as a capsule (native_call_binding.h); only C types
// cross.
#ifndef CC_BINDINGS_NATIVE_CALL_H_
#define CC_BINDINGS_NATIVE_CALL_H_

#include <cstddef>
#include <cstdint>

#include "acl/acl.h"

namespace attnres::bindings {

// Row-major and without gaps. `data` may be null where a dimension is 0.
struct NativeTensor {
  const int64_t* dims;
  size_t rank;
  aclDataType dtype;
  void* data;
};

struct NativeCall {
  const char* api_name;
  const char* soc;
  uint32_t threads;  // host threads of kernels, 0 for the default
  // Arguments of phase 1 by their kinds, each in the interface's order: tensors (inputs, then
  // outputs), int64 and bool values, doubles.
  const NativeTensor* tensors;
  size_t tensor_count;
  const int64_t* integers;
  size_t integer_count;
  const double* reals;
  size_t real_count;
};

// Runs the call to its end on the calling thread's stream, in the default floating-point
// environment: a caller that flushes subnormal numbers to zero gets the same bits as one that does
// not. Returns 0, or an aclnn code with one sentence in `message`, which is cut to `message_bytes`
// with the zero at its end. Thread safe.
// Preconditions: the GIL is not held; message_bytes > 0.
using NativeCallFunction = int32_t(const NativeCall* call, char* message, size_t message_bytes);

// Name of the capsule that holds a NativeCallFunction.
inline constexpr char kNativeCallCapsule[] = "attnres._twin.native_call";

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_NATIVE_CALL_H_
