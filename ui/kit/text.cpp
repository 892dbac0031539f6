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
