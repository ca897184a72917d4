// SPDX-License-Identifier: Apache-2.0
//
// evenly doctor: what this machine and this build have, and the command that adds what is missing.
#include "output.hpp"

#include <evenly/core/config.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <dlfcn.h>
#include <unistd.h>

#if defined(EVENLY_HAS_LIBARCHIVE) && EVENLY_HAS_LIBARCHIVE
#include <archive.h>
#endif

namespace evenly::cli {

namespace {

struct finding {
  std::string what;
  bool ok;
  std::string found;  // or what to do
};

std::string on_path(std::string const& program) {
  char const* const path = std::getenv("PATH");
  std::istringstream folders(std::string(path != nullptr ? path : "") + ":/usr/local/cuda/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (auto const file = folder + '/' + program; !folder.empty() && ::access(file.c_str(), X_OK) == 0) return file;
  return {};
}

std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  std::istringstream words(
      line);  // "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build ..."
  for (std::string word; words >> word;)
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  return line;
}

bool loads(std::initializer_list<char const*> names) {
  return std::ranges::any_of(names, [](char const* name) {
    void* const library = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library != nullptr) ::dlclose(library);
    return library != nullptr;
  });
}

std::vector<finding> examine() {
  std::vector<finding> list;
#if defined(__clang__)
  list.push_back({"compiler", true, fmt::format("built with clang {}.{}", __clang_major__, __clang_minor__)});
#elif defined(__GNUC__)
  list.push_back({"compiler", true, fmt::format("built with g++ {}.{}", __GNUC__, __GNUC_MINOR__)});
#endif
  list.push_back({"host threads", true, fmt::format("{}", std::thread::hardware_concurrency())});
  list.push_back({"memory", true,
                  fmt::format("{:.1f} GB", static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                                               static_cast<double>(::sysconf(_SC_PAGESIZE)) / 1e9)});
  list.push_back({"executor host", true, "always there"});
  list.push_back(instances::built_with_simt()
                     ? finding{"executor simt", true, "built in"}
                     : finding{"executor simt", false, "apt-get install libboost-context-dev, then build again"});
  auto const nvcc = on_path("nvcc");
  list.push_back(!nvcc.empty() ? finding{"CUDA toolkit", true, nvcc}
                               : finding{"CUDA toolkit", false,
                                         "no nvcc: install CUDA 13 (apt-get install cuda-toolkit-13-0 from NVIDIA's "
                                         "repository), or go without"});
  list.push_back(instances::built_with_cuda()
                     ? finding{"executor cuda", true, "built in"}
                     : finding{"executor cuda", false,
                               nvcc.empty() ? "needs the CUDA toolkit at build time"
                                            : "configure again with -DEVENLY_CUDA=ON and build"});
  auto const driver = driver_version();
  list.push_back(!driver.empty() ? finding{"NVIDIA driver", true, driver}
                                 : finding{"NVIDIA driver", false,
                                           "none loaded: on a machine with a GPU, apt-get install nvidia-driver"});
  list.push_back(instances::cuda_devices() > 0 ? finding{"CUDA device", true, instances::cuda_description()}
                                               : finding{"CUDA device", false, instances::cuda_description()});
#if defined(EVENLY_HAS_LIBARCHIVE) && EVENLY_HAS_LIBARCHIVE
  list.push_back({"compressed files", true, archive_version_string()});
#else
  list.push_back({"compressed files", false, "apt-get install libarchive-dev, then build again"});
#endif
  list.push_back(loads({"libcusparse.so.12", "libcusparse.so"})
                     ? finding{"cuSPARSE", true, "found, for comparisons"}
                     : finding{"cuSPARSE", false,
                               "not found; only benchmarks compare with it: put its folder into LD_LIBRARY_PATH"});
  return list;
}

}  // namespace

int run_doctor(common_options const& command) {
  auto const list = examine();
  if (command.json) {
    auto object = json_head("doctor");
    object["findings"] = nlohmann::ordered_json::array();
    for (auto const& item : list)
      object["findings"].push_back({{"what", item.what}, {"ok", item.ok}, {item.ok ? "found" : "fix", item.found}});
    print_json(object);
  } else if (!command.quiet) {
    palette const color(command.no_color);
    fmt::print("evenly {}\n", EVENLY_VERSION);
    for (auto const& item : list)
      fmt::print("  {}  {:<18} {}\n", item.ok ? color.good("ok     ") : color.faint("missing"), item.what, item.found);
    fmt::print("Nothing that is missing keeps the host executor from working.\n");
  }
  return done;
}

}  // namespace evenly::cli
