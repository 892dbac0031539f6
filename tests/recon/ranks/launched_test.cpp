// SPDX-License-Identifier: Apache-2.0
// What launchers tell a process about the others that they have started.
#include <QMap>
#include <QTest>
#include <map>

#include "recon/ranks/loader/mpi_loader.h"

namespace launched_test {

using namespace tof;

namespace {

using Variables = QMap<QString, QString>;

constexpr const char* kKnown[] = {
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "PMIX_RANK",    "PMIX_SIZE", "PMI_RANK", "PMI_SIZE",
    "MPI_LOCALRANKID",      "SLURM_STEP_NUM_TASKS",       "SLURM_LOCALID"};

}  // namespace

class LaunchedTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        for (const char* const name : kKnown) {
            before_[name] = qgetenv(name);
            qunsetenv(name);
        }
    }
    void cleanup() {
        for (const auto& [name, value] : before_) {
            qunsetenv(name);
            if (!value.isNull()) {
                qputenv(name, value);
            }
        }
    }

    void processesKnowWhoWasStartedWithThem_data() {
        QTest::addColumn<Variables>("variables");
        QTest::addColumn<bool>("several");
        QTest::addColumn<int>("localRank");
        QTest::addColumn<int>("apart");
        QTest::newRow("by a shell") << Variables{} << false << 0 << 1;
        QTest::newRow("mpirun -n 1") << Variables{{"OMPI_COMM_WORLD_SIZE", "1"}, {"PMIX_RANK", "0"}} << false
                                     << 0 << 1;
        QTest::newRow("mpirun -n 4") << Variables{{"OMPI_COMM_WORLD_SIZE", "4"},
                                                  {"OMPI_COMM_WORLD_LOCAL_RANK", "3"},
                                                  {"PMIX_RANK", "3"}}
                                     << true << 3 << 1;
        QTest::newRow("mpirun -n 4 in a step of Slurm")
            << Variables{{"OMPI_COMM_WORLD_SIZE", "4"}, {"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}
            << true << 0 << 1;
        // As Slurm 22.05 with PMIx 4 was seen to say it.
        QTest::newRow("srun --mpi=pmix -n 2")
            << Variables{{"PMIX_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_LOCALID", "1"}} << true
            << 1 << 1;
        QTest::newRow("srun --mpi=pmix -n 1")
            << Variables{{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_LOCALID", "0"}} << false
            << 0 << 1;
        QTest::newRow("srun --mpi=pmi2 -n 2") << Variables{{"PMI_RANK", "1"},
                                                           {"PMI_SIZE", "2"},
                                                           {"SLURM_STEP_NUM_TASKS", "2"},
                                                           {"SLURM_LOCALID", "1"}}
                                              << true << 1 << 1;
        QTest::newRow("srun --mpi=none -n 2")
            << Variables{{"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_LOCALID", "1"}} << false << 1 << 2;
    }
    void processesKnowWhoWasStartedWithThem() {
        QFETCH(Variables, variables);
        for (const auto& [name, value] : variables.asKeyValueRange()) {
            qputenv(name.toUtf8().constData(), value.toUtf8());
        }
        const Launched found = launched();
        QTEST(found.several, "several");
        QTEST(found.localRank, "localRank");
        QTEST(found.apart, "apart");
    }

  private:
    std::map<const char*, QByteArray> before_;
};

QTEST_GUILESS_MAIN(LaunchedTest)

}  // namespace launched_test
#include "launched_test.moc"
