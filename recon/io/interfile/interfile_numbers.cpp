// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/interfile_numbers.h"

#include <fmt/format.h>

namespace tof {

NumberType interfileNumberType(const InterfileHeader& header) {
    const std::string format = normalKey(header.text("number format", "unsigned integer"));
    const std::uint64_t fallback = format == "short float" ? 4 : format == "long float" ? 8 : 1;
    const std::uint64_t bytes = header.whole("number of bytes per pixel", 0, fallback);
    const bool real = format == "float" || format == "short float" || format == "long float";
    if (real && bytes == 4) {
        return NumberType::Float32;
    }
    if (real && bytes == 8) {
        return NumberType::Float64;
    }
    const bool isSigned = format == "signed integer";
    if (isSigned || format == "unsigned integer") {
        switch (bytes) {
            case 1: return isSigned ? NumberType::Int8 : NumberType::UInt8;
            case 2: return isSigned ? NumberType::Int16 : NumberType::UInt16;
            case 4: return isSigned ? NumberType::Int32 : NumberType::UInt32;
            case 8: return isSigned ? NumberType::Int64 : NumberType::UInt64;
            default: break;
        }
    }
    header.fail(
        "number format",
        fmt::format("is '{}' of {} bytes per pixel, which is not read; store float of 4", format, bytes));
}

ByteOrder interfileByteOrder(const InterfileHeader& header) {
    const std::string order = normalKey(header.text("imagedata byte order", "BIGENDIAN"));
    if (order != "littleendian" && order != "bigendian") {
        header.fail("imagedata byte order", fmt::format("is '{}'; use LITTLEENDIAN or BIGENDIAN", order));
    }
    return order == "littleendian" ? ByteOrder::Little : ByteOrder::Big;
}

}  // namespace tof
