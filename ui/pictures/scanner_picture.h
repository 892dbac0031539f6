// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QWidget>
#include <array>
#include <optional>

#include "viz/scanner_scene.h"
#include "viz/solid.h"

namespace tof::ui {

/// A scanner from outside: modules and their crystals, the field of view, what lies in it, and a line of
/// response between two crystals. What is nearer than the middle is drawn as edges.
///
/// Mouse: drag turns, wheel zooms, a click takes a crystal for one end of the line and the next click for the
/// other, a double-click looks as at the start; arrow keys turn by 5 degrees, + and - zoom.
class ScannerPicture : public QWidget {
    Q_OBJECT

  public:
    explicit ScannerPicture(QWidget* parent = nullptr);
    /// Nothing to show.
    void clear() { take({}); }
    void take(std::optional<viz::ScannerScene> scene) {
        scene_ = std::move(scene);
        draw({});
    }
    [[nodiscard]] const std::optional<viz::ScannerScene>& scene() const { return scene_; }
    void turn(double azimuth_deg, double elevation_deg);
    [[nodiscard]] double azimuth_deg() const { return azimuth_; }
    [[nodiscard]] double elevation_deg() const { return elevation_; }
    /// Crystals of the line; none: none is drawn.
    void draw(const std::optional<std::array<std::size_t, 2>>& line) {
        line_ = line;
        firstEnd_.reset();
        update();
    }
    [[nodiscard]] const std::optional<std::array<std::size_t, 2>>& line() const { return line_; }
    /// Where a point is in this widget.
    [[nodiscard]] QPointF place(Vec3 point) const {
        const auto [x, y] = view().toPixel(point);
        return {x, y};
    }
    /// "crystal 12 to crystal 4711, 884.3 mm", or empty.
    [[nodiscard]] QString lineText() const;
    [[nodiscard]] QSize sizeHint() const override { return {380, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 160}; }

  Q_SIGNALS:
    /// By a click.
    void lineChosen();

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    [[nodiscard]] viz::SolidView view() const;
    enum class Depth { Far, Near };
    void paintModules(QPainter& painter, Depth depth) const;
    void paintPhantom(QPainter& painter) const;
    void paintField(QPainter& painter) const;
    void paintLine(QPainter& painter) const;
    [[nodiscard]] std::optional<std::size_t> crystalAt(QPointF position) const;

    std::optional<viz::ScannerScene> scene_;
    std::optional<std::array<std::size_t, 2>> line_;
    std::optional<std::size_t> firstEnd_;  ///< first end of a line that is being chosen
    double azimuth_;
    double elevation_;
    double zoom_ = 1;
    QPointF press_;
    QPointF last_;
    bool turning_ = false;
};

}  // namespace tof::ui
