// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <string>

namespace tof::test {

/// An empty cache for the rest of a test.
class FreshCache {
  public:
    FreshCache() { qputenv("XDG_CACHE_HOME", folder_.path().toUtf8()); }
    [[nodiscard]] QStringList files() const {
        return QDir(folder_.filePath("tofscope")).entryList(QDir::Files);
    }
    [[nodiscard]] static QByteArray read(const std::string& file) {
        QFile opened(QString::fromStdString(file));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    static void write(const std::string& file, const QByteArray& bytes) {
        QFile opened(QString::fromStdString(file));
        QVERIFY(opened.open(QIODevice::WriteOnly) && opened.write(bytes) == bytes.size());
    }

  private:
    QTemporaryDir folder_;
};

}  // namespace tof::test
