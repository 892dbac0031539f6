// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// What tables outside ui/ say in English, for the tools that collect texts for translation; those of options
/// mark their words themselves (toTranslate in recon/base/options.h). `translation_test` asks for every
/// entry.
[[maybe_unused]] constexpr const char* kWords[] = {
    // menus
    QT_TRANSLATE_NOOP("Word", "File"),
    QT_TRANSLATE_NOOP("Word", "Edit"),
    QT_TRANSLATE_NOOP("Word", "View"),
    QT_TRANSLATE_NOOP("Word", "Kernel"),
    QT_TRANSLATE_NOOP("Word", "Run"),
    QT_TRANSLATE_NOOP("Word", "ROIs"),
    QT_TRANSLATE_NOOP("Word", "Curves"),
    QT_TRANSLATE_NOOP("Word", "Tools"),
    QT_TRANSLATE_NOOP("Word", "Help"),
    // recon/metrics: shapes and roles
    QT_TRANSLATE_NOOP("Word", "circle"),
    QT_TRANSLATE_NOOP("Word", "annulus"),
    QT_TRANSLATE_NOOP("Word", "ellipse"),
    QT_TRANSLATE_NOOP("Word", "polygon"),
    QT_TRANSLATE_NOOP("Word", "sphere"),
    QT_TRANSLATE_NOOP("Word", "cylinder"),
    QT_TRANSLATE_NOOP("Word", "box"),
    QT_TRANSLATE_NOOP("Word", "region"),
    QT_TRANSLATE_NOOP("Word", "background"),
    QT_TRANSLATE_NOOP("Word", "uniform"),
    QT_TRANSLATE_NOOP("Word", "none"),
    // recon/engine: stages; viz: colour maps
    QT_TRANSLATE_NOOP("Word", "upload"),
    QT_TRANSLATE_NOOP("Word", "forward"),
    QT_TRANSLATE_NOOP("Word", "discrepancy"),
    QT_TRANSLATE_NOOP("Word", "back"),
    QT_TRANSLATE_NOOP("Word", "update"),
    QT_TRANSLATE_NOOP("Word", "download"),
    QT_TRANSLATE_NOOP("Word", "Grey"),
    QT_TRANSLATE_NOOP("Word", "Inverse grey"),
    QT_TRANSLATE_NOOP("Word", "Hot metal"),
    QT_TRANSLATE_NOOP("Word", "Inferno"),
    QT_TRANSLATE_NOOP("Word", "Viridis"),
    QT_TRANSLATE_NOOP("Word", "PET rainbow"),
    QT_TRANSLATE_NOOP("Word", "Difference, light"),
    QT_TRANSLATE_NOOP("Word", "Difference, dark"),
    // what a run does
    QT_TRANSLATE_NOOP("Word", "kernel tables"),
    QT_TRANSLATE_NOOP("Word", "data"),
    QT_TRANSLATE_NOOP("Word", "sensitivities"),
    QT_TRANSLATE_NOOP("Word", "last iterate"),
    QT_TRANSLATE_NOOP("Word", "pausing"),
    QT_TRANSLATE_NOOP("Word", "finishing"),
    QT_TRANSLATE_NOOP("Word", "cancelling"),
};

}  // namespace

QString word(const std::string& english) {
    return QCoreApplication::translate("Word", english.c_str());
}

}  // namespace tof::ui
