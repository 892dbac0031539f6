// SPDX-License-Identifier: Apache-2.0
#include "app/pictures/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "recon/figure/markup.h"
#include "recon/figure/png.h"
#include "recon/kernel/point_response.h"

namespace tof {

namespace {

constexpr std::uint8_t kBetween = 128;
constexpr int kGap = 4;

Rgb colour(double value, const Tone& tone) {
    const double at = std::clamp((value - tone.low) / (tone.high - tone.low), 0.0, 1.0);
    const auto byte = [](double share) { return static_cast<std::uint8_t>(std::lround(255 * share)); };
    if (tone.palette == Palette::InverseGrey) {
        return {byte(1 - at), byte(1 - at), byte(1 - at)};
    }
    const double away = 1 - std::abs(2 * at - 1);  // 1 in the middle
    return at < 0.5 ? Rgb{byte(away), byte(away), byte(1)} : Rgb{byte(1), byte(away), byte(away)};
}

void paste(Pixels& into, const Pixels& from, int left, int top) {
    for (int y = 0; y < from.height; ++y) {
        std::copy_n(from.rgb.data() + from.offset(0, y), 3 * from.width,
                    into.rgb.data() + into.offset(left, top + y));
    }
}

/// A step of 1, 2 or 5 times a power of ten that gives four to nine ticks.
double tickStep(double range) {
    const double power = std::pow(10, std::floor(std::log10(range / 4)));
    const double factor = range / 4 / power;
    return power * (factor >= 5 ? 5 : factor >= 2 ? 2 : 1);
}

/// Values along one axis of a chart and where they lie in it.
struct ChartAxis {
    double low = 0;
    double high = 1;
    double from = 0;  ///< pixels
    double to = 1;

    void take(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    [[nodiscard]] double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
    /// Values to be marked.
    [[nodiscard]] std::vector<double> ticks() const {
        const double step = tickStep(high - low);
        std::vector<double> values;
        for (double v = std::ceil(low / step) * step; v <= high + 1e-9 * step; v += step) {
            values.push_back(std::abs(v) < 1e-9 * step ? 0 : v);
        }
        return values;
    }
};

constexpr int kChartWidth = 720;
constexpr int kChartHeight = 440;  // without the names of lines, which stand below it
constexpr int kNameHeight = 18;
constexpr std::size_t kNamesAcross = 2;
// Tells lines apart for the colour-blind, too: by colour and dash.
constexpr std::array<const char*, 6> kColours{"#0072b2", "#d55e00", "#009e73",
                                              "#cc79a7", "#000000", "#56b4e9"};
constexpr std::array<const char*, 6> kDashes{"none", "8 3", "2 3", "8 3 2 3", "12 4", "4 4"};

std::string ticks(const ChartAxis& x, const ChartAxis& y) {
    std::string out;
    for (const double v : x.ticks()) {
        out += fmt::format(
            "<line x1='{0:.1f}' x2='{0:.1f}' y1='{1}' y2='{2}' stroke='#ddd'/>\n"
            "<text x='{0:.1f}' y='{3}' text-anchor='middle'>{4:.6g}</text>\n",
            x.at(v), y.from, y.to, y.from + 18, v);
    }
    for (const double v : y.ticks()) {
        out += fmt::format(
            "<line y1='{0:.1f}' y2='{0:.1f}' x1='{1}' x2='{2}' stroke='#ddd'/>\n"
            "<text x='{3}' y='{4:.1f}' text-anchor='end'>{5:.6g}</text>\n",
            y.at(v), x.from, x.to, x.from - 6, y.at(v) + 4, v);
    }
    return out;
}

}  // namespace

Pixels pixelsOf(const SlicePicture& slice) {
    const Volume& volume = *slice.volume;
    const int zoom = slice.zoom;
    const PlaneFrame frame = planeFrame(slice.plane);
    const VoxelIndex nearest = nearestVoxel(volume.lattice, slice.through);
    const int across = volume.lattice.size[frame.first];
    const int down = volume.lattice.size[frame.second];
    const bool upwards =
        slice.plane != Plane::Transverse;  // z grows upwards in pictures, y (posterior) downwards
    Pixels picture(across * zoom, down * zoom);
    for (int py = 0; py < picture.height; ++py) {
        for (int px = 0; px < picture.width; ++px) {
            VoxelIndex at = nearest;
            at[frame.first] = px / zoom;
            at[frame.second] = upwards ? down - 1 - py / zoom : py / zoom;
            picture.set(px, py, colour(static_cast<double>(volume.at(at)), slice.tone));
        }
    }
    return picture;
}

Pixels mosaic(const std::vector<std::vector<Pixels>>& rows) {
    std::vector<int> widths;
    std::vector<int> heights;
    for (const auto& row : rows) {
        heights.push_back(0);
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths.resize(std::max(widths.size(), i + 1), 0);
            widths[i] = std::max(widths[i], row[i].width);
            heights.back() = std::max(heights.back(), row[i].height);
        }
    }
    const auto total = [](const std::vector<int>& sizes) {
        int sum = kGap;
        for (const int size : sizes) {
            sum += size + kGap;
        }
        return sum;
    };
    Pixels whole(total(widths), total(heights));
    std::fill(whole.rgb.begin(), whole.rgb.end(), kBetween);
    int top = kGap;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        int left = kGap;
        for (std::size_t c = 0; c < rows[r].size(); ++c) {
            const Pixels& part = rows[r][c];
            paste(whole, part, left + (widths[c] - part.width) / 2, top + (heights[r] - part.height) / 2);
            left += widths[c] + kGap;
        }
        top += heights[r] + kGap;
    }
    return whole;
}

std::string chartSvg(const LineChart& chart) {
    const std::vector<ChartLine>& lines = chart.lines;
    ChartAxis x{1e300, -1e300, 70, kChartWidth - 20.0};
    ChartAxis y{0, 1e-300, kChartHeight - 50.0, 15};
    const auto forEachPoint = [](const ChartLine& line, const auto& visit) {
        for (std::size_t i = 0; i < line.x.size(); ++i) {
            if (std::isfinite(line.x[i]) && std::isfinite(line.y[i])) {
                visit(line.x[i], line.y[i]);
            }
        }
    };
    for (const ChartLine& line : lines) {
        forEachPoint(line, [&](double atX, double atY) {
            x.take(atX);
            y.take(atY);
        });
    }
    if (!(x.high > x.low)) {
        x.low = 0;
        x.high = 1;
    }
    y.high *= 1.05;
    const auto rows = static_cast<int>((lines.size() + kNamesAcross - 1) / kNamesAcross);
    const int height = kChartHeight + kNameHeight * rows;
    std::string out = fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
        "font-family='sans-serif' font-size='12'>\n<rect width='{0}' height='{1}' fill='white'/>\n",
        kChartWidth, height);
    out += ticks(x, y);
    out += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='black'/>\n", x.from,
                       y.to, x.to - x.from, y.from - y.to);
    out += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", 0.5 * (x.from + x.to),
                       kChartHeight - 12, markupText(chart.xTitle));
    out += fmt::format("<text transform='translate(18 {}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                       0.5 * (y.from + y.to), markupText(chart.yTitle));
    for (std::size_t n = 0; n < lines.size(); ++n) {
        const char* const stroke = kColours[n % kColours.size()];
        const char* const dash = kDashes[n % kDashes.size()];
        std::string points;
        forEachPoint(lines[n], [&](double atX, double atY) {
            points += fmt::format("{:.1f},{:.1f} ", x.at(atX), y.at(atY));
            out += lines[n].x.size() <= 60
                       ? fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='2.5' fill='{}'/>\n", x.at(atX),
                                     y.at(atY), stroke)
                       : "";
        });
        out += fmt::format(
            "<polyline points='{}' fill='none' stroke='{}' stroke-width='2' stroke-dasharray='{}'/>\n",
            points, stroke, dash);
        const std::size_t line = n / kNamesAcross;
        const double row = kChartHeight + 2 + kNameHeight * static_cast<double>(line);
        const double left = x.from + (x.to - x.from) / kNamesAcross * static_cast<double>(n % kNamesAcross);
        out += fmt::format(
            "<line x1='{}' x2='{}' y1='{}' y2='{}' stroke='{}' stroke-width='2' stroke-dasharray='{}'/>\n",
            left, left + 32, row, row, stroke, dash);
        out += fmt::format("<text x='{}' y='{}'>{}</text>\n", left + 40, row + 4, markupText(lines[n].name));
    }
    return out + "</svg>\n";
}

std::string pictureBytes(const ShownPicture& picture) {
    if (const auto* chart = std::get_if<LineChart>(&picture)) {
        return chartSvg(*chart);
    }
    std::vector<std::vector<Pixels>> rows;
    for (const auto& slices : std::get<SliceMosaic>(picture)) {
        rows.emplace_back();
        std::transform(slices.begin(), slices.end(), std::back_inserter(rows.back()), pixelsOf);
    }
    return pngFile(mosaic(rows));
}

}  // namespace tof
