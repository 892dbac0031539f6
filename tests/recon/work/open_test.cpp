// SPDX-License-Identifier: Apache-2.0
// What a path holds, as the window and whoever has no window get it.
#include <QTest>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/work/open.h"
#include "recon/work/read_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/support/silent_progress.h"
#include "tests/support/small_data.h"

namespace open_test {

using namespace tof;
using namespace tof::test;

namespace {

/// Cancels behind a number of whole iterates.
class Cancelling : public JobListener {
  public:
    explicit Cancelling(int after) : left_(after) {}
    void checkpoint() override {
        if (left_ == 0) {
            throw Cancelled();
        }
    }
    void iterateDone(Iterate /*iterate*/) override { --left_; }

  private:
    int left_;
};

}  // namespace

class OpenTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    EngineRegistry engines_ = makeEngineRegistry();

    [[nodiscard]] std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }
    static Opened open(const std::string& path, const std::optional<BinRequest>& binning = {}) {
        SilentProgress progress;
        return openPath(path, binning, ThreadPool(2), progress);
    }
    void makeRun(const Study& study, const std::string& name, int iterations, int cancelAfter = -1) {
        ReconstructRequest request{readMeasurement(study.dataFile()), {}};
        request.settings.set("engine", "cpu");
        request.settings.set("kernel", "invariant");
        request.settings.set("iterations", std::to_string(iterations));
        request.files.runFile = study.runFile(name);
        request.files.checkpointFile = study.checkpointFile(name);
        Cancelling listener(cancelAfter);
        static_cast<void>(reconstruct(request, engines_, listener));
    }

  private slots:
    void aStudyBringsItsRunsAndLeavesItsDataForLater() {
        writeData(path("data.h5"), *smallData(KernelSpec::preset("invariant")));
        Study study = Study::create(path("s.tofstudy"), path("data.h5"));
        makeRun(study, "A", 2);
        makeRun(study, "B", 1);
        QVERIFY_THROWS_EXCEPTION(Cancelled, makeRun(study, "C", 4, 3));
        QFile damaged(QString::fromStdString(study.runFile("D")));
        QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write("not a run") > 0);
        damaged.close();

        const Opened newest = open(study.folder());
        study.viewJson = R"({"runs":{"selected":"A"}})";
        study.save();
        const Opened asLeft = open(study.folder());

        QVERIFY(newest.kind == FileKind::Study && newest.study && newest.data == nullptr);
        QCOMPARE(newest.notes.size(), std::size_t{1});
        QVERIFY(QString::fromStdString(newest.notes[0]).contains("D.h5"));
        QCOMPARE(newest.runs.size(), std::size_t{3});
        QCOMPARE(newest.runs[1].name, std::string("B"));
        QCOMPARE(newest.runs[1].made.settings.iterations, 1);
        const StoredRun& broken = newest.runs[2];
        QVERIFY(broken.interrupted && broken.last != nullptr);
        QCOMPARE(broken.lastIteration, 3);
        QCOMPARE(broken.summary.iterates.size(), std::size_t{3});
        QVERIFY(asLeft.runs[0].last != nullptr && asLeft.runs[1].last == nullptr);
        QCOMPARE(asLeft.runs[0].lastIteration, 2);
    }

    void filesAreToldApartByWhatIsInThem() {
        writeData(path("data.h5"), *smallData(KernelSpec::preset("invariant")));
        writeVolume(path("volume.h5"), smallImage());
        QFile text(folder_.filePath("text.h5"));
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write("nothing") > 0);
        text.close();

        QVERIFY(open(path("data.h5")).data != nullptr);
        QCOMPARE(open(path("volume.h5")).volume->data, smallImage().data);
        QVERIFY(open(path("text.h5")).kind == FileKind::Unknown);
        QVERIFY_THROWS_EXCEPTION(BadInput, static_cast<void>(open(path("missing.h5"))));
    }

    void listModeIsBinnedOnceSomebodySaysHow() {
        writeEvents(path("list.h5"), simulate(Scanner::find("labr3-ideal"), Phantom::find("spheres"),
                                              {.events = 1000, .seed = 1}, ThreadPool(2), {}));
        BinRequest lines;
        lines.input = path("list.h5");
        lines.form = "lors";
        lines.mu = "none";

        const Opened asked = open(path("list.h5"));
        const Opened binned = open(path("list.h5"), lines);

        QVERIFY(asked.kind == FileKind::List && asked.data == nullptr);
        QCOMPARE(binned.data->kind(), std::string("lines"));
    }
};

QTEST_GUILESS_MAIN(OpenTest)

}  // namespace open_test
#include "open_test.moc"
