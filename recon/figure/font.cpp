// SPDX-License-Identifier: Apache-2.0
// The tables are those of the OpenType specification: head, hhea, hmtx, maxp, cmap, loca, glyf, OS/2.
#include "recon/figure/font.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "recon/figure/big_endian.h"

namespace tof {

namespace {

constexpr std::size_t kDirectory = 12;
constexpr std::size_t kDirectoryEntry = 16;

// Flags of a part of a composite glyph.
constexpr unsigned kWordArguments = 0x1;
constexpr unsigned kHasScale = 0x8;
constexpr unsigned kMoreParts = 0x20;
constexpr unsigned kHasTwoScales = 0x40;
constexpr unsigned kHasMatrix = 0x80;

/// The glyphs that a glyph is composed of.
std::vector<unsigned> partsOf(std::string_view outline) {
    std::vector<unsigned> parts;
    if (outline.size() < 10 || signed16(outline, 0) >= 0) {
        return parts;
    }
    std::size_t at = 10;
    unsigned flags = kMoreParts;
    while ((flags & kMoreParts) != 0) {
        flags = unsigned16(outline, at);
        parts.push_back(unsigned16(outline, at + 2));
        at += (flags & kWordArguments) != 0 ? 8 : 6;
        at += (flags & kHasScale) != 0       ? 2
              : (flags & kHasTwoScales) != 0 ? 4
              : (flags & kHasMatrix) != 0    ? 8
                                             : 0;
    }
    return parts;
}

/// The largest power of two that is no more than a number above 0, and its exponent: binary searches begin
/// there.
std::pair<unsigned, unsigned> powerBelow(unsigned count) {
    return {std::bit_floor(count), static_cast<unsigned>(std::bit_width(count)) - 1};
}

/// Which character has which glyph, in format 4 with a segment for each character below 0x10000.
std::string characterTable(const Glyphs& glyphs) {
    std::vector<std::pair<unsigned, unsigned>> segments;  // character, difference of its glyph
    for (const auto& [character, glyph] : glyphs) {
        if (character < 0xffff) {
            const auto code = static_cast<unsigned>(character);
            segments.emplace_back(code, (glyph - code) & 0xffffU);
        }
    }
    segments.emplace_back(0xffff, 1);
    const auto count = static_cast<unsigned>(segments.size());
    const auto [power, exponent] = powerBelow(count);
    std::string out;
    for (const unsigned head :
         {0U, 1U, 3U, 1U, 0U, 12U}) {  // version, one table: Windows, Unicode, its offset
        append16(out, head);
    }
    for (const unsigned head :
         {4U, 16 + 8 * count, 0U, 2 * count, 2 * power, exponent, 2 * (count - power)}) {
        append16(out, head);
    }
    const auto column = [&](const auto& value) {
        for (const auto& segment : segments) {
            append16(out, value(segment));
        }
    };
    column([](const auto& segment) { return segment.first; });
    append16(out, 0);
    column([](const auto& segment) { return segment.first; });
    column([](const auto& segment) { return segment.second; });
    column([](const auto&) { return 0U; });
    return out;
}

/// Family, style, full and PostScript name, which browsers ask for.
std::string nameTable(const std::string& name) {
    std::string words;
    for (const char c : name) {
        append16(words, static_cast<unsigned char>(c));
    }
    const auto length = static_cast<unsigned>(words.size());
    constexpr unsigned kNames[] = {1, 2, 4, 6};
    std::string out;
    append16(out, 0);
    append16(out, std::size(kNames));
    append16(out, static_cast<unsigned>(6 + 12 * std::size(kNames)));
    for (const unsigned which : kNames) {
        for (const unsigned field : {3U, 1U, 0x409U, which, length, 0U}) {
            append16(out, field);
        }
    }
    return out + words;
}

std::string padded(std::string bytes) {
    bytes.resize((bytes.size() + 3) / 4 * 4);
    return bytes;
}

std::uint32_t checksum(const std::string& bytes) {
    const std::string whole = padded(bytes);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < whole.size(); i += 4) {
        sum += bigEndian(whole, i, 4);
    }
    return sum;
}

/// A font file of tables, which are in the order of their tags.
std::string fontFile(const std::map<std::string, std::string>& tables) {
    const auto count = static_cast<unsigned>(tables.size());
    const auto [power, exponent] = powerBelow(count);
    std::string head;
    appendBigEndian(head, 0x00010000, 4);
    for (const unsigned field : {count, 16 * power, exponent, 16 * (count - power)}) {
        append16(head, field);
    }
    std::string body;
    const std::size_t start = kDirectory + kDirectoryEntry * tables.size();
    std::size_t adjustment = 0;
    for (const auto& [tag, bytes] : tables) {
        adjustment = tag == "head" ? start + body.size() + 8 : adjustment;
        head += tag;
        appendBigEndian(head, checksum(bytes), 4);
        appendBigEndian(head, static_cast<std::uint32_t>(start + body.size()), 4);
        appendBigEndian(head, static_cast<std::uint32_t>(bytes.size()), 4);
        body += padded(bytes);
    }
    std::string file = head + body;
    std::string sum;
    appendBigEndian(sum, 0xB1B0AFBA - checksum(file), 4);
    return file.replace(adjustment, 4, sum);
}

}  // namespace

std::u32string charactersOf(std::string_view utf8) {
    std::u32string out;
    for (std::size_t i = 0; i < utf8.size();) {
        const auto lead = static_cast<unsigned char>(utf8[i]);
        const std::size_t length = lead < 0x80          ? 1
                                   : (lead >> 5U) == 6  ? 2
                                   : (lead >> 4U) == 14 ? 3
                                   : (lead >> 3U) == 30 ? 4
                                                        : 0;
        char32_t character = length == 1 ? lead : lead & (0x7fU >> length);
        std::size_t taken = 1;
        while (taken < length && i + taken < utf8.size() &&
               (static_cast<unsigned char>(utf8[i + taken]) & 0xc0U) == 0x80) {
            character = (character << 6U) | (static_cast<unsigned char>(utf8[i + taken]) & 0x3fU);
            ++taken;
        }
        out += taken == length ? character : U'\ufffd';
        i += taken;
    }
    return out;
}

Font::Font(std::string name, std::string_view bytes) : name_(std::move(name)), bytes_(bytes) {
    const std::string_view head = table("head");
    const std::string_view hhea = table("hhea");
    unitsPerEm_ = std::max(1U, unsigned16(head, 18));
    longOffsets_ = signed16(head, 50) != 0;
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
        bounds_[i] = signed16(head, 36 + 2 * i) / unitsPerEm_;
    }
    ascent_ = signed16(hhea, 4) / unitsPerEm_;
    descent_ = signed16(hhea, 6) / unitsPerEm_;
    advances_ = unsigned16(hhea, 34);
    glyphs_ = unsigned16(table("maxp"), 4);
    capHeight_ = signed16(table("OS/2"), 88) / unitsPerEm_;
    readCharacters();
}

std::string_view Font::table(const char* tag) const {
    const unsigned count = unsigned16(bytes_, 4);
    for (std::size_t at = kDirectory; at < kDirectory + kDirectoryEntry * count; at += kDirectoryEntry) {
        const std::size_t offset = bigEndian(bytes_, at + 8, 4);
        const std::size_t length = bigEndian(bytes_, at + 12, 4);
        if (bytes_.substr(at, 4) == tag && offset <= bytes_.size() && length <= bytes_.size() - offset) {
            return bytes_.substr(offset, length);
        }
    }
    throw BadInput("font {}: has no table '{}'; take one with TrueType outlines", name_, tag);
}

/// Reads the table of format 4 for Unicode.
void Font::readCharacters() {
    const std::string_view cmap = table("cmap");
    std::string_view found;
    for (std::size_t i = 0; i < unsigned16(cmap, 2); ++i) {
        const std::size_t entry = 4 + 8 * i;
        const std::size_t offset = bigEndian(cmap, entry + 4, 4);
        if (unsigned16(cmap, entry) == 3 && unsigned16(cmap, entry + 2) == 1 &&
            unsigned16(cmap, offset) == 4) {
            found = cmap.substr(offset);
        }
    }
    const std::size_t columns = found.empty() ? 0 : unsigned16(found, 6);  // bytes of a column
    for (std::size_t i = 0; i < columns; i += 2) {
        const unsigned last = unsigned16(found, 14 + i);
        const unsigned first = unsigned16(found, 16 + columns + i);
        const unsigned delta = unsigned16(found, 16 + 2 * columns + i);
        const std::size_t place = 16 + 3 * columns + i;
        const unsigned range = unsigned16(found, place);
        for (unsigned code = first; code <= last && code != 0xffff; ++code) {
            const unsigned listed = range == 0 ? code : unsigned16(found, place + range + 2 * (code - first));
            characters_[code] = listed == 0 ? 0 : (listed + delta) & 0xffffU;
        }
    }
}

unsigned Font::glyph(char32_t character) const {
    const auto found = characters_.find(character);
    return found == characters_.end() ? 0 : found->second;
}

double Font::advance(unsigned glyph) const {
    return unsigned16(table("hmtx"), 4 * static_cast<std::size_t>(std::min(glyph, advances_ - 1))) /
           unitsPerEm_;
}

double Font::width_mm(std::string_view text, double size_pt) const {
    double ems = 0;
    for (const char32_t character : charactersOf(text)) {
        ems += advance(glyph(character));
    }
    return ems * size_pt * kPoint_mm;
}

void Font::collect(std::string_view text, Glyphs& glyphs) const {
    for (const char32_t character : charactersOf(text)) {
        glyphs[character] = glyph(character);
    }
}

std::string_view Font::outline(unsigned glyph) const {
    const std::string_view loca = table("loca");
    const std::size_t i = glyph;
    const std::size_t from = longOffsets_ ? bigEndian(loca, 4 * i, 4) : 2 * unsigned16(loca, 2 * i);
    const std::size_t to = longOffsets_ ? bigEndian(loca, 4 * i + 4, 4) : 2 * unsigned16(loca, 2 * i + 2);
    const std::string_view all = table("glyf");
    if (from > to || to > all.size()) {
        throw BadInput("font {}: glyph {} lies outside its table; take a whole font", name_, glyph);
    }
    return all.substr(from, to - from);
}

std::string Font::subset(const Glyphs& glyphs) const {
    std::set<unsigned> kept{0};
    std::vector<unsigned> wanted;
    for (const auto& [character, glyph] : glyphs) {
        wanted.push_back(glyph);
    }
    while (!wanted.empty()) {  // a composite glyph brings its parts
        const unsigned glyph = wanted.back();
        wanted.pop_back();
        if (kept.insert(glyph).second) {
            const std::vector<unsigned> parts = partsOf(outline(glyph));
            wanted.insert(wanted.end(), parts.begin(), parts.end());
        }
    }
    const unsigned count = *kept.rbegin() + 1;
    std::string loca;
    std::string glyf;
    std::string hmtx;
    const std::string_view widths = table("hmtx");
    for (unsigned glyph = 0; glyph < count; ++glyph) {
        appendBigEndian(loca, static_cast<std::uint32_t>(glyf.size()), 4);
        glyf += kept.count(glyph) != 0 ? padded(std::string(outline(glyph))) : std::string();
        const std::size_t own = std::min(glyph, advances_ - 1);
        append16(hmtx, unsigned16(widths, 4 * own));
        append16(hmtx, unsigned16(widths, glyph < advances_ ? 4 * glyph + 2
                                                            : 4 * advances_ + 2 * (glyph - advances_)));
    }
    appendBigEndian(loca, static_cast<std::uint32_t>(glyf.size()), 4);
    std::map<std::string, std::string> tables{{"loca", loca},
                                              {"glyf", glyf},
                                              {"hmtx", hmtx},
                                              {"cmap", characterTable(glyphs)},
                                              {"name", nameTable(name_)}};
    for (const char* tag : {"OS/2", "cvt ", "fpgm", "head", "hhea", "maxp", "post", "prep"}) {
        tables[tag] = std::string(table(tag));
    }
    replace16(tables["head"], 8, 0);  // the checksum of the whole file is found without itself
    replace16(tables["head"], 10, 0);
    replace16(tables["head"], 50, 1);  // long offsets
    replace16(tables["hhea"], 34, count);
    replace16(tables["maxp"], 4, count);
    tables["post"].resize(32);
    replace16(tables["post"], 0, 3);  // no names of glyphs
    replace16(tables["post"], 2, 0);
    return fontFile(tables);
}

}  // namespace tof
