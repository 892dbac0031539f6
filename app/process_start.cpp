// SPDX-License-Identifier: Apache-2.0
#include "app/process_start.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <new>
#include <string_view>
#include <typeinfo>

#include "app/exit_code.h"
#include "recon/base/memory.h"

namespace tof {

namespace {

constexpr std::array kCrashes{SIGSEGV, SIGBUS, SIGABRT};

/// Whether a thread ends the program for want of memory.
std::atomic_flag& ending() noexcept {
    static constinit std::atomic_flag one;
    return one;
}

/// Says so without taking any memory, once: other threads that have something to say wait for the end.
[[noreturn]] void end(std::string_view sentence) noexcept {
    while (ending().test_and_set()) {
        static_cast<void>(::pause());
    }
    static_cast<void>(!::write(STDERR_FILENO, sentence.data(), sentence.size()));
    std::_Exit(exitCode(ErrorKind::Unavailable));
}

[[noreturn]] void endWithoutMemory() noexcept {
    end("tofscope: memory ran out; take a smaller grid, fewer views or fewer threads\n");
}

/// Nobody caught it: it left a destructor, or catching it took memory, too.
[[noreturn]] void endUncaught() noexcept {
    const std::type_info* const thrown = abi::__cxa_current_exception_type();
    if (thrown != nullptr ? *thrown == typeid(std::bad_alloc) : errno == ENOMEM) {
        endWithoutMemory();
    }
    std::abort();
}

/// Whether a library of the card's driver called what runs now. It has threads of its own, and one for whom
/// errno says nothing: it uses what it did not get, or ends the program from within its compiler.
bool calledByDriver() noexcept {
    std::array<void*, 64> frames{};
    const int count = ::backtrace(frames.data(), static_cast<int>(frames.size()));
    return std::any_of(frames.begin(), frames.begin() + count, [](const void* frame) {
        Dl_info found{};
        if (::dladdr(frame, &found) == 0 || found.dli_fname == nullptr) {
            return false;
        }
        const std::string_view path = found.dli_fname;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        return name.starts_with("libcuda.so") || name.starts_with("libnvidia-");
    });
}

/// The program ends as it does where memory ran out, of which the driver says nothing itself.
[[noreturn]] void endWithDriver() noexcept {
    end("tofscope: the graphics card's driver failed, as it does where memory runs out; take a smaller grid, "
        "fewer views or engine cpu\n");
}

/// HDF5 and DCMTK use what they asked for and did not get: errno is still that of malloc(). What crashes
/// while another thread says so waits for it. Any other crash is raised again, and is not handled then.
void endCrashed(int signal) {
    if (errno == ENOMEM || ending().test()) {
        endWithoutMemory();
    }
    if (calledByDriver()) {
        endWithDriver();
    }
    static_cast<void>(std::signal(signal, SIG_DFL));
    static_cast<void>(::raise(signal));
}

/// HDF5 ends a process so, without a word, when it has no memory for an id; the driver's compiler with 1.
void endExited(int status, void* /*nothing*/) {
    if (status == -1) {
        endWithoutMemory();
    }
    if (status != 0 && calledByDriver()) {
        endWithDriver();
    }
}

/// A sanitizer's handlers stay. They have a stack of their own: without memory HDF5 calls itself without end.
void endWellWithoutMemory() {
    static std::array<std::byte, std::size_t{1} << 16U> room;
    stack_t stack = {};
    stack.ss_sp = room.data();
    stack.ss_size = room.size();
    static_cast<void>(::sigaltstack(&stack, nullptr));
    std::set_terminate(endUncaught);
    // The C library looks for what unwinds a thread when it first needs it, which takes memory.
    void* frame = nullptr;
    static_cast<void>(::backtrace(&frame, 1));
    static_cast<void>(::on_exit(endExited, nullptr));
    for (const int signal : kCrashes) {
        struct sigaction action = {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
            action.sa_handler = endCrashed;
            action.sa_flags = SA_ONSTACK;
            sigaction(signal, &action, nullptr);
        }
    }
}

}  // namespace

void startProcess() {
    endWellWithoutMemory();
    refuseBeforeGroupsKill();
    for (const int signal : {SIGXFSZ, SIGPIPE}) {
        std::signal(signal, SIG_IGN);
    }
    // In ascending order: the lowest free number is taken.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
            static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY));
        }
    }
}

}  // namespace tof
