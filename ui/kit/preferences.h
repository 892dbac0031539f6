// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <vector>

#include "recon/base/options.h"

class QSettings;

namespace tof::ui {

/// When a change is seen: at once, for what is opened next, or at the next start of the program.
enum class PreferenceTakes { Now, Next, Restart };

/// One habit of the user; its key stands in the INI file and in --preference KEY=VALUE, its words are the
/// user's.
struct PreferenceInfo : OptionInfo {
    QString group{};      ///< heading in the dialog
    QStringList shown{};  ///< what people see of the choices
    PreferenceTakes takes = PreferenceTakes::Now;

    [[nodiscard]] QString name() const { return QString::fromStdString(key); }
    [[nodiscard]] QString start() const { return QString::fromStdString(fallback); }
    [[nodiscard]] QString title() const { return QString::fromStdString(label); }
};

/// Every preference, in the order of the dialog. Dialog, INI file, command line and tests are views of it.
[[nodiscard]] const std::vector<PreferenceInfo>& preferenceTable();
/// Throws WrongUse for an unknown key.
[[nodiscard]] const PreferenceInfo& preferenceInfo(const QString& key);
/// `value` in its one spelling; throws WrongUse unless it is allowed.
[[nodiscard]] QString checkedPreference(const PreferenceInfo& info, const QString& value);

/// What the program remembers between starts: an INI file, or nothing (tests, pictures).
class Preferences {
  public:
    /// An empty path keeps everything in memory only.
    explicit Preferences(const QString& file);
    ~Preferences();
    /// Where the user's own file is.
    [[nodiscard]] static QString defaultFile();

    /// Where the state of the last session is kept; empty: nowhere.
    [[nodiscard]] QString sessionFile() const;
    /// Where pictures of the files opened last are kept; empty: nowhere.
    [[nodiscard]] QString recentFolder() const;
    /// Where the user's own kernels are kept; empty: nowhere. The command line looks there, too.
    [[nodiscard]] QString kernelFolder() const;

    /// The ten files opened last, newest first, each once.
    [[nodiscard]] QStringList recent() const;
    void addRecent(const QString& path);
    void clearRecent();

    /// The value of a row of preferenceTable(): as set, else its default. A value in the file
    /// that is not allowed counts as not there.
    [[nodiscard]] QString value(const QString& key) const;
    [[nodiscard]] bool isOn(const QString& key) const { return value(key) == "on"; }
    /// Remembers it; throws WrongUse for what the table does not allow.
    void setValue(const QString& key, const QString& value);
    /// For this start of the program only; wins over what is remembered until setValue().
    void override(const QString& key, const QString& value);
    /// Every row of the table as at the first start.
    void reset();

    [[nodiscard]] QString text(const QString& key, const QString& fallback) const;
    void setText(const QString& key, const QString& value);
    [[nodiscard]] QByteArray bytes(const QString& key) const;
    void setBytes(const QString& key, const QByteArray& value);

  private:
    QString file_;
    std::unique_ptr<QSettings> settings_;
    QStringList recentInMemory_;
    std::map<QString, QString> inMemory_;
};

}  // namespace tof::ui
