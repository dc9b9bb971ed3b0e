// What the kernels with a planted fault share: three rows of float32 in UB and three tensors in
// global memory. Kernels are right but for the line that says what is expected of it.
#ifndef TESTS_CHECK_FAULTS_FAULT_KERNEL_H_
#define TESTS_CHECK_FAULTS_FAULT_KERNEL_H_

#include "kernel_operator.h"

namespace faults {

using AscendC::DataCopy;
using AscendC::HardEvent;
using AscendC::LocalTensor;
using AscendC::SetFlag;
using AscendC::TPosition;
using AscendC::WaitFlag;

constexpr uint32_t kRow = 256;     // elements of a row in UB
constexpr uint32_t kCount = 4096;  // elements of x, y and the workspace

inline const AscendC::DataCopyPadExtParams<float> kNoPadding = {false, 0, 0, 0.0f};

// TPipe stays with the kernel: its destructor ends it where the kernel ends.
class Rows {
 public:
  Rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace) {
    this->x.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x), kCount);
    this->y.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y), kCount);
    this->workspace.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(workspace), kCount);
    for (auto* buffer : {&first_, &second_, &third_}) {
      pipe.InitBuffer(*buffer, kRow * sizeof(float));
    }
    a = first_.Get<float>();
    b = second_.Get<float>();
    c = third_.Get<float>();
  }

  AscendC::TPipe pipe;
  AscendC::GlobalTensor<float> x;
  AscendC::GlobalTensor<float> y;
  AscendC::GlobalTensor<float> workspace;
  LocalTensor<float> a;
  LocalTensor<float> b;
  LocalTensor<float> c;

 private:
  AscendC::TBuf<TPosition::VECCALC> first_;
  AscendC::TBuf<TPosition::VECCALC> second_;
  AscendC::TBuf<TPosition::VECCALC> third_;
};

// Everything that `event` orders after what was issued before.
template <HardEvent event>
__aicore__ inline void Order(int32_t id = 0) {
  SetFlag<event>(id);
  WaitFlag<event>(id);
}

}  // namespace faults

#endif  // TESTS_CHECK_FAULTS_FAULT_KERNEL_H_
