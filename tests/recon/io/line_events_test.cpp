// SPDX-License-Identifier: Apache-2.0
// Lines of response of crystals that lie anywhere, in files: what says which lines there could have been, and
// what is refused; lists that are read block by block.
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <limits>

#include "recon/base/error.h"
#include "recon/data/line_data.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/singles_io.h"
#include "recon/scanner/scanner.h"
#include "tests/support/refusal.h"

namespace line_events_test {

using namespace tof;
using tof::test::refusal;
using tof::test::saidBy;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kFourCrystals =
    R"({"name":"four","crystal_mm":[4,4,20],"fov_diameter_mm":80,"acceptance_deg":80,"attenuation_per_mm":0.08,)"
    R"("crystals":[[50,0,0,1,0,0],[0,50,0,0,1,0],[-50,0,0,-1,0,0],[0,-50,0,0,-1,0]]})";

/// Three events of four crystals, two of which lay elsewhere a quarter of the time.
LineData moved() {
    LineData data;
    data.lattice = Lattice::centred({4, 4, 2}, {10, 10, 10});
    LineEvents events;
    const std::vector<Vec3> still{{50, 0, 0}, {0, 50, 0}, {-50, 0, 0}, {0, -50, 0}};
    for (const double shift : {0.0, 1.0, 2.0}) {
        for (const Vec3& point : still) {
            events.points.push_back(point + Vec3{0, 0, shift});
        }
    }
    events.pairs = {{4, 6}, {5, 7}, {8, 10}};
    events.tof = {5, 100, 250};
    events.dt_ps = {-100.5F, 0, 42};
    data.events = std::make_shared<const LineEvents>(events);
    data.possible.radius_mm = 40;
    data.possible.acceptance_rad = 0.5;
    data.possible.totalAdd = 1.5;
    data.possible.poses = {0.75, 0.25};
    data.possible.scanner = std::make_shared<const Scanner>(Scanner::fromJson(kFourCrystals, "four"));
    data.possible.efficiencies = {1, 0.5F, 0.25F, 0.125F};
    data.mult = {0.5F, 0.25F, 1};
    data.add = {0, 1, 2};
    data.scanner = "four";
    data.attenuation = Volume(data.lattice);
    data.attenuation->data[3] = 0.0096F;
    data.absolute = true;
    data.rejected = 9;
    return data;
}

/// Whose possible pairs are listed one by one.
LineData listed() {
    LineData data = moved();
    data.possible.poses.clear();
    data.possible.scanner.reset();
    data.possible.efficiencies.clear();
    data.possible.radius_mm = 0;
    data.possible.pairs = {{0, 2}, {1, 3}};
    data.possible.mult = {0.5F, 0.75F};
    return data;
}

/// What a file has in place of what is written.
struct Damage {
    std::function<void(LineData&)> change;
    std::function<void(h5::Writer&)> more;
};

std::function<void(h5::Writer&)> poses(const std::vector<double>& shares) {
    return [=](h5::Writer& file) { file.write("/possible/poses", {shares.size()}, shares.data()); };
}

LineEvents eventsOf(const LineData& data) {
    return *data.events;
}

/// Damages that are a change of the events.
std::function<void(LineData&)> events(const std::function<void(LineEvents&)>& change) {
    return [=](LineData& data) {
        LineEvents all = eventsOf(data);
        change(all);
        data.events = std::make_shared<const LineEvents>(std::move(all));
    };
}

}  // namespace

class LineEventsTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;
    std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }

  private slots:
    void linesThatMovedComeBack() {
        const LineData data = moved();

        writeLineData(file("m.h5"), data);
        const LineData back = readLineData(file("m.h5"));

        QVERIFY(back.events->points == data.events->points);
        QVERIFY(back.events->pairs == data.events->pairs);
        QCOMPARE(back.events->dt_ps, data.events->dt_ps);
        QCOMPARE(back.events->tof.count, 5);
        QCOMPARE(back.events->tof.width_ps, 100.0);
        QCOMPARE(back.possible.poses, data.possible.poses);
        QCOMPARE(back.possible.scanner->crystals.size(), 4U);
        QCOMPARE(back.possible.scanner->crystals[3].front.y, -50.0);
        QCOMPARE(back.possible.efficiencies, data.possible.efficiencies);
        QCOMPARE(back.possible.radius_mm, 40.0);
        QCOMPARE(back.possible.acceptance_rad, 0.5);
        QCOMPARE(back.possible.totalAdd, 1.5);
        QCOMPARE(back.mult, data.mult);
        QCOMPARE(back.add, data.add);
        QCOMPARE(back.attenuation->data, data.attenuation->data);
        QVERIFY(back.absolute);
        QCOMPARE(back.rejected, 9U);
        QCOMPARE(back.crystals(), 4U);
    }

    void listedPairsComeBack() {
        const LineData data = listed();

        writeLineData(file("l.h5"), data);
        const LineData back = readLineData(file("l.h5"));

        QVERIFY(back.possible.pairs == data.possible.pairs);
        QCOMPARE(back.possible.mult, data.possible.mult);
        QVERIFY(back.possible.scanner == nullptr);
    }

    void arraysOfOtherLengthsAreAFaultOfOurs() {
        LineData data = listed();
        data.possible.mult.push_back(1);

        QVERIFY(saidBy([&] { writeLineData(file("i.h5"), data); }).contains("differ in length"));
        QVERIFY(!QFile::exists(folder_.filePath("i.h5")));
    }

    void damagedLinesAreRefused_data() {
        QTest::addColumn<Damage>("damage");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const Damage& damage, const char* said) {
            QTest::newRow(name) << damage << said;
        };
        const auto bare = [](LineData& d) { d.possible.poses.clear(); };
        row("nothing wrong", {}, "accepted");
        row("a pair of two poses",
            {events([](LineEvents& e) {
                 e.pairs[1] = {5, 11};
             }),
             {}},
            "'/lors/crystal' of event 1 names points of two poses");
        row("a pair of no pose",
            {events([](LineEvents& e) {
                 e.pairs[2] = {0, 2};
             }),
             {}},
            "'/lors/crystal' of event 2 names points of two poses, or of none");
        row("a point that is not there",
            {events([](LineEvents& e) {
                 e.pairs[0] = {4, 12};
             }),
             {}},
            "'/lors/crystal' of event 0 names a crystal that the scanner has not");
        row("a time that is no number",
            {events([](LineEvents& e) { e.dt_ps[0] = std::numeric_limits<float>::infinity(); }), {}},
            "'/lors/dt_ps' has values that are not finite");
        row("a point far away", {events([](LineEvents& e) { e.points[0].x = 1e6; }), {}},
            "'/lors/points' has points that are not within 100000 mm");
        row("a point of no number", {events([](LineEvents& e) { e.points[0].x = kNaN; }), {}},
            "'/lors/points' has points that are not within");
        row("poses that are no whole", {bare, poses({0.75, 0.5})}, "'/possible/poses' are no shares");
        row("a pose below 0", {bare, poses({1.25, -0.25})}, "'/possible/poses' are no shares");
        row("poses without points", {bare, poses({0.25, 0.25, 0.25, 0.25})},
            "'/possible/poses' fits no 12 points of '/lors/points'");
        row("a scanner of other crystals", {bare, {}}, "'/possible/scanner' has 4 crystals");
        row("a radius below 0", {[](LineData& d) { d.possible.radius_mm = -1; }, {}}, "'radius_mm'");
        row("no line that could be", {[](LineData& d) { d.possible.radius_mm = 0; }, {}}, "'radius_mm'");
        row("no tilt", {[](LineData& d) { d.possible.acceptance_rad = 0; }, {}}, "'acceptance_rad'");
        row("additive counts below 0", {[](LineData& d) { d.possible.totalAdd = -1; }, {}}, "'total_add'");
        row("factors below 0", {[](LineData& d) { d.mult[0] = -1; }, {}}, "/corrections/mult");
    }
    void damagedLinesAreRefused() {
        QFETCH(Damage, damage);
        QFETCH(QString, said);
        LineData data = moved();
        if (damage.change) {
            damage.change(data);
        }
        writeLineData(file("d.h5"), data, damage.more);

        const QString refused = refusal([&] { (void)readLineData(file("d.h5")); });

        QVERIFY2(refused.contains(said), qPrintable(refused));
        QVERIFY2(refused == "accepted" || (refused.contains("d.h5: ") && refused.contains("; ")),
                 qPrintable(refused));
    }

    void blocksOfAListAreTheList() {
        EventList events;
        events.crystals = {{{0, 1}}, {{2, 3}}, {{4, 5}}, {{6, 7}}};
        events.dt_ps = {-1.5F, 0, 1, 2};
        events.time_ms = {0, 10, 20, 30};
        writeEvents(file("list.h5"), events);
        const RecognisedFile list = recognise(file("list.h5"));

        const std::unique_ptr<const EventStream> stream = list.eventStream({});
        EventList block;
        stream->read(1, 2, block);
        stream->readMoments(1, 2, block);

        QCOMPARE(stream->size(), 4U);
        QVERIFY(stream->tellsMoments() && !stream->hasFactors());
        QVERIFY(block.crystals == (std::vector<std::array<std::uint32_t, 2>>{{2, 3}, {4, 5}}));
        QCOMPARE(block.dt_ps, (std::vector<float>{0, 1}));
        QCOMPARE(block.time_ms, (std::vector<std::uint32_t>{10, 20}));
        stream->read(4, 0, block);
        stream->readMoments(4, 0, block);
        QVERIFY(block.crystals.empty() && block.time_ms.empty());
    }

    void aListWithoutMomentsSaysSo() {
        EventList events;
        events.crystals = {{{0, 1}}, {{2, 3}}};
        events.dt_ps = {0, 1};
        writeEvents(file("timeless.h5"), events);
        const RecognisedFile list = recognise(file("timeless.h5"));

        EventList block;
        const QString said = refusal([&] { list.eventStream({})->readMoments(0, 2, block); });

        QVERIFY2(said.contains("timeless.h5: "), qPrintable(said));
    }

    void singlesComeBack() {
        CrystalSingles singles;
        singles.recorded = {10, 20.5, 30};
        singles.busy = {0.125, 0.25, 0.5};
        singles.duration_s = 60;
        singles.scannerJson = kFourCrystals;

        writeSingles(file("s.h5"), singles);
        const CrystalSingles back = readSingles(file("s.h5"));

        QCOMPARE(back.recorded, singles.recorded);
        QCOMPARE(back.busy, singles.busy);
        QCOMPARE(back.duration_s, 60.0);
        QCOMPARE(back.scannerJson, singles.scannerJson);
    }
};

QTEST_GUILESS_MAIN(LineEventsTest)

}  // namespace line_events_test
#include "line_events_test.moc"
