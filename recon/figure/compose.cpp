// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/base/error.h"
#include "recon/figure/chart_axis.h"
#include "recon/figure/draw_chart.h"
#include "recon/figure/figure.h"
#include "recon/figure/font.h"
#include "recon/figure/slice_pixels.h"

namespace tof {

namespace {

constexpr double kBar_mm = 2.5;     ///< width of a colour bar
constexpr double kBarGap_mm = 1.5;  ///< between a picture and its bar
constexpr double kBarMark_mm = 0.7;
constexpr double kLeastCell_mm = 10;
constexpr double kTallest_mm = 1000;
constexpr double kFinest_per_mm = 600 / 25.4;  ///< pixels that pictures have at least: 600 dpi
constexpr double kInset_mm = 1.2;              ///< a scale bar from the edges of its picture
constexpr const char* kDifferenceMap = "difference-light";

/// What the colours of a slice mean; slices of one look share a bar.
struct Look {
    std::string map;
    DisplayRange range;
    std::string title;
    [[nodiscard]] bool operator==(const Look&) const = default;
};

struct Cell {
    std::size_t panel = 0;
    int column = 0;
    PageBox box;       ///< without the line of its title
    bool bar = false;  ///< a colour bar follows it
};

struct Row {
    std::vector<Cell> cells;
    double scale = 1;  ///< mm of the page per mm of its slices
};

class Composer {
  public:
    Composer(const FigureTemplate& figure, const std::vector<ShownPanel>& panels)
        : figure_(figure), panels_(panels) {
        ink_.font_pt = figure.font_pt;
    }

    Drawing compose() {
        findLooks();
        crop();
        makeRows();
        measure();
        drawing_.width_mm = figure_.width_mm;
        drawing_.height_mm = place();
        drawing_.title = figure_.title;
        for (const Row& row : rows_) {
            for (const Cell& cell : row.cells) {
                draw(cell, row);
            }
        }
        return std::move(drawing_);
    }

  private:
    [[nodiscard]] const FigurePanel& panel(const Cell& cell) const { return figure_.panels[cell.panel]; }
    [[nodiscard]] bool isSlice(const Cell& cell) const {
        return panel(cell).kind == FigurePanel::Kind::Slice;
    }

    /// One range for all slices that have none of their own; differences have one for themselves.
    void findLooks() {
        DisplayRange common{0, 0};
        DisplayRange differences{0, 0};
        for (std::size_t i = 0; i < panels_.size(); ++i) {
            const FigurePanel& panel = figure_.panels[i];
            if (panel.kind == FigurePanel::Kind::Slice && !panel.range) {
                DisplayRange& all = panel.minus ? differences : common;
                all.low = std::min(all.low, panels_[i].range.low);
                all.high = std::max(all.high, panels_[i].range.high);
            }
        }
        looks_.resize(panels_.size());
        for (std::size_t i = 0; i < panels_.size(); ++i) {
            const FigurePanel& panel = figure_.panels[i];
            const DisplayRange shared = panel.minus ? differences : figure_.range.value_or(common);
            const std::string map = panel.minus ? kDifferenceMap : figure_.map;
            const std::string title = figure_.barTitle.empty() ? panels_[i].units : figure_.barTitle;
            looks_[i] = {panel.map.empty() ? map : panel.map, panel.range.value_or(shared), title};
        }
    }

    /// The part with the objects of all slices, or all of each.
    void crop() {
        constexpr double kFar = std::numeric_limits<double>::infinity();
        Box all{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
        for (std::size_t i = 0; i < panels_.size(); ++i) {
            for (std::size_t axis = 0; axis < 3 && figure_.panels[i].kind == FigurePanel::Kind::Slice;
                 ++axis) {
                all.low[axis] = std::min(all.low[axis], panels_[i].object.low[axis]);
                all.high[axis] = std::max(all.high[axis], panels_[i].object.high[axis]);
            }
        }
        for (const ShownPanel& panel : panels_) {
            cuts_.push_back(figure_.wholeImages ? panel.cut : panel.cut.within(all));
        }
    }

    void makeRows() {
        int column = figure_.columns;
        for (std::size_t i = 0; i < panels_.size(); ++i) {
            if (column + figure_.panels[i].span > figure_.columns) {
                rows_.emplace_back();
                column = 0;
            }
            std::vector<Cell>& cells = rows_.back().cells;
            cells.push_back({i, column, {}, figure_.panels[i].kind == FigurePanel::Kind::Slice});
            if (cells.size() > 1 && cells[cells.size() - 2].bar && cells.back().bar &&
                looks_[cells[cells.size() - 2].panel] == looks_[i]) {
                cells[cells.size() - 2].bar = false;
            }
            column += figure_.panels[i].span;
        }
    }

    [[nodiscard]] double widthOf(const std::string& text) const {
        return figureFont(Weight::Regular).width_mm(text, figure_.font_pt);
    }

    [[nodiscard]] static RoundScale scaleOf(const Look& look) {
        return RoundScale::within(look.range.low, look.range.high, 5);
    }

    /// What a bar takes beside a picture, with its marks and title.
    [[nodiscard]] double barWidth(const Look& look) const {
        double words = 0;
        const RoundScale scale = scaleOf(look);
        for (const double mark : scale.marks()) {
            words = std::max(words, widthOf(scale.text(mark)));
        }
        const bool titled = !scale.titled(look.title).empty();
        return kBarGap_mm + kBar_mm + 2 * kBarMark_mm + words + (titled ? ink_.line_mm() : 0);
    }

    /// Widths of columns: the room for bars is that of the row which needs most.
    void measure() {
        double bars = 0;
        for (const Row& row : rows_) {
            double own = 0;
            for (const Cell& cell : row.cells) {
                own += cell.bar ? barWidth(looks_[cell.panel]) : 0;
            }
            bars = std::max(bars, own);
        }
        cell_mm_ = (figure_.width_mm - bars - (figure_.columns - 1) * figure_.gap_mm) / figure_.columns;
        if (cell_mm_ < kLeastCell_mm) {
            throw WrongUse(
                "{} columns in {:g} mm leave {:.1f} mm for each; take fewer columns or a wider page",
                figure_.columns, figure_.width_mm, std::max(0.0, cell_mm_));
        }
    }

    [[nodiscard]] double widthOf(const Cell& cell) const {
        const int span = panel(cell).span;
        return span * cell_mm_ + (span - 1) * figure_.gap_mm;
    }

    /// Gives every cell its box; the height of the page.
    double place() {
        double y = 0;
        for (Row& row : rows_) {
            y += (&row == rows_.data() ? 0 : figure_.gap_mm) + ink_.line_mm() * kTitleLines;
            const double height = heightOf(row);
            double bars = 0;
            for (Cell& cell : row.cells) {
                const double x = cell.column * (cell_mm_ + figure_.gap_mm) + bars;
                const SliceCut& cut = cuts_[cell.panel];
                cell.box = isSlice(cell)
                               ? PageBox{x, y, cut.width_mm() * row.scale, cut.height_mm() * row.scale}
                               : PageBox{x, y, chartWidth(row, cell), height};
                bars += cell.bar ? barWidth(looks_[cell.panel]) : 0;
            }
            y += height;
        }
        if (y > kTallest_mm) {
            throw WrongUse("the figure would be {:.0f} mm high; take fewer rows or more columns", y);
        }
        return y + ink_.thin_mm;  // frames at the lower edge are drawn whole
    }

    /// A chart at the end of a row also takes the room that bars of other rows have there.
    [[nodiscard]] double chartWidth(const Row& row, const Cell& cell) const {
        const bool last = &cell == &row.cells.back() && cell.column + panel(cell).span == figure_.columns;
        double bars = 0;
        for (const Cell& each : row.cells) {
            bars += each.bar ? barWidth(looks_[each.panel]) : 0;
        }
        const double x = cell.column * (cell_mm_ + figure_.gap_mm) + bars;
        return last ? figure_.width_mm - x : widthOf(cell);
    }

    double heightOf(Row& row) const {
        row.scale = std::numeric_limits<double>::infinity();
        for (const Cell& cell : row.cells) {
            if (isSlice(cell)) {
                row.scale = std::min(row.scale, widthOf(cell) / cuts_[cell.panel].width_mm());
            }
        }
        double height = 0;
        for (const Cell& cell : row.cells) {
            height = std::max(height, isSlice(cell)
                                          ? cuts_[cell.panel].height_mm() * row.scale
                                          : chartHeight(panels_[cell.panel], chartWidth(row, cell), ink_));
            height = std::max(height, cell.bar ? leastBar(looks_[cell.panel]) : 0);
        }
        return height;
    }

    /// A bar is as high as its picture, and not shorter than its title.
    [[nodiscard]] double leastBar(const Look& look) const {
        return std::max(widthOf(scaleOf(look).titled(look.title)), 4 * ink_.line_mm());
    }

    void text(PagePoint at, const std::string& words, Anchor anchor, Weight weight = Weight::Regular,
              Reading reading = Reading::Across, Rgb colour = {}) {
        drawing_.parts.emplace_back(DrawnText{at, words, figure_.font_pt, weight, anchor, reading, colour});
    }
    void line(std::vector<PagePoint> points, Rgb colour, double width_mm) {
        drawing_.parts.emplace_back(DrawnLine{std::move(points), colour, width_mm, {}});
    }

    void draw(const Cell& cell, const Row& row) {
        drawTitle(cell);
        if (!isSlice(cell)) {
            drawChart(panels_[cell.panel], cell.box, ink_, drawing_.parts);
            return;
        }
        const SliceCut& cut = cuts_[cell.panel];
        const Look& look = looks_[cell.panel];
        const ColourMap& map = ColourMap::find(look.map);
        const double voxel_mm = std::max(std::abs(cut.stepAcross_mm), std::abs(cut.stepDown_mm)) * row.scale;
        const int zoom = std::clamp(static_cast<int>(std::ceil(voxel_mm * kFinest_per_mm)), 1, 64);
        drawing_.parts.emplace_back(
            DrawnPicture{cell.box, slicePixels(cut, look.range, map, zoom, figure_.between)});
        if (row.scale != scaleTold_) {
            drawScaleBar(cell, row, map);
        }
        if (cell.bar) {
            drawBar(cell, look, map);
        }
    }

    /// The letter, and after it what is shown.
    void drawTitle(const Cell& cell) {
        const double y = cell.box.y - ink_.line_mm() * kTitleLines + ink_.line_mm() / 2 + ink_.middle_mm();
        double x = cell.box.x;
        if (figure_.letters != FigureTemplate::Letters::None) {
            const char first = figure_.letters == FigureTemplate::Letters::Upper ? 'A' : 'a';
            std::string letter;
            for (std::size_t rest = cell.panel + 1; rest > 0; rest = (rest - 1) / 26) {
                letter.insert(letter.begin(), static_cast<char>(first + static_cast<int>((rest - 1) % 26)));
            }
            text({x, y}, letter, Anchor::Start, Weight::Bold);
            x += figureFont(Weight::Bold).width_mm(letter + "  ", figure_.font_pt);
        }
        if (!panels_[cell.panel].title.empty()) {
            text({x, y}, fitting(panels_[cell.panel].title, cell.box.right() - x), Anchor::Start);
        }
    }

    /// Cuts a text to what there is room for.
    [[nodiscard]] std::string fitting(const std::string& words, double room) const {
        std::string shown = words;
        while (!shown.empty() && widthOf(shown == words ? shown : shown + "\u2026") > room) {
            do {
                shown.pop_back();
            } while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xc0U) == 0x80);
            if (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0x80U) != 0) {
                shown.pop_back();  // the lead of a character whose rest has gone
            }
        }
        return shown == words ? words : shown + "\u2026";
    }

    void drawScaleBar(const Cell& cell, const Row& row, const ColourMap& map) {
        scaleTold_ = row.scale;
        const double quarter = cuts_[cell.panel].width_mm() / 4;
        const double length = figure_.scaleBar_mm.value_or(RoundScale::within(0, quarter, 1).step);
        const double drawn = length * row.scale;
        if (!(length > 0) || drawn > cell.box.width - 2 * kInset_mm) {
            return;
        }
        const Rgb colour = map.darkGround() ? Rgb{255, 255, 255} : Rgb{};
        const double x = cell.box.x + kInset_mm;
        const double y = cell.box.bottom() - kInset_mm;
        constexpr double kThickness_mm = 0.5;
        drawing_.parts.emplace_back(DrawnBox{{x, y - kThickness_mm, drawn, kThickness_mm}, colour});
        const std::string words = fmt::format("{:g} mm", length);
        const bool narrow = widthOf(words) > drawn;
        text({narrow ? x : x + drawn / 2, y - kThickness_mm - 0.25 * ink_.line_mm()}, words,
             narrow ? Anchor::Start : Anchor::Middle, Weight::Regular, Reading::Across, colour);
    }

    void drawBar(const Cell& cell, const Look& look, const ColourMap& map) {
        const auto steps = static_cast<int>(map.table.size());
        Pixels colours(1, steps);
        for (int i = 0; i < steps; ++i) {
            colours.set(0, i, map.table[static_cast<std::size_t>(steps - 1 - i)]);
        }
        const PageBox bar{cell.box.right() + kBarGap_mm, cell.box.y, kBar_mm,
                          std::max(cell.box.height, leastBar(look))};
        drawing_.parts.emplace_back(DrawnPicture{bar, std::move(colours)});
        line({{bar.x, bar.y},
              {bar.right(), bar.y},
              {bar.right(), bar.bottom()},
              {bar.x, bar.bottom()},
              {bar.x, bar.y}},
             ink_.black, ink_.thin_mm);
        const RoundScale scale = scaleOf(look);
        double words = 0;
        for (const double mark : scale.marks()) {
            const double y = bar.bottom() - scale.place(mark) * bar.height;
            // The words of the ends stay beside the bar.
            const double middle = std::clamp(y, bar.y + ink_.middle_mm(), bar.bottom() - ink_.middle_mm());
            line({{bar.right(), y}, {bar.right() + kBarMark_mm, y}}, ink_.black, ink_.thin_mm);
            text({bar.right() + 1.6 * kBarMark_mm, middle + ink_.middle_mm()}, scale.text(mark),
                 Anchor::Start);
            words = std::max(words, widthOf(scale.text(mark)));
        }
        const std::string title = scale.titled(look.title);
        if (!title.empty()) {
            text({bar.right() + 2 * kBarMark_mm + words + 0.75 * ink_.line_mm(), bar.y + bar.height / 2},
                 title, Anchor::Middle, Weight::Regular, Reading::Upwards);
        }
    }

    static constexpr double kTitleLines = 1.1;

    const FigureTemplate& figure_;
    const std::vector<ShownPanel>& panels_;
    FigureInk ink_;
    std::vector<Look> looks_;
    std::vector<SliceCut> cuts_;
    std::vector<Row> rows_;
    double cell_mm_ = 0;
    double scaleTold_ = 0;  ///< what the last scale bar told
    Drawing drawing_;
};

}  // namespace

Drawing composeFigure(const FigureTemplate& figure, const std::vector<ShownPanel>& panels) {
    return Composer(figure, panels).compose();
}

}  // namespace tof
