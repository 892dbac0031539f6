// SPDX-License-Identifier: Apache-2.0
// What memory there is: the least of what the machine has and what limits leave of it.
#include "recon/base/memory.h"

#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <limits>

namespace memory_test {

using namespace tof;

class MemoryTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void everyGroupOnTheWayHasALimit() {
        write("cgroup", "0::/slurm/job_7/task\n");
        write("fs/memory.max", "max\n");
        write("fs/slurm/job_7/memory.max", "1000000\n");
        write("fs/slurm/job_7/memory.current", "700000\n");
        write("fs/slurm/job_7/memory.stat", "anon 600000\ninactive_file 100000\n");
        write("fs/slurm/job_7/task/memory.max", "2000000\n");
        write("fs/slurm/job_7/task/memory.current", "1\n");

        const GroupMemory memory = groups();

        QCOMPARE(memory.most, 1000000U);
        QCOMPARE(memory.left, 400000U);
    }

    void groupsOfTheFirstVersionHaveOne() {
        write("cgroup", "5:cpu,cpuacct:/x\n4:memory:/job\n");
        write("fs/memory/job/memory.limit_in_bytes", "5000\n");
        write("fs/memory/job/memory.usage_in_bytes", "6000\n");

        QCOMPARE(groups().most, 5000U);
        QCOMPARE(groups().left, 0U);
    }

    void withoutLimitsThereAreNone() {
        write("cgroup", "0::/\nnonsense\n");

        QCOMPARE(groups().most, std::numeric_limits<std::uint64_t>::max());
    }

    void theAddressSpaceOfAProgramIsALimit() {
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_AS, &before), 0);
        constexpr rlim_t kMost = rlim_t{1} << 46U;  // far above what is used, below what is addressed
        rlimit limited = before;
        limited.rlim_cur = kMost;
        if (before.rlim_max != RLIM_INFINITY && before.rlim_max < kMost) {
            QSKIP("there is a lower limit");
        }
        QCOMPARE(::setrlimit(RLIMIT_AS, &limited), 0);

        const std::uint64_t most = physicalBytes();
        const std::uint64_t left = availableBytes();

        QCOMPARE(::setrlimit(RLIMIT_AS, &before), 0);
        QVERIFY(most <= kMost);
        QVERIFY(left <= most);
    }

  private:
    void write(const QString& name, const QByteArray& text) {
        const QString path = folder_->filePath(name);
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    [[nodiscard]] GroupMemory groups() const {
        return groupMemory(folder_->filePath("cgroup").toStdString(), folder_->filePath("fs").toStdString());
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(MemoryTest)

}  // namespace memory_test
#include "memory_test.moc"
