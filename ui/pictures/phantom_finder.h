// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <optional>
#include <string>

#include "ui/kit/wish.h"
#include "ui/kit/worker.h"
#include "viz/scanner_scene.h"

namespace tof::ui {

/// Finds what a scanner's picture shows of phantoms: described ones at once, those of volume files away from
/// the window, since large images take seconds. Only the last one asked for counts.
class PhantomFinder : public QObject {
    Q_OBJECT

  public:
    explicit PhantomFinder(Threading threading, QObject* parent = nullptr);
    /// Tells the reader to end, and waits for it.
    ~PhantomFinder() override;

    /// Looks for what Phantom::fromNameOrText() takes; `source` names it in messages. Emits found(), before
    /// this returns where no volume file is to be read.
    void find(const std::string& nameOrText, const std::string& source);
    /// Ends what is being looked for; there is nothing then, and no fault.
    void forget();

    /// Whether the phantom asked for is still being read.
    [[nodiscard]] bool busy() const { return next_.has_value() || (worker_.busy() && !wish_.ended()); }
    /// Empty while it is read, and where it cannot be.
    [[nodiscard]] const std::optional<viz::PhantomOutline>& outline() const { return outline_; }
    /// Why there is no outline; empty where there is one or nothing was asked for.
    [[nodiscard]] const QString& fault() const { return fault_; }

  Q_SIGNALS:
    /// There is an outline, or a fault.
    void found();

  private:
    struct Wanted {
        std::string nameOrText;
        std::string source;
    };
    void readAway(const Wanted& wanted);
    void finish(viz::PhantomOutline outline, const std::exception_ptr& fault);

    Worker worker_;
    Wish wish_;                   ///< for what is being read
    std::optional<Wanted> next_;  ///< waits until the worker has let go of the one before
    std::optional<viz::PhantomOutline> outline_;
    QString fault_;
};

}  // namespace tof::ui
