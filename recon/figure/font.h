// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "recon/figure/drawing.h"

namespace tof {

/// Characters and the numbers of their glyphs.
using Glyphs = std::map<char32_t, unsigned>;

/// An OpenType font with TrueType outlines: how wide words are, and a font of only some of its glyphs.
class Font {
  public:
    /// `name` is its PostScript name; the bytes must outlive it. Throws BadInput where they are no such font.
    Font(std::string name, std::string_view bytes);

    [[nodiscard]] const std::string& name() const { return name_; }
    /// The glyph of a character; that of the missing character, 0, where it has none.
    [[nodiscard]] unsigned glyph(char32_t character) const;
    /// How far a glyph moves on, in parts of the size.
    [[nodiscard]] double advance(unsigned glyph) const;
    /// How wide a word of UTF-8 is, mm.
    [[nodiscard]] double width_mm(std::string_view text, double size_pt) const;
    /// The glyphs of a word, added to those already there.
    void collect(std::string_view text, Glyphs& glyphs) const;
    /// Height of a capital, the highest and the lowest point of glyphs, in parts of the size.
    [[nodiscard]] double capHeight() const { return capHeight_; }
    [[nodiscard]] double ascent() const { return ascent_; }
    [[nodiscard]] double descent() const { return descent_; }
    /// Lower left and upper right corner of all glyphs, in parts of the size.
    [[nodiscard]] std::array<double, 4> bounds() const { return bounds_; }
    /// A font of these glyphs alone, under their numbers.
    [[nodiscard]] std::string subset(const Glyphs& glyphs) const;

  private:
    [[nodiscard]] std::string_view table(const char* tag) const;
    [[nodiscard]] std::string_view outline(unsigned glyph) const;
    void readCharacters();

    std::string name_;
    std::string_view bytes_;
    double unitsPerEm_ = 1;
    unsigned glyphs_ = 0;
    unsigned advances_ = 0;  ///< glyphs with a width of their own
    bool longOffsets_ = false;
    std::array<double, 4> bounds_{};
    double capHeight_ = 0;
    double ascent_ = 0;
    double descent_ = 0;
    Glyphs characters_;
};

/// The font of figures: Liberation Sans, which is as wide as Arial and Helvetica.
[[nodiscard]] const Font& figureFont(Weight weight);

/// The characters of a text; what is no UTF-8 becomes U+FFFD.
[[nodiscard]] std::u32string charactersOf(std::string_view utf8);

}  // namespace tof
