// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dicom_depth.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "recon/base/error.h"
#include "recon/base/memory.h"

namespace tof {

namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::uint32_t kUndefined = 0xFFFFFFFFU;
constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

/// The bytes of a data set, one after the other.
class ByteSource {
  public:
    virtual ~ByteSource() = default;
    /// False at the end.
    [[nodiscard]] virtual bool read(unsigned char* out, std::size_t count) = 0;
    [[nodiscard]] virtual bool skip(std::uint64_t count) = 0;
};

class PlainBytes : public ByteSource {
  public:
    explicit PlainBytes(std::ifstream& file) : file_(file) {}
    [[nodiscard]] bool read(unsigned char* out, std::size_t count) override {
        return static_cast<bool>(
            file_.read(reinterpret_cast<char*>(out), static_cast<std::streamsize>(count)));
    }
    [[nodiscard]] bool skip(std::uint64_t count) override {
        return static_cast<bool>(file_.seekg(static_cast<std::streamoff>(count), std::ios::cur));
    }

  private:
    std::ifstream& file_;
};

/// Bytes that are packed in the file; nothing of them is kept.
class DeflatedBytes : public ByteSource {
  public:
    /// Ends where they become more than `most`.
    DeflatedBytes(std::ifstream& file, std::uint64_t most) : file_(file), most_(most) {
        good_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK;
    }
    ~DeflatedBytes() override { inflateEnd(&stream_); }
    DeflatedBytes(const DeflatedBytes&) = delete;
    DeflatedBytes& operator=(const DeflatedBytes&) = delete;

    [[nodiscard]] bool read(unsigned char* out, std::size_t count) override {
        stream_.next_out = out;
        stream_.avail_out = static_cast<unsigned>(count);
        while (good_ && stream_.avail_out > 0) {
            if (stream_.avail_in == 0) {
                file_.read(reinterpret_cast<char*>(packed_.data()),
                           static_cast<std::streamsize>(packed_.size()));
                stream_.next_in = packed_.data();
                stream_.avail_in = static_cast<unsigned>(file_.gcount());
            }
            const unsigned before = stream_.avail_in + stream_.avail_out;
            good_ = inflate(&stream_, Z_NO_FLUSH) == Z_OK && stream_.avail_in + stream_.avail_out != before;
        }
        total_ += count - stream_.avail_out;
        good_ = good_ && total_ <= most_;
        return stream_.avail_out == 0;
    }
    [[nodiscard]] bool skip(std::uint64_t count) override {
        std::array<unsigned char, 1U << 14U> dropped{};
        while (count > 0) {
            const std::size_t piece = std::min<std::uint64_t>(count, dropped.size());
            if (!read(dropped.data(), piece)) {
                return false;
            }
            count -= piece;
        }
        return true;
    }
    [[nodiscard]] bool areTooMany() const { return total_ > most_; }

  private:
    std::ifstream& file_;
    std::uint64_t most_;
    z_stream stream_{};
    std::array<unsigned char, 1U << 14U> packed_{};
    std::uint64_t total_ = 0;
    bool good_ = false;
};

struct Encoding {
    bool explicitKinds = true;
    bool bigEndian = false;
    bool deflated = false;
};

struct Element {
    std::uint32_t tag = 0;
    std::string kind;  ///< "SQ"; empty where the file does not say
    std::uint32_t length = 0;
};

/// Goes through the elements of a data set with a stack of its own.
class DicomWalk {
  public:
    DicomWalk(ByteSource& bytes, Encoding encoding) : bytes_(bytes), encoding_(encoding) {}

    /// False where sequences lie too deep. Ends where the bytes do, or make no sense.
    [[nodiscard]] bool staysShallow() {
        Element element;
        while (next(element)) {
            if (!enter(element)) {
                break;
            }
            if (ends_.size() > 2 * kDeepest) {  // each sequence has an item
                return false;
            }
        }
        return true;
    }

    /// The next element's tag, kind and length.
    [[nodiscard]] bool next(Element& element) {
        while (!ends_.empty() && at_ >= ends_.back()) {
            ends_.pop_back();
        }
        std::array<unsigned char, 4> bytes{};
        if (!take(bytes.data(), 4)) {
            return false;
        }
        element.tag = (number(bytes.data(), 2) << 16U) | number(bytes.data() + 2, 2);
        element.kind.clear();
        if (!encoding_.explicitKinds || (element.tag >> 16U) == 0xFFFEU) {
            return takeLength(element, 4);
        }
        if (!take(bytes.data(), 2)) {
            return false;
        }
        element.kind.assign(bytes.begin(), bytes.begin() + 2);
        return hasLongLength(element.kind) ? take(bytes.data(), 2) && takeLength(element, 4)
                                           : takeLength(element, 2);
    }

    [[nodiscard]] bool take(unsigned char* out, std::size_t count) {
        at_ += count;
        return bytes_.read(out, count);
    }

  private:
    /// Goes on behind the element, or into what it holds.
    [[nodiscard]] bool enter(const Element& element) {
        constexpr std::uint32_t kItem = 0xFFFEE000U;
        constexpr std::uint32_t kPixels = 0x7FE00010U;
        if (element.tag == kItem || element.kind == "SQ" || element.length == kUndefined) {
            if (fragments_ && element.tag == kItem) {
                return pass(element.length);
            }
            fragments_ = element.tag == kPixels;
            ends_.push_back(element.length == kUndefined ? kNoEnd : at_ + element.length);
            return true;
        }
        if ((element.tag >> 16U) == 0xFFFEU) {  // the end of an item or a sequence
            fragments_ = false;
            if (!ends_.empty()) {
                ends_.pop_back();
            }
            return true;
        }
        // Where the file does not say the kind, a sequence is known by its first item.
        if ((element.kind.empty() || element.kind == "UN") && element.length >= 8) {
            std::array<unsigned char, 8> start{};
            if (!take(start.data(), start.size())) {
                return false;
            }
            const std::uint32_t tag = (number(start.data(), 2) << 16U) | number(start.data() + 2, 2);
            if (tag != kItem) {
                return pass(element.length - 8);
            }
            ends_.push_back(at_ - 8 + element.length);
            const std::uint32_t length = number(start.data() + 4, 4);
            ends_.push_back(length == kUndefined ? kNoEnd : at_ + length);
            return true;
        }
        return pass(element.length);
    }

    [[nodiscard]] bool pass(std::uint64_t count) {
        at_ += count;
        return bytes_.skip(count);
    }

    [[nodiscard]] std::uint32_t number(const unsigned char* bytes, std::size_t count) const {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < count; ++i) {
            value = (value << 8U) | bytes[encoding_.bigEndian ? i : count - 1 - i];
        }
        return value;
    }

    [[nodiscard]] bool takeLength(Element& element, std::size_t count) {
        std::array<unsigned char, 4> bytes{};
        const bool good = take(bytes.data(), count);
        element.length = number(bytes.data(), count);
        return good;
    }

    static bool hasLongLength(std::string_view kind) {
        static constexpr std::array<std::string_view, 21> kShort{"AE", "AS", "AT", "CS", "DA", "DS", "DT",
                                                                 "FL", "FD", "IS", "LO", "LT", "PN", "SH",
                                                                 "SL", "SS", "ST", "TM", "UI", "UL", "US"};
        return std::find(kShort.begin(), kShort.end(), kind) == kShort.end() && kind.size() == 2 &&
               std::isupper(static_cast<unsigned char>(kind[0])) != 0 &&
               std::isupper(static_cast<unsigned char>(kind[1])) != 0;
    }

    ByteSource& bytes_;
    Encoding encoding_;
    std::uint64_t at_ = 0;
    std::vector<std::uint64_t> ends_;
    bool fragments_ = false;
};

/// Reads the group before the data set, which says how that is written; nothing is thrown of what is odd.
Encoding encodingOf(std::ifstream& file) {
    constexpr std::streamoff kFirst = 132;
    constexpr std::uint32_t kTransferSyntax = 0x00020010U;
    constexpr std::uint32_t kLongest = 1024;
    std::string syntax;
    std::streamoff dataSet = kFirst;
    for (file.seekg(kFirst);; dataSet = file.tellg()) {
        PlainBytes bytes(file);
        DicomWalk walk(bytes, {});
        Element element;
        if (!walk.next(element) || (element.tag >> 16U) != 2) {
            break;
        }
        if (element.tag == kTransferSyntax && element.length <= kLongest) {
            std::vector<unsigned char> text(element.length);
            if (!walk.take(text.data(), text.size())) {
                break;
            }
            syntax.assign(text.begin(), text.end());
            syntax.erase(std::min(syntax.find_first_of(std::string_view("\0 ", 2)), syntax.size()));
        } else if (!bytes.skip(element.length)) {
            break;
        }
    }
    file.clear();
    file.seekg(dataSet);
    return {syntax != "1.2.840.10008.1.2", syntax == "1.2.840.10008.1.2.2",
            syntax == "1.2.840.10008.1.2.1.99"};
}

}  // namespace

void requireReasonableDicom(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const Encoding encoding = encodingOf(file);
    bool shallow = true;
    if (encoding.deflated) {
        constexpr std::uint64_t kCopies = 3;  // the bytes, the pixels, the values
        const std::uint64_t most = availableBytes() / kCopies;
        DeflatedBytes bytes(file, most);
        shallow = DicomWalk(bytes, encoding).staysShallow();
        // What follows a fault is unpacked by the library all the same.
        static_cast<void>(bytes.skip(std::numeric_limits<std::uint64_t>::max()));
        if (bytes.areTooMany()) {
            throw BadInput(
                "{}: unpacks to more than {} MiB, a third of the memory that is free; use a larger machine",
                path, most >> 20U);
        }
    } else {
        PlainBytes bytes(file);
        shallow = DicomWalk(bytes, encoding).staysShallow();
    }
    if (!shallow) {
        throw BadInput("{}: has sequences more than {} deep in each other; export the series again", path,
                       kDeepest);
    }
}

}  // namespace tof
