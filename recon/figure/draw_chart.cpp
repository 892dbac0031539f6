// SPDX-License-Identifier: Apache-2.0
#include "recon/figure/draw_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "recon/figure/chart_axis.h"
#include "recon/figure/font.h"

namespace tof {

namespace {

constexpr double kMark_mm = 0.8;
constexpr double kRoom_mm = 0.8;
constexpr double kPoint_half_mm = 0.5;
constexpr double kFrameShape = 0.72;  ///< height of a frame over its width
constexpr double kSample_mm = 6;      ///< the piece of a curve beside its name

struct Extent {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
    void take(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

class ChartDrawer {
  public:
    ChartDrawer(const ShownPanel& panel, PageBox box, const FigureInk& ink, std::vector<Drawn>& parts)
        : panel_(panel), box_(box), ink_(ink), parts_(parts) {
        Extent x;
        Extent y;
        forEachPoint([&](const ChartLine&, double atX, double atY) {
            x.take(atX);
            y.take(atY);
        });
        const double words_mm = 3.2 * ink.font_pt * kPoint_mm;  // a mark and its room
        const int marks = std::clamp(static_cast<int>(box.width / words_mm / 1.6), 2, 8);
        // A line without points, that of a profile, runs from edge to edge.
        xScale_ = !panel.hasPoints && x.least < x.most ? RoundScale::within(x.least, x.most, marks)
                                                       : RoundScale::covering(x.least, x.most, marks);
        yScale_ = RoundScale::covering(y.least, y.most,
                                       std::clamp(static_cast<int>(box.height / words_mm / 1.6), 2, 8));
        findFrame();
    }

    /// What of the box is no frame, and a frame in which the title of the upright axis has room.
    [[nodiscard]] double bestHeight() const {
        const double title = widthOf(yScale_.titled(panel_.chart.yTitle));
        return box_.height - frame_.height + std::max(kFrameShape * frame_.width, title);
    }

    void draw() {
        drawMarks();
        for (std::size_t i = 0; i < panel_.chart.lines.size(); ++i) {
            drawCurve(panel_.chart.lines[i], curveInks()[i % curveInks().size()]);
        }
        const PageBox& f = frame_;
        line({{f.x, f.y}, {f.right(), f.y}, {f.right(), f.bottom()}, {f.x, f.bottom()}, {f.x, f.y}},
             ink_.black, ink_.thin_mm);
        drawNames();
    }

  private:
    template <class Visit>
    void forEachPoint(const Visit& visit) const {
        for (const ChartLine& each : panel_.chart.lines) {
            for (std::size_t i = 0; i < each.x.size(); ++i) {
                if (std::isfinite(each.x[i]) && std::isfinite(each.y[i])) {
                    visit(each, each.x[i], each.y[i]);
                }
            }
        }
    }

    [[nodiscard]] double widthOf(const std::string& text) const {
        return figureFont(Weight::Regular).width_mm(text, ink_.font_pt);
    }

    /// Names of curves side by side as long as there is room; one curve needs none.
    void placeNames() {
        double x = 0;
        int row = 0;
        for (const ChartLine& each : panel_.chart.lines) {
            const double width = kSample_mm + 2 * kRoom_mm + widthOf(each.name) + 3 * kRoom_mm;
            if (x > 0 && x + width > box_.width) {
                x = 0;
                ++row;
            }
            names_.push_back({x, row * ink_.line_mm()});
            x += width;
        }
        nameRows_ = panel_.chart.lines.size() > 1 ? row + 1 : 0;
    }

    void findFrame() {
        placeNames();
        double marks = 0;
        for (const double mark : yScale_.marks()) {
            marks = std::max(marks, widthOf(yScale_.text(mark)));
        }
        const double left = ink_.line_mm() + marks + kMark_mm + kRoom_mm;
        const double below = 2 * ink_.line_mm() + kMark_mm + nameRows_ * ink_.line_mm();
        const double above = ink_.middle_mm();
        const double last = widthOf(xScale_.text(xScale_.high)) / 2;
        frame_ = {box_.x + left, box_.y + above, std::max(5.0, box_.width - left - last),
                  std::max(5.0, box_.height - below - above)};
    }

    [[nodiscard]] PagePoint place(double x, double y) const {
        return {frame_.x + xScale_.place(x) * frame_.width,
                frame_.bottom() - yScale_.place(y) * frame_.height};
    }

    void line(std::vector<PagePoint> points, Rgb colour, double width_mm, std::vector<double> dashes = {}) {
        parts_.emplace_back(DrawnLine{std::move(points), colour, width_mm, std::move(dashes)});
    }
    void text(PagePoint at, const std::string& words, Anchor anchor, Reading reading = Reading::Across) {
        parts_.emplace_back(DrawnText{at, words, ink_.font_pt, Weight::Regular, anchor, reading, ink_.black});
    }

    void drawMarks() {
        for (const double mark : xScale_.marks()) {
            const double x = place(mark, yScale_.low).x;
            line({{x, frame_.bottom()}, {x, frame_.bottom() + kMark_mm}}, ink_.black, ink_.thin_mm);
            text({x, frame_.bottom() + kMark_mm + ink_.line_mm() / 2 + ink_.middle_mm()}, xScale_.text(mark),
                 Anchor::Middle);
        }
        for (const double mark : yScale_.marks()) {
            const double y = place(xScale_.low, mark).y;
            line({{frame_.x - kMark_mm, y}, {frame_.x, y}}, ink_.black, ink_.thin_mm);
            text({frame_.x - kMark_mm - kRoom_mm / 2, y + ink_.middle_mm()}, yScale_.text(mark), Anchor::End);
        }
        text({frame_.x + frame_.width / 2,
              frame_.bottom() + kMark_mm + 1.5 * ink_.line_mm() + ink_.middle_mm()},
             xScale_.titled(panel_.chart.xTitle), Anchor::Middle);
        text({box_.x + ink_.font_pt * kPoint_mm * 0.8, frame_.y + frame_.height / 2},
             yScale_.titled(panel_.chart.yTitle), Anchor::Middle, Reading::Upwards);
    }

    void drawCurve(const ChartLine& curve, const CurveInk& look) {
        std::vector<PagePoint> piece;
        const auto end = [&] {
            if (piece.size() > 1) {
                line(piece, look.colour, ink_.thick_mm, look.dashes_mm);
            }
            piece.clear();
        };
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) {
                end();
                continue;
            }
            piece.push_back(place(curve.x[i], curve.y[i]));
            if (panel_.hasPoints) {
                point(piece.back(), look.colour);
            }
        }
        end();
    }

    void point(PagePoint at, Rgb colour) {
        parts_.emplace_back(DrawnBox{
            {at.x - kPoint_half_mm, at.y - kPoint_half_mm, 2 * kPoint_half_mm, 2 * kPoint_half_mm}, colour});
    }

    void drawNames() {
        if (nameRows_ == 0) {
            return;
        }
        const double top = box_.bottom() - nameRows_ * ink_.line_mm();
        for (std::size_t i = 0; i < names_.size(); ++i) {
            const CurveInk& look = curveInks()[i % curveInks().size()];
            const double x = box_.x + names_[i].x;
            const double y = top + names_[i].y + ink_.line_mm() / 2;
            line({{x, y}, {x + kSample_mm, y}}, look.colour, ink_.thick_mm, look.dashes_mm);
            if (panel_.hasPoints) {
                point({x + kSample_mm / 2, y}, look.colour);
            }
            text({x + kSample_mm + 2 * kRoom_mm, y + ink_.middle_mm()}, panel_.chart.lines[i].name,
                 Anchor::Start);
        }
    }

    const ShownPanel& panel_;
    PageBox box_;
    const FigureInk& ink_;
    std::vector<Drawn>& parts_;
    RoundScale xScale_;
    RoundScale yScale_;
    PageBox frame_;
    std::vector<PagePoint> names_;
    int nameRows_ = 0;
};

}  // namespace

const std::vector<CurveInk>& curveInks() {
    // Okabe and Ito's colours (2008) without their yellow, which white paper swallows.
    static const std::vector<CurveInk> inks{{{0x00, 0x72, 0xb2}, {}},
                                            {{0xd5, 0x5e, 0x00}, {2, 0.8}},
                                            {{0x00, 0x9e, 0x73}, {0.6, 0.8}},
                                            {{0xcc, 0x79, 0xa7}, {2, 0.8, 0.6, 0.8}},
                                            {{0x00, 0x00, 0x00}, {3, 1}},
                                            {{0x56, 0xb4, 0xe9}, {1, 1}},
                                            {{0xe6, 0x9f, 0x00}, {3, 0.8, 0.6, 0.8}},
                                            {{0x66, 0x66, 0x66}, {0.6, 1.6}}};
    return inks;
}

double chartHeight(const ShownPanel& panel, double width_mm, const FigureInk& ink) {
    std::vector<Drawn> nothing;
    return ChartDrawer(panel, {0, 0, width_mm, width_mm}, ink, nothing).bestHeight();
}

void drawChart(const ShownPanel& panel, PageBox box, const FigureInk& ink, std::vector<Drawn>& parts) {
    ChartDrawer(panel, box, ink, parts).draw();
}

}  // namespace tof
