// A wide call without a backward: on every SoC rows of 32768 do not fit in the Unified Buffer and
// the kernel walks them in tiles. The caller's code is that of full_h_example.cc; nothing of it
// knows about tiles.
#include "forward_call.h"

int main() {
  ForwardExample example;
  example.tokens = 2;
  example.blocks = 2;
  example.hidden = 32768;
  example.need_backward = false;
  return RunForwardExample(example);
}
