// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <array>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "recon/metrics/profile.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/worker.h"

namespace tof::ui {

/// How the two images are laid out.
enum class CompareMode { SideBySide, Swipe, Checkerboard };
/// "side-by-side", "swipe", "checkerboard".
[[nodiscard]] QString modeName(CompareMode mode);
/// Throws WrongUse listing the names.
[[nodiscard]] CompareMode modeFromName(const QString& name);

/// Which iterates are compared.
enum class IterateLink {
    None,         ///< each has the one that is chosen
    Same,         ///< the second has the one with the number of the first, or the nearest
    MatchedNoise  ///< the second has the one whose noise is nearest to that of the first
};

/// Two images of the run list and their difference, which is computed away from the window. No widgets.
class CompareModel : public QObject {
    Q_OBJECT

  public:
    CompareModel(RunList& runs, Threading threading, QObject* parent = nullptr);

    /// Empty when there are two images, else what is missing.
    [[nodiscard]] QString whyNot() const;
    [[nodiscard]] RunItem* a() const;
    [[nodiscard]] RunItem* b() const;
    void choose(int idA, int idB);
    void swap();
    /// Another image in the place of an operand (0: A, 1: B), `step` further in the list.
    void step(int operand, int step);
    /// The iterate of an operand that is on screen, here and everywhere; 0 follows the newest.
    void chooseIterate(int operand, int iteration);
    [[nodiscard]] IterateLink link() const { return link_; }
    void setLink(IterateLink link);
    /// Letters of both: "C", "A".
    [[nodiscard]] std::array<QString, 2> names() const;
    /// "C - A" with a minus sign.
    [[nodiscard]] QString differenceName() const;
    [[nodiscard]] CompareMode mode() const { return mode_; }
    void setMode(CompareMode mode) { set(mode_, mode); }
    /// Where the divider of a swipe is, 0..1 of a picture's width.
    [[nodiscard]] double split() const { return split_; }
    void setSplit(double split);

    /// a - b on the lattice of a, and its figures; null and empty until computed for the images on screen. An
    /// image on another lattice is interpolated there.
    [[nodiscard]] std::shared_ptr<const Volume> difference() const { return difference_; }
    [[nodiscard]] const std::optional<DifferenceFigures>& figures() const { return figures_; }

    /// The largest size of a value of B; 0 until computed.
    [[nodiscard]] double largestB() const { return largestB_; }
    /// Whether the difference is shown in per cent of that.
    [[nodiscard]] bool relative() const { return relative_; }
    void setRelative(bool relative) { set(relative_, relative); }

    /// Symmetric limit of the difference's colours, in the images' values.
    [[nodiscard]] double limit() const { return limit_; }
    [[nodiscard]] bool autoLimit() const { return auto_; }
    void setLimit(double limit);
    void setAutoLimit();

    /// Operands by their letters, layout, divider and limit.
    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);

    [[nodiscard]] bool busy() const { return worker_.busy(); }

    /// Looks at the runs again: chooses operands when they are gone, computes when an image is another one.
    void refresh();

  Q_SIGNALS:
    void changed();

  private:
    template <typename Value>
    void set(Value& member, Value value) {
        if (std::exchange(member, value) != value) {
            Q_EMIT changed();
        }
    }
    void useFigures();
    void followLink();

    RunList& runs_;
    Worker worker_;
    int idA_ = 0;
    int idB_ = 0;
    std::shared_ptr<const Volume> volumeA_;  ///< what difference_ was made of
    std::shared_ptr<const Volume> volumeB_;
    std::shared_ptr<const Volume> difference_;
    std::optional<DifferenceFigures> figures_;
    CompareMode mode_ = CompareMode::SideBySide;
    IterateLink link_ = IterateLink::None;
    double split_ = 0.5;
    double largestB_ = 0;
    bool relative_ = false;
    double limit_ = 1;
    bool auto_ = true;
};

}  // namespace tof::ui
