// SPDX-License-Identifier: Apache-2.0
// Runs the real tofscope-cli, as a person or a script would.
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <functional>

#include "tests/support/places.h"

namespace tof::test {

inline const QString kProgram = inBuild("bin/tofscope-cli");

/// What a finished command said. code is -1 when it crashed or did not end within two minutes.
struct Said {
    int code = -1;
    QString out;
    QString err;

    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
    /// The object under "error" of --json.
    [[nodiscard]] QJsonObject error() const {
        return QJsonDocument::fromJson(err.toUtf8()).object()["error"].toObject();
    }
    [[nodiscard]] QByteArray all() const {
        return QStringLiteral("exit %1\nstdout: %2\nstderr: %3").arg(code).arg(out.left(2000), err).toUtf8();
    }
};

inline Said finish(QProcess& process) {
    const bool ended = process.waitForFinished(120000);
    const bool normal = ended && process.exitStatus() == QProcess::NormalExit;
    return {normal ? process.exitCode() : -1, QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

/// `inChild` runs in the new process before the program does.
inline Said cli(const QStringList& words, const std::function<void()>& inChild = {}) {
    QProcess process;
    if (inChild) {
        process.setChildProcessModifier(inChild);
    }
    process.start(kProgram, words);
    return finish(process);
}

/// Waits until a running command has said this on standard error; with --verbose it says its name as it
/// begins.
inline bool waitForText(QProcess& process, const QByteArray& text) {
    process.setReadChannel(QProcess::StandardError);
    QByteArray said;
    while (!said.contains(text) && process.waitForReadyRead(60000)) {
        said += process.readAllStandardError();
    }
    return said.contains(text);
}

/// A complaint is one sentence on one line of standard error, and nothing on standard output.
inline bool isOneSentence(const Said& said) {
    return said.out.isEmpty() && said.err.startsWith("tofscope-cli: ") && said.err.endsWith('\n') &&
           said.err.count('\n') == 1 && said.err.size() > 20;
}

}  // namespace tof::test
