// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "recon/figure/drawing.h"
#include "recon/figure/font.h"
#include "recon/figure/markup.h"
#include "recon/figure/png.h"

namespace tof {

namespace {

std::string colourText(Rgb c) {
    return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b);
}

const char* anchorText(Anchor anchor) {
    return anchor == Anchor::Start ? "start" : anchor == Anchor::Middle ? "middle" : "end";
}

struct SvgWriter {
    std::string out;

    void operator()(const DrawnLine& line) {
        std::string points;
        for (const PagePoint& p : line.points) {
            points += fmt::format("{}{:.3f},{:.3f}", points.empty() ? "" : " ", p.x, p.y);
        }
        std::string dashes;
        for (const double dash : line.dashes_mm) {
            dashes += fmt::format("{}{:g}", dashes.empty() ? "" : " ", dash);
        }
        out += fmt::format(
            "<polyline points='{}' fill='none' stroke='{}' stroke-width='{:.3f}' "
            "stroke-linejoin='round'{}/>\n",
            points, colourText(line.colour), line.width_mm,
            dashes.empty() ? std::string() : fmt::format(" stroke-dasharray='{}'", dashes));
    }
    void operator()(const DrawnBox& box) {
        out += fmt::format("<rect x='{:.3f}' y='{:.3f}' width='{:.3f}' height='{:.3f}' fill='{}'/>\n",
                           box.box.x, box.box.y, box.box.width, box.box.height, colourText(box.colour));
    }
    void operator()(const DrawnPicture& picture) {
        out += fmt::format(
            "<image x='{:.3f}' y='{:.3f}' width='{:.3f}' height='{:.3f}' preserveAspectRatio='none' "
            "image-rendering='optimizeSpeed' xlink:href='data:image/png;base64,{}'/>\n",
            picture.box.x, picture.box.y, picture.box.width, picture.box.height,
            base64(pngFile(picture.pixels)));
    }
    void operator()(const DrawnText& text) {
        const std::string place =
            text.reading == Reading::Across
                ? fmt::format("x='{:.3f}' y='{:.3f}'", text.at.x, text.at.y)
                : fmt::format("transform='translate({:.3f} {:.3f}) rotate(-90)'", text.at.x, text.at.y);
        out += fmt::format("<text {} font-size='{:.4f}' text-anchor='{}' fill='{}'{}>{}</text>\n", place,
                           text.size_pt * kPoint_mm, anchorText(text.anchor), colourText(text.colour),
                           text.weight == Weight::Bold ? " font-weight='bold'" : "", markupText(text.text));
    }
};

/// The glyphs of the drawing's words, for browsers; other programs take the font by its name.
std::string fontFaces(const Drawing& drawing) {
    std::map<Weight, Glyphs> used;
    for (const Drawn& part : drawing.parts) {
        if (const auto* text = std::get_if<DrawnText>(&part)) {
            figureFont(text->weight).collect(text->text, used[text->weight]);
        }
    }
    std::string out;
    for (const auto& [weight, glyphs] : used) {
        out += fmt::format(
            "@font-face{{font-family:'Liberation Sans';font-weight:{};src:url(data:font/ttf;base64,{})}}\n",
            weight == Weight::Bold ? "bold" : "normal", base64(figureFont(weight).subset(glyphs)));
    }
    return out;
}

}  // namespace

std::string svgText(const Drawing& drawing) {
    SvgWriter writer;
    writer.out = fmt::format(
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' version='1.1' "
        "width='{0:g}mm' height='{1:.3f}mm' viewBox='0 0 {0:g} {1:.3f}' "
        "font-family='Liberation Sans, Arial, Helvetica, sans-serif'>\n<title>{2}</title>\n"
        "<defs><style>\n{3}</style></defs>\n<rect width='{0:g}' height='{1:.3f}' fill='#ffffff'/>\n",
        drawing.width_mm, drawing.height_mm, markupText(drawing.title), fontFaces(drawing));
    for (const Drawn& part : drawing.parts) {
        std::visit(writer, part);
    }
    return writer.out + "</svg>\n";
}

}  // namespace tof
