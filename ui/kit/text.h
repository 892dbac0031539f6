// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <string>

namespace tof::ui {

/// Translates texts of what is no QObject, as QObject::tr() does for the others.
class Text {
    Q_DECLARE_TR_FUNCTIONS(Text)
};

/// The user's word for one that a table of recon/ gives in English: names of shapes and roles, labels and
/// help of settings, stages, colour maps. Any other text comes back as it is.
[[nodiscard]] QString word(const std::string& english);

}  // namespace tof::ui
