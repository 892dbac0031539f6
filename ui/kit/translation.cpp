// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/translation.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <algorithm>
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
