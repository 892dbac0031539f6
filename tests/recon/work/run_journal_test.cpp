// SPDX-License-Identifier: Apache-2.0
#include "recon/work/run_journal.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <numeric>

#include "recon/base/error.h"

namespace run_journal_test {

using namespace tof;

namespace {

/// 4 MB an image, so that a thread writes it.
const Lattice kLattice = [] {
    Lattice lattice;
    lattice.size = {128, 128, 64};
    lattice.spacing_mm = {1, 1, 1};
    return lattice;
}();

std::shared_ptr<const Volume> imageOf(int iteration) {
    auto image = std::make_shared<Volume>(kLattice);
    std::iota(image->data.begin(), image->data.end(), static_cast<float>(iteration));
    return image;
}

void add(RunJournal& journal, int iteration, bool kept = true) {
    journal.add(StoredIterate{iteration, {0.5, 0.25}, 1.0 * iteration}, std::nullopt,
                kept ? imageOf(iteration) : nullptr);
}

}  // namespace

class RunJournalTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    /// The checkpoint has it, and the next save brings it.
    void theLastImageWaitsForTheNext() {
        RunJournal journal(path(), kLattice, 0);
        add(journal, 1);
        add(journal, 2);
        journal.save();
        QCOMPARE(onDisk(), std::vector<int>{1});

        add(journal, 3, false);
        journal.save();

        QCOMPARE(onDisk(), (std::vector<int>{1, 2, 3}));
        QCOMPARE(journal.waitingBytes(), std::uint64_t{0});
    }

    /// Its first iterate alone is no reason to leave them: they would be taken for its own.
    void recordsOfAnotherRunGo() {
        {
            RunJournal another(path(), kLattice, 0);
            add(another, 1);
            add(another, 2, false);
            another.save();
        }
        QCOMPARE(onDisk(), (std::vector<int>{1, 2}));
        RunJournal journal(path(), kLattice, 0);
        add(journal, 1);

        journal.save();

        QVERIFY(onDisk().empty());
    }

    /// Whenever it is told to save, all but the last image is there, whatever a thread has just in work.
    void whatIsWrittenBesideIsSavedOnce_data() {
        QTest::addColumn<int>("every");
        QTest::newRow("each") << 1;
        QTest::newRow("every second") << 2;
        QTest::newRow("every third") << 3;
    }
    void whatIsWrittenBesideIsSavedOnce() {
        QFETCH(const int, every);
        RunJournal journal(path(), kLattice, 0);
        for (int iteration = 1; iteration <= 9; ++iteration) {
            add(journal, iteration);
            if (iteration % every == 0) {
                journal.save();
                const std::vector<int> there = onDisk();
                QVERIFY(there.size() + 1 >= static_cast<std::size_t>(iteration));
            }
            journal.saveBeside();
        }
        add(journal, 10, false);

        journal.save();

        std::vector<int> all(10);
        std::iota(all.begin(), all.end(), 1);
        QCOMPARE(onDisk(), all);
    }

    /// A journal that ends writes no more; what it leaves is whole.
    void whatIsInWorkEndsWithIt() {
        {
            RunJournal journal(path(), kLattice, 0);
            add(journal, 1);
            add(journal, 2);
            journal.save();
            add(journal, 3);
            journal.saveBeside();
        }

        const std::vector<int> there = onDisk();

        QVERIFY(there.size() >= 1 && there.size() <= 3);
    }

    /// What cannot be written is told at the next save, and is written where that can be.
    void aFailureIsToldAndLosesNothing() {
        const QString away = folder_->filePath("away");
        const QString back = folder_->filePath("folder");
        QVERIFY(QDir().mkdir(back));
        RunJournal journal(back.toStdString() + "/journal", kLattice, 0);
        add(journal, 1);
        add(journal, 2);
        journal.save();
        QVERIFY(QDir().rename(back, away));
        add(journal, 3);
        journal.saveBeside();
        QVERIFY_EXCEPTION_THROWN(journal.save(), CannotWrite);
        QVERIFY(QDir().rename(away, back));

        add(journal, 4, false);
        journal.save();

        QCOMPARE(iterationsIn(back.toStdString() + "/journal"), (std::vector<int>{1, 2, 3, 4}));
    }

  private:
    [[nodiscard]] std::string path() const { return folder_->filePath("journal").toStdString(); }
    [[nodiscard]] std::vector<int> onDisk() const { return iterationsIn(path()); }
    /// What another program finds; each image is the one that was added.
    static std::vector<int> iterationsIn(const std::string& path) {
        const RunJournal journal(path, kLattice);
        std::vector<int> found;
        for (const StoredIterate& each : journal.iterates()) {
            found.push_back(each.iteration);
            const std::shared_ptr<const Volume> image = journal.imageOf(each.iteration);
            if (image != nullptr && image->data != imageOf(each.iteration)->data) {
                found.push_back(-1);
            }
        }
        return found;
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(RunJournalTest)

}  // namespace run_journal_test
#include "run_journal_test.moc"
