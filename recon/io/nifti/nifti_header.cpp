// SPDX-License-Identifier: Apache-2.0
#include "recon/io/nifti/nifti_header.h"

#include <vector>

#include "recon/base/error.h"

namespace tof {

namespace {

/// Byte offsets of NIfTI-2 fields (nifti2.h of the NIfTI working group).
namespace nifti2 {
enum Field : std::size_t {
    kMagic = 4,
    kDatatype = 12,
    kDim = 16,
    kPixdim = 104,
    kVoxOffset = 168,
    kSlope = 176,
    kIntercept = 184,
    kDescription = 240,
    kQformCode = 344,
    kSformCode = 348,
    kQuaternion = 352,
    kQoffset = 376,
    kSrow = 400,
    kXyztUnits = 500,
    kIntentCode = 504
};
}  // namespace nifti2

constexpr std::size_t kDescriptionBytes = 80;

bool sizeIs(const std::byte* bytes, std::size_t size, ByteOrder order) {
    return decodeOne<std::int32_t>(bytes, order) == static_cast<std::int32_t>(size);
}

class Fields {
  public:
    Fields(const std::vector<std::byte>& bytes, ByteOrder order) : bytes_(bytes), order_(order) {}
    template <class T>
    [[nodiscard]] T at(std::size_t offset, std::size_t index = 0) const {
        return decodeOne<T>(bytes_.data() + offset + index * sizeof(T), order_);
    }
    [[nodiscard]] std::string text(std::size_t offset, std::size_t size) const {
        const std::string raw(reinterpret_cast<const char*>(bytes_.data()) + offset, size);
        return raw.substr(0, raw.find('\0'));
    }
    template <class T, std::size_t N>
    void numbers(std::size_t offset, std::array<double, N>& out) const {
        for (std::size_t i = 0; i < N; ++i) {
            out[i] = number(at<T>(offset, i));
        }
    }
    /// The shortest decimal of a float: 3.129F is 3.129.
    static double number(float value) { return shortestDecimal(value); }
    static double number(double value) { return value; }

  private:
    const std::vector<std::byte>& bytes_;
    ByteOrder order_;
};

/// Both versions have these fields, each at its places and of its types.
template <class At, class Size, class Offset, class Number, class Code, class Units>
void decode(const Fields& fields, NiftiHeader& header) {
    for (std::size_t i = 0; i < header.dim.size(); ++i) {
        header.dim[i] = fields.at<Size>(At::kDim, i);
    }
    header.intent = fields.at<Code>(At::kIntentCode);
    header.datatype = fields.at<std::int16_t>(At::kDatatype);
    fields.numbers<Number>(At::kPixdim, header.pixdim);
    header.voxOffset = static_cast<double>(fields.at<Offset>(At::kVoxOffset));
    header.slope = Fields::number(fields.at<Number>(At::kSlope));
    header.intercept = Fields::number(fields.at<Number>(At::kIntercept));
    header.units = fields.at<Units>(At::kXyztUnits);
    header.description = fields.text(At::kDescription, kDescriptionBytes);
    header.qformCode = fields.at<Code>(At::kQformCode);
    header.sformCode = fields.at<Code>(At::kSformCode);
    fields.numbers<Number>(At::kQuaternion, header.quaternion);
    fields.numbers<Number>(At::kQoffset, header.qoffset);
    fields.numbers<Number>(At::kSrow, header.srow);
}

}  // namespace

bool isNiftiStart(const std::byte* bytes, std::size_t count) {
    if (count < kNifti1Bytes) {
        return false;
    }
    for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
        if (sizeIs(bytes, kNifti1Bytes, order) || sizeIs(bytes, kNifti2Bytes, order)) {
            return true;
        }
    }
    return false;
}

NiftiHeader readNiftiHeader(const std::string& path, ByteReader& file) {
    std::vector<std::byte> bytes(kNifti1Bytes);
    file.read(bytes.data(), bytes.size(), "the header");
    NiftiHeader header;
    header.path = path;
    header.order = sizeIs(bytes.data(), kNifti1Bytes, ByteOrder::Little) ||
                           sizeIs(bytes.data(), kNifti2Bytes, ByteOrder::Little)
                       ? ByteOrder::Little
                       : ByteOrder::Big;
    const bool second = sizeIs(bytes.data(), kNifti2Bytes, header.order);
    header.bytes = second ? kNifti2Bytes : kNifti1Bytes;
    if (second) {
        bytes.resize(kNifti2Bytes);
        file.read(bytes.data() + kNifti1Bytes, kNifti2Bytes - kNifti1Bytes, "the header");
    }
    const Fields fields(bytes, header.order);
    const std::string magic =
        fields.text(second ? std::size_t{nifti2::kMagic} : std::size_t{nifti1::kMagic}, 4);
    header.singleFile = magic == (second ? "n+2" : "n+1");
    if (!header.singleFile && magic != (second ? "ni2" : "ni1")) {
        throw BadInput(
            "{}: field 'magic' is not that of NIfTI: this is Analyze 7.5, which does not say which side is "
            "left; "
            "convert the volume to NIfTI with a program that knows where it came from",
            path);
    }
    if (second) {
        decode<nifti2::Field, std::int64_t, std::int64_t, double, std::int32_t, std::uint32_t>(fields,
                                                                                               header);
    } else {
        decode<nifti1::Field, std::int16_t, float, float, std::int16_t, std::uint8_t>(fields, header);
    }
    return header;
}

}  // namespace tof
