// SPDX-License-Identifier: Apache-2.0
// Lists in files that are binned with the poses of a tracker, as the command does it.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/motion/motion_file.h"
#include "recon/simulate/moved_scan.h"
#include "recon/work/bin.h"
#include "recon/work/correct.h"
#include "tests/support/flat_modules.h"
#include "tests/support/refusal.h"
#include "tests/support/silent_progress.h"

namespace moved_list_test {

using namespace tof;
using tof::test::saidBy;

namespace {

constexpr const char* kStill = "0 1 0 0 0 0 1 0 0 0 0 1 0\n";
constexpr const char* kCylinder =
    R"({"name":"water","shapes":[{"kind":"cylinder","name":"water","centre_mm":[0,0,0],"radius_mm":40,)"
    R"("length_mm":60,"activity":1,"mu_per_mm":0.0096}]})";
constexpr const char* kTurned = "0 1 0 0 0 0 1 0 0 0 0 1 0\n3000 0.8 -0.6 0 4 0.6 0.8 0 -3 0 0 1 5\n";

}  // namespace

class MovedListTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        const Scanner scanner = Scanner::fromJson(test::kFlatModules, "test");
        writePoses("moved.tsv", 6000, kTurned);
        writePoses("still.tsv", 6000, kStill);
        writePoses("short.tsv", 5000, kStill);
        writeEvents(
            file("list.h5"),
            simulateMoved(scanner, Phantom::fromJson(kCylinder, "water"), {.events = 60000, .seed = 3},
                          motionFrom({file("moved.tsv"), PoseBetween::Hold}), pool_, {}));
    }

    void motionThatIsNoneChangesNoBitOfTheFile() {
        BinRequest request = requestFor();
        writeMeasured(file("plain.h5"), binEvents(request, pool_, silent_).data);
        request.motion.file = file("still.tsv");
        writeMeasured(file("still.h5"), binEvents(request, pool_, silent_).data);
        request.motion.file = file("moved.tsv");
        writeMeasured(file("moved.h5"), binEvents(request, pool_, silent_).data);

        QVERIFY(bytesOf("plain.h5") == bytesOf("still.h5"));
        QVERIFY(bytesOf("plain.h5") != bytesOf("moved.h5"));
        QCOMPARE(readData(file("moved.h5")).motion, std::string("rigid"));
        QVERIFY(readData(file("still.h5")).motion.empty());
    }

    void partsOfAListChangeNothing() {
        BinRequest request = requestFor();
        request.motion.file = file("moved.tsv");
        const auto whole = std::get<HistoData>(binEvents(request, pool_, silent_).data);
        request.eventsAtATime = 7000;

        const auto parts = std::get<HistoData>(binEvents(request, pool_, silent_).data);

        QVERIFY(whole.counts == parts.counts);
        QVERIFY(whole.mult == parts.mult);
        QCOMPARE(whole.kept + whole.outside + whole.rejected, std::uint64_t{60000});
        // A turn about the axis keeps every line within the acceptance.
        QCOMPARE(whole.rejected, std::uint64_t{0});
    }

    void whatCannotBeMovedIsRefused_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("poses");
        QTest::addColumn<QString>("said");
        QTest::newRow("sinograms") << "sinogram"
                                   << "moved.tsv"
                                   << "--motion moves events between a list's own crystals";
        QTest::newRow("poses end early") << "histo"
                                         << "short.tsv"
                                         << "its poses end at 5000 ms, and";
    }
    void whatCannotBeMovedIsRefused() {
        QFETCH(QString, form);
        QFETCH(QString, poses);
        QFETCH(QString, said);
        BinRequest request = requestFor();
        request.form = form.toStdString();
        request.motion.file = file(poses.toStdString());

        const QString sentence = saidBy([&] { static_cast<void>(binEvents(request, pool_, silent_)); });

        QVERIFY2(sentence.contains(said), qPrintable(sentence));
    }

    /// Files of builds before poses were kept have none.
    void movedDataWithoutPosesAreNotCorrected() {
        BinRequest request = requestFor();
        request.motion.file = file("moved.tsv");
        PartedCorrections data{"histo", binEvents(request, pool_, silent_).data, {}};
        QVERIFY(!std::get<HistoData>(data.data).poses.empty());
        std::get<HistoData>(data.data).poses.clear();
        CorrectRequest wanted;
        wanted.scatter = true;

        const QString sentence =
            saidBy([&] { static_cast<void>(correctData(data, "moved.h5", wanted, pool_, silent_, {})); });

        QVERIFY2(sentence.contains("moved.h5: its events were moved back into one pose"),
                 qPrintable(sentence));
    }

    void aPhantomThatTiltsIsOfSpheres() {
        writePoses("nodding.tsv", 6000, "0 1 0 0 0 0 0.8 -0.6 0 0 0.6 0.8 0\n");
        const QString sentence = saidBy([&] {
            static_cast<void>(simulateMoved(Scanner::fromJson(test::kFlatModules, "test"),
                                            Phantom::fromJson(kCylinder, "water"), {.events = 100},
                                            motionFrom({file("nodding.tsv"), PoseBetween::Hold}), pool_, {}));
        });

        QVERIFY2(sentence.contains("the motion tilts the cylinder"), qPrintable(sentence));
    }

  private:
    [[nodiscard]] BinRequest requestFor() const {
        BinRequest request;
        request.input = file("list.h5");
        request.azimuths = 8;
        request.lattice = Lattice::centred({24, 24, 16}, {8, 8, 8});
        return request;
    }
    void writePoses(const char* name, int end_ms, const std::string& poses) const {
        std::ofstream(file(name)) << "# frame: scanner\n# units: mm\n# reference: identity\n# end_ms: "
                                  << end_ms << "\ntime_ms m00 m01 m02 m03 m10 m11 m12 m13 m20 m21 m22 m23\n"
                                  << poses;
    }
    [[nodiscard]] QByteArray bytesOf(const char* name) const {
        QFile read(folder_.filePath(name));
        return read.open(QIODevice::ReadOnly) ? read.readAll() : QByteArray();
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }

    QTemporaryDir folder_;
    ThreadPool pool_{2};
    test::SilentProgress silent_;
};

QTEST_GUILESS_MAIN(MovedListTest)

}  // namespace moved_list_test
#include "moved_list_test.moc"
