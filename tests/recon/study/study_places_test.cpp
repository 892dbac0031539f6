// SPDX-License-Identifier: Apache-2.0
// A study that somebody has prepared: whatever stands in its places, nothing outside of it is made, changed,
// moved or deleted. And the names of its runs, which two programs never share.
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <map>

#include "recon/base/error.h"
#include "recon/data/histo_data.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/study/run_claim.h"
#include "recon/study/study.h"
#include "recon/study/study_lock.h"
#include "tests/support/refusal.h"
#include "tests/support/small_data.h"

namespace study_places_test {

using namespace tof;
using tof::test::refusal;

namespace fs = std::filesystem;

namespace {

const QStringList kPlaces{
    "study.json",      "data.h5",     ".lock",        "runs",         "deleted",
    "runs/A.h5",       "runs/A.ckpt", "runs/A.claim", "deleted/A.h5", "runs/A.h5.suspended",
    "runs/A.ckpt.kept"};

}  // namespace

class StudyPlacesTest : public QObject {
    Q_OBJECT

  private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        const std::string data = path("data.h5");
        writeData(data, *test::smallData(KernelSpec::preset("variant1")));
        static_cast<void>(Study::create(path("s.tofstudy"), data));
        fs::create_directories(path("outside/folder"));
        writeTextAside(path("outside/precious"), "keep me");
        writeTextAside(path("outside/folder/A.h5"), "keep me, too");
    }

    void nothingOutsideIsTouched_data() {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("kind");
        for (const QString& place : kPlaces) {
            for (const char* const kind :
                 {"link to a file", "link to a folder", "link to nothing", "hard link", "FIFO"}) {
                QTest::addRow("%s is a %s", qPrintable(place), kind) << place << QString(kind);
            }
        }
    }
    void nothingOutsideIsTouched() {
        QFETCH(const QString, place);
        QFETCH(const QString, kind);
        const std::string at = path("s.tofstudy/" + place.toStdString());
        fs::create_directories(path("s.tofstudy/deleted"));
        fs::remove_all(at);
        if (kind == "FIFO") {
            QCOMPARE(::mkfifo(at.c_str(), 0600), 0);
        } else if (kind == "hard link") {
            fs::create_hard_link(path("outside/precious"), at);
        } else {
            fs::create_symlink(path(kind == "link to a file"     ? "outside/precious"
                                    : kind == "link to a folder" ? "outside/folder"
                                                                 : "outside/nothing"),
                               at);
        }
        const auto before = outside();

        const QString told = refusal([this] { static_cast<void>(useAll()); });

        QCOMPARE(outside(), before);
        if (kind != "hard link") {
            QVERIFY2(told.contains("a study holds files and folders of its own"), qPrintable(told));
        }
    }

    void namesOfRunsStayInTheStudy() {
        Study study = Study::open(path("s.tofstudy"));
        writeTextAside(path("x.h5"), "keep me");
        for (const std::string name :
             {"../../x", "..", ".", "", "/etc/passwd", "a/b", ".hidden", "a\nb", "a\x1b[2J"}) {
            QVERIFY2(!Study::isRunName(name), name.c_str());
            QVERIFY(refusal([&] { study.remove(name); }) != "accepted");
            QVERIFY(refusal([&] { study.rename(name, "x"); }) != "accepted");
            QVERIFY(refusal([&] { static_cast<void>(RunClaim(study, name)); }) != "accepted");
        }
        QVERIFY(fs::exists(path("x.h5")));
        for (const std::string name : {"A", "AB", "S003-r2", "my run", "k=0.5"}) {
            QVERIFY2(Study::isRunName(name), name.c_str());
        }
    }

    void lettersAreClaimedOnce() {
        const Study study = Study::open(path("s.tofstudy"));
        const auto first = RunClaim::next(study);
        auto second = RunClaim::next(study);
        QCOMPARE(first->run(), std::string("A"));
        QCOMPARE(second->run(), std::string("B"));
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(RunClaim(study, "A")), CannotWrite);
        second.reset();
        QCOMPARE(RunClaim::next(study)->run(), std::string("B"));
    }

    void aStudyBroughtWithoutItsFolderOfRunsGetsOne() {
        const Study study = Study::open(path("s.tofstudy"));
        fs::remove_all(fs::path(study.folder()) / "runs");

        QCOMPARE(RunClaim::next(study)->run(), std::string("A"));
        QVERIFY(fs::is_directory(fs::path(study.folder()) / "runs"));
    }

    void whatAKilledProgramHasClaimedIsFree() {
        const Study study = Study::open(path("s.tofstudy"));
        writeTextAside(study.claimFile("A"), "");

        QCOMPARE(RunClaim::next(study)->run(), std::string("A"));

        QVERIFY(!fs::exists(study.claimFile("A")));
    }

    void whatAKilledProgramHasClaimedFurtherOnGoes() {
        const Study study = Study::open(path("s.tofstudy"));
        writeTextAside(study.claimFile("F"), "");

        QCOMPARE(RunClaim::next(study)->run(), std::string("A"));

        QVERIFY(!fs::exists(study.claimFile("F")));
    }

    void whatAKilledProgramHasClaimedForAWholeRunGoes() {
        const Study study = Study::open(path("s.tofstudy"));
        writeTextAside(study.runFile("A"), "a run");
        writeTextAside(study.claimFile("A"), "");
        writeTextAside(study.runFile("B"), "a run");
        const RunClaim live(study, "B");

        QCOMPARE(RunClaim::next(study)->run(), std::string("C"));

        QVERIFY(!fs::exists(study.claimFile("A")));
        QVERIFY(fs::exists(study.claimFile("B")));
    }

  private:
    [[nodiscard]] std::string path(const std::string& name) const {
        return folder_->filePath(QString::fromStdString(name)).toStdString();
    }
    /// What programs do with a study.
    [[nodiscard]] std::string useAll() const {
        Study study = Study::open(path("s.tofstudy"));
        std::string run;
        try {
            const StudyLock lock(study.folder(), StudyLock::Use::Writes);
            const auto claim = RunClaim::next(study);
            run = claim->run();
            writeTextAside(study.runFile(run), "a run");
            writeTextAside(study.checkpointFile(run), "a checkpoint");
            static_cast<void>(study.allRuns());
            study.remove(run);
            study.save();
        } catch (const CannotWrite&) {
            // refused as well
        }
        return run;
    }
    /// Names and contents outside of the study.
    [[nodiscard]] std::map<std::string, std::string> outside() const {
        std::map<std::string, std::string> found;
        for (const auto& entry : fs::recursive_directory_iterator(path("outside"))) {
            QFile file(QString::fromStdString(entry.path().string()));
            found[entry.path().string()] =
                entry.is_regular_file() && file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : "";
        }
        return found;
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(StudyPlacesTest)

}  // namespace study_places_test
#include "study_places_test.moc"
