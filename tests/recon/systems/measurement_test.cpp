// SPDX-License-Identifier: Apache-2.0

#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/simulate/point_spread.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "tests/support/rings.h"

namespace measurement_test {

using namespace tof;

namespace {

/// Two voxels, three views; values tell view and voxel.
HistoData tinyData() {
    HistoData data;
    data.lattice = Lattice::centred({2, 1, 1}, {4, 4, 4});
    data.views = {{0, 0}, {0.5, 0}, {1, 0}};
    data.counts = {1, 2, 10, 20, 100, 200};
    return data;
}

/// Three segments of two rings, three time bins; every bin has its own value.
SinogramData tinySinograms() {
    const MichelogramSpec spec = test::ringsOf({"ring", 2, 24, 100.0, 10.0, 0.0}, 1, 1, 9, 3, {3, 200, 400});
    SinogramData data;
    data.michelogram = std::make_shared<const Michelogram>(spec);
    data.lattice = Lattice::centred({10, 10, 3}, {10, 10, 5});
    for (std::size_t i = 0; i < data.michelogram->bins(); ++i) {
        data.counts.push_back(static_cast<float>(i));
    }
    return data;
}

/// View of a segment in a time bin.
std::size_t viewOf(std::size_t segment, int timeBin) {
    return static_cast<std::size_t>(timeBin) * 3 + segment;
}

Volume volumeOf(const Lattice& lattice, std::vector<float> values) {
    Volume volume;
    volume.lattice = lattice;
    volume.data = std::move(values);
    return volume;
}

}  // namespace

class MeasurementTest : public QObject {
    Q_OBJECT

  private slots:
    void aViewIsItsPartOfTheData() {
        const Volume shown = HistoMeasurement(tinyData()).view(1, DataQuantity::Counts);

        QCOMPARE(shown.data, (std::vector<float>{10, 20}));
        QVERIFY(shown.lattice == tinyData().lattice);
        QCOMPARE(QString::fromStdString(shown.units), QString("events/voxel"));
    }

    void absentCorrectionsAreOneAndZero() {
        QCOMPARE(HistoMeasurement(tinyData()).view(2, DataQuantity::Mult).data, (std::vector<float>{1, 1}));
        QCOMPARE(HistoMeasurement(tinyData()).view(2, DataQuantity::Add).data, (std::vector<float>{0, 0}));
    }

    void aViewThatIsNotThereIsNamed() {
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(HistoMeasurement(tinyData()).view(3, DataQuantity::Counts)), WrongUse);
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(HistoMeasurement(tinyData()).view(0, DataQuantity::Residual)), WrongUse);
    }

    void namesGoBothWays() {
        for (const char* name : {"counts", "expected", "residual", "weighted", "mult", "add"}) {
            QCOMPARE(QString::fromStdString(quantityName(quantityFromName(name))), QString(name));
        }
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(quantityFromName("count")), WrongUse);
    }

    void totalsAddUpEachView() {
        QCOMPARE(HistoMeasurement(tinyData()).viewTotals(), (std::vector<double>{3, 30, 300}));
    }

    void aResidualIsCountsMinusExpectedAndWeighsByTheRoot() {
        const HistoMeasurement data(tinyData());
        const Volume expected = volumeOf(data.lattice(), {4, 25});

        QCOMPARE(comparedCounts(data.view(1, DataQuantity::Counts), expected, DataQuantity::Residual).data,
                 (std::vector<float>{6, -5}));
        QCOMPARE(comparedCounts(data.view(1, DataQuantity::Counts), expected, DataQuantity::Weighted).data,
                 (std::vector<float>{3, -1}));
        QCOMPARE(comparedCounts(data.view(1, DataQuantity::Counts), expected, DataQuantity::Expected).data,
                 expected.data);
    }

    void whereNothingIsExpectedTheWeightedResidualIsZero() {
        const HistoMeasurement data(tinyData());

        const Volume out = comparedCounts(data.view(0, DataQuantity::Counts),
                                          volumeOf(data.lattice(), {0, 4}), DataQuantity::Weighted);

        QCOMPARE(out.data, (std::vector<float>{0, -1}));
    }

    void chiSquareIsOneWhenEveryVoxelIsOneSdOff() {
        HistoData data = tinyData();
        data.counts[2] = 4 + 2;   // e = 4, SD 2
        data.counts[3] = 25 - 5;  // e = 25, SD 5
        const Volume expected = volumeOf(data.lattice, {4, 25});

        const ViewFit fit =
            fitOfCounts(HistoMeasurement(data).view(1, DataQuantity::Counts), expected, expected);

        QCOMPARE(fit.counts, 26.0);
        QCOMPARE(fit.expected, 29.0);
        QCOMPARE(fit.chiSquare, 1.0);
    }

    void expectedIsMultTimesTheProjectionPlusAdd() {
        // A point source in the middle: the kernel sums to one, so the projection keeps the total.
        HistoData data;
        data.lattice = Lattice::centred({61, 61, 15}, {4, 4, 4});
        data.views = {{0, 0}, {0.7, 0.1}};
        const std::size_t n = data.voxels();
        data.counts.assign(2 * n, 0);
        data.mult.assign(2 * n, 0.5F);
        std::fill(data.mult.begin() + static_cast<std::ptrdiff_t>(n), data.mult.end(), 0.25F);
        data.add.assign(2 * n, 0.125F);
        Volume image = volumeOf(data.lattice, std::vector<float>(n, 0));
        image.data[data.lattice.index(30, 30, 7)] = 1000;
        RunSettings settings;
        settings.set("engine", "cpu");
        settings.set("kernel", "invariant");
        const EngineRegistry engines = makeEngineRegistry();

        const Volume expected = HistoMeasurement(data).expected(1, image, settings, engines);

        const double sum = std::accumulate(expected.data.begin(), expected.data.end(), 0.0);
        const double wanted = 0.25 * 1000 + 0.125 * static_cast<double>(n);
        // float sums of n terms: n roundings of 2^-24 of the values
        QVERIFY2(std::abs(sum - wanted) < 1e-5 * wanted, qPrintable(QString::number(sum)));
        const auto at = std::max_element(expected.data.begin(), expected.data.end()) - expected.data.begin();
        QCOMPARE(static_cast<std::size_t>(at), data.lattice.index(30, 30, 7));
    }

    void aSegmentIsItsPartOfTheSinograms() {
        const SinogramData data = tinySinograms();
        const SinogramMeasurement measured(data);
        const Michelogram& m = *data.michelogram;

        const Volume direct = measured.view(viewOf(0, 2), DataQuantity::Counts);

        QCOMPARE(direct.lattice.size, (std::array<int, 3>{9, 12, 2}));
        for (int plane = 0; plane < 2; ++plane) {
            QCOMPARE(direct.lattice.centre(4, 0, plane).z, plane == 0 ? -5.0 : 5.0);
            for (int angle = 0; angle < 12; ++angle) {
                for (int radial = 0; radial < 9; ++radial) {
                    QCOMPARE(direct.at(radial, angle, plane),
                             data.counts[m.index(m.slotOfAngle(angle), static_cast<std::size_t>(plane),
                                                 radial, 2)]);
                }
            }
        }
        // The bin in the middle passes through the axis; its neighbours half a crystal to either side.
        QCOMPARE(direct.lattice.centre(4, 0, 0).x, 0.0);
        QCOMPARE(measured.view(viewOf(2, 0), DataQuantity::Mult).data, std::vector<float>(108, 1.0F));
        QCOMPARE(measured.view(viewOf(1, 1), DataQuantity::Counts).at(0, 0, 0),
                 data.counts[m.index(0, 2, 0, 1)]);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(measured.view(viewOf(2, 3), DataQuantity::Counts)),
                                 WrongUse);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(measured.view(viewOf(0, 3), DataQuantity::Counts)),
                                 WrongUse);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(measured.view(viewOf(0, 0), DataQuantity::Residual)),
                                 WrongUse);
    }

    void segmentsAddUpToTheirCounts() {
        const SinogramData data = tinySinograms();
        const SinogramMeasurement measured(data);
        const std::vector<double> totals = measured.viewTotals();
        QCOMPARE(totals.size(), std::size_t{9});
        for (std::size_t segment = 0; segment < 3; ++segment) {
            for (int bin = 0; bin < 3; ++bin) {
                const Volume view = measured.view(viewOf(segment, bin), DataQuantity::Counts);
                QCOMPARE(totals[static_cast<std::size_t>(bin) * 3 + segment],
                         std::accumulate(view.data.begin(), view.data.end(), 0.0));
            }
        }
    }

    void expectedSinogramsAreMultTimesTheLineIntegralPlusAdd() {
        // A uniform image that holds the whole field: lines through the axis of a direct plane cross 100 mm
        // of it at azimuth 0, all time bins together.
        SinogramData data = tinySinograms();
        data.mult.assign(data.counts.size(), 0.5F);
        data.add.assign(data.counts.size(), 0.25F);
        const SinogramMeasurement measured(data);
        Volume image = volumeOf(data.lattice, std::vector<float>(data.lattice.voxels(), 2.0F));
        RunSettings settings;
        settings.set("engine", "cpu");
        const EngineRegistry engines = makeEngineRegistry();

        double sum = 0;
        for (int bin = 0; bin < 3; ++bin) {
            const Volume expected = measured.expected(viewOf(0, bin), image, settings, engines);
            sum += static_cast<double>(expected.at(4, 0, 1));
            QCOMPARE(expected.lattice.size, (std::array<int, 3>{9, 12, 2}));
        }

        QVERIFY2(std::abs(sum - (0.5 * 2 * 100 + 3 * 0.25)) < 1e-3, qPrintable(QString::number(sum)));
        image.lattice = Lattice::centred({10, 10, 3}, {9, 9, 5});
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(measured.expected(0, image, settings, engines)), WrongUse);
    }

    void linesLieWhereTheyPassTheAxis() {
        // Points at half width 100 and height 40: slopes to 80/200, nine classes of 0.8/9.
        LineEvents events;
        events.points = {{-100, 30, 5},  {100, 30, 5},   {-100, -100, -40}, {100, 100, 40},
                         {20, 100, -10}, {20, -100, 10}, {0, 0, -40},       {0, 0, 40}};
        events.pairs = {{0, 1}, {1, 0}, {2, 3}, {4, 5}, {6, 7}, {0, 1}};
        LineData data;
        data.lattice = Lattice::centred({20, 20, 9}, {10, 10, 10});
        data.counts = {1, 2, 4, 8, 16, 0.5};
        data.events = std::make_shared<const LineEvents>(events);
        const LineMeasurement measured(data);

        const std::vector<double> tilts = measured.layout().axes[0].values;
        const std::vector<double> totals = measured.viewTotals();
        const Volume flat = measured.view(4, DataQuantity::Counts);

        QCOMPARE(tilts.size(), std::size_t{9});
        QVERIFY(std::abs(tilts[4]) < 1e-12 && std::abs(tilts[8] + tilts[0]) < 1e-12);
        const double slope = 80 / (2 * std::hypot(100, 100));
        QVERIFY(std::abs(tilts[8] * kRadPerDeg - std::atan(slope * 8 / 9)) < 1e-12);
        // Either way round: along +x at azimuth 0, s = y = 30, z = 5.
        QCOMPARE(flat.lattice.size, (std::array<int, 3>{21, 180, 9}));
        QCOMPARE(flat.at(10 + 3, 0, 5), 3.5F);
        QCOMPARE(std::accumulate(flat.data.begin(), flat.data.end(), 0.0F), 3.5F);
        // Along the diagonal, as steep as can be through the centre: azimuth 45 degrees, s = 0, z = 0.
        QCOMPARE(measured.view(8, DataQuantity::Counts).at(10, 45, 4), 4.0F);
        // Downwards along +y at x = 20: r is -x there, and z falls from 10 to -10 over 200 mm.
        QCOMPARE(measured.view(2, DataQuantity::Counts).at(10 - 2, 90, 4), 8.0F);
        // The line along the axis has no azimuth.
        QCOMPARE(std::accumulate(totals.begin(), totals.end(), 0.0), 15.5);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(measured.view(9, DataQuantity::Counts)), WrongUse);
    }

    void linesWithoutCountsAreOneEventEach() {
        LineEvents events;
        events.points = {{-100, 30, 0}, {100, 30, 0}};
        events.pairs = {{0, 1}, {1, 0}};
        LineData data;
        data.lattice = Lattice::centred({20, 20, 1}, {10, 10, 10});
        data.events = std::make_shared<const LineEvents>(events);
        const LineMeasurement measured(data);

        QCOMPARE(measured.layout().axes[0].values, std::vector<double>{0.0});
        QCOMPARE(measured.view(0, DataQuantity::Counts).at(13, 0, 0), 2.0F);
    }

    void anImageOnAnotherLatticeIsRefused() {
        const HistoMeasurement data(tinyData());
        const Volume image = volumeOf(Lattice::centred({1, 1, 1}, {4, 4, 4}), {1});
        const EngineRegistry engines = makeEngineRegistry();

        QVERIFY_EXCEPTION_THROWN(static_cast<void>(data.expected(0, image, RunSettings(), engines)),
                                 WrongUse);
    }

    void aScannersBlurIsMadeOnceAndSharedByPartsOfAList() {
        LineData data;
        data.lattice = Lattice::centred({20, 20, 10}, {2, 2, 4});
        data.possible.scanner = std::make_shared<const Scanner>(Scanner::find("inveon"));
        auto events = std::make_shared<LineEvents>();
        events->points = referencePoints(*data.possible.scanner);
        events->pairs = {{0, 40}, {1, 41}};
        data.events = std::move(events);
        const LineMeasurement list(std::move(data));
        RunSettings settings;
        QVERIFY(list.model(settings).as<LineModel>()->spread == nullptr);
        settings.set("psf-model", "scanner");
        const std::shared_ptr<const Engine> engine = makeCpuEngine();
        int told = 0;
        const EngineOptions options;
        const SetUp setUp{*engine, options, [&](const std::string& /*what*/, double /*share*/) { ++told; }};

        list.prepare(settings, setUp);
        QVERIFY(told > 0);
        told = 0;
        const auto finer = list.onLattice(Lattice::centred({40, 40, 10}, {1, 1, 4}));
        finer->prepare(settings, setUp);
        QCOMPARE(told, 0);

        settings.set("psf", "3");
        const SystemModel model = finer->model(settings);
        const std::shared_ptr<const PointSpread> spread = model.as<LineModel>()->spread;
        QVERIFY(spread != nullptr);
        QVERIFY(spread->at.front().radial_mm > 3 / kFwhmPerSigma);
        QCOMPARE(list.describe(settings).at("psf_model").get<std::string>(), "scanner");
    }

    void aScannersBlurNeedsAScanner() {
        RunSettings settings;
        settings.set("psf-model", "scanner");
        LineData data;
        data.events = std::make_shared<const LineEvents>();
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(LineMeasurement(std::move(data)).model(settings)),
                                 WrongUse);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(SinogramMeasurement(tinySinograms()).model(settings)),
                                 WrongUse);
    }
};

QTEST_GUILESS_MAIN(MeasurementTest)

}  // namespace measurement_test
#include "measurement_test.moc"
