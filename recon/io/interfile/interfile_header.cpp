// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/interfile_header.h"

#include <fmt/format.h>

#include <cmath>

#include "recon/base/error.h"
#include "recon/base/words.h"
#include "recon/io/bytes/named_file.h"
#include "recon/io/bytes/text_header.h"
#include "recon/io/interfile/siemens_raw.h"

namespace tof {

std::string normalKey(const std::string& key) {
    std::string result;
    for (const char c : key) {
        if (c == ' ' || c == '\t' || c == '_' || c == '!') {
            if (!result.empty() && result.back() != ' ') {
                result += ' ';
            }
        } else {
            result += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
        }
    }
    return trimmed(result);
}

InterfileHeader::InterfileHeader(const std::string& path, Repeats repeats) : path_(path), repeats_(repeats) {
    readLines();
    if (const std::string named = dataSet(); !named.empty()) {
        path_ = namedBeside(path, named);
        values_.clear();
        contradicted_.clear();
        readLines();
        if (!dataSet().empty()) {
            fail("%SMS-MI header name space",
                 "is that of a main header, which another one names; correct that");
        }
    }
}

std::string InterfileHeader::dataSet() const {
    if (normalKey(text("%SMS-MI header name space", "")) != "sinogram main header") {
        return "";
    }
    const std::uint64_t count = whole("total number of data sets", 0, 1);
    const std::string set = find("%data set", 1).value_or("");
    const std::size_t begin = set.find(',');
    const std::size_t end = set.find(',', begin == std::string::npos ? begin : begin + 1);
    const std::string named = end == std::string::npos ? "" : trimmed(set.substr(begin + 1, end - begin - 1));
    if (count != 1) {
        fail("total number of data sets",
             fmt::format("is {}; give the header of one of them (.s.hdr), as '{}'", count, named));
    }
    if (named.empty()) {
        fail("%data set", "[1] names no header, as in '{0,sino_00.s.hdr,sino_00.s}'; give the .s.hdr itself");
    }
    return named;
}

void InterfileHeader::readLines() {
    const HeaderSyntax syntax{":=", ';', Continuation::Backslash};
    const std::optional<SiemensRaw> raw = readSiemensRaw(path_);
    if (raw) {
        rawFile_ = raw->dataFile;
        rawEnd_ = raw->dataEnd;
    }
    for (const HeaderLine& line : raw ? headerLines(raw->header, syntax) : readHeaderLines(path_, syntax)) {
        if (addLine(line) == Line::Last) {
            break;
        }
    }
    if (values_.empty()) {
        throw BadInput("{}: does not start with the key INTERFILE; give an Interfile header", path_);
    }
}

InterfileHeader::Line InterfileHeader::addLine(const HeaderLine& line) {
    if (!line.value) {
        return Line::Other;  // titles of sections, which CASToR writes without a mark
    }
    std::string key = line.key;
    int index = 0;
    const std::size_t bracket = key.find('[');
    if (bracket != std::string::npos) {
        const std::string inside = trimmed(key.substr(bracket + 1, key.find(']', bracket) - bracket - 1));
        if (const std::optional<double> number = parseNumber(inside)) {
            constexpr double kMostIndex = 1e6;
            if (!(*number >= 1 && *number <= kMostIndex) || *number != std::floor(*number)) {
                throw BadInput("{}: the index in '{}' is not a positive whole number; correct it", path_,
                               line.text.substr(0, 60));
            }
            index = static_cast<int>(*number);
            key.resize(bracket);
        }  // else a unit, as in 'Patient Weight [kg]', which is part of the key
    }
    key = normalKey(key);
    if (values_.empty() && key != "interfile") {
        throw BadInput("{}: does not start with the key INTERFILE; give an Interfile header", path_);
    }
    const auto [place, fresh] = values_.try_emplace({key, index}, *line.value);
    if (!fresh && place->second != *line.value) {
        contradicted_.insert(place->first);
        place->second = *line.value;
    }
    return key == "end of interfile" ? Line::Last : Line::Other;
}

void InterfileHeader::fail(const std::string& key, const std::string& what) const {
    throw BadInput("{}: key '{}' {}", path_, key, what);
}

std::optional<std::string> InterfileHeader::find(const std::string& key, int index) const {
    const auto at = values_.find({normalKey(key), index});
    if (repeats_ == Repeats::Refused && at != values_.end() && contradicted_.contains(at->first)) {
        fail(key, "stands twice with different values; leave the wrong one out");
    }
    return at == values_.end() || at->second.empty() ? std::nullopt : std::optional(at->second);
}

std::optional<std::string> InterfileHeader::findStarting(const std::string& key) const {
    const std::string start = normalKey(key);
    const auto at = values_.lower_bound({start, 0});
    return at == values_.end() || !at->first.first.starts_with(start) || at->second.empty()
               ? std::nullopt
               : std::optional(at->second);
}

std::string InterfileHeader::text(const std::string& key, const std::string& fallback) const {
    return find(key).value_or(fallback);
}

double InterfileHeader::parse(const std::string& key, const std::string& text) const {
    const std::optional<double> value = parseNumber(text);
    if (!value || !std::isfinite(*value)) {
        fail(key, fmt::format("is '{}', not a finite number; correct it", trimmed(text).substr(0, 40)));
    }
    return *value;
}

double InterfileHeader::number(const std::string& key, int index, std::optional<double> fallback) const {
    const std::optional<std::string> value = find(key, index);
    if (!value && !fallback) {
        fail(key, fmt::format("{}is missing; add it", index > 0 ? fmt::format("[{}] ", index) : ""));
    }
    return value ? parse(key, *value) : *fallback;
}

std::uint64_t InterfileHeader::whole(const std::string& key, int index,
                                     std::optional<std::uint64_t> fallback) const {
    constexpr double kMost = 1e15;
    if (fallback && !find(key, index)) {
        return *fallback;
    }
    const double value = number(key, index);
    if (value < 0 || value > kMost || value != std::floor(value)) {
        fail(key, fmt::format("is {:g}, not a whole number from 0; correct it", value));
    }
    return static_cast<std::uint64_t>(value);
}

std::vector<double> InterfileHeader::list(const std::string& key, int index) const {
    std::vector<double> values;
    std::string text = find(key, index).value_or("");
    if (text.starts_with('{')) {
        text = text.substr(1, text.find('}') - 1);
    }
    for (const std::string& item : parts(text, ',')) {
        values.push_back(parse(key, item));
    }
    return values;
}

NumberType InterfileHeader::numberType() const {
    const std::string format = normalKey(text("number format", "unsigned integer"));
    const bool isDouble = format == "long float" || format == "double" || format == "double float";
    const bool isFloat = format == "float" || format == "short float" || format == "real";
    const std::uint64_t fallback = isFloat ? 4 : isDouble ? 8 : 1;
    const std::uint64_t bytes = whole("number of bytes per pixel", 0, fallback);
    if ((isFloat || isDouble) && bytes == 4) {
        return NumberType::Float32;
    }
    if ((isFloat || isDouble) && bytes == 8) {
        return NumberType::Float64;
    }
    const bool isSigned = format == "signed integer" || format == "signed short";
    if (isSigned || format == "unsigned integer" || format == "unsigned short") {
        switch (bytes) {
            case 1: return isSigned ? NumberType::Int8 : NumberType::UInt8;
            case 2: return isSigned ? NumberType::Int16 : NumberType::UInt16;
            case 4: return isSigned ? NumberType::Int32 : NumberType::UInt32;
            case 8: return isSigned ? NumberType::Int64 : NumberType::UInt64;
            default: break;
        }
    }
    fail("number format",
         fmt::format("is '{}' of {} bytes per pixel, which is not read; store float of 4", format, bytes));
}

ByteOrder InterfileHeader::byteOrder() const {
    std::optional<ByteOrder> found;
    // STIR's, Siemens' and an older spelling of the same key.
    for (const char* key : {"imagedata byte order", "image data byte order", "data byte order"}) {
        const std::optional<std::string> value = find(key);
        if (!value) {
            continue;
        }
        const std::string order = normalKey(*value);
        if (order != "littleendian" && order != "bigendian") {
            fail(key, fmt::format("is '{}'; use LITTLEENDIAN or BIGENDIAN", order));
        }
        const ByteOrder said = order == "littleendian" ? ByteOrder::Little : ByteOrder::Big;
        if (found && *found != said) {
            fail(key, "contradicts 'imagedata byte order'; leave the wrong one out");
        }
        found = said;
    }
    return found.value_or(ByteOrder::Big);
}

std::string InterfileHeader::dataFile() const {
    if (!rawFile_.empty()) {
        return rawFile_;
    }
    const std::optional<std::string> name = find("name of data file");
    if (!name || name->find("${") != std::string::npos) {
        fail("name of data file",
             name ? "uses an environment variable; write the name" : "is missing; add it");
    }
    return namedBeside(path_, *name);
}

}  // namespace tof
