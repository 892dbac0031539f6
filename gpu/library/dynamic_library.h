// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace tof {

/// Which shared library, and where it may be beside the loader's own places and /usr/local/cuda/lib64.
struct LibraryPlaces {
    std::string name;                  ///< "libcufft"
    int major = 0;                     ///< the number in its soname: libcufft.so.12
    std::vector<const char*> homes;    ///< environment variables that name a folder above
    std::vector<const char*> folders;  ///< in which it is there: "lib64"
    std::string remedy;                ///< ends the sentence of an error: "install NCCL 2"
    bool closed = true;                ///< with the last copy; false where its threads may outlive that
};

/// A shared library opened at run time, so that a machine without it still runs everything else. A copy is
/// the same library.
class DynamicLibrary {
  public:
    /// Throws Unavailable saying where it was looked for.
    explicit DynamicLibrary(LibraryPlaces places);

    /// Sets `function` to the library's `symbol`. Throws Unavailable where there is none.
    template <typename Function>
    void find(const char* symbol, Function*& function) const {
        function = reinterpret_cast<Function*>(address(symbol));
    }

  private:
    [[nodiscard]] void* address(const char* symbol) const;

    LibraryPlaces places_;
    std::shared_ptr<void> handle_;
};

}  // namespace tof
