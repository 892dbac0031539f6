// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/siemens_raw.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/bytes/random_file.h"
#include "recon/io/bytes/raw_numbers.h"

namespace tof {

namespace {

constexpr std::uint64_t kMostDicom = std::uint64_t{1} << 20U;
constexpr std::size_t kPreamble = 128;
constexpr std::string_view kHeaderStart = "!INTERFILE";

bool isPtd(const std::string& path) {
    return path.ends_with(".ptd") || path.ends_with(".PTD");
}

/// Interfile of the element that begins with it; its length stands in the 4 bytes before.
std::optional<std::string> headerIn(const std::string& dicom) {
    const std::size_t at = dicom.find(kHeaderStart);
    if (at == std::string::npos || at < sizeof(std::uint32_t)) {
        return {};
    }
    const auto length = decodeOne<std::uint32_t>(
        reinterpret_cast<const std::byte*>(dicom.data()) + at - sizeof(std::uint32_t), ByteOrder::Little);
    const std::string text = dicom.substr(at, length);
    return text.substr(0, text.find('\0'));  // padding
}

bool beginsDicom(std::string_view bytes) {
    return bytes.size() > kPreamble && bytes.substr(kPreamble).starts_with("DICM");
}

std::string bytesOf(const RandomFile& file, std::uint64_t from, std::uint64_t count) {
    std::string bytes(std::min(count, file.size() - from), '\0');
    file.read(from, std::as_writable_bytes(std::span(bytes)), "DICOM");
    return bytes;
}

SiemensRaw behindData(const RandomFile& file) {
    const std::uint64_t from = file.size() - std::min(file.size(), kMostDicom);
    const std::string tail = bytesOf(file, from, kMostDicom);
    const std::size_t at = tail.find(std::string(kPreamble, '\0') + "DICM");
    const auto header = at == std::string::npos ? std::nullopt : headerIn(tail.substr(at));
    if (!header) {
        throw BadInput(
            "{}: ends without the DICOM part whose element (0029,1010) says what its words are; export it "
            "again",
            file.path());
    }
    return {*header, file.path(), from + at};
}

}  // namespace

bool isSiemensRaw(const FileStart& start) {
    return !start.isFolder && (isPtd(start.path) || (beginsDicom(start.bytes) &&
                                                     start.bytes.find(kHeaderStart) != std::string::npos));
}

std::optional<SiemensRaw> readSiemensRaw(const std::string& path) {
    const bool behind = isPtd(path);
    if (!behind && !path.ends_with(".dcm") && !path.ends_with(".DCM")) {
        return {};
    }
    const RandomFile file(path);
    if (behind) {
        return behindData(file);
    }
    const std::string start = bytesOf(file, 0, kMostDicom);
    const auto header = beginsDicom(start) ? headerIn(start) : std::nullopt;
    if (!header) {
        return {};
    }
    namespace fs = std::filesystem;
    for (const char* extension : {".bf", ".BF"}) {
        std::error_code fault;
        const fs::path data = fs::path(path).replace_extension(extension);
        if (const auto bytes = fs::file_size(data, fault); !fault) {
            return SiemensRaw{*header, data.string(), bytes};
        }
    }
    throw BadInput("{}: holds the header of raw data of Siemens, whose data in '{}' are missing; copy both",
                   path, fs::path(path).filename().replace_extension(".bf").string());
}

}  // namespace tof
