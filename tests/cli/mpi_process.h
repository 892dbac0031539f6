// SPDX-License-Identifier: Apache-2.0
// tofscope-cli under mpirun.
#pragma once

#include <QFile>
#include <QList>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QStandardPaths>

#include "tests/cli/cli_process.h"
#include "tests/support/places.h"

namespace tof::test {

/// Ranks that wait let others compute: tests share their cores with other tests.
inline const QStringList kMpiFlags{"--oversubscribe", "--allow-run-as-root", "--mca", "mpi_yield_when_idle",
                                   "1"};

inline bool mpiIsThere() {
    return !QStandardPaths::findExecutable("mpirun").isEmpty() &&
           QFile::exists(inBuild("lib/libtofscope_mpi.so"));
}

/// Where freed memory is overwritten (.ci/memcheck poison) that is for the ranks: mpirun of Open MPI 4.1.4
/// ended with SIGSEGV in six of eight runs where it held for itself, too, and in none of four where it did
/// not.
inline void startRanks(QProcess& process, int ranks, const QStringList& words) {
    QStringList flags = kMpiFlags + QStringList{"-n", QString::number(ranks)};
    QProcessEnvironment around = QProcessEnvironment::systemEnvironment();
    if (const QString tunables = around.value("GLIBC_TUNABLES"); !tunables.isEmpty()) {
        flags += {"-x", "GLIBC_TUNABLES=" + tunables};
        around.remove("GLIBC_TUNABLES");
        process.setProcessEnvironment(around);
    }
    process.start("mpirun", flags + words);
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

/// A command on one rank, and `other` where a second would be. Two programs in one line of mpirun's, with a
/// colon between them, end it with SIGSEGV in Open MPI 5.0.7.
inline void startBeside(QProcess& process, const QString& other, const QStringList& words) {
    startRanks(process, 2,
               QStringList{"-x", "TOFSCOPE_JOIN_SECONDS=3", "bash", "-c",
                           "other=$1; shift; [ \"$OMPI_COMM_WORLD_RANK\" != 0 ] || exec \"$@\"; exec $other",
                           "bash", other, kProgram} +
                   words);
}

/// A command on two ranks, of which the first can write no file of more than 16 blocks. They speak by the
/// network, as the memory that Open MPI 5 shares is a file, too.
inline Said cliWithFullDisk(const QString& command) {
    QProcess process;
    startRanks(process, 2,
               {"--mca", "btl", "self,tcp", "--mca", "btl_tcp_if_include", "lo", "bash", "-c",
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
