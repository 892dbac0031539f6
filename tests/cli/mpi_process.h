// SPDX-License-Identifier: Apache-2.0
// tofscope-cli under mpirun.
#pragma once

#include <QFile>
#include <QList>
#include <QRegularExpression>
#include <QStandardPaths>

#include "tests/cli/cli_process.h"

namespace tof::test {

/// Ranks that wait let others compute: tests share their cores with other tests.
inline const QStringList kMpiFlags{"--oversubscribe", "--allow-run-as-root", "--mca", "mpi_yield_when_idle",
                                   "1"};

inline bool mpiIsThere() {
    return !QStandardPaths::findExecutable("mpirun").isEmpty() &&
           QFile::exists(TOF_BINARY_DIR "/lib/libtofscope_mpi.so");
}

inline void startRanks(QProcess& process, int ranks, const QStringList& words) {
    process.start("mpirun", kMpiFlags + QStringList{"-n", QString::number(ranks)} + words);
}

inline Said cliOnRanks(int ranks, const QStringList& words) {
    QProcess process;
    startRanks(process, ranks, QStringList{kProgram} + words);
    return finish(process);
}

/// Sentences of the program on standard error; mpirun adds words of its own.
inline QStringList sentences(const Said& said) {
    return said.err.split('\n').filter(QRegularExpression("^tofscope-cli: "));
}

/// A command on two ranks, of which the first can write no file of more than 16 blocks.
inline Said cliWithFullDisk(const QString& command) {
    QProcess process;
    startRanks(process, 2,
               {"bash", "-c",
                QString("if [ \"$OMPI_COMM_WORLD_RANK\" = 0 ]; then ulimit -f 16; fi; exec %1 %2")
                    .arg(kProgram, command)});
    return finish(process);
}

/// Processes that mpirun has started.
inline QList<int> ranksOf(const QProcess& mpirun) {
    QFile file(QString("/proc/%1/task/%1/children").arg(mpirun.processId()));
    QList<int> ids;
    if (file.open(QIODevice::ReadOnly)) {
        for (const QByteArray& word : file.readAll().simplified().split(' ')) {
            if (word.toInt() > 0) {
                ids.append(word.toInt());
            }
        }
    }
    return ids;
}

}  // namespace tof::test
