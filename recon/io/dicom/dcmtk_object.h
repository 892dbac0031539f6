// SPDX-License-Identifier: Apache-2.0
// A DICOM file through DCMTK. Internal to the sources of recon/io/dicom that are DCMTK's.
#pragma once

#include <dcmtk/config/osconfig.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmdata/dcuid.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/bytes/text_header.h"
#include "recon/io/dicom/dcmtk_library.h"
#include "recon/io/dicom/dicom_depth.h"

namespace tof {

/// A file of DICOM with its faults told by name.
class DicomObject {
  public:
    explicit DicomObject(std::string path) : path_(std::move(path)) {
        if (!readyDcmtk().empty()) {
            throw BadInput("{}: is DICOM, but {}", path_, readyDcmtk());
        }
        requireReasonableDicom(path_);
        constexpr Uint32 kLeaveInFile = 4096;  // longer elements are read when they are asked for
        errno = 0;
        const OFCondition read =
            file_.loadFile(path_.c_str(), EXS_Unknown, EGL_noChange, kLeaveInFile, ERM_fileOnly);
        if (read.bad() && errno == ENOMEM) {
            throw std::bad_alloc();
        }
        if (read.bad()) {
            throw BadInput("{}: cannot be read as DICOM ({}); copy it again", path_, read.text());
        }
    }

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] DcmDataset& dataset() { return *file_.getDataset(); }
    /// Whether the pixels lie in fragments, packed by some syntax.
    [[nodiscard]] bool hasFragments() {
        const DcmXfer syntax(dataset().getOriginalXfer());
#if PACKAGE_VERSION_NUMBER >= 369
        return syntax.usesEncapsulatedFormat();
#else
        return syntax.isEncapsulated();
#endif
    }

    [[noreturn]] void fail(const char* name, const std::string& what) const {
        throw BadInput("{}: attribute '{}' {}", path_, name, what);
    }

    /// Also of elements that came without their type (UN), which DCMTK would give as numbers of bytes.
    [[nodiscard]] static std::string text(DcmItem& item, const DcmTagKey& key) {
        DcmElement* element = nullptr;
        if (item.findAndGetElement(key, element).good() && element != nullptr && element->ident() == EVR_UN) {
            Uint8* bytes = nullptr;
            const bool held = element->getUint8Array(bytes).good() && bytes != nullptr;
            const std::string raw(held ? reinterpret_cast<const char*>(bytes) : "",
                                  held ? element->getLength() : 0);
            return trimmed(raw.substr(0, raw.find('\0')));
        }
        OFString value;
        return item.findAndGetOFStringArray(key, value).good() ? trimmed(value.c_str()) : std::string();
    }
    [[nodiscard]] std::string text(const DcmTagKey& key) {
        return text(dataset(), key);
    }

    /// A date and time as seconds since 1970 on the clock of dates and times without a zone: that is Timezone
    /// Offset From UTC, else the zone of the first one asked for that has one.
    [[nodiscard]] std::optional<double> moment(const std::string& dateAndTime);

    /// The numbers of a decimal string; empty where the attribute is missing or empty.
    [[nodiscard]] std::vector<double> numbers(DcmItem& item, const DcmTagKey& key, const char* name) const {
        std::vector<double> values;
        const std::string all = text(item, key);
        for (std::size_t at = 0; at < all.size();) {
            const std::size_t end = std::min(all.find('\\', at), all.size());
            const std::optional<double> value = parseNumber(all.substr(at, end - at));
            if (!value || !std::isfinite(*value)) {
                fail(name, fmt::format("is '{}', not a number; correct it", all.substr(at, 40)));
            }
            values.push_back(*value);
            at = end + 1;
        }
        return values;
    }
    [[nodiscard]] double number(const DcmTagKey& key, const char* name, double fallback) {
        const std::vector<double> values = numbers(dataset(), key, name);
        return values.empty() ? fallback : values.front();
    }
    template <std::size_t N>
    [[nodiscard]] std::array<double, N> needed(DcmItem& item, const DcmTagKey& key, const char* name) const {
        const std::vector<double> values = numbers(item, key, name);
        if (values.size() != N) {
            fail(name, values.empty() ? std::string("is missing; export the series again")
                                      : fmt::format("has {} numbers, not {}; correct it", values.size(), N));
        }
        std::array<double, N> result{};
        std::copy(values.begin(), values.end(), result.begin());
        return result;
    }
    template <std::size_t N>
    [[nodiscard]] std::array<double, N> needed(const DcmTagKey& key, const char* name) {
        return needed<N>(dataset(), key, name);
    }
    [[nodiscard]] int whole(const DcmTagKey& key, const char* name, std::optional<int> fallback = {}) {
        Uint16 value = 0;
        if (dataset().findAndGetUint16(key, value).bad()) {
            if (!fallback) {
                fail(name, "is missing; export the series again");
            }
            return *fallback;
        }
        return value;
    }

  private:
    std::string path_;
    DcmFileFormat file_;
    std::optional<double> zone_s_{};  ///< ahead of UTC
};

/// Seconds since 1970 of a date "20261122" and a time "093015.25".
[[nodiscard]] std::optional<double> dicomMoment(const std::string& date, const std::string& time);
/// Seconds since 1970 of a date and time, "20261122093015.25", in whatever zone stands behind it.
[[nodiscard]] std::optional<double> dicomMoment(const std::string& dateAndTime);

}  // namespace tof
