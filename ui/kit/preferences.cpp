// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/preferences.h"

#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include "recon/base/error.h"
#include "ui/kit/preference_table.h"

namespace tof::ui {

namespace {

constexpr int kRecent = 10;

}  // namespace

Preferences::Preferences(const QString& file)
    : file_(file),
      settings_(file.isEmpty() ? nullptr : std::make_unique<QSettings>(file, QSettings::IniFormat)) {}

Preferences::~Preferences() = default;

QString Preferences::defaultFile() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/tofscope/tofscope.ini";
}

QString Preferences::sessionFile() const {
    return file_.isEmpty() ? QString() : QFileInfo(file_).absolutePath() + "/session.json";
}

QString Preferences::kernelFolder() const {
    return file_.isEmpty() ? QString() : QFileInfo(file_).absolutePath() + "/kernels";
}

QStringList Preferences::recent() const {
    return settings_ != nullptr ? settings_->value("recent").toStringList() : recentInMemory_;
}

void Preferences::addRecent(const QString& path) {
    QStringList list = recent();
    list.removeAll(path);
    list.prepend(path);
    while (list.size() > kRecent) {
        list.removeLast();
    }
    recentInMemory_ = list;
    if (settings_ != nullptr) {
        settings_->setValue("recent", list);
    }
}

void Preferences::clearRecent() {
    recentInMemory_.clear();
    if (settings_ != nullptr) {
        settings_->remove("recent");
    }
}

QString Preferences::value(const QString& key) const {
    const PreferenceInfo& info = preferenceInfo(key);
    const auto here = inMemory_.find(key);
    const QString found = here != inMemory_.end() ? here->second : text(key, info.start());
    try {
        return checkedPreference(info, found);
    } catch (const WrongUse&) {
        return info.start();
    }
}

void Preferences::setValue(const QString& key, const QString& value) {
    override(key, value);
    setText(key, inMemory_[key]);
}

void Preferences::override(const QString& key, const QString& value) {
    inMemory_[key] = checkedPreference(preferenceInfo(key), value);
}

void Preferences::reset() {
    inMemory_.clear();
    for (const PreferenceInfo& info : preferenceTable()) {
        if (settings_ != nullptr) {
            settings_->remove(info.name());
        }
    }
}

QString Preferences::text(const QString& key, const QString& fallback) const {
    return settings_ != nullptr ? settings_->value(key, fallback).toString() : fallback;
}

void Preferences::setText(const QString& key, const QString& value) {
    if (settings_ != nullptr) {
        settings_->setValue(key, value);
    }
}

QByteArray Preferences::bytes(const QString& key) const {
    return settings_ != nullptr ? settings_->value(key).toByteArray() : QByteArray();
}

void Preferences::setBytes(const QString& key, const QByteArray& value) {
    if (settings_ != nullptr) {
        settings_->setValue(key, value);
    }
}

}  // namespace tof::ui
