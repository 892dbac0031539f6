// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/record_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <system_error>

#include "recon/base/error.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/bytes/positioned.h"
#include "recon/io/bytes/random_file.h"

namespace tof {

namespace {

constexpr std::uint64_t kMark = 0x31304352464f54ULL;  // "TOFRC01"

/// What stands before a record: a mark, bytes of text and of numbers, and the hash of both.
using Head = std::array<std::uint64_t, 4>;
constexpr std::uint64_t kHeadBytes = sizeof(Head);

RecordView viewOf(const Record& record) {
    return {record.text, record.values};
}

std::uint64_t hashOf(const RecordView& record) {
    return XXH3_64bits_withSeed(record.values.data(), record.values.size_bytes(),
                                XXH3_64bits(record.text.data(), record.text.size()));
}

template <class T>
std::span<std::byte> bytesOf(T& values) {
    return std::as_writable_bytes(std::span(values));
}

/// The record at a place; nothing where there is none that is whole.
std::optional<Record> recordAt(const RandomFile& file, std::uint64_t at) {
    if (at > file.size() || file.size() - at < kHeadBytes) {
        return std::nullopt;
    }
    Head head{};
    file.read(at, bytesOf(head), "a record");
    const auto [mark, textBytes, valueBytes, hash] = head;
    const std::uint64_t left = file.size() - at - kHeadBytes;
    if (mark != kMark || textBytes > left || valueBytes > left - textBytes ||
        valueBytes % sizeof(float) != 0) {
        return std::nullopt;
    }
    Record record{std::string(textBytes, '\0'), std::vector<float>(valueBytes / sizeof(float))};
    file.read(at + kHeadBytes, bytesOf(record.text), "a record");
    file.read(at + kHeadBytes + textBytes, bytesOf(record.values), "a record");
    return hashOf(viewOf(record)) == hash ? std::optional(std::move(record)) : std::nullopt;
}

/// Bytes before the numbers.
std::uint64_t headBytes(const RecordView& record) {
    return kHeadBytes + record.text.size();
}

std::uint64_t sizeOf(const RecordView& record) {
    return headBytes(record) + record.values.size_bytes();
}

/// A plain file that has no second name, under which it were somebody else's.
bool isOwn(const struct stat& found) {
    return S_ISREG(found.st_mode) && found.st_nlink == 1;
}

/// A file that is written to behind `end`; every failure throws CannotWrite.
class Growing {
  public:
    Growing(const std::string& path, std::uint64_t end)
        : path_(path),
          descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666)) {
        struct stat found {};
        require(descriptor_ >= 0);
        if (::fstat(descriptor_, &found) != 0 || !isOwn(found)) {
            ::close(descriptor_);
            throw CannotWrite("{}: is no plain file with one name; remove it", path_);
        }
        if (end == 0) {
            flushFolderOf(path_);
        }
        require(::ftruncate(descriptor_, static_cast<off_t>(end)) == 0);
    }
    ~Growing() { ::close(descriptor_); }
    Growing(const Growing&) = delete;
    Growing& operator=(const Growing&) = delete;

    void write(std::uint64_t at, const void* data, std::size_t bytes) {
        errno = writeWhole(descriptor_, at, {static_cast<const std::byte*>(data), bytes});
        require(errno == 0);
    }
    void writeHead(std::uint64_t at, const RecordView& record) {
        const Head head{kMark, record.text.size(), record.values.size_bytes(), hashOf(record)};
        write(at, head.data(), kHeadBytes);
        write(at + kHeadBytes, record.text.data(), record.text.size());
    }
    void sync() { require(::fsync(descriptor_) == 0); }

  private:
    void require(bool well) const {
        if (!well) {
            throw CannotWrite("{}: {}; check the folder, its permissions and the space left", path_,
                              std::generic_category().message(errno));
        }
    }

    const std::string& path_;
    int descriptor_;
};

}  // namespace

std::uint64_t RecordFile::each(const std::function<bool(std::uint64_t, const Record&)>& take) const {
    struct stat found {};
    if (::lstat(path_.c_str(), &found) != 0 || !isOwn(found)) {
        return 0;
    }
    const RandomFile file(path_);
    std::uint64_t at = 0;
    while (const std::optional<Record> record = recordAt(file, at)) {
        if (!take(at, *record)) {
            break;
        }
        at += sizeOf(viewOf(*record));
    }
    return at;
}

Record RecordFile::read(std::uint64_t at) const {
    std::optional<Record> record = recordAt(RandomFile(path_), at);
    if (!record) {
        throw BadInput("{}: has no whole record at {} any more; start the run anew", path_, at);
    }
    return std::move(*record);
}

std::uint64_t RecordFile::append(std::uint64_t end, std::span<const RecordView> records) const {
    Growing file(path_, end);
    for (const RecordView& record : records) {
        file.writeHead(end, record);
        file.write(end + headBytes(record), record.values.data(), record.values.size_bytes());
        end += sizeOf(record);
    }
    file.sync();
    return end;
}

std::uint64_t RecordFile::append(std::uint64_t end, const RecordView& record,
                                 const std::function<bool()>& wanted) const {
    constexpr std::size_t kBytesAtATime = std::size_t{4} << 20U;
    Growing file(path_, end);
    file.writeHead(end, record);
    const auto bytes = std::as_bytes(record.values);
    for (std::size_t at = 0; at < bytes.size(); at += kBytesAtATime) {
        if (!wanted()) {
            return end;
        }
        const auto some = bytes.subspan(at, std::min(kBytesAtATime, bytes.size() - at));
        file.write(end + headBytes(record) + at, some.data(), some.size());
    }
    file.sync();
    return end + sizeOf(record);
}

}  // namespace tof
