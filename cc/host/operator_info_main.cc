// Prints the operator info of every definition that is linked in: `operator_info SOC`. Exit code 2
// when none of them has a configuration for the SoC.
#include <cstdio>
#include <string>

#include "cc/host/operator_info.h"
#include "cc/host/operator_registry.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: operator_info SOC\n");
    return 2;
  }
  std::string text;
  for (const std::string& type : attnres::host::RegisteredOperators()) {
    const attnres::host::OperatorRecord* record = attnres::host::FindOperator(type);
    if (record->definition) text += attnres::host::OperatorInfo(*record->definition, argv[1]);
  }
  if (text.empty()) {
    std::fprintf(stderr, "operator_info: no operator is defined for '%s'\n", argv[1]);
    return 2;
  }
  std::fputs(text.c_str(), stdout);
  return 0;
}
