// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

#include "ui/kit/basic.h"
#include "ui/kit/preferences.h"

namespace tof::ui {

/// The table of preferences as a form. A change takes effect and is remembered at once.
class PreferencesDialog : public QDialog {
    Q_OBJECT

  public:
    PreferencesDialog(Preferences& preferences, QWidget* parent);

  Q_SIGNALS:
    /// This preference has another value now.
    void changed(const QString& key);

  private:
    QWidget* fieldFor(const QString& key);
    void apply(const QString& key, const QString& value);
    void resetAll();
    void refresh();

    Preferences& preferences_;
    std::vector<std::function<void()>> shows_;  ///< each brings a field up to date
    bool filling_ = false;
    ElidedLabel* note_;
};

}  // namespace tof::ui
