// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>
#include <optional>

#include "recon/phantom/phantom.h"
#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner.h"

namespace tof::ui {

/// A scanner or a phantom, drawn from its description: from the front at the left, from the side at the
/// right, at one scale, with a bar of 100 mm.
class GeometryPicture : public QWidget {
    Q_OBJECT

  public:
    explicit GeometryPicture(QWidget* parent = nullptr);
    void clear();
    void show(const Scanner& scanner);
    void show(const RingScanner& scanner, double fovRadius_mm);
    void show(const Phantom& phantom);
    [[nodiscard]] QSize sizeHint() const override { return {240, 112}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void measure();

    std::vector<Vec3> crystals_;  ///< front faces
    double fovRadius_mm_ = 0;
    std::optional<Phantom> phantom_;
    double radius_mm_ = 1;
    double halfLength_mm_ = 1;
};

}  // namespace tof::ui
