// A small call of a training step: all rows of a token fit in the Unified Buffer, and inv_norm and
// probs are kept for the backward.
#include "forward_call.h"

int main() {
  ForwardExample example;
  example.tokens = 2;
  example.blocks = 4;
  example.hidden = 64;
  example.need_backward = true;
  return RunForwardExample(example);
}
