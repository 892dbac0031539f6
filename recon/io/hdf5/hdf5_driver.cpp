// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/hdf5_driver.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <new>

namespace tof::h5 {

namespace {

#ifdef H5FD_CLASS_VERSION
/// HDF5 leaves 256 to 511 to drivers that no file is bound to (H5FDdevelop.h).
constexpr H5FD_class_value_t kDriverNumber = 300;
#endif

/// So much is written before the system is told to bring it to the disk: the flush at the end, which nothing
/// ends before its time, has little left.
constexpr std::size_t kBytesAhead = std::size_t{32} << 20U;

struct File {
    H5FD_t base{};  // first, so that the library's pointer is ours
    int descriptor = -1;
    haddr_t end = 0;        // as allocated by the library
    haddr_t written = 0;    // as far as the file reaches
    std::size_t ahead = 0;  // bytes since the system was told
    int* fault = nullptr;
};

File* own(H5FD_t* file) {
    return reinterpret_cast<File*>(file);
}
const File* own(const H5FD_t* file) {
    return reinterpret_cast<const File*>(file);
}

/// Has the system begin to bring to the disk what has been written; no failure, the flush will tell.
void beginFlush(File* file, std::size_t bytes) {
    file->ahead += bytes;
    if (file->ahead >= kBytesAhead) {
        static_cast<void>(::sync_file_range(file->descriptor, 0, 0, SYNC_FILE_RANGE_WRITE));
        file->ahead = 0;
    }
}

void keepFault(const File* file) {
    if (*file->fault == 0) {
        *file->fault = errno;
    }
}

H5FD_t* openFile(const char* name, unsigned /*flags*/, hid_t access, haddr_t /*limit*/) {
    int* const* const fault = static_cast<int* const*>(H5Pget_driver_info(access));
    auto* file = fault != nullptr ? new (std::nothrow) File : nullptr;
    if (file == nullptr) {
        return nullptr;
    }
    file->fault = *fault;
    file->descriptor = ::open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file->descriptor < 0) {
        keepFault(file);
        delete file;
        return nullptr;
    }
    return &file->base;
}

herr_t closeFile(H5FD_t* base) {
    File* file = own(base);
    if (::close(file->descriptor) != 0) {
        keepFault(file);
    }
    delete file;
    return 0;
}

herr_t query(const H5FD_t* /*base*/, unsigned long* flags) {
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

haddr_t endOfAllocation(const H5FD_t* base, H5FD_mem_t /*type*/) {
    return own(base)->end;
}

herr_t setEndOfAllocation(H5FD_t* base, H5FD_mem_t /*type*/, haddr_t end) {
    own(base)->end = end;
    return 0;
}

haddr_t endOfFile(const H5FD_t* base, H5FD_mem_t /*type*/) {
    return own(base)->written;
}

herr_t readBytes(H5FD_t* base, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t at, std::size_t size,
                 void* buffer) {
    auto* out = static_cast<char*>(buffer);
    while (size > 0) {
        const ssize_t got = ::pread(own(base)->descriptor, out, size, static_cast<off_t>(at));
        if (got <= 0) {
            if (got < 0 && errno == EINTR) {
                continue;
            }
            std::memset(out, 0, size);  // beyond the end, or lost to a fault that is known already
            return 0;
        }
        out += got;
        at += static_cast<haddr_t>(got);
        size -= static_cast<std::size_t>(got);
    }
    return 0;
}

herr_t writeBytes(H5FD_t* base, H5FD_mem_t /*type*/, hid_t /*transfer*/, haddr_t at, std::size_t size,
                  const void* buffer) {
    File* file = own(base);
    const auto* from = static_cast<const char*>(buffer);
    while (size > 0 && *file->fault == 0) {
        const ssize_t done = ::pwrite(file->descriptor, from, size, static_cast<off_t>(at));
        if (done < 0) {
            if (errno != EINTR) {
                keepFault(file);
            }
            continue;
        }
        from += done;
        at += static_cast<haddr_t>(done);
        size -= static_cast<std::size_t>(done);
        beginFlush(file, static_cast<std::size_t>(done));
    }
    file->written = at + size > file->written ? at + size : file->written;
    return 0;
}

herr_t truncateFile(H5FD_t* base, hid_t /*transfer*/, hbool_t /*closing*/) {
    File* file = own(base);
    if (file->end != file->written && *file->fault == 0) {
        if (::ftruncate(file->descriptor, static_cast<off_t>(file->end)) != 0) {
            keepFault(file);
        }
    }
    file->written = file->end;
    return 0;
}

}  // namespace

hid_t useFaultKeepingDriver(hid_t access, int* fault) {
    H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION  // since HDF5 1.13
    driver.version = H5FD_CLASS_VERSION;
    driver.value = kDriverNumber;
#endif
    driver.name = "fault keeping";
    driver.maxaddr = static_cast<haddr_t>(std::numeric_limits<off_t>::max());
    driver.fc_degree = H5F_CLOSE_STRONG;
    driver.fapl_size = sizeof(fault);
    driver.open = openFile;
    driver.close = closeFile;
    driver.query = query;
    driver.get_eoa = endOfAllocation;
    driver.set_eoa = setEndOfAllocation;
    driver.get_eof = endOfFile;
    driver.read = readBytes;
    driver.write = writeBytes;
    driver.truncate = truncateFile;
    const hid_t id = H5FDregister(&driver);
    if (id >= 0) {
        H5Pset_driver(access, id, static_cast<const void*>(&fault));
    }
    return id;
}

}  // namespace tof::h5
