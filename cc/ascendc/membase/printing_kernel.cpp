// Prints from every core, for print_modes_test.cc: a copy that a device may not have ended yet,
// global memory, text, and an assertion.
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void printing_kernel(GM_ADDR x, uint32_t dumped, uint32_t limit) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
  const uint32_t core = static_cast<uint32_t>(AscendC::GetBlockIdx());
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 64);
  AscendC::GlobalTensor<half> xGm;
  xGm.SetGlobalBuffer((__gm__ half*)x + 32 * core, 32);
  AscendC::LocalTensor<half> local = buffer.Get<half>();
  AscendC::DataCopy(local, xGm, 32);
  AscendC::DumpTensor(local, core, 4);
  AscendC::SyncAll();
  AscendC::DumpTensor(xGm, core, dumped);
  printf("after SyncAll: %.1f\n", xGm.GetValue(1));
  assert(core < limit, "core %u", core);
}
