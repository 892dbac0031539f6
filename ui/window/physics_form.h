// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "recon/scanner/detection.h"
#include "recon/simulate/physics.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QVBoxLayout;

namespace tof::ui {

class ComboBox;

/// The switches of a simulation's physics, from the nucleus to the coincidence, each with what it does in
/// words. What a scanner does not describe is off and says why.
class PhysicsForm : public QWidget {
    Q_OBJECT

  public:
    explicit PhysicsForm(QWidget* parent = nullptr);
    /// How the scanner detects; none: `why` is said at every switch.
    void setDetection(const std::optional<Detection>& detection, const QString& why);
    /// What is asked for; none where the scanner does not say how it detects.
    [[nodiscard]] std::optional<Physics> physics() const;
    /// What was typed; none: no positive number.
    [[nodiscard]] std::optional<double> activity_MBq() const;
    /// {singles per second, ps} where it differs from what the scanner says; check() first.
    [[nodiscard]] std::optional<std::vector<std::array<double, 2>>> timingByRate() const;
    /// Whether singles are followed in time: what devices can do, and what has delayeds.
    [[nodiscard]] bool inTime() const;
    /// Sets the sentences at the fields; the first one that cannot be, or null.
    [[nodiscard]] QWidget* check();

  Q_SIGNALS:
    void changed();

  private:
    void addSwitch(QVBoxLayout& column, std::size_t index, const QString& text, const QString& help);
    void enableFields();
    /// "1 M: 375, 20 M: 430"; empty where it is no such table.
    [[nodiscard]] std::optional<std::vector<std::array<double, 2>>> typedTiming() const;

    std::array<QCheckBox*, 8> switches_{};  ///< in the order of Physics::switches()
    ComboBox* isotope_;
    QLineEdit* activity_;
    QLabel* activityFault_;
    QCheckBox* timing_;
    QLineEdit* table_;
    QLabel* tableFault_;
    std::optional<Detection> detection_;
    QString why_;
};

}  // namespace tof::ui
