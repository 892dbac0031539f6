// SPDX-License-Identifier: Apache-2.0
// A page of lines, boxes, pictures and words in mm, which PDF and SVG are written from.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "recon/metrics/colour_map.h"

namespace tof {

/// The size of a typographic point in mm.
inline constexpr double kPoint_mm = 25.4 / 72;

/// A place on the page: mm from its left and upper edge.
struct PagePoint {
    double x = 0;
    double y = 0;
    [[nodiscard]] bool operator==(const PagePoint&) const = default;
};

/// A rectangle on the page, mm.
struct PageBox {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] bool operator==(const PageBox&) const = default;
};

/// Pixels of red, green and blue, the top row first.
struct Pixels {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;

    Pixels() = default;
    Pixels(int across, int down)
        : width(across),
          height(down),
          rgb(3 * static_cast<std::size_t>(across) * static_cast<std::size_t>(down)) {}
    [[nodiscard]] std::size_t offset(int x, int y) const {
        return 3 *
               (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    }
    [[nodiscard]] Rgb at(int x, int y) const {
        const std::size_t i = offset(x, y);
        return {rgb[i], rgb[i + 1], rgb[i + 2]};
    }
    void set(int x, int y, Rgb colour) {
        const std::size_t i = offset(x, y);
        rgb[i] = colour.r;
        rgb[i + 1] = colour.g;
        rgb[i + 2] = colour.b;
    }
    [[nodiscard]] bool operator==(const Pixels&) const = default;
};

enum class Weight { Regular, Bold };
/// Which point of a word lies at its place.
enum class Anchor { Start, Middle, End };
/// Upwards words are read from below.
enum class Reading { Across, Upwards };

/// A line through points, each joined to the next.
struct DrawnLine {
    std::vector<PagePoint> points;
    Rgb colour{};
    double width_mm = 0.18;
    std::vector<double> dashes_mm{};  ///< lengths drawn and left out by turns; none: an unbroken line
    [[nodiscard]] bool operator==(const DrawnLine&) const = default;
};
/// A rectangle of one colour.
struct DrawnBox {
    PageBox box;
    Rgb colour{};
    [[nodiscard]] bool operator==(const DrawnBox&) const = default;
};
/// Pixels that fill a rectangle.
struct DrawnPicture {
    PageBox box;
    Pixels pixels;
    [[nodiscard]] bool operator==(const DrawnPicture&) const = default;
};
/// A line of text; its base line runs through the place.
struct DrawnText {
    PagePoint at;
    std::string text;  ///< UTF-8
    double size_pt = 8;
    Weight weight = Weight::Regular;
    Anchor anchor = Anchor::Start;
    Reading reading = Reading::Across;
    Rgb colour{};
    [[nodiscard]] bool operator==(const DrawnText&) const = default;
};
using Drawn = std::variant<DrawnLine, DrawnBox, DrawnPicture, DrawnText>;

/// A page and what is drawn on it, the lowest first.
struct Drawing {
    double width_mm = 0;
    double height_mm = 0;
    std::string title;  ///< the document's
    std::vector<Drawn> parts;
    [[nodiscard]] bool operator==(const Drawing&) const = default;
};

/// The drawing as a PDF of one page of its size, with the glyphs that it uses embedded. The bytes depend on
/// the drawing alone.
[[nodiscard]] std::string pdfBytes(const Drawing& drawing);

/// The drawing as SVG of its size in mm, one user unit a mm: words are text, and their font is embedded.
[[nodiscard]] std::string svgText(const Drawing& drawing);

}  // namespace tof
