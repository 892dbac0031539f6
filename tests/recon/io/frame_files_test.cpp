// SPDX-License-Identifier: Apache-2.0
// Histo-images that are cut by time, in files: they come back, and tables of frames that fit nothing are
// refused.
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/parts_io.h"
#include "tests/support/refusal.h"

namespace frame_files_test {

using namespace tof;
using tof::test::refusal;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Five events in two frames, of two views of four voxels.
HistoData framed() {
    HistoData data;
    data.lattice = Lattice::centred({2, 2, 1}, {4, 4, 4});
    data.views = {{0.0, 0.0}, {1.0, 0.1}};
    data.counts = {1, 0, 0, 1, 0, 1, 2, 0};
    data.kept = 5;
    FramedCounts frames;
    frames.frames.resize(2);
    FrameCounts& first = frames.frames[0];
    first.time = {0, 10};
    first.kept = 3;
    first.outside = 7;
    first.rejected = 8;
    first.firsts = {0, 2, 3};
    first.voxels = {0, 3, 1};
    FrameCounts& second = frames.frames[1];
    second.time = {10, 20};
    second.kept = 2;
    second.firsts = {0, 0, 2};
    second.voxels = {2, 2};
    frames.between = 4;
    data.frames = std::make_shared<const FramedCounts>(frames);
    return data;
}

HistoData framed(const std::function<void(FramedCounts&)>& change) {
    HistoData data = framed();
    FramedCounts frames = *data.frames;
    change(frames);
    data.frames = std::make_shared<const FramedCounts>(std::move(frames));
    return data;
}

/// What a file tells of frames, as it is written by hand.
struct Tables {
    std::vector<double> start{0, 10};
    std::vector<double> duration{10, 20};
    std::vector<std::uint64_t> kept{3, 2};
    std::vector<std::uint64_t> firsts{0, 2, 3, 0, 0, 2};
    std::vector<std::uint32_t> voxels{0, 3, 1, 2, 2};
    std::function<void(h5::Writer&)> more;

    void write(h5::Writer& file) const {
        const std::vector<std::uint64_t> none(start.size(), 0);
        file.write("/frames/start_s", {start.size()}, start.data());
        file.write("/frames/duration_s", {duration.size()}, duration.data());
        file.write("/frames/kept", {kept.size()}, kept.data());
        file.write("/frames/outside", {none.size()}, none.data());
        file.write("/frames/rejected", {none.size()}, none.data());
        const std::uint64_t frames = std::max<std::uint64_t>(start.size(), 1);
        file.write("/frames/firsts", {frames, firsts.size() / frames}, firsts.data());
        file.write("/frames/voxels", {voxels.size()}, voxels.data());
        if (more) {
            more(file);
        }
    }
};

using Damage = std::function<void(Tables&)>;

/// A damage that is one more dataset of numbers.
Damage dataset(const char* name, const h5::Shape& shape, const std::vector<double>& values) {
    return [=](Tables& t) { t.more = [=](h5::Writer& file) { file.write(name, shape, values.data()); }; };
}

Damage attribute(const char* name, std::uint64_t value) {
    return [=](Tables& t) { t.more = [=](h5::Writer& file) { file.attribute("/frames", name, value); }; };
}

void compareFrames(const FramedCounts& back, const FramedCounts& frames) {
    QCOMPARE(back.frames.size(), frames.frames.size());
    for (std::size_t i = 0; i < back.frames.size(); ++i) {
        const FrameCounts& one = back.frames[i];
        const FrameCounts& other = frames.frames[i];
        QVERIFY(one.time == other.time);
        QCOMPARE(one.kept, other.kept);
        QCOMPARE(one.outside, other.outside);
        QCOMPARE(one.rejected, other.rejected);
        QCOMPARE(one.firsts, other.firsts);
        QCOMPARE(one.voxels, other.voxels);
        QCOMPARE(one.gate, other.gate);
        QCOMPARE(one.gated_s, other.gated_s);
        QCOMPARE(one.live, other.live);
        QCOMPARE(one.moved.shares, other.moved.shares);
    }
    QCOMPARE(back.between, frames.between);
    QCOMPARE(back.gates, frames.gates);
    QCOMPARE(back.nuclide, frames.nuclide);
    QCOMPARE(back.crystals, frames.crystals);
}

}  // namespace

class FrameFilesTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;
    std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    HistoData writtenAndRead(const char* name, const HistoData& data) const {
        writeData(file(name), data);
        return readData(file(name));
    }

  private slots:
    void framesComeBack() {
        const HistoData data = framed([](FramedCounts& frames) {
            frames.nuclide = "F-18";
            frames.frames[0].addShare = 0.75;
            frames.frames[1].addShare = 0.25;
            frames.frames[1].live = 0.875;
        });

        const HistoData back = writtenAndRead("f.h5", data);

        compareFrames(*back.frames, *data.frames);
        QCOMPARE(back.frames->addShareOf(0), 0.75);
        QCOMPARE(back.frames->addShareOf(1), 0.25);
        std::vector<float> counts(8);
        for (const FrameCounts& frame : back.frames->frames) {
            std::vector<float> own(8);
            frame.expandInto(own, 4);
            std::transform(counts.begin(), counts.end(), own.begin(), counts.begin(), std::plus<>());
        }
        QCOMPARE(counts, data.counts);
        const auto info = nlohmann::json::parse(recognise(file("f.h5")).infoJson());
        QCOMPARE(info.at("form").get<std::string>(), std::string("histo"));
        QVERIFY(QString::fromStdString(info.at("frames").dump()).contains("F-18"));
    }

    void gatesComeBack() {
        const HistoData data = framed([](FramedCounts& frames) {
            frames.gates = 2;
            frames.nuclide = "F-18";
            for (int i = 0; i < 2; ++i) {
                FrameCounts& one = frames.frames[static_cast<std::size_t>(i)];
                one.time = {0, 10};
                one.gate = i + 1;
                one.gated_s = 4 + i;
                one.gatedDecay = 0.5 + 0.25 * i;
            }
        });

        const HistoData back = writtenAndRead("g.h5", data);

        compareFrames(*back.frames, *data.frames);
        QCOMPARE(back.frames->decayFactorOf(0), 0.5);
        QCOMPARE(back.frames->decayFactorOf(1), 0.75);
    }

    void posesEfficienciesAndCrystalsComeBack() {
        const auto grid = std::make_shared<FactorGrid>();
        grid->along = {2, -4, 8};
        grid->radial = {2, -4, 8};
        grid->reach_mm = 100;
        grid->slices = 1;
        grid->alongLines = true;
        grid->tables = {0, 0};
        grid->shares = {1, 0.5F};
        grid->values = {1, 2, 3, 4};
        grid->voxels = {2};
        grid->inVoxels = {8, 9};
        HistoData data = framed([&](FramedCounts& frames) {
            frames.crystals = {1, 0.5F, 0.25F};
            frames.frames[0].moved = {{0.25, 0.75}, grid};
        });
        data.motion = "rigid";
        data.poses = {{{}, 0.25}, {{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, -2, 3}}, 0.75}};

        const HistoData back = writtenAndRead("p.h5", data);

        compareFrames(*back.frames, *data.frames);
        QVERIFY(back.frames->moved());
        QVERIFY(back.frames->frames[1].moved.eff == nullptr);
        const FactorGrid& read = *back.frames->frames[0].moved.eff;
        QCOMPARE(read.values, grid->values);
        QCOMPARE(read.shares, grid->shares);
        QCOMPARE(read.voxels, grid->voxels);
        QCOMPARE(read.inVoxels, grid->inVoxels);
        QCOMPARE(read.reach_mm, grid->reach_mm);
        QVERIFY(read.alongLines);
        QCOMPARE(back.motion, std::string("rigid"));
        QCOMPARE(back.poses.size(), 2U);
        QCOMPARE(back.poses[1].weight, 0.75);
        QVERIFY(back.poses[1].pose.turn == data.poses[1].pose.turn);
        QCOMPARE(back.poses[1].pose.shift.y, -2.0);
    }

    void randomsOfFramesComeFromThePartThatIsOn_data() {
        QTest::addColumn<bool>("on");
        QTest::newRow("on") << true;
        QTest::newRow("left out") << false;
    }
    void randomsOfFramesComeFromThePartThatIsOn() {
        QFETCH(bool, on);
        const HistoData data = framed([](FramedCounts& frames) {
            frames.frames[0].randomsShare = 0.5;
            frames.frames[1].randomsShare = 0.25;
        });
        CorrectionPart part;
        part.name = PartName::Delayeds;
        part.on = on;
        part.figures.randoms = 36;
        part.values = {1, 2, 3, 4, 5, 6, 7, 8};

        writeMeasured(file("r.h5"), data, {{part}});
        const HistoData back = readData(file("r.h5"));

        QCOMPARE(back.frames->frames[0].randomsShare, 0.5);
        QCOMPARE(back.frames->frames[1].randomsShare, 0.25);
        QCOMPARE(back.frames->randoms != nullptr, on);
        QCOMPARE(back.frames->totalRandoms, on ? 36.0 : 0.0);
        if (on) {
            QCOMPARE(*back.frames->randoms, part.values);
        }
    }

    void tablesThatFitNothingAreRefused_data() {
        QTest::addColumn<Damage>("damage");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const Damage& damage, const char* said) {
            QTest::newRow(name) << damage << said;
        };
        row(
            "nothing wrong", [](Tables&) {}, "accepted");
        row(
            "no frames",
            [](Tables& t) {
                t.start.clear();
                t.duration.clear();
                t.kept.clear();
            },
            "'/frames/start_s' must be a list of 1 to 100000 times");
        row(
            "a frame before the one before", [](Tables& t) { t.start[1] = 5; }, "no frames that follow");
        row(
            "no time", [](Tables& t) { t.duration[0] = 0; }, "no frames that follow");
        row(
            "a start that is no number", [](Tables& t) { t.start[0] = kNaN; }, "no frames that follow");
        row(
            "a frame without an end", [](Tables& t) { t.duration[1] = 1 / 0.0; }, "no frames that follow");
        row(
            "a start at no time", [](Tables& t) { t.start[1] = 1 / 0.0; }, "no frames that follow");
        row("gates for half a frame", attribute("gates", 3), "not as many times for every frame");
        row("gates of unlike times", attribute("gates", 2), "not alike for all gates");
        row("more gates than a number holds", attribute("gates", std::uint64_t{1} << 32U),
            "not as many times for every frame");
        row("live below 0", dataset("/frames/live", {2}, {1, -1}), "'/frames/live' has values that are out");
        row("live of no number", dataset("/frames/live", {2}, {kNaN, 1}), "'/frames/live' has values");
        row("shares of add below 0", dataset("/frames/add_share", {2}, {-0.5, 1}), "'/frames/add_share' has");
        row("poses of a frame missing", dataset("/frames/poses", {1, 2}, {0.5, 0.5}),
            "a row for every frame");
        row("poses that are no whole", dataset("/frames/poses", {2, 2}, {0.5, 0.5, 0.5, 0.25}),
            "shares that add up to 1");
        row("a pose below 0", dataset("/frames/poses", {2, 2}, {-0.5, 1.5, 1, 0}), "shares that add up to 1");
        row("crystals below 0", dataset("/frames/crystals", {2}, {1, -1}), "/frames/crystals");
        row(
            "firsts that begin late", [](Tables& t) { t.firsts[0] = 1; }, "'/frames/firsts' does not fit");
        row(
            "firsts that fall", [](Tables& t) { t.firsts[1] = 4; }, "'/frames/firsts' does not fit");
        row(
            "firsts that end early", [](Tables& t) { t.firsts[5] = 1; }, "'/frames/firsts' does not fit");
        row(
            "more kept than cells",
            [](Tables& t) {
                t.kept[1] = 3;
                t.firsts[5] = 3;
            },
            "'/frames/firsts' does not fit");
        row(
            "a cell that is not there", [](Tables& t) { t.voxels[4] = 4; },
            "names cells that the data do not");
        row(
            "fewer events than the data",
            [](Tables& t) {
                t.kept[1] = 1;
                t.firsts[5] = 1;
            },
            "'/frames/kept' does not add up");
        row(
            "an efficiency that is skipped",
            [](Tables& t) {
                t.more = [](h5::Writer& file) {
                    const std::vector<std::uint32_t> which{1, 0};
                    file.write("/frames/eff_of", {2}, which.data());
                };
            },
            "'/frames/eff_of' leaves grids out");
        row(
            "a nuclide of nobody",
            [](Tables& t) {
                t.more = [](h5::Writer& file) { file.attribute("/frames", "nuclide", std::string("Xx-1")); };
            },
            "names the nuclide 'Xx-1', which is none of PET");
    }
    void tablesThatFitNothingAreRefused() {
        QFETCH(Damage, damage);
        QFETCH(QString, said);
        HistoData data = framed();
        data.frames.reset();
        Tables tables;
        damage(tables);
        writeData(file("damaged.h5"), data, [&](h5::Writer& out) { tables.write(out); });

        const QString refused = refusal([&] { (void)readData(file("damaged.h5")); });

        QVERIFY2(refused.contains(said), qPrintable(refused));
        QVERIFY2(refused == "accepted" || (refused.contains("damaged.h5: ") && refused.contains("; ")),
                 qPrintable(refused));
    }

    void posesOfDataThatAreNoneAreRefused_data() {
        QTest::addColumn<std::size_t>("at");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("said");
        QTest::newRow("half the time") << std::size_t{0} << 0.5 << "add up to 0.5 in place of 1";
        QTest::newRow("a time below 0") << std::size_t{0} << -1.0 << "pose 1 of '/histo/poses' is no share";
        QTest::newRow("no rotation") << std::size_t{1} << 2.0
                                     << "is no share of the time, rotation and shift";
        QTest::newRow("no shift") << std::size_t{10} << kNaN << "is no share of the time, rotation and shift";
    }
    void posesOfDataThatAreNoneAreRefused() {
        QFETCH(std::size_t, at);
        QFETCH(double, value);
        QFETCH(QString, said);
        HistoData data = framed();
        data.frames.reset();
        std::vector<double> pose{1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 6, 7};
        pose[at] = value;
        writeData(file("pose.h5"), data, [&](h5::Writer& out) {
            out.write("/histo/poses", {1, pose.size()}, pose.data());
        });

        const QString refused = refusal([&] { (void)readData(file("pose.h5")); });

        QVERIFY2(refused.contains("pose.h5: ") && refused.contains(said), qPrintable(refused));
    }
};

QTEST_GUILESS_MAIN(FrameFilesTest)

}  // namespace frame_files_test
#include "frame_files_test.moc"
