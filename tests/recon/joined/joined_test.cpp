// SPDX-License-Identifier: Apache-2.0
// Gates that move and beds of a body, reconstructed into one image.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/joined/joined_measurement.h"
#include "recon/operators/data_operator.h"
#include "recon/seam/host_space.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/bin.h"
#include "recon/work/read_joined.h"
#include "recon/work/read_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/refusal.h"
#include "tests/support/silent_progress.h"
#include "tests/support/thread_ranks.h"

namespace joined_test {

using namespace tof;
using tof::test::saidBy;
using namespace tof::fixtures;

namespace {

constexpr int kGates = 3;
const Lattice kLattice = Lattice::centred({22, 22, 10}, {6, 6, 5});
constexpr const char* kModules =
    R"({"name":"flat","modules":{"count":8,"face_to_face_mm":220,"first_angle_deg":10,"crystals":[16,8],)"
    R"("pitch_mm":[5,5]},"crystal_mm":[5,5,10],"attenuation_per_mm":0.08,"acceptance_deg":30,)"
    R"("fov_diameter_mm":180,"timing_fwhm_ps":200})";
constexpr const char* kBody =
    R"({"name":"body","shapes":[{"kind":"cylinder","centre_mm":[0,0,0],"radius_mm":50,"length_mm":40,)"
    R"("activity":1,"mu_per_mm":0.0096},{"kind":"sphere","centre_mm":[16,8,0],"radius_mm":14,"activity":8,)"
    R"("mu_per_mm":0.0096}]})";

/// What a voxel of `to` takes of an image, by the definition: the product of three hat functions.
double takenOf(const std::vector<float>& x, const Lattice& from, Vec3 point) {
    double sum = 0;
    from.forEachVoxel([&](int i, int j, int k) {
        const Vec3 off = point - from.centre(i, j, k);
        double weight = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            weight *= std::max(0.0, 1 - std::abs(off[axis]) / from.spacing_mm[axis]);
        }
        sum += weight * static_cast<double>(x[from.index(i, j, k)]);
    });
    return sum;
}

std::shared_ptr<const DisplacementField> fieldOn(const Lattice& lattice, float reach, unsigned seed) {
    auto field = std::make_shared<DisplacementField>();
    field->lattice = lattice;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        field->mm[axis] = uniformData(lattice.voxels(), seed + static_cast<unsigned>(axis), -reach, reach);
    }
    return field;
}

/// A MetaImage of vectors along space's axes, as ITK writes it; `vector(x, y, z)` by voxel.
template <typename Vector>
void writeMha(const std::string& path, const Lattice& lattice, const Vector& vector,
              const std::string& more = "") {
    std::ofstream out(path, std::ios::binary);
    out << "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
        << "CompressedData = False\nTransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = " << lattice.origin_mm.x
        << ' ' << lattice.origin_mm.y << ' ' << lattice.origin_mm.z
        << "\nElementSpacing = " << lattice.spacing_mm[0] << ' ' << lattice.spacing_mm[1] << ' '
        << lattice.spacing_mm[2] << "\nDimSize = " << lattice.size[0] << ' ' << lattice.size[1] << ' '
        << lattice.size[2] << '\n'
        << more << "ElementNumberOfChannels = 3\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n";
    lattice.forEachVoxel([&](int x, int y, int z) {
        const Vec3 v = vector(x, y, z);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto one = static_cast<float>(v[axis]);
            out.write(reinterpret_cast<const char*>(&one), sizeof(one));
        }
    });
}

/// NIfTI-1 of vectors, 5-D: `intent` 1007 as ITK writes them, or 1006. Its x and y run to the right and the
/// front, so they are turned over.
void writeVectors(const std::string& path, const Lattice& lattice, Vec3 stored, std::int16_t intent) {
    std::array<char, 352> head{};
    const auto put = [&](std::size_t at, auto value) {
        std::memcpy(head.data() + at, &value, sizeof(value));
    };
    put(0, std::int32_t{348});
    const std::array<int, 8> dim{5, lattice.size[0], lattice.size[1], lattice.size[2], 1, 3, 1, 1};
    for (std::size_t i = 0; i < 8; ++i) {
        put(40 + 2 * i, static_cast<std::int16_t>(dim[i]));
        put(76 + 4 * i, i >= 1 && i <= 3 ? static_cast<float>(lattice.spacing_mm[i - 1]) : 1.0F);
    }
    put(68, intent);
    put(70, std::int16_t{16});
    put(72, std::int16_t{32});
    put(108, 352.0F);
    put(112, 1.0F);
    put(123, std::int8_t{2});
    put(254, std::int16_t{1});
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double sign = axis < 2 ? -1 : 1;
        put(280 + 20 * axis, static_cast<float>(sign * lattice.spacing_mm[axis]));
        put(292 + 16 * axis, static_cast<float>(sign * lattice.origin_mm[axis]));
    }
    std::memcpy(head.data() + 344, "n+1", 4);
    std::ofstream out(path, std::ios::binary);
    out.write(head.data(), head.size());
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::vector<float> all(lattice.voxels(), static_cast<float>(stored[axis]));
        out.write(reinterpret_cast<const char*>(all.data()),
                  static_cast<std::streamsize>(all.size() * sizeof(float)));
    }
}

/// The host's memory as if it were a device's: what is in it must not be touched from outside.
class AwaySpace : public HostSpace {
  public:
    using HostSpace::HostSpace;
    [[nodiscard]] bool hostMemory() const override { return false; }
};

/// The cpu engine with such a space.
class AwayEngine : public Engine {
  public:
    [[nodiscard]] std::string name() const override { return cpu_->name(); }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        return cpu_->strategies(system);
    }
    [[nodiscard]] DeviceInfo device() const override { return cpu_->device(); }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return std::make_shared<AwaySpace>(options.threads);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        return cpu_->makeProjector(model, std::move(space), options);
    }

  private:
    std::shared_ptr<const Engine> cpu_ = makeCpuEngine();
};

}  // namespace

class JoinedTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        const Scanner scanner = Scanner::fromJson(kModules, "test");
        EventList events =
            simulate(scanner, Phantom::fromJson(kBody, "body"), {.events = 60000, .seed = 3}, pool_, {});
        events.duration_s = 6;
        events.time_ms.resize(events.size());
        for (std::size_t i = 0; i < events.size(); ++i) {
            events.time_ms[i] = static_cast<std::uint32_t>(6000 * i / events.size());
        }
        writeEvents(file("list.h5"), events);
        std::ofstream(file("triggers.tsv")) << "0\n3\n6\n";
        BinRequest request;
        request.input = file("list.h5");
        request.azimuths = 8;
        request.lattice = kLattice;
        request.gates.file = file("triggers.tsv");
        request.gates.count = kGates;
        writeMeasured(file("gates.h5"), binEvents(request, pool_, silent_).data);
        data_ = readMeasurement(file("gates.h5"));
        request.form = "lors";
        writeMeasured(file("lines.h5"), binEvents(request, pool_, silent_).data);
        table("none.tsv", "gate\tfield\n1\tnone\n2\tnone\n3\tnone\n");
    }

    void aWarpIsItsDefinitionAndTheTransposeIsExact() {
        const Lattice from = Lattice::centred({9, 8, 7}, {4, 5, 6});
        const Lattice to = Lattice::centred({7, 6, 10}, {5, 4, 4});
        const auto field = fieldOn(to, 9, 4);
        const Warp warp(from, to, {1, -2, 3}, field, 0.3);
        const std::vector<float> x = uniformData(from.voxels(), 1, 0, 1);
        const std::vector<float> y = uniformData(to.voxels(), 2, 0, 1);
        std::vector<float> seen(to.voxels());
        std::vector<float> back(from.voxels(), 0.0F);
        std::vector<float> room;

        warp.apply(x.data(), seen.data(), pool_);
        warp.transpose(y.data(), back.data(), Write::Overwrite, pool_, room);

        double farthest = 0;
        to.forEachVoxel([&](int i, int j, int k) {
            const std::size_t at = to.index(i, j, k);
            const Vec3 moved{static_cast<double>(field->mm[0][at]), static_cast<double>(field->mm[1][at]),
                             static_cast<double>(field->mm[2][at])};
            const double expected = 0.3 * takenOf(x, from, to.centre(i, j, k) + Vec3{1, -2, 3} + moved);
            farthest = std::max(farthest, std::abs(static_cast<double>(seen[at]) - expected));
        });
        QVERIFY2(farthest < 1e-6, qPrintable(QString::number(farthest)));  // rounding of values up to 0.3
        const double one = dotProduct(seen, y);
        const double two = dotProduct(x, back);
        QVERIFY(one > 0);
        QVERIFY2(std::abs(one - two) <= 1e-6 * one, qPrintable(QString::number(two / one - 1)));
        std::vector<float> twice = back;
        warp.transpose(y.data(), twice.data(), Write::Add, ThreadPool(1), room);
        for (std::size_t i = 0; i < back.size(); ++i) {
            QVERIFY(std::abs(twice[i] - 2 * back[i]) <= 1e-5F);
        }
    }

    /// Forward and back of every part of moved gates, what attenuates included.
    void joinedProjectorsAreAdjoint() {
        const auto joined = joinGates(data_, "gates.h5", movedTable());
        DataOperator op(joined, settings(), engines_);
        QCOMPARE(op.parts(), std::size_t{kGates} * data_->order(1).size());
        std::vector<std::size_t> parts(op.parts());
        std::iota(parts.begin(), parts.end(), std::size_t{0});
        const std::vector<float> x = uniformData(op.imageSize(), 7, 0, 1);
        const std::vector<float> p = uniformData(op.dataSize(parts), 8, 0, 1);
        std::vector<float> seen(p.size());
        std::vector<float> back(x.size());

        op.forward(parts, {x.data(), x.size()}, {seen.data(), seen.size()}, Factors::Applied);
        op.back(parts, {p.data(), p.size()}, {back.data(), back.size()}, Factors::Applied);

        const double one = dotProduct(seen, p);
        const double two = dotProduct(x, back);
        QVERIFY(one > 0);
        QVERIFY2(std::abs(one - two) <= 1e-5 * one, qPrintable(QString::number(two / one - 1)));
    }

    /// EM over gates that nothing moved is EM of their sum: sums of floats in another order.
    void gatesThatDoNotMoveMakeTheImageOfTheirSum_data() {
        QTest::addColumn<QString>("data");
        QTest::newRow("histo-images") << "gates.h5";
        QTest::newRow("lines") << "lines.h5";
    }
    void gatesThatDoNotMoveMakeTheImageOfTheirSum() {
        QFETCH(QString, data);
        const auto whole = readMeasurement(file(data.toStdString()));
        writeMha(file("still.mha"), kLattice, [](int, int, int) { return Vec3(); });
        table("still.tsv", "1\tstill.mha\n2\tnone\n3\tstill.mha\n");

        const Volume joined = imageOf(joinGates(whole, "data", file("still.tsv")));
        const Volume sum = imageOf(whole);

        QVERIFY2(farthest(joined, sum) < 5e-5, qPrintable(QString::number(farthest(joined, sum))));
    }

    /// What all gates see one voxel farther along x in the joined image, they expect as of an image that lies
    /// one voxel nearer.
    void aConstantShiftMovesTheImage_data() {
        QTest::addColumn<QString>("field");
        QTest::newRow("ITK") << "one.mha";
        QTest::newRow("NIfTI, vectors of ITK") << "one.nii";
        QTest::newRow("NIfTI, along its own axes") << "own.nii";
    }
    void aConstantShiftMovesTheImage() {
        QFETCH(QString, field);
        writeMha(file("one.mha"), kLattice, [](int, int, int) { return Vec3{6, 0, 0}; });
        writeVectors(file("one.nii"), kLattice, {6, 0, 0}, 1007);
        writeVectors(file("own.nii"), kLattice, {-6, 0, 0}, 1006);
        const std::string name = field.toStdString();
        table("shift.tsv", "1\t" + name + "\n2\t" + name + "\n3\t" + name + "\n");

        const auto joined = joinGates(data_, "gates.h5", file("shift.tsv"));
        DataOperator moved(joined, settings(), engines_);
        DataOperator still(data_, settings(), engines_);
        std::vector<float> x = uniformData(still.imageSize(), 7, 0, 1);
        std::vector<float> aside(x.size(), 0.0F);
        kLattice.forEachVoxel([&](int i, int j, int k) {
            float& value = x[kLattice.index(i, j, k)];
            value = i + 1 < kLattice.size[0] ? value : 0.0F;
            if (i > 0) {
                aside[kLattice.index(i, j, k)] = x[kLattice.index(i - 1, j, k)];
            }
        });
        const std::size_t views = still.parts();
        for (std::size_t view = 0; view < views; view += 5) {
            const std::vector<float> expected = forward(still, view, x);
            const float most = *std::max_element(expected.begin(), expected.end());
            for (std::size_t gate = 0; gate < kGates; ++gate) {
                const std::vector<float> found = forward(moved, gate * views + view, aside);
                for (std::size_t i = 0; i < found.size(); ++i) {
                    // Each gate has a third of the time.
                    QVERIFY(std::abs(kGates * found[i] - expected[i]) <= 2e-6F * most);
                }
            }
        }
    }

    void whatCannotBeJoinedIsSaid_data() {
        QTest::addColumn<QString>("rows");
        QTest::addColumn<QString>("said");
        QTest::newRow("missing") << "1\tnone\n3\tnone\n"
                                 << "has no line for gate 2 of 3; give its field";
        QTest::newRow("twice") << "1\tnone\n1\tnone\n"
                               << "line 2 names gate 1 again";
        QTest::newRow("unknown gate") << "4\tnone\n"
                                      << "line 1 is not the number of one of 3 gates";
        QTest::newRow("no file") << "1\n"
                                 << "line 1 is not the number of one of 3 gates and a file";
        QTest::newRow("no field") << "1\tscalar.nii\n"
                                  << "scalar.nii: holds no displacement field";
        QTest::newRow("other size") << "1\tsmall.mha\n"
                                    << "small.mha: its field is on 22 x 22 x 9";
        QTest::newRow("other place") << "1\taside.mha\n"
                                     << "make it on the lattice of the image";
        QTest::newRow("NaN") << "1\tnan.mha\n"
                             << "nan.mha: holds values that are no finite numbers";
        QTest::newRow("NaN in NIfTI") << "1\tnan.nii\n"
                                      << "nan.nii: holds vectors that are no finite numbers";
        QTest::newRow("two numbers") << "1\ttwo.nii\n"
                                     << "fields 'dim[4]' and 'dim[5]' are 1 and 2";
        QTest::newRow("short") << "1\tshort.mha\n"
                               << "short.mha: ";
    }
    void whatCannotBeJoinedIsSaid() {
        QFETCH(QString, rows);
        QFETCH(QString, said);
        const auto none = [](int, int, int) { return Vec3(); };
        writeVolume(file("scalar.nii"), Volume(kLattice, 1.0F));
        writeMha(file("small.mha"), Lattice::centred({22, 22, 9}, {6, 6, 5}), none);
        Lattice aside = kLattice;
        aside.origin_mm.y += 1;
        writeMha(file("aside.mha"), aside, none);
        writeMha(file("nan.mha"), kLattice, [](int x, int, int) {
            return Vec3{0, x == 3 ? std::nan("") : 0, 0};
        });
        writeVectors(file("nan.nii"), kLattice, {0, std::nan(""), 0}, 1007);
        writeVectors(file("two.nii"), kLattice, {0, 0, 0}, 1007);
        std::fstream two(file("two.nii"), std::ios::in | std::ios::out | std::ios::binary);
        two.seekp(50).put(2);
        two.close();
        writeMha(file("short.mha"), kLattice, none);
        std::filesystem::resize_file(file("short.mha"), std::filesystem::file_size(file("short.mha")) - 8);
        table("bad.tsv", rows.toStdString());

        const QString sentence =
            saidBy([&] { static_cast<void>(joinGates(data_, "gates.h5", file("bad.tsv"))); });

        QVERIFY2(sentence.contains(said), qPrintable(sentence));
    }

    /// Images that lie on a device are warped by the host and go back.
    void imagesOnADeviceAreWarpedToo_data() {
        QTest::addColumn<QString>("data");
        QTest::newRow("histo-images") << "gates.h5";
        QTest::newRow("lines") << "lines.h5";
    }
    void imagesOnADeviceAreWarpedToo() {
        QFETCH(QString, data);
        const auto joined = joinGates(readMeasurement(file(data.toStdString())), "data", movedTable());
        EngineRegistry away;
        away.add(
            "cpu", [] { return std::make_shared<AwayEngine>(); }, 1);

        const Volume there = imageOf(joined, away);
        const Volume here = imageOf(joined, engines_);

        QVERIFY2(farthest(there, here) < 1e-6, qPrintable(QString::number(farthest(there, here))));
    }

    /// Sums over ranks are of doubles that are rounded once, those of one process of floats.
    void ranksMakeTheImageOfOneProcess_data() {
        QTest::addColumn<QString>("data");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<bool>("away");
        for (const char* data : {"gates.h5", "lines.h5", "beds"}) {
            QTest::addRow("%s, two", data) << data << 2 << false;
        }
        QTest::newRow("gates.h5, three") << "gates.h5" << 3 << false;
        QTest::newRow("gates.h5, on devices") << "gates.h5" << 2 << true;
    }
    void ranksMakeTheImageOfOneProcess() {
        QFETCH(QString, data);
        QFETCH(int, ranks);
        QFETCH(bool, away);
        table("beds.tsv", "file\tz_mm\ngates.h5\t0\ngates.h5\t10\n");
        const std::string fields = movedTable();
        const auto joined = [&]() -> std::shared_ptr<const Measurement> {
            std::string note;
            return data == "beds" ? readBeds(file("beds.tsv"), note)
                                  : joinGates(readMeasurement(file(data.toStdString())), "data", fields);
        };
        EngineRegistry engines = makeEngineRegistry();
        if (away) {
            engines = EngineRegistry();
            engines.add(
                "cpu", [] { return std::make_shared<AwayEngine>(); }, 1);
        }
        const Volume alone = imageOf(joined());
        Volume together;
        const auto ends = test::onRanks(ranks, [&](const std::shared_ptr<Communicator>& all) {
            const Volume image = imageOf(joined(), engines, all);
            if (all->first()) {
                together = image;
            }
        });
        for (const test::RankEnd& end : ends) {
            QVERIFY2(end.said.empty(), end.said.c_str());
        }
        QVERIFY(together.lattice == alone.lattice);
        QVERIFY2(farthest(together, alone) < 2e-6, qPrintable(QString::number(farthest(together, alone))));
    }

    void moreRanksThanPartsAreRefused() {
        const auto joined = joinGates(data_, "gates.h5", file("none.tsv"));
        const std::size_t parts = joined->order(1).size();
        const auto blocks = std::vector<std::vector<std::size_t>>(parts, std::vector<std::size_t>(1));
        const RunSettings set = settings();
        const QString said = saidBy([&] { static_cast<void>(joined->share({0, 2, blocks, set})); });
        QVERIFY2(said.contains("fewer than 2") && said.contains("osem"), qPrintable(said));
    }

    void dataWithoutGatesAreRefused() {
        const auto plain = std::make_shared<const HistoMeasurement>(HistoData());
        const QString sentence =
            saidBy([&] { static_cast<void>(joinGates(plain, "plain.h5", file("none.tsv"))); });
        QVERIFY2(sentence.contains("plain.h5: is not cut into gates"), qPrintable(sentence));
    }

    /// Every subset has as many parts of all gates, but for one.
    void subsetsHaveAllGates() {
        const auto joined = joinGates(data_, "gates.h5", file("none.tsv"));
        const std::vector<std::size_t> order = joined->order(1);
        const std::size_t views = data_->order(1).size();
        std::vector<std::size_t> sorted = order;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            QCOMPARE(sorted[i], i);
        }
        for (std::size_t subsets = 2; subsets <= 9; ++subsets) {
            for (std::size_t subset = 0; subset < subsets; ++subset) {
                std::array<int, kGates> found{};
                for (std::size_t i = subset; i < order.size(); i += subsets) {
                    ++found[order[i] / views];
                }
                const auto [least, most] = std::minmax_element(found.begin(), found.end());
                QVERIFY2(*least > 0 && *most <= *least + 1,
                         qPrintable(QString("%1 subsets: %2 to %3").arg(subsets).arg(*least).arg(*most)));
            }
        }
    }

    void bedsThatCannotBeAreSaid_data() {
        QTest::addColumn<QString>("rows");
        QTest::addColumn<QString>("said");
        QTest::newRow("none") << "file\tz_mm\n"
                              << "names no beds";
        QTest::newRow("no number") << "gates.h5\there\n"
                                   << "line 1 is not a data file, its position";
        QTest::newRow("no activity") << "gates.h5\t0\t0\n"
                                     << "line 1 is not a data file, its position";
        QTest::newRow("far") << "gates.h5\t0\ngates.h5\t1e9\n"
                             << "give positions in mm";
        QTest::newRow("kinds") << "gates.h5\t0\nlines.h5\t0\n"
                               << "give data of one kind";
    }
    void bedsThatCannotBeAreSaid() {
        QFETCH(QString, rows);
        QFETCH(QString, said);
        table("beds.tsv", rows.toStdString());
        std::string note;
        const QString sentence = saidBy([&] { static_cast<void>(readBeds(file("beds.tsv"), note)); });
        QVERIFY2(sentence.contains(said), qPrintable(sentence));
    }

    void warpsOfOtherLatticesAreRefused() {
        const Lattice other = Lattice::centred({4, 4, 4}, {6, 6, 5});
        const auto warp = std::make_shared<const Warp>(other, kLattice, Vec3(), nullptr, 1.0);
        const QString said = saidBy([&] { const JoinedMeasurement joined(kLattice, {{data_, warp}}, {}); });
        QVERIFY2(said.contains("a warp does not fit"), qPrintable(said));
    }

    /// Two beds at one place are one scan of twice the time: the image is what the first saw, as each did.
    void twoBedsAtOnePlaceAreOneScan() {
        table("beds.tsv", "file\tz_mm\ngates.h5\t0\ngates.h5\t0\n");
        std::string note;
        const Volume both = imageOf(readBeds(file("beds.tsv"), note));
        const Volume one = imageOf(data_);
        QVERIFY(note.empty());
        QCOMPARE(both.lattice.size[2], kLattice.size[2]);
        QVERIFY2(farthest(both, one) < 5e-5, qPrintable(QString::number(farthest(both, one))));
    }

  private:
    [[nodiscard]] std::string movedTable() const {
        for (int gate = 1; gate <= 2; ++gate) {
            writeMha(file("moved" + std::to_string(gate) + ".mha"), kLattice, [gate](int x, int y, int z) {
                return Vec3{3.0 * gate + 0.1 * x, 0.2 * y - 1.0, -2.0 * gate + 0.05 * x * z};
            });
        }
        table("moved.tsv", "1\tmoved1.mha\n2\tnone\n3\tmoved2.mha\n");
        return file("moved.tsv");
    }
    static std::vector<float> forward(DataOperator& op, std::size_t part, const std::vector<float>& x) {
        const std::array<std::size_t, 1> parts{part};
        std::vector<float> p(op.dataSize(part));
        op.forward(parts, {x.data(), x.size()}, {p.data(), p.size()}, Factors::Applied);
        return p;
    }
    static RunSettings settings() {
        RunSettings settings;
        for (const auto& [key, value] :
             {std::pair{"engine", "cpu"}, {"algorithm", "mlem"}, {"iterations", "3"}}) {
            settings.set(key, value);
        }
        return settings;
    }
    [[nodiscard]] Volume imageOf(std::shared_ptr<const Measurement> data) const {
        return imageOf(std::move(data), engines_);
    }
    [[nodiscard]] static Volume imageOf(std::shared_ptr<const Measurement> data,
                                        const EngineRegistry& engines,
                                        const std::shared_ptr<Communicator>& ranks = communicatorOfOne()) {
        ReconstructRequest request;
        request.ranks = ranks;
        request.data = std::move(data);
        request.settings = settings();
        JobListener listener;
        return *reconstruct(request, engines, listener).image;
    }
    /// The largest difference, over the maximum.
    static double farthest(const Volume& one, const Volume& other) {
        const float most = *std::max_element(other.data.begin(), other.data.end());
        double off = 0;
        for (std::size_t i = 0; i < one.data.size(); ++i) {
            off = std::max(off, static_cast<double>(std::abs(one.data[i] - other.data[i]) / most));
        }
        return off;
    }
    void table(const char* name, const std::string& rows) const { std::ofstream(file(name)) << rows; }
    [[nodiscard]] std::string file(const std::string& name) const {
        return folder_.filePath(QString::fromStdString(name)).toStdString();
    }

    QTemporaryDir folder_;
    ThreadPool pool_{2};
    test::SilentProgress silent_;
    EngineRegistry engines_ = makeEngineRegistry();
    std::shared_ptr<const Measurement> data_;
};

QTEST_GUILESS_MAIN(JoinedTest)

}  // namespace joined_test
#include "joined_test.moc"
