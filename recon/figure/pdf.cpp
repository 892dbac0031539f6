// SPDX-License-Identifier: Apache-2.0
// PDF 1.5 (ISO 32000-1): a page, its words by the numbers of glyphs in embedded fonts, pictures as they are.
#include <fmt/format.h>

#include <array>
#include <map>
#include <vector>

#include "recon/figure/drawing.h"
#include "recon/figure/font.h"
#include "recon/figure/png.h"

namespace tof {

namespace {

/// The objects of a file, numbered from 1.
class PdfFile {
  public:
    /// The number of an object that is given later.
    int reserve() {
        objects_.emplace_back();
        return static_cast<int>(objects_.size());
    }
    void give(int number, std::string object) {
        objects_[static_cast<std::size_t>(number - 1)] = std::move(object);
    }
    int add(std::string object) {
        const int number = reserve();
        give(number, std::move(object));
        return number;
    }
    /// `entries` stand in the dictionary beside the length.
    int addStream(const std::string& entries, const std::string& bytes) {
        return add(fmt::format("<< {} /Length {} >>\nstream\n", entries, bytes.size()) + bytes +
                   "\nendstream");
    }
    [[nodiscard]] std::string bytes(int catalog, int info) const {
        std::string out = "%PDF-1.5\n%\xe2\xe3\xcf\xd3\n";
        std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", objects_.size() + 1);
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            table += fmt::format("{:010} 00000 n \n", out.size());
            out += fmt::format("{} 0 obj\n", i + 1) + objects_[i] + "\nendobj\n";
        }
        const std::size_t start = out.size();
        return out + table +
               fmt::format("trailer\n<< /Size {} /Root {} 0 R /Info {} 0 R >>\nstartxref\n{}\n%%EOF\n",
                           objects_.size() + 1, catalog, info, start);
    }

  private:
    std::vector<std::string> objects_;
};

/// A text in UTF-16, in hexadecimal digits.
std::string utf16Digits(std::u32string_view text) {
    std::string out;
    for (const char32_t character : text) {
        const auto code = static_cast<std::uint32_t>(character);
        out += code < 0x10000 ? fmt::format("{:04X}", code)
                              : fmt::format("{:04X}{:04X}", 0xd7c0 + (code >> 10U), 0xdc00 + (code & 0x3ffU));
    }
    return out;
}

/// Six letters that tell a subset of a font from another one.
std::string subsetTag(const Glyphs& glyphs) {
    std::uint64_t mixed = 1469598103934665603ULL;  // FNV-1a
    for (const auto& [character, glyph] : glyphs) {
        mixed = (mixed ^ character) * 1099511628211ULL;
    }
    std::string tag;
    for (int i = 0; i < 6; ++i) {
        tag += static_cast<char>('A' + mixed % 26);
        mixed /= 26;
    }
    return tag;
}

/// Which characters the glyphs are, so that words can be searched and copied.
std::string toUnicode(const Glyphs& glyphs) {
    std::vector<std::string> lines;
    for (const auto& [character, glyph] : glyphs) {
        lines.push_back(fmt::format("<{:04X}> <{}>\n", glyph, utf16Digits({&character, 1})));
    }
    std::string out =
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
        "/CMapName /Adobe-Identity-UCS def /CMapType 2 def\n"
        "1 begincodespacerange <0000> <FFFF> endcodespacerange\n";
    constexpr std::size_t kMostLines = 100;
    for (std::size_t i = 0; i < lines.size(); i += kMostLines) {
        const std::size_t end = std::min(lines.size(), i + kMostLines);
        out += fmt::format("{} beginbfchar\n", end - i);
        for (std::size_t k = i; k < end; ++k) {
            out += lines[k];
        }
        out += "endbfchar\n";
    }
    return out + "endcmap CMapName currentdict /CMap defineresource pop end end\n";
}

int addFont(PdfFile& file, const Font& font, const Glyphs& glyphs) {
    const std::string outlines = font.subset(glyphs);
    const int program =
        file.addStream(fmt::format("/Filter /FlateDecode /Length1 {}", outlines.size()), deflated(outlines));
    const std::string name = subsetTag(glyphs) + "+" + font.name();
    const auto box = font.bounds();
    constexpr double kThousand = 1000;  // glyphs are measured in thousandths of the size
    const int descriptor = file.add(
        fmt::format("<< /Type /FontDescriptor /FontName /{} /Flags 32 /FontBBox [{:.0f} {:.0f} {:.0f} "
                    "{:.0f}] /ItalicAngle 0 "
                    "/Ascent {:.0f} /Descent {:.0f} /CapHeight {:.0f} /StemV {} /FontFile2 {} 0 R >>",
                    name, kThousand * box[0], kThousand * box[1], kThousand * box[2], kThousand * box[3],
                    kThousand * font.ascent(), kThousand * font.descent(), kThousand * font.capHeight(),
                    font.name().find("Bold") != std::string::npos ? 140 : 80, program));
    std::string widths;
    std::map<unsigned, double> advances;
    for (const auto& [character, glyph] : glyphs) {
        advances[glyph] = kThousand * font.advance(glyph);
    }
    for (const auto& [glyph, advance] : advances) {
        widths += fmt::format("{} [{:.2f}] ", glyph, advance);
    }
    const int descendant = file.add(fmt::format(
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{} /CIDSystemInfo << /Registry (Adobe) /Ordering "
        "(Identity) /Supplement 0 >> /FontDescriptor {} 0 R /DW 0 /W [{}] /CIDToGIDMap /Identity >>",
        name, descriptor, widths));
    const int unicode = file.addStream("/Filter /FlateDecode", deflated(toUnicode(glyphs)));
    return file.add(fmt::format(
        "<< /Type /Font /Subtype /Type0 /BaseFont /{} /Encoding /Identity-H /DescendantFonts [{} 0 R] "
        "/ToUnicode {} 0 R >>",
        name, descendant, unicode));
}

/// What the page says, in points from its lower left corner.
class PdfPage {
  public:
    PdfPage(PdfFile& file, double height_mm) : file_(file), height_mm_(height_mm) {}

    void operator()(const DrawnLine& line) {
        std::string dashes;
        for (const double dash : line.dashes_mm) {
            dashes += fmt::format("{:.3f} ", dash / kPoint_mm);
        }
        content += fmt::format("{} RG {:.3f} w [{}] 0 d 1 j\n", colourText(line.colour),
                               line.width_mm / kPoint_mm, dashes);
        for (std::size_t i = 0; i < line.points.size(); ++i) {
            content += fmt::format("{:.3f} {:.3f} {}\n", x(line.points[i].x), y(line.points[i].y),
                                   i == 0 ? "m" : "l");
        }
        content += "S\n";
    }
    void operator()(const DrawnBox& box) {
        content +=
            fmt::format("{} rg {:.3f} {:.3f} {:.3f} {:.3f} re f\n", colourText(box.colour), x(box.box.x),
                        y(box.box.bottom()), box.box.width / kPoint_mm, box.box.height / kPoint_mm);
    }
    void operator()(const DrawnPicture& picture) {
        const Pixels& pixels = picture.pixels;
        const int number = file_.addStream(
            fmt::format("/Type /XObject /Subtype /Image /Width {0} /Height {1} /ColorSpace /DeviceRGB "
                        "/BitsPerComponent 8 /Interpolate false /Filter /FlateDecode "
                        "/DecodeParms << /Predictor 15 /Colors 3 /BitsPerComponent 8 /Columns {0} >>",
                        pixels.width, pixels.height),
            pngRows(pixels));
        pictures += fmt::format("/P{0} {0} 0 R ", number);
        content +=
            fmt::format("q {:.3f} 0 0 {:.3f} {:.3f} {:.3f} cm /P{} Do Q\n", picture.box.width / kPoint_mm,
                        picture.box.height / kPoint_mm, x(picture.box.x), y(picture.box.bottom()), number);
    }
    void operator()(const DrawnText& text) {
        const Font& font = figureFont(text.weight);
        font.collect(text.text, used[text.weight]);
        const double width = font.width_mm(text.text, text.size_pt) / kPoint_mm;
        const double back = text.anchor == Anchor::Start    ? 0
                            : text.anchor == Anchor::Middle ? width / 2
                                                            : width;
        std::string digits;
        for (const char32_t character : charactersOf(text.text)) {
            digits += fmt::format("{:04X}", font.glyph(character));
        }
        const bool across = text.reading == Reading::Across;
        content +=
            fmt::format("BT {} rg /{} {:.3f} Tf {} {:.3f} {:.3f} Tm <{}> Tj ET\n", colourText(text.colour),
                        fontName(text.weight), text.size_pt, across ? "1 0 0 1" : "0 1 -1 0",
                        x(text.at.x) - (across ? back : 0), y(text.at.y) - (across ? 0 : back), digits);
    }
    static const char* fontName(Weight weight) { return weight == Weight::Bold ? "FB" : "FR"; }

    std::string content;
    std::string pictures;
    std::map<Weight, Glyphs> used;

  private:
    [[nodiscard]] static double x(double mm) { return mm / kPoint_mm; }
    [[nodiscard]] double y(double mm) const { return (height_mm_ - mm) / kPoint_mm; }
    [[nodiscard]] static std::string colourText(Rgb c) {
        return fmt::format("{:.4f} {:.4f} {:.4f}", c.r / 255.0, c.g / 255.0, c.b / 255.0);
    }

    PdfFile& file_;
    double height_mm_;
};

}  // namespace

std::string pdfBytes(const Drawing& drawing) {
    PdfFile file;
    const int catalog = file.reserve();
    const int pages = file.reserve();
    const int page = file.reserve();
    file.give(catalog, fmt::format("<< /Type /Catalog /Pages {} 0 R >>", pages));
    file.give(pages, fmt::format("<< /Type /Pages /Kids [{} 0 R] /Count 1 >>", page));
    PdfPage drawn(file, drawing.height_mm);
    for (const Drawn& part : drawing.parts) {
        std::visit(drawn, part);
    }
    std::string fonts;
    for (const auto& [weight, glyphs] : drawn.used) {
        fonts +=
            fmt::format("/{} {} 0 R ", PdfPage::fontName(weight), addFont(file, figureFont(weight), glyphs));
    }
    const int content = file.addStream("/Filter /FlateDecode", deflated(drawn.content));
    file.give(page,
              fmt::format("<< /Type /Page /Parent {} 0 R /MediaBox [0 0 {:.3f} {:.3f}] /Contents {} 0 R "
                          "/Resources << /Font << {}>> /XObject << {}>> >> >>",
                          pages, drawing.width_mm / kPoint_mm, drawing.height_mm / kPoint_mm, content, fonts,
                          drawn.pictures));
    const int info = file.add(
        fmt::format("<< /Title <FEFF{}> /Producer (Tofscope) >>", utf16Digits(charactersOf(drawing.title))));
    return file.bytes(catalog, info);
}

}  // namespace tof
