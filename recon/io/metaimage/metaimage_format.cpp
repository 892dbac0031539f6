// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <any>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/data/displacement_field.h"
#include "recon/io/bytes/named_file.h"
#include "recon/io/bytes/placement.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/bytes/text_header.h"
#include "recon/io/format/formats.h"
#include "recon/io/format/notes.h"

namespace tof {

namespace {

struct ElementType {
    std::string_view name;
    NumberType type;
};

constexpr std::array kElementTypes{
    ElementType{"MET_CHAR", NumberType::Int8},       ElementType{"MET_UCHAR", NumberType::UInt8},
    ElementType{"MET_SHORT", NumberType::Int16},     ElementType{"MET_USHORT", NumberType::UInt16},
    ElementType{"MET_INT", NumberType::Int32},       ElementType{"MET_UINT", NumberType::UInt32},
    ElementType{"MET_LONG", NumberType::Int32},      ElementType{"MET_ULONG", NumberType::UInt32},
    ElementType{"MET_LONG_LONG", NumberType::Int64}, ElementType{"MET_ULONG_LONG", NumberType::UInt64},
    ElementType{"MET_FLOAT", NumberType::Float32},   ElementType{"MET_DOUBLE", NumberType::Float64}};

/// The keys of a header, by which all but the data follow from.
class MetaHeader {
  public:
    /// `start`: the first bytes of the file. Throws BadInput for keys that stand twice.
    MetaHeader(std::string path, const std::string& start) : path_(std::move(path)) {
        constexpr std::size_t kLongest = std::size_t{1} << 16U;
        std::size_t at = 0;
        while (at < std::min(start.size(), kLongest)) {
            const std::size_t end = std::min(start.find('\n', at), start.size());
            const std::string line = start.substr(at, end - at);
            at = end + 1;
            const std::size_t mark = line.find('=');
            if (mark == std::string::npos) {
                continue;
            }
            const std::string key = trimmed(line.substr(0, mark));
            if (!values_.emplace(key, trimmed(line.substr(mark + 1))).second) {
                fail(key, "stands twice");
            }
            if (key == "ElementDataFile") {
                bytes_ = at;
                return;
            }
        }
        fail("ElementDataFile", "is missing");
    }

    [[noreturn]] void fail(const std::string& key, const std::string& fault) const {
        throw BadInput("{}: field '{}' of this MetaImage header {}; correct it", path_, key, fault);
    }
    [[nodiscard]] const std::string& path() const { return path_; }
    /// Length of the header.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// The value of the first of these keys that there is, else `fallback`.
    [[nodiscard]] std::string text(std::initializer_list<const char*> keys, const char* fallback) const {
        for (const char* const key : keys) {
            if (const auto found = values_.find(key); found != values_.end()) {
                return found->second;
            }
        }
        return fallback;
    }
    [[nodiscard]] std::vector<double> numbers(std::initializer_list<const char*> keys, std::size_t count,
                                              const char* fallback) const {
        std::istringstream words(text(keys, fallback));
        std::vector<double> result;
        for (std::string word; words >> word;) {
            result.push_back(parseNumber(word).value_or(std::nan("")));
        }
        const bool finite =
            std::all_of(result.begin(), result.end(), [](double n) { return std::isfinite(n); });
        if (result.size() != count || !finite) {
            fail(*keys.begin(), fmt::format("is not {} numbers", count));
        }
        return result;
    }
    [[nodiscard]] bool yes(std::initializer_list<const char*> keys) const {
        const std::string word = text(keys, "False");
        if (word != "True" && word != "False" && word != "1" && word != "0") {
            fail(*keys.begin(), "is neither True nor False");
        }
        return word == "True" || word == "1";
    }

  private:
    std::string path_;
    std::map<std::string, std::string> values_;
    std::size_t bytes_ = 0;
};

/// Where the grid lies: MetaImage's axes are those of DICOM, left-posterior-superior.
Placement metaPlacement(const MetaHeader& header) {
    if (header.numbers({"NDims"}, 1, "")[0] != 3) {
        header.fail("NDims", "is not 3; give one volume");
    }
    const std::vector<double> sizes = header.numbers({"DimSize"}, 3, "");
    const std::vector<double> spacing = header.numbers({"ElementSpacing", "ElementSize"}, 3, "");
    const std::vector<double> offset = header.numbers({"Offset", "Position", "Origin"}, 3, "0 0 0");
    const std::vector<double> turn =
        header.numbers({"TransformMatrix", "Rotation", "Orientation"}, 9, "1 0 0 0 1 0 0 0 1");
    StoredAffine stored;
    std::array<std::uint64_t, 3> size{};
    for (std::size_t index = 0; index < 3; ++index) {
        if (!(sizes[index] >= 1 && sizes[index] <= 65535 && sizes[index] == std::floor(sizes[index]))) {
            header.fail("DimSize", "is not three whole numbers from 1 to 65535");
        }
        if (!(spacing[index] > 0)) {
            header.fail("ElementSpacing", "is not above 0");
        }
        size[index] = static_cast<std::uint64_t>(sizes[index]);
        stored.offset[index] = offset[index];
        for (std::size_t axis = 0; axis < 3; ++axis) {  // the direction of an index stands together
            stored.matrix[axis][index] = spacing[index] * turn[3 * index + axis];
        }
    }
    return placementOf(header.path(), "fields 'TransformMatrix', 'ElementSpacing'", stored, size);
}

/// All values of the file, of which every voxel has `channels` side by side.
std::vector<float> metaValues(const MetaHeader& header, const Placement& placement, std::uint64_t channels,
                              const std::function<void()>& heed) {
    const std::string name = header.text({"ElementType"}, "");
    const auto* const type = std::find_if(kElementTypes.begin(), kElementTypes.end(),
                                          [&](const ElementType& one) { return one.name == name; });
    if (type == kElementTypes.end()) {
        header.fail("ElementType", fmt::format("is '{}', which is not read", name));
    }
    if (header.yes({"CompressedData"})) {
        header.fail("CompressedData", "is True, which is not read; write the image uncompressed");
    }
    if (header.numbers({"ElementNumberOfChannels"}, 1, "1")[0] != static_cast<double>(channels)) {
        header.fail("ElementNumberOfChannels", channels == 1 ? "is not 1; give one number a voxel"
                                                             : "is not 3; give three numbers a voxel");
    }
    const double slope = header.numbers({"ElementToIntensityFunctionSlope"}, 1, "1")[0];
    const double intercept = header.numbers({"ElementToIntensityFunctionOffset"}, 1, "0")[0];
    if (slope == 0) {
        header.fail("ElementToIntensityFunctionSlope", "is 0");
    }
    const std::string file = header.text({"ElementDataFile"}, "");
    if (file.empty() || file.starts_with("LIST") || file.find('%') != std::string::npos) {
        header.fail("ElementDataFile", "names several files; write the image into one");
    }
    const bool local = file == "LOCAL" || file == "Local" || file == "local";
    const std::string data = local ? header.path() : namedBeside(header.path(), file);
    const double skipped = header.numbers({"HeaderSize"}, 1, "0")[0];
    if (!(skipped >= 0 && skipped < 1e9 && skipped == std::floor(skipped))) {
        header.fail("HeaderSize", "is not a number of bytes");
    }
    const ByteOrder order =
        header.yes({"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}) ? ByteOrder::Big : ByteOrder::Little;
    ByteReader reader(data, heed);
    reader.skip((local ? header.bytes() : 0) + static_cast<std::uint64_t>(skipped), "the header");
    const std::uint64_t count = channels * static_cast<std::uint64_t>(placement.size[0]) *
                                static_cast<std::uint64_t>(placement.size[1]) *
                                static_cast<std::uint64_t>(placement.size[2]);
    std::vector<float> values = reader.numbers(count, type->type, order, slope, intercept);
    std::byte more{};
    if (reader.readSome(&more, 1) != 0) {
        throw BadInput("{}: holds more than the {} values that 'DimSize' announces; correct the header", data,
                       count);
    }
    return values;
}

class MetaImageFile : public FormatFile {
  public:
    explicit MetaImageFile(const FileStart& start) : header_(start.path, start.bytes), heed_(start.heed) {}

    [[nodiscard]] FileKind kind() const override { return FileKind::Volume; }
    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        requireOnlyVolume(header_.path(), options);
        const Placement placement = metaPlacement(header_);
        std::vector<float> values = finiteValues(placement, 1);
        VolumeReadResult read;
        read.volume.lattice = placement.lattice;
        read.volume.data = placed(std::move(values), placement);
        read.note = placement.note();
        if (header_.numbers({"ElementToIntensityFunctionSlope"}, 1, "1")[0] < 0) {
            read.note = joinedNotes(read.note, header_.path() +
                                                   ": field 'ElementToIntensityFunctionSlope' is below 0: "
                                                   "values are turned over");
        }
        if (header_.text({"Offset", "Position", "Origin"}, "").empty()) {
            read.note = joinedNotes(read.note, header_.path() +
                                                   ": has no Offset, so that its first voxel is put "
                                                   "at (0, 0, 0) mm");
        }
        return read;
    }

    /// A DisplacementField where every voxel has three numbers; ITK's vectors lie along the axes of space.
    [[nodiscard]] std::any otherData() const override {
        if (header_.numbers({"ElementNumberOfChannels"}, 1, "1")[0] != 3) {
            return {};
        }
        const Placement placement = metaPlacement(header_);
        const std::vector<float> values = finiteValues(placement, 3);
        DisplacementField field;
        field.lattice = placement.lattice;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::vector<float> one(values.size() / 3);
            for (std::size_t voxel = 0; voxel < one.size(); ++voxel) {
                one[voxel] = values[3 * voxel + axis];
            }
            field.mm[axis] = placed(std::move(one), placement);
        }
        return field;
    }

  private:
    [[nodiscard]] std::vector<float> finiteValues(const Placement& placement, std::uint64_t channels) const {
        std::vector<float> values = metaValues(header_, placement, channels, heed_);
        const auto finite = [](float value) { return std::isfinite(value); };
        if (!std::all_of(values.begin(), values.end(), finite)) {
            throw BadInput("{}: holds values that are no finite numbers; replace them", header_.path());
        }
        return values;
    }

    MetaHeader header_;
    std::function<void()> heed_;
};

bool isMetaImage(std::string_view start) {
    constexpr std::size_t kHead = 4096;
    return start.starts_with("ObjectType") || start.starts_with("NDims") ||
           (start.starts_with("Comment") &&
            start.substr(0, kHead).find("ElementDataFile") != std::string_view::npos);
}

}  // namespace

Format metaImageFormat() {
    return {.name = "MetaImage", .recognise = [](const FileStart& start) {
                return isMetaImage(start.bytes) ? std::make_unique<MetaImageFile>(start) : nullptr;
            }};
}

}  // namespace tof
