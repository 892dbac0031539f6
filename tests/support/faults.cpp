// SPDX-License-Identifier: Apache-2.0
// A library that is loaded before a program: of all calls that change something in the folder
// TOFSCOPE_FAULT_FOLDER, the one numbered TOFSCOPE_FAULT_AT (from 1) fails with the error
// TOFSCOPE_FAULT_ERROR, or the program is killed there when that is KILL. With every call a byte is added to
// the file TOFSCOPE_FAULT_COUNT. What fsync() has made last goes to the folder TOFSCOPE_FAULT_SHADOW: a
// file's bytes under the number of its inode, a folder's under "INODE.names" as lines of inode and name.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

template <class F>
F real(const char* name) {
    return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

std::atomic<long> calls = 0;

/// Counts a call; true where it is the one that fails, with errno set.
bool fails() {
    static const char* const count = std::getenv("TOFSCOPE_FAULT_COUNT");
    static const long wanted = std::atol(std::getenv("TOFSCOPE_FAULT_AT"));
    static const char* const error = std::getenv("TOFSCOPE_FAULT_ERROR");
    if (count != nullptr) {
        const int file =
            real<int (*)(const char*, int, ...)>("open")(count, O_WRONLY | O_CREAT | O_APPEND, 0600);
        (void)!real<ssize_t (*)(int, const void*, size_t)>("write")(file, "x", 1);
        ::close(file);
    }
    if (++calls != wanted) {
        return false;
    }
    if (std::strcmp(error, "KILL") == 0) {
        ::kill(::getpid(), SIGKILL);
    }
    errno = std::strcmp(error, "ENOSPC") == 0 ? ENOSPC : EIO;
    return true;
}

bool isInside(const char* path) {
    static const char* const folder = std::getenv("TOFSCOPE_FAULT_FOLDER");
    return folder != nullptr && std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool isInside(int file) {
    std::array<char, 64> link{};
    std::array<char, 4096> path{};
    (void)std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", file);
    const ssize_t length = ::readlink(link.data(), path.data(), path.size() - 1);
    return length > 0 && isInside(path.data());
}

bool changes(int flags) {
    return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
}

void copyTo(const char* shadow, int file, ino_t inode) {
    std::array<char, 64> link{};
    std::array<char, 4096> path{};
    (void)std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", file);
    (void)std::snprintf(path.data(), path.size(), "%s/%lu", shadow, static_cast<unsigned long>(inode));
    const auto realOpen = real<int (*)(const char*, int, ...)>("open");
    const int from = realOpen(link.data(), O_RDONLY);
    const int to = realOpen(path.data(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::array<char, 65536> bytes{};
    for (ssize_t got = 0; (got = ::read(from, bytes.data(), bytes.size())) > 0;) {
        (void)!real<ssize_t (*)(int, const void*, size_t)>("write")(to, bytes.data(),
                                                                    static_cast<size_t>(got));
    }
    ::close(from);
    ::close(to);
}

void listTo(const char* shadow, int folder, ino_t inode) {
    std::array<char, 4096> path{};
    (void)std::snprintf(path.data(), path.size(), "%s/%lu.names", shadow, static_cast<unsigned long>(inode));
    const int to =
        real<int (*)(const char*, int, ...)>("open")(path.data(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    DIR* const names = ::fdopendir(::openat(folder, ".", O_RDONLY | O_DIRECTORY));
    for (const dirent* one = ::readdir(names); one != nullptr; one = ::readdir(names)) {
        (void)dprintf(to, "%lu %s\n", static_cast<unsigned long>(one->d_ino), one->d_name);
    }
    ::closedir(names);
    ::close(to);
}

/// What is on the disk now, even if the power goes.
void remember(int file) {
    static const char* const shadow = std::getenv("TOFSCOPE_FAULT_SHADOW");
    struct stat found {};
    if (shadow != nullptr && isInside(file) && ::fstat(file, &found) == 0) {
        S_ISDIR(found.st_mode) ? listTo(shadow, file, found.st_ino) : copyTo(shadow, file, found.st_ino);
    }
}

/// A new file may have the inode of one that is gone.
void forget(int file) {
    static const char* const shadow = std::getenv("TOFSCOPE_FAULT_SHADOW");
    struct stat found {};
    if (shadow != nullptr && file >= 0 && ::fstat(file, &found) == 0 && found.st_size == 0) {
        std::array<char, 4096> path{};
        (void)std::snprintf(path.data(), path.size(), "%s/%lu", shadow,
                            static_cast<unsigned long>(found.st_ino));
        real<int (*)(const char*)>("unlink")(path.data());
    }
}

/// The call itself, unless it is the one that fails.
template <class F, class Place, class... Arguments>
auto attempt(const char* name, Place place, Arguments... arguments) -> decltype(real<F>(name)(arguments...)) {
    if (isInside(place) && fails()) {
        return -1;
    }
    return real<F>(name)(arguments...);
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    if (changes(flags) && isInside(path) && fails()) {
        return -1;
    }
    const int file = real<int (*)(const char*, int, ...)>("open")(path, flags, mode);
    if ((flags & (O_CREAT | O_TRUNC)) != 0 && isInside(path)) {
        forget(file);
    }
    return file;
}
int open64(const char* path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open(path, flags, mode);
}
ssize_t write(int file, const void* data, size_t size) {
    return attempt<ssize_t (*)(int, const void*, size_t)>("write", file, file, data, size);
}
ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
    return attempt<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite", file, file, data, size, at);
}
ssize_t pwrite64(int file, const void* data, size_t size, off_t at) {
    return pwrite(file, data, size, at);
}
ssize_t writev(int file, const iovec* parts, int count) {
    return attempt<ssize_t (*)(int, const iovec*, int)>("writev", file, file, parts, count);
}
int remove(const char* path) {
    return attempt<int (*)(const char*)>("remove", path, path);
}
int fsync(int file) {
    const int done = attempt<int (*)(int)>("fsync", file, file);
    if (done == 0) {
        remember(file);
    }
    return done;
}
int ftruncate(int file, off_t size) {
    return attempt<int (*)(int, off_t)>("ftruncate", file, file, size);
}
int rename(const char* from, const char* to) {
    return attempt<int (*)(const char*, const char*)>("rename", to, from, to);
}
int link(const char* from, const char* to) {
    return attempt<int (*)(const char*, const char*)>("link", to, from, to);
}
int unlink(const char* path) {
    return attempt<int (*)(const char*)>("unlink", path, path);
}
int mkdir(const char* path, mode_t mode) {
    return attempt<int (*)(const char*, mode_t)>("mkdir", path, path, mode);
}
}
