// SPDX-License-Identifier: Apache-2.0
#include "recon/io/dicom/dcmtk_pixels.h"

#include "recon/io/dicom/dicom_slices.h"

namespace tof {

namespace {

/// The stored bits of a pixel as a number.
double stored(unsigned word, const PixelForm& form) {
    const unsigned range = 1U << static_cast<unsigned>(form.stored);
    const unsigned bits = word & (range - 1);
    const bool negative = form.isSigned && bits >= range / 2;
    return static_cast<double>(bits) - (negative ? static_cast<double>(range) : 0.0);
}

[[noreturn]] void failOfPacking(DicomObject& object) {
    const DcmXfer syntax(object.dataset().getOriginalXfer());
    throw BadInput(
        "{}: its pixels are compressed as '{}' or damaged, which is not read; export it uncompressed",
        object.path(), syntax.getXferName());
}

/// `count` words of the pixel data, uncompressed.
std::vector<unsigned> pixelWords(DicomObject& object, const PixelForm& form, std::size_t count) {
    if (object.dataset().chooseRepresentation(EXS_LittleEndianExplicit, nullptr).bad()) {
        failOfPacking(object);
    }
    unsigned long got = 0;
    const Uint8* bytes = nullptr;
    const Uint16* words = nullptr;
    const bool narrow = form.allocated == 8;
    const OFCondition found = narrow ? object.dataset().findAndGetUint8Array(DCM_PixelData, bytes, &got)
                                     : object.dataset().findAndGetUint16Array(DCM_PixelData, words, &got);
    if (found.bad() || got < count || (narrow ? bytes == nullptr : words == nullptr)) {
        throw BadInput("{}: attribute 'Pixel Data' has {} values of {}; the file is truncated, copy it again",
                       object.path(), found.bad() ? 0 : got, count);
    }
    std::vector<unsigned> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        result[i] = narrow ? bytes[i] : words[i];
    }
    return result;
}

/// Pixels of one bit, of all frames behind each other: frames need not begin with a byte.
std::vector<Uint8> packedBits(DicomObject& object, std::size_t bits) {
    if (object.dataset().chooseRepresentation(EXS_LittleEndianExplicit, nullptr).bad()) {
        failOfPacking(object);
    }
    constexpr std::size_t kBits = 8;
    const std::size_t bytes = (bits + kBits - 1) / kBits;
    DcmElement* element = nullptr;
    if (object.dataset().findAndGetElement(DCM_PixelData, element).bad() || element->getLength() < bytes) {
        throw BadInput("{}: attribute 'Pixel Data' has {} bytes of {}; the file is truncated, copy it again",
                       object.path(), element != nullptr ? element->getLength() : 0, bytes);
    }
    std::vector<Uint8> result(bytes);
    if (element->getPartialValue(result.data(), 0, static_cast<Uint32>(bytes)).bad()) {
        failOfPacking(object);
    }
    return result;
}

/// `count` words of frame `frame` (from 1) of several; only they are read or unpacked.
std::vector<unsigned> frameWords(DicomObject& object, const PixelForm& form, std::size_t count, int frame) {
    DcmElement* element = nullptr;
    object.dataset().findAndGetElement(DCM_PixelData, element);
    auto* const pixels = dynamic_cast<DcmPixelData*>(element);
    const bool narrow = form.allocated == 8;
    constexpr std::size_t kMostPixels = std::size_t{1} << 30U;  // bytes are counted in 32 bits
    if (count > kMostPixels) {
        object.fail("Rows", fmt::format("and Columns make {} pixels; export it again", count));
    }
    const auto size = static_cast<Uint32>(narrow ? count : 2 * count);
    std::vector<unsigned char> bytes(size + size % 2);  // DCMTK unpacks even numbers of bytes
    const auto index = static_cast<Uint32>(frame - 1);
    OFCondition found = EC_TagNotFound;
    if (pixels != nullptr && object.hasFragments()) {
        Uint32 fragment = 0;
        OFString colours;
        found = pixels->getUncompressedFrame(&object.dataset(), index, fragment, bytes.data(),
                                             static_cast<Uint32>(bytes.size()), colours);
    } else if (pixels != nullptr && (std::uint64_t{index} + 1) * size <= pixels->getLength()) {
        found = pixels->getPartialValue(bytes.data(), index * size, size, nullptr, EBO_LittleEndian);
    }
    if (found.bad()) {
        throw BadInput(
            "{}: attribute 'Pixel Data' does not hold frame {}, or packed in a way that is not read; copy "
            "the file again, or export it uncompressed",
            object.path(), frame);
    }
    std::vector<unsigned> result(count);
    for (std::size_t i = 0; i < count; ++i) {
        result[i] = narrow ? bytes[i] : bytes[2 * i] | static_cast<unsigned>(bytes[2 * i + 1]) << 8U;
    }
    return result;
}

}  // namespace

PixelForm pixelForm(DicomObject& object) {
    PixelForm form;
    form.allocated = object.whole(DCM_BitsAllocated, "Bits Allocated");
    form.stored = object.whole(DCM_BitsStored, "Bits Stored", form.allocated);
    form.isSigned = object.whole(DCM_PixelRepresentation, "Pixel Representation", 0) == 1;
    const bool isBits = form.allocated == 1 && object.text(DCM_SOPClassUID) == UID_SegmentationStorage;
    if (form.allocated != 8 && form.allocated != 16 && !isBits) {
        object.fail("Bits Allocated", fmt::format("is {}; 8 and 16 are read", form.allocated));
    }
    if (form.stored < 1 || form.stored > form.allocated ||
        object.whole(DCM_HighBit, "High Bit", form.stored - 1) != form.stored - 1) {
        object.fail("Bits Stored", "does not go with Bits Allocated and High Bit; correct it");
    }
    const std::string colours = object.text(DCM_PhotometricInterpretation);
    if (object.whole(DCM_SamplesPerPixel, "Samples per Pixel", 1) != 1 ||
        (colours != "MONOCHROME2" && colours != "MONOCHROME1" && !colours.empty())) {
        object.fail("Photometric Interpretation", fmt::format("is '{}'; grey values are read", colours));
    }
    return form;
}

/// The file that was read last stays open.
struct DicomValues::Open {
    explicit Open(const std::string& path) : object(path), form(pixelForm(object)) {}
    DicomObject object;
    PixelForm form;
    std::vector<Uint8> bits;  ///< pixels of one bit, once they are asked for
};

DicomValues::DicomValues() = default;
DicomValues::~DicomValues() = default;

std::vector<float> DicomValues::of(const DicomSlice& slice) {
    if (open_ == nullptr || open_->object.path() != slice.file) {
        open_ = std::make_unique<Open>(slice.file);
    }
    const std::size_t count = static_cast<std::size_t>(slice.columns) * static_cast<std::size_t>(slice.rows);
    if (open_->form.allocated == 1) {
        return ofBits(slice, count);
    }
    std::vector<float> values;
    values.reserve(count);
    for (const unsigned word : slice.frame > 0 ? frameWords(open_->object, open_->form, count, slice.frame)
                                               : pixelWords(open_->object, open_->form, count)) {
        values.push_back(static_cast<float>(stored(word, open_->form) * slice.slope + slice.intercept));
    }
    return values;
}

std::vector<float> DicomValues::ofBits(const DicomSlice& slice, std::size_t count) {
    if (open_->bits.empty()) {
        open_->bits = packedBits(open_->object, count * static_cast<std::size_t>(slice.framesStated));
    }
    constexpr std::size_t kBits = 8;
    std::vector<float> values(count);
    for (std::size_t i = 0, bit = count * static_cast<std::size_t>(slice.frame - 1); i < count; ++i, ++bit) {
        values[i] = static_cast<float>((open_->bits[bit / kBits] >> (bit % kBits)) & 1U);
    }
    return values;
}

}  // namespace tof
