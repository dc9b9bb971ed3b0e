// Opens the twin's libraries; see runtime_library.h.
#include "cc/bindings/runtime_library.h"

#include <dlfcn.h>

#include <atomic>

namespace attnres::bindings {
namespace {

RuntimeFunctions functions;
std::atomic<bool> loaded{false};

std::string DlError() {
  const char* error = dlerror();
  return error == nullptr ? "unknown error of the dynamic loader" : error;
}

template <typename Function>
std::string Find(void* library, const char* name, const std::string& path, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  if (*function != nullptr) return "";
  return path + " does not export " + name + ", so it is no runtime library of this package";
}

}  // namespace

std::string LoadLibraries(const std::string& runtime_path,
                          const std::vector<std::string>& operator_paths) {
  if (loaded.load(std::memory_order_acquire)) return "";
  // RTLD_GLOBAL: an operator library may leave the runtime's symbols to whoever loaded it.
  void* runtime = dlopen(runtime_path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (runtime == nullptr) return "cannot load " + runtime_path + ": " + DlError();
  std::string error;
#define ATTNRES_FIND_FUNCTION(name) \
  if (error.empty()) error = Find(runtime, #name, runtime_path, &functions.name);
  ATTNRES_RUNTIME_FUNCTIONS(ATTNRES_FIND_FUNCTION)
#undef ATTNRES_FIND_FUNCTION
  if (!error.empty()) return error;
  for (const std::string& path : operator_paths) {
    if (dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
      return "cannot load " + path + ": " + DlError();
    }
  }
  loaded.store(true, std::memory_order_release);
  return "";
}

const RuntimeFunctions* Runtime() {
  return loaded.load(std::memory_order_acquire) ? &functions : nullptr;
}

}  // namespace attnres::bindings
