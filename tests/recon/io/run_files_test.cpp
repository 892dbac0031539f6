// SPDX-License-Identifier: Apache-2.0
// All that a run and a checkpoint keep beside the iterates: frames, replicates, priors, coefficients; what
// `info` tells of them, and what is refused.
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "recon/base/error.h"
#include "recon/io/convert.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/io/hdf5/volume_hdf5.h"
#include "tests/support/refusal.h"

namespace run_files_test {

using namespace tof;
using tof::test::refusal;
using tof::test::saidBy;

namespace {

const Lattice kLattice = Lattice::centred({4, 3, 2}, {4, 3, 2.5});

std::shared_ptr<const Volume> ramp(float first, const Lattice& lattice = kLattice) {
    Volume volume(lattice);
    std::iota(volume.data.begin(), volume.data.end(), first);
    volume.units = "emissions/voxel";
    return std::make_shared<const Volume>(std::move(volume));
}

RunFrame frame(int number, double start_s, int gate = 0) {
    return {number, {start_s, 30}, 0.125, 6586.2, "osem", gate};
}

/// A whole run of one iterate, and what `more` adds.
void writeRun(const std::string& path, const std::function<void(RunWriter&)>& more = {},
              const std::string& settings = "{}", const ScanTotals& totals = {60, 6e6, 0}) {
    RunWriter run(path, kLattice, settings, R"({"name":"labr3"})", "spheres", totals);
    run.addIterate({2, {1, 2, 3, 4, 5, 6}, 21.5, ObjectiveValue{-10.5, 0.25}, 0.125}, ramp(1),
                   KeepImage::Yes);
    if (more) {
        more(run);
    }
    run.finish();
}

/// What a file of a run must have, written by hand, with `more` that no writer of ours makes.
void writeRaw(const std::string& path, const std::function<void(h5::Writer&)>& more) {
    h5::writeFile(path, [&](h5::Writer& file) {
        file.text("/settings", "{}");
        writeVolumeDataset(file, "/image", kLattice, ramp(1)->data, "");
        more(file);
    });
}

void history(h5::Writer& file, const std::vector<std::int32_t>& numbers) {
    const std::vector<double> values(6 * numbers.size(), 0.0);
    file.group("/iterates");
    file.write("/timing", {numbers.size(), 6}, values.data());
    file.write("/iteration", {numbers.size()}, numbers.data());
    file.write("/seconds", {numbers.size()}, values.data());
}

void frameNumbers(h5::Writer& file, const std::string& group, double start_s, double duration_s) {
    file.group(group);
    file.attribute(group, "start_s", start_s);
    file.attribute(group, "duration_s", duration_s);
    file.attribute(group, "per_emission", 1.0);
}

/// A checkpoint with a frame at `iteration`, whose image has `lattice`.
void begun(h5::Writer& file, std::uint64_t iteration, const Lattice& lattice) {
    file.group("/checkpoint");
    file.attribute("/checkpoint", "iteration", std::uint64_t{1});
    history(file, {1});
    frameNumbers(file, "/begun/0001", 0, 10);
    file.attribute("/begun/0001", "iteration", iteration);
    writeVolumeDataset(file, "/begun/0001/image", lattice, ramp(1, lattice)->data, "");
}

using Damage = std::function<void(h5::Writer&)>;

}  // namespace

class RunFilesTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;
    std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    nlohmann::json info(const char* name) const {
        return nlohmann::json::parse(recognise(file(name)).infoJson());
    }

  private slots:
    void allOfARunComesBack() {
        writeRun(file("r.h5"), [](RunWriter& run) {
            run.addFrame(frame(1, 0), *ramp(100));
            run.addFrame(frame(2, 30, 3), *ramp(200));
            run.addReplicates(2, *ramp(300), *ramp(400));
            run.setBands(R"({"bands":1})");
            run.addCoefficients(*ramp(500));
            run.addPrior(*ramp(600), *ramp(700));
            QCOMPARE(run.lastIteration(), 2);
        });

        const RunSummary run = readRunSummary(file("r.h5"));
        const h5::Reader reader(file("r.h5"));

        QVERIFY(readRunFrames(reader) == (std::vector{frame(1, 0), frame(2, 30, 3)}));
        QCOMPARE(readRunFrame(reader, 2).data, ramp(200)->data);
        QCOMPARE(readReplicates(file("r.h5"), 2, ReplicateImage::Mean).data, ramp(300)->data);
        QCOMPARE(readReplicates(file("r.h5"), 2, ReplicateImage::Sd).data, ramp(400)->data);
        QCOMPARE(run.bandsJson, std::string(R"({"bands":1})"));
        QCOMPARE(readCoefficients(file("r.h5"))->data, ramp(500)->data);
        QCOMPARE(readPrior(file("r.h5"), StoredPrior::Kappa).data, ramp(600)->data);
        QCOMPARE(readPrior(file("r.h5"), StoredPrior::Pull).data, ramp(700)->data);
        QCOMPARE(run.iterates.front().objective->logLikelihood, -10.5);
        QCOMPARE(run.iterates.front().objective->penalty, 0.25);
        QCOMPARE(*run.iterates.front().change, 0.125);
    }

    void whatARunDoesNotHaveIsSaid() {
        writeRun(file("bare.h5"));

        QVERIFY(readRunFrames(h5::Reader(file("bare.h5"))).empty());
        QVERIFY(readCoefficients(file("bare.h5")) == nullptr);
        const QString prior = refusal([&] { (void)readPrior(file("bare.h5"), StoredPrior::Pull); });
        QVERIFY2(prior.contains("bare.h5: holds no images of a prior"), qPrintable(prior));
        const QString replicates =
            refusal([&] { (void)readReplicates(file("bare.h5"), 2, ReplicateImage::Sd); });
        QVERIFY2(replicates.contains("bare.h5: holds no replicates of iteration 2"), qPrintable(replicates));
        const QString iterate = refusal([&] { (void)readIterate(file("bare.h5"), 1); });
        QVERIFY2(iterate.contains("iteration 1 is not in the file; saved are 2"), qPrintable(iterate));
    }

    void aRunTakesOverOnlyFramesThatWereMadeAlike() {
        writeRun(file("first.h5"), [](RunWriter& run) { run.addFrame(frame(1, 0), *ramp(100)); });
        RunFrame other = frame(1, 0);
        other.made = "bsrem";
        RunWriter run(file("second.h5"), kLattice, "{}", "", "");
        QCOMPARE(run.lastIteration(), 0);

        run.continueFrom(file("first.h5"));

        QCOMPARE(run.lastIteration(), 2);
        QVERIFY(!run.hasFrame(other) && !run.takeFrame(other));
        QVERIFY(run.hasFrame(frame(1, 0)) && run.takeFrame(frame(1, 0)));
        run.finish();
        const h5::Reader second(file("second.h5"));
        QVERIFY(readRunFrames(second) == std::vector{frame(1, 0)});
        QCOMPARE(readRunFrame(second, 1).data, ramp(100)->data);
    }

    void aRunOfAnotherLatticeIsNotContinued() {
        writeRun(file("small.h5"));
        RunWriter run(file("large.h5"), Lattice::centred({5, 3, 2}, {4, 3, 2.5}), "{}", "", "");

        const QString said = refusal([&] { run.continueFrom(file("small.h5")); });

        QVERIFY2(
            said.contains("small.h5: has a lattice of") && said.contains("continue with the same lattice"),
            qPrintable(said));
    }

    void whatNoRunIsToWriteIsAFaultOfOurs() {
        RunWriter run(file("wrong.h5"), kLattice, "{}", "", "");
        run.addIterate({2, {}, 1}, nullptr, KeepImage::No);

        QVERIFY(saidBy([&] { run.addIterate({2, {}, 1}, ramp(1), KeepImage::Yes); }).contains("must ascend"));
        QVERIFY(saidBy([&] {
                    run.addIterate({3, {}, 1}, nullptr, KeepImage::Yes);
                }).contains("does not fit"));
        QVERIFY(
            saidBy([&] {
                run.addIterate({4, {}, 1}, ramp(1, Lattice::centred({2, 2, 2}, {1, 1, 1})), KeepImage::No);
            }).contains("does not fit"));
    }

    void framesOfACheckpointComeBack() {
        Checkpoint checkpoint;
        checkpoint.settingsJson = R"({"algorithm":"osem"})";
        checkpoint.dataHash = "0123456789abcdef";
        checkpoint.iteration = 3;
        checkpoint.image = ramp(0);
        checkpoint.history = {{3, {}, 4.0}};
        checkpoint.coefficients = ramp(10);
        checkpoint.frames = {{frame(1, 0), 2, ramp(20), nullptr}, {frame(2, 30, 1), 1, ramp(30), ramp(40)}};

        writeCheckpoint(file("k.ckpt"), checkpoint);
        const Checkpoint back = readCheckpoint(file("k.ckpt"));

        QCOMPARE(back.coefficients->data, ramp(10)->data);
        QCOMPARE(back.frames.size(), 2U);
        for (std::size_t i = 0; i < 2; ++i) {
            QVERIFY(back.frames[i].frame == checkpoint.frames[i].frame);
            QCOMPARE(back.frames[i].iteration, checkpoint.frames[i].iteration);
            QCOMPARE(back.frames[i].image->data, checkpoint.frames[i].image->data);
        }
        QVERIFY(back.frames[0].coefficients == nullptr);
        QCOMPARE(back.frames[1].coefficients->data, ramp(40)->data);
        const nlohmann::json told = info("k.ckpt");
        QCOMPARE(told.at("kind").get<std::string>(), std::string("checkpoint"));
        QCOMPARE(told.at("iterations").get<int>(), 3);
        QCOMPARE(told.at("data_hash").get<std::string>(), checkpoint.dataHash);
        QCOMPARE(told.at("settings").at("algorithm").get<std::string>(), std::string("osem"));
    }

    void infoTellsOfARun() {
        writeRun(file("told.h5"), [](RunWriter& run) { run.addFrame(frame(2, 30, 3), *ramp(200)); });

        const nlohmann::json told = info("told.h5");

        QCOMPARE(told.at("kind").get<std::string>(), std::string("run"));
        QCOMPARE(told.at("iterations").get<int>(), 2);
        QCOMPARE(told.at("saved_images").get<std::vector<int>>(), std::vector<int>{2});
        QCOMPARE(told.at("scanner").get<std::string>(), std::string("labr3"));
        QCOMPARE(told.at("phantom").get<std::string>(), std::string("spheres"));
        QCOMPARE(told.at("activity_MBq").get<double>(), 0.1);  // 6e6 decays in 60 s
        const nlohmann::json& one = told.at("frames").at(0);
        QCOMPARE(one.at("number").get<int>(), 2);
        QCOMPARE(one.at("start_s").get<double>(), 30.0);
        QCOMPARE(one.at("half_life_s").get<double>(), 6586.2);
        QCOMPARE(one.at("gate").get<int>(), 3);
    }

    void infoTellsHowARunBecomesActivity_data() {
        QTest::addColumn<QString>("units");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<double>("duration_s");
        QTest::addColumn<QString>("told");
        QTest::newRow("it is activity") << "Bq/ml"
                                        << "{}" << 60.0 << "";
        QTest::newRow("no duration") << "emissions/voxel"
                                     << "{}" << 0.0 << "do not say how long was measured";
        QTest::newRow("a factor of the file")
            << "counts/mm"
            << R"({"calibration_factor":2.5})" << 60.0 << "by the factor 2.5 of the data's file";
        QTest::newRow("a phantom") << "counts/mm"
                                   << "no JSON" << 60.0 << "of a phantom";
        QTest::newRow("a dose") << "emissions/voxel"
                                << "{}" << 60.0 << "--weight and --dose";
    }
    void infoTellsHowARunBecomesActivity() {
        QFETCH(QString, units);
        QFETCH(QString, settings);
        QFETCH(double, duration_s);
        QFETCH(QString, told);
        Volume image = *ramp(1);
        image.units = units.toStdString();
        RunWriter run(file("units.h5"), kLattice, settings.toStdString(), "", "", {duration_s, 0, 0});
        run.addIterate({1, {}, 1}, std::make_shared<const Volume>(image), KeepImage::Yes);
        run.finish();

        const nlohmann::json all = info("units.h5");

        QCOMPARE(all.contains("activity"), !told.isEmpty());
        const QString said =
            told.isEmpty() ? "" : QString::fromStdString(all.at("activity").get<std::string>());
        QVERIFY2(said.contains(told), qPrintable(said));
    }

    void aRunIsConverted() {
        writeRun(file("c.h5"), [](RunWriter& run) { run.addIterate({5, {}, 1}, ramp(50), KeepImage::Yes); });
        ConvertOptions second;
        second.iteration = 2;
        ConvertOptions missing;
        missing.iteration = 3;

        (void)convertFile(file("c.h5"), file("last.h5"));
        (void)convertFile(file("c.h5"), file("second.h5"), second);

        QCOMPARE(readVolume(file("last.h5")).data, ramp(50)->data);
        QCOMPARE(readVolume(file("second.h5")).data, ramp(1)->data);
        const QString said = refusal([&] { (void)convertFile(file("c.h5"), file("third.h5"), missing); });
        QVERIFY2(said.contains("iteration 3 is not in the file; saved are 2, 5"), qPrintable(said));
        QVERIFY(!QFile::exists(folder_.filePath("third.h5")));
    }

    void damagedRunsAreRefused_data() {
        QTest::addColumn<Damage>("damage");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const Damage& damage, const char* said) {
            QTest::newRow(name) << damage << said;
        };
        row(
            "iterations fall",
            [](h5::Writer& f) {
                history(f, {2, 1});
            },
            "'/iteration' do not ascend");
        row(
            "an iteration below 0", [](h5::Writer& f) { history(f, {-1}); }, "'/iteration' do not ascend");
        row(
            "timing without stages",
            [](h5::Writer& f) {
                const double one = 1;
                f.group("/iterates");
                f.write("/timing", {1}, &one);
            },
            "'/timing' must be [iteration][stage]");
        row(
            "an iterate named by a word",
            [](h5::Writer& f) {
                history(f, {1});
                f.group("/iterates/last");
            },
            "'/iterates/last' is not named after an iteration");
        row(
            "an iterate named in another way",
            [](h5::Writer& f) {
                history(f, {1});
                f.group("/iterates/1");
            },
            "'/iterates/1' is not named after an iteration");
        row(
            "a frame named by a word",
            [](h5::Writer& f) {
                history(f, {1});
                f.group("/frames/first");
            },
            "'/frames/first' is not named after a frame");
        row(
            "a frame without a time",
            [](h5::Writer& f) {
                history(f, {1});
                f.group("/frames/0001");
            },
            "'/frames/0001' does not say 'start_s'");
        row(
            "a frame that lasts no time",
            [](h5::Writer& f) {
                history(f, {1});
                frameNumbers(f, "/frames/0001", 0, 0);
            },
            "'/frames/0001' says a duration of 0 s");
        row(
            "a gate that no frame has",
            [](h5::Writer& f) {
                history(f, {1});
                frameNumbers(f, "/frames/0001", 0, 10);
                f.attribute("/frames/0001", "gate", std::uint64_t{1} << 32U);
            },
            "attribute 'gate' of '/frames/0001' is 4294967296");
    }
    void damagedRunsAreRefused() {
        QFETCH(Damage, damage);
        QFETCH(QString, said);
        writeRaw(file("damaged.h5"), damage);

        const QString refused = refusal([&] { (void)recognise(file("damaged.h5")).infoJson(); });

        QVERIFY2(refused.contains("damaged.h5: ") && refused.contains(said), qPrintable(refused));
        QVERIFY2(refused.contains("; "), qPrintable(refused));  // and what to do
    }

    void damagedCheckpointsAreRefused_data() {
        QTest::addColumn<Damage>("damage");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const Damage& damage, const char* said) {
            QTest::newRow(name) << damage << said;
        };
        const Lattice other = Lattice::centred({4, 3, 3}, {4, 3, 2.5});
        row(
            "none at all", [](h5::Writer&) {}, "this is no checkpoint");
        row(
            "an absurd iteration",
            [](h5::Writer& f) {
                f.group("/checkpoint");
                f.attribute("/checkpoint", "iteration", std::uint64_t{1} << 40U);
            },
            "is missing or absurd");
        row(
            "a frame at no iteration", [](h5::Writer& f) { begun(f, 0, kLattice); },
            "attribute 'iteration' of '/begun/0001' is missing or absurd");
        row(
            "a frame of another lattice", [other](h5::Writer& f) { begun(f, 1, other); },
            "'/begun/0001/image' has another lattice than '/image'");
        row(
            "coefficients of another lattice",
            [other](h5::Writer& f) {
                begun(f, 1, kLattice);
                writeVolumeDataset(f, "/coefficients", other, ramp(1, other)->data, "");
            },
            "'/coefficients' has another lattice than '/image'");
    }
    void damagedCheckpointsAreRefused() {
        QFETCH(Damage, damage);
        QFETCH(QString, said);
        writeRaw(file("damaged.ckpt"), damage);

        const QString refused = refusal([&] { (void)readCheckpoint(file("damaged.ckpt")); });

        QVERIFY2(refused.contains("damaged.ckpt: ") && refused.contains(said), qPrintable(refused));
    }
};

QTEST_GUILESS_MAIN(RunFilesTest)

}  // namespace run_files_test
#include "run_files_test.moc"
