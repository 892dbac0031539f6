// SPDX-License-Identifier: Apache-2.0
#include "recon/io/root/root_cursor.h"

#include "recon/base/error.h"

namespace tof {

void RootCursor::fail(const char* fault) const {
    throw BadInput("{}: {} {}; copy the file, or write it again with ROOT", path_, what_, fault);
}

const std::byte* RootCursor::take(std::size_t count) {
    if (count > bytes_.size() - at_) {
        fail("ends too early");
    }
    const std::byte* const here = bytes_.data() + at_;
    at_ += count;
    return here;
}

void RootCursor::moveTo(std::size_t position) {
    if (position < shift_ || position - shift_ > bytes_.size()) {
        fail("points beyond its end");
    }
    at_ = position - shift_;
}

std::string RootCursor::text() {
    constexpr std::uint8_t kLonger = 255;
    std::size_t length = number<std::uint8_t>();
    if (length == kLonger) {
        length = number<std::uint32_t>();
    }
    const auto* const start = reinterpret_cast<const char*>(take(length));
    return {start, length};
}

std::string RootCursor::zeroEnded() {
    std::string text;
    for (char c = 0; (c = number<char>()) != 0;) {
        text += c;
    }
    return text;
}

RootCursor::Object RootCursor::object() {
    const auto count = number<std::uint32_t>();
    if ((count & kByteCount) == 0) {
        fail("holds an object without the count of its bytes");
    }
    const std::size_t end = at() + (count & ~kByteCount);
    return {number<std::uint16_t>(), end};
}

void RootCursor::skipBase() {
    constexpr std::uint32_t kReferenced = 1U << 4U;
    skip(sizeof(std::uint16_t) + sizeof(std::uint32_t));
    if ((number<std::uint32_t>() & kReferenced) != 0) {
        skip(sizeof(std::uint16_t));
    }
}

std::string RootCursor::named() {
    const Object whole = object();
    skipBase();
    std::string name = text();
    moveTo(whole.end);
    return name;
}

}  // namespace tof
