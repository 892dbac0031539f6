// SPDX-License-Identifier: Apache-2.0
// A library that is loaded before a program: from main() on, the allocation numbered TOFSCOPE_FAULT_AT (from
// 1) fails, or all from that one on where TOFSCOPE_FAULT_ERROR is FROM. The file TOFSCOPE_FAULT_COUNT has the
// name of what asked for it then; the number of allocations when the program ends.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" {
// glibc's own, which need no dlsym(): that allocates.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

std::atomic<bool> counts = false;
std::atomic<long> calls = 0;
long wanted = 0;
bool allFromThere = false;
int file = -1;

/// Names what asked for memory, so that a fault of somebody else's library is told from one of ours.
void tell(const void* caller) {
    Dl_info found{};
    if (file >= 0 && dladdr(caller, &found) != 0 && found.dli_fname != nullptr) {
        (void)dprintf(file, "%s\n", found.dli_fname);
    }
}

bool fails(const void* caller) {
    if (!counts) {
        return false;
    }
    const long call = ++calls;
    if (wanted == 0 || call < wanted || (call > wanted && !allFromThere)) {
        return false;
    }
    if (call == wanted) {
        counts = false;  // dprintf() may allocate
        tell(caller);
        counts = true;
    }
    errno = ENOMEM;
    return true;
}

void writeCount() {
    counts = false;
    if (file >= 0) {
        (void)dprintf(file, "%ld\n", calls.load());
    }
}

using Main = int (*)(int, char**, char**);
Main& realMain() {
    static Main one = nullptr;
    return one;
}

int countedMain(int count, char** words, char** around) {
    const char* const at = std::getenv("TOFSCOPE_FAULT_AT");
    const char* const error = std::getenv("TOFSCOPE_FAULT_ERROR");
    wanted = at != nullptr ? std::atol(at) : 0;
    allFromThere = error != nullptr && std::strcmp(error, "FROM") == 0;
    const char* const name = std::getenv("TOFSCOPE_FAULT_COUNT");
    file = name != nullptr ? ::open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
    (void)std::atexit(writeCount);
    (void)unsetenv("LD_PRELOAD");  // children are programs of their own
    counts = true;
    const int code = realMain()(count, words, around);
    counts = false;
    return code;
}

}  // namespace

extern "C" {

int __libc_start_main(Main main, int count, char** words, void (*start)(), void (*end)(), void (*loader)(),
                      void* stack) {
    using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
    realMain() = main;
    return reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"))(countedMain, count, words, start,
                                                                          end, loader, stack);
}

void* malloc(size_t size) {
    return fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
    return fails(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* block, size_t size) {
    return fails(__builtin_return_address(0)) ? nullptr : __libc_realloc(block, size);
}
void* memalign(size_t alignment, size_t size) {
    return fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    return fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** block, size_t alignment, size_t size) {
    void* const made = fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
    if (made == nullptr) {
        return ENOMEM;
    }
    *block = made;
    return 0;
}
}
