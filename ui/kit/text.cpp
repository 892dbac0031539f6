// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/text.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <algorithm>
#include <cmath>
#include <memory>

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
    QT_TRANSLATE_NOOP("Word", "One colour"),
    QT_TRANSLATE_NOOP("Word", "Hot metal"),
    QT_TRANSLATE_NOOP("Word", "Inferno"),
    QT_TRANSLATE_NOOP("Word", "Viridis"),
    QT_TRANSLATE_NOOP("Word", "PET rainbow"),
    QT_TRANSLATE_NOOP("Word", "Labels"),
    QT_TRANSLATE_NOOP("Word", "Difference, light"),
    QT_TRANSLATE_NOOP("Word", "Difference, dark"),
    // units of images, in all of the program
    QT_TRANSLATE_NOOP("Word", "probability"),
    QT_TRANSLATE_NOOP("Word", "emissions/voxel"),
    QT_TRANSLATE_NOOP("Word", "emissions/ml"),
    QT_TRANSLATE_NOOP("Word", "events/voxel"),
    QT_TRANSLATE_NOOP("Word", "events/bin"),
    QT_TRANSLATE_NOOP("Word", "counts/mm"),
    QT_TRANSLATE_NOOP("Word", "relative emissions/mm3"),
    QT_TRANSLATE_NOOP("Word", "kernel id"),
    QT_TRANSLATE_NOOP("Word", "label"),
    // what a run does
    QT_TRANSLATE_NOOP("Word", "system matrix"),
    QT_TRANSLATE_NOOP("Word", "kernel tables"),
    QT_TRANSLATE_NOOP("Word", "data"),
    QT_TRANSLATE_NOOP("Word", "sensitivities"),
    QT_TRANSLATE_NOOP("Word", "last iterate"),
    QT_TRANSLATE_NOOP("Word", "replicates"),
    QT_TRANSLATE_NOOP("Word", "pausing"),
    QT_TRANSLATE_NOOP("Word", "finishing"),
    QT_TRANSLATE_NOOP("Word", "cancelling"),
    // recon/experiment: what each is about
    QT_TRANSLATE_NOOP("Word", "The device beside the paper's"),
    QT_TRANSLATE_NOOP("Word",
                      "What the device says of every projection kernel, and seconds per view with each"),
    QT_TRANSLATE_NOOP("Word", "A point in a view at 45 degrees"),
    QT_TRANSLATE_NOOP(
        "Word",
        "Time of a projection against the kernel's widths and the voxel, on every engine that is there"),
    QT_TRANSLATE_NOOP(
        "Word",
        "Step, ripples and wrapped tails of a wide kernel by Fourier transform, apart from each other"),
    QT_TRANSLATE_NOOP("Word", "Three points forward and back through a variant kernel"),
    QT_TRANSLATE_NOOP(
        "Word",
        "Three points forward and back through symmetric and asymmetric, invariant and variant kernels"),
    QT_TRANSLATE_NOOP("Word", "Models of radial resolution against the distance from the centre"),
    QT_TRANSLATE_NOOP("Word", "Seconds per iteration with every kernel"),
    QT_TRANSLATE_NOOP("Word", "Seconds of every stage of 20 iterations, invariant and variant1"),
    QT_TRANSLATE_NOOP("Word", "Contrast recovery against noise for every kernel"),
    QT_TRANSLATE_NOOP("Word", "Images at matched noise for every kernel, and how far edges ring"),
    QT_TRANSLATE_NOOP("Word", "Both ways to use a cache, forward and back"),
    QT_TRANSLATE_NOOP("Word", "The same as a chart"),
    QT_TRANSLATE_NOOP("Word", "A slice forward and back at 30 degrees"),
    QT_TRANSLATE_NOOP("Word", "Times and speed-ups, noise to signal, contrast recovery, the race"),
    QT_TRANSLATE_NOOP("Word", "Slices of both phantoms, time by stage, noise to signal"),
    QT_TRANSLATE_NOOP("Word", "Lines and classes of two panels, and what an iteration costs"),
    QT_TRANSLATE_NOOP("Word", "Rods by Monte Carlo of crystals: what is resolved"),
    QT_TRANSLATE_NOOP("Word",
                      "One list in three forms, measured kernels, bands of confidence, 2 mm voxels, a long "
                      "axial field, list-mode"),
    QT_TRANSLATE_NOOP("Word", "the device"),
    QT_TRANSLATE_NOOP("Word", "the same"),
    QT_TRANSLATE_NOOP("Word", "the paper's lattice and kernel, 3 runs each"),
    QT_TRANSLATE_NOOP("Word", "15 runs each"),
    QT_TRANSLATE_NOOP("Word", "the paper's lattice"),
    QT_TRANSLATE_NOOP("Word", "half the paper's field, voxels of 4, 3 and 2 mm, 3 runs each"),
    QT_TRANSLATE_NOOP("Word", "the paper's field, voxels of 4 to 2 mm, 15 runs each"),
    QT_TRANSLATE_NOOP("Word", "the paper's lattice and kernel"),
    QT_TRANSLATE_NOOP("Word", "the paper's lattice and kernels"),
    QT_TRANSLATE_NOOP("Word", "every preset of the paper's scanner"),
    QT_TRANSLATE_NOOP("Word", "10 x 3 of the 40 x 3 views, 2 iterations"),
    QT_TRANSLATE_NOOP("Word", "40 x 3 views, 20 iterations"),
    QT_TRANSLATE_NOOP("Word", "expected counts without noise, 96 x 96 x 10 voxels, 20 views, 16 iterations"),
    QT_TRANSLATE_NOOP(
        "Word",
        "430 million prompts of the LaBr3 scanner with scatter and randoms, 26 iterations, 20 replicates"),
    QT_TRANSLATE_NOOP("Word", "the last iterates of ha-fig9"),
    QT_TRANSLATE_NOOP("Word", "8 % noise"),
    QT_TRANSLATE_NOOP("Word", "144 x 144 x 62 voxels, 3 runs each"),
    QT_TRANSLATE_NOOP("Word", "144 x 144 x 62 voxels"),
    QT_TRANSLATE_NOOP("Word", "3 of the 24 rings, 160 x 160 pixels, without noise, 50 updates"),
    QT_TRANSLATE_NOOP("Word", "the whole scanner, 256 x 256 x 47 voxels, 40 iterations of MLEM"),
    QT_TRANSLATE_NOOP("Word", "those of belzunce-tables"),
    QT_TRANSLATE_NOOP("Word", "times of small-panel, 3 million events"),
    QT_TRANSLATE_NOOP("Word", "hrrt-panel, 172 million events, 24 iterations"),
    QT_TRANSLATE_NOOP("Word", "small-derenzo in small-panel, 24 iterations"),
    QT_TRANSLATE_NOOP("Word", "micro-derenzo in hrrt-panel"),
    QT_TRANSLATE_NOOP(
        "Word", "150,000 to 400,000 events a part, small scanners and lattices, 100 scans for the bands"),
    QT_TRANSLATE_NOOP("Word", "histo-images"),
    QT_TRANSLATE_NOOP("Word", "sinograms"),
    QT_TRANSLATE_NOOP("Word", "lines of two panels"),
    QT_TRANSLATE_NOOP("Word", "20 million events, the LaBr3 and a long scanner, 100 scans for the bands"),
    // resources: what scanners and phantoms are
    QT_TRANSLATE_NOOP("Word", "A clinical time-of-flight scanner"),
    QT_TRANSLATE_NOOP("Word", "GE Discovery STE by its crystals, for Monte Carlo"),
    QT_TRANSLATE_NOOP("Word", "hrrt-panel with the layer of an interaction told"),
    QT_TRANSLATE_NOOP("Word",
                      "hrrt-panel with heads of 208 x 208 crystals, to which the paper extends them so that "
                      "every symmetry holds"),
    QT_TRANSLATE_NOOP("Word", "Two HRRT heads 6 cm apart for small animals"),
    QT_TRANSLATE_NOOP("Word", "The scanner labr3 without `detection`"),
    QT_TRANSLATE_NOOP("Word", "Whole-body LaBr3:Ce time-of-flight scanner of the University of Pennsylvania"),
    QT_TRANSLATE_NOOP("Word", "A scanner with a long axial field of view"),
    QT_TRANSLATE_NOOP("Word", "A quarter of hrrt-panel along each side, 26 x 18 crystals, 2 cm apart"),
    QT_TRANSLATE_NOOP("Word", "Approximate NEMA NU 2-2001 image-quality phantom as in paper 003"),
    QT_TRANSLATE_NOOP("Word", "Line source of 700 mm on the axis, in air"),
    QT_TRANSLATE_NOOP("Word", "Scatter phantom of NEMA NU 2"),
    QT_TRANSLATE_NOOP(
        "Word",
        "Thirty-nine point sources in air, thirteen azimuths at each of 90, 180 and 270 mm from the axis, so "
        "that no two of a radius lie alike to the crystals and modules of a ring"),
    QT_TRANSLATE_NOOP("Word",
                      "Water cylinder with six hot spheres of 10 mm diameter, 6:1, in the plane z = 2 mm"),
    QT_TRANSLATE_NOOP("Word",
                      "Uniform water cylinder of 200 mm diameter, longer than the scanner, as in paper 003"),
};

constexpr const char* kPrefix = "tofscope_";

bool install(QCoreApplication& application, const QLocale& locale, const QString& name,
             const QString& folder) {
    auto translator = std::make_unique<QTranslator>(&application);
    return translator->load(locale, name, "_", folder) && application.installTranslator(translator.release());
}

}  // namespace

QString word(const std::string& english) {
    return QCoreApplication::translate("Word", english.c_str());
}

QString etaText(std::optional<double> seconds) {
    if (!seconds) {
        return QString(QChar(0x2013));
    }
    const double s = *seconds;
    if (s < 5) {
        return Text::tr("a few seconds left");
    }
    if (s < 55) {
        return Text::tr("about %1 s left").arg(std::ceil(s / 5) * 5);
    }
    if (s < 3600 - 30) {
        return Text::tr("about %1 min left").arg(std::max(1.0, std::round(s / 60)));
    }
    return Text::tr("about %1 h left").arg(std::round(s / 360) / 10);
}

QString durationText(double seconds) {
    const QString nbsp(QChar(0x00a0));
    if (seconds < 60) {
        return QString::number(seconds, 'f', seconds < 10 ? 2 : 1) + nbsp + "s";
    }
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (whole < 3600) {
        return QString::number(whole / 60) + nbsp + "min " + QString::number(whole % 60) + nbsp + "s";
    }
    return QString::number(whole / 3600) + nbsp + "h " + QString::number(whole % 3600 / 60) + nbsp + "min";
}

QStringList translationFolders() {
    const QString here = QCoreApplication::applicationDirPath();
    return {here + "/../share/tofscope/translations", here + "/../translations"};
}

QStringList languages(const QStringList& folders) {
    QStringList found;
    for (const QString& folder : folders) {
        for (const QString& file : QDir(folder).entryList({QString(kPrefix) + "*.qm"}, QDir::Files)) {
            found << file.mid(QString(kPrefix).size()).chopped(3);
        }
    }
    found.removeDuplicates();
    found.sort();
    return found;
}

bool installTranslation(QCoreApplication& application, const QString& language, const QStringList& folders) {
    const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
    if (locale.language() == QLocale::English || locale.language() == QLocale::C) {
        return false;
    }
    const bool found = std::any_of(folders.begin(), folders.end(), [&](const QString& folder) {
        return install(application, locale, "tofscope", folder);
    });
    if (found) {
        // A bundle carries them beside the program's own.
        QStringList qt = folders;
        qt << QLibraryInfo::path(QLibraryInfo::TranslationsPath);
        static_cast<void>(std::any_of(qt.begin(), qt.end(), [&](const QString& folder) {
            return install(application, locale, "qtbase", folder);
        }));
    }
    return found;
}

}  // namespace tof::ui
