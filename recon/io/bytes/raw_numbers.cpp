// SPDX-License-Identifier: Apache-2.0
#include "recon/io/bytes/raw_numbers.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "recon/base/error.h"
#include "recon/base/memory.h"

namespace tof {

namespace {

constexpr std::uint64_t kDeflateRatio = 1032;  // the most that deflate can shrink

gzFile gz(void* file) {
    return static_cast<gzFile>(file);
}

void requireWritten(bool good, const std::string& path) {
    if (!good) {
        throw CannotWrite("{}: cannot be written ({}); check the folder, its permissions and the space left",
                          path, std::strerror(errno));
    }
}

void writeBytes(const std::string& temporary, const Destination& to, std::span<const std::byte> bytes) {
    constexpr std::size_t kPiece = std::size_t{1} << 24U;
    const auto close = [](std::FILE* file) { static_cast<void>(std::fclose(file)); };
    std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(temporary.c_str(), "wb"), close);
    requireWritten(file != nullptr, to.path);
    for (std::size_t done = 0; done < bytes.size(); done += kPiece) {
        to.ask();
        const auto piece = bytes.subspan(done, std::min(kPiece, bytes.size() - done));
        requireWritten(std::fwrite(piece.data(), 1, piece.size(), file.get()) == piece.size(), to.path);
    }
    requireWritten(std::fclose(file.release()) == 0, to.path);
}

/// Calls visit with a zero of the type in memory.
template <class Visit>
auto withType(NumberType type, const Visit& visit) {
    switch (type) {
        case NumberType::Int8: return visit(std::int8_t{});
        case NumberType::UInt8: return visit(std::uint8_t{});
        case NumberType::Int16: return visit(std::int16_t{});
        case NumberType::UInt16: return visit(std::uint16_t{});
        case NumberType::Int32: return visit(std::int32_t{});
        case NumberType::UInt32: return visit(std::uint32_t{});
        case NumberType::Int64: return visit(std::int64_t{});
        case NumberType::UInt64: return visit(std::uint64_t{});
        case NumberType::Float32: return visit(float{});
        case NumberType::Float64: return visit(double{});
    }
    throw InternalError("unknown number type");
}

}  // namespace

std::size_t numberBytes(NumberType type) {
    return withType(type, []<class T>(T /*zero*/) { return sizeof(T); });
}

void decodeNumbers(const std::byte* bytes, NumberType type, ByteOrder order, double slope, double intercept,
                   std::span<float> out) {
    withType(type, [&]<class T>(T /*zero*/) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            const T stored = decodeOne<T>(bytes + i * sizeof(T), order);
            out[i] = static_cast<float>(static_cast<double>(stored) * slope + intercept);
        }
    });
}

double shortestDecimal(float value) {
    return std::strtod(fmt::format("{}", value).c_str(), nullptr);
}

void requireMemory(const std::string& path, std::uint64_t bytes) {
    const std::uint64_t memory = availableBytes();
    if (bytes > memory) {
        throw BadInput(
            "{}: needs {} MiB, more than the {} MiB of memory that are free (of the machine, or of the limit "
            "that is set for this program); use a larger machine, close other programs or crop the data",
            path, bytes >> 20U, memory >> 20U);
    }
}

void writeTextFile(const std::string& temporary, const std::string& path, const std::string& text) {
    writeBytes(temporary, path, std::as_bytes(std::span(text)));
}

void writeNumbers(const std::string& temporary, const Destination& to, const std::vector<float>& values) {
    static_assert(std::endian::native == std::endian::little, "add a byte swap for this machine");
    writeBytes(temporary, to, std::as_bytes(std::span(values)));
}

ByteReader::ByteReader(const std::string& path, std::function<void()> heed)
    : path_(path), heed_(std::move(heed)) {
    std::error_code fault;
    const std::uint64_t size =
        std::filesystem::is_directory(path, fault) ? 0 : std::filesystem::file_size(path, fault);
    file_ = fault ? nullptr : gzopen(path.c_str(), "rb");
    if (file_ == nullptr) {
        throw BadInput("{}: cannot be opened ({}); check the name and the permission to read it", path,
                       fault ? fault.message() : "no access");
    }
    gzbuffer(gz(file_), 1U << 17U);
    most_ = gzdirect(gz(file_)) != 0 ? size : size * kDeflateRatio;
}

ByteReader::~ByteReader() {
    gzclose(gz(file_));
}

std::size_t ByteReader::readSome(std::byte* out, std::size_t count) {
    constexpr std::size_t kPiece = 1U << 22U;  // unpacked in some hundredths of a second
    std::size_t done = 0;
    while (done < count) {
        if (heed_) {
            heed_();
        }
        const auto piece = static_cast<unsigned>(std::min(count - done, kPiece));
        const int got = gzread(gz(file_), out + done, piece);
        if (got < 0) {
            int code = 0;
            throw BadInput("{}: its compressed data are damaged ({}); copy or make it again", path_,
                           gzerror(gz(file_), &code));
        }
        if (got == 0) {
            break;
        }
        done += static_cast<std::size_t>(got);
    }
    return done;
}

void ByteReader::read(std::byte* out, std::size_t count, const std::string& what) {
    const std::size_t got = readSome(out, count);
    if (got != count) {
        throw BadInput("{}: truncated, {} of the {} bytes of {} are there; copy or make it again", path_, got,
                       count, what);
    }
}

void ByteReader::skip(std::uint64_t count, const std::string& what) {
    if (count > most_) {
        throw BadInput("{}: {} claims {} bytes, more than the file holds; copy or make it again", path_, what,
                       count);
    }
    std::array<std::byte, 4096> buffer{};
    for (; count > 0; count -= std::min<std::uint64_t>(count, buffer.size())) {
        read(buffer.data(), std::min<std::uint64_t>(count, buffer.size()), what);
    }
}

std::vector<float> ByteReader::numbers(std::uint64_t count, NumberType type, ByteOrder order, double slope,
                                       double intercept) {
    constexpr std::uint64_t kPiece = 1U << 18U;
    const std::size_t bytes = numberBytes(type);
    if (count > most_ / bytes) {
        throw BadInput(
            "{}: {} values of {} bytes are announced, more than the file holds; correct the sizes or copy "
            "the file again",
            path_, count, bytes);
    }
    requireMemory(path_, count * sizeof(float));
    std::vector<float> values(count);
    std::vector<std::byte> buffer(std::min(count, kPiece) * bytes);
    for (std::uint64_t first = 0; first < count; first += kPiece) {
        const std::size_t piece = std::min(kPiece, count - first);
        read(buffer.data(), piece * bytes, "the values");
        decodeNumbers(buffer.data(), type, order, slope, intercept, {values.data() + first, piece});
    }
    return values;
}

bool ByteReader::goesOn() {
    std::byte one{};
    return readSome(&one, 1) == 1;
}

std::string moreBytesNote(ByteReader& file, const std::string& path) {
    return file.goesOn() ? path + ": holds more values than its header announces; those behind are left out"
                         : "";
}

}  // namespace tof
