// SPDX-License-Identifier: Apache-2.0
// Makes the weights of stream plans on the host as the kernel does, and compares them with the tables: no
// device needed.
#include <QTest>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "gpu/histo/stream_plan.h"
#include "recon/kernel/kernel_tables.h"
#include "tests/recon/projector_fixtures.h"

namespace stream_plan_test {

using namespace tof;

namespace {

constexpr std::size_t kShared = 226 * 1024;

/// Offset along, across and axial, in the plan's axes.
using Offset = std::tuple<int, int, int>;

Offset offsetOf(const StreamPlan& plan, const KernelTap& tap) {
    return plan.alongY ? Offset{tap.y, tap.x, tap.z} : Offset{tap.x, tap.y, tap.z};
}

/// The factors of a row by place, as the device makes them.
std::vector<float> factorsOf(const StreamPlan& plan, const KernelTables& tables, int row) {
    std::vector<float> factors(static_cast<std::size_t>(plan.rowStride()), 0.0F);
    for (std::size_t t = 0; t < plan.placeOf.size(); ++t) {
        const int place = plan.placeOf[t];
        if (place >= 0) {
            factors[static_cast<std::size_t>(place)] =
                plan.form == StreamForm::Tilted
                    ? tables.row(row)[t] * plan.scale[static_cast<std::size_t>(place)]
                    : tables.row(row)[t];
        }
    }
    return factors;
}

/// The weights of target pixel (i, l) of group g, with `factors` of its row.
std::map<Offset, double> weightsOf(const StreamPlan& plan, const std::vector<float>& factors, int g, int i,
                                   int l) {
    std::map<Offset, double> weights;
    for (const StreamStage& stage : plan.stages) {
        for (int e = stage.begin[g]; e < stage.begin[g + 1]; ++e) {
            const StreamEntry& entry = plan.entries[static_cast<std::size_t>(e)];
            const int steps = static_cast<int>(entry.info >> 10U & 31U);
            for (std::size_t o = 0; o < 2; ++o) {
                const int first = static_cast<int>(entry.info >> (5 * o) & 31U);
                const int line = static_cast<int>(entry.info >> (15 + 8 * o) & 255U);
                const int from = o == 0
                                     ? static_cast<int>(entry.address & 0xFFFFU)
                                     : static_cast<int>((entry.address & 0xFFFFU) + (entry.address >> 16U));
                const int low = from - line * plan.octetBytes() / 16;  // dz + reach
                for (int k = 0; k < kStreamOctet; ++k) {
                    const int ja = k - i;
                    const int jb = plan.rise(k) - plan.rise(i) - l;
                    const int at = entry.place[o] + plan.centre + (jb - plan.rise(ja)) * plan.pitch + ja;
                    const bool flat = plan.form == StreamForm::Flat;
                    if (at < 0 || at >= plan.box || low < 0 || (!flat && low + steps > 2 * plan.reach + 1)) {
                        return {};
                    }
                    auto bits =
                        static_cast<std::uint32_t>(plan.support[static_cast<std::size_t>(entry.word + at)])
                        << static_cast<unsigned>(first);
                    const auto root = static_cast<float>(plan.root);
                    const float along = static_cast<float>(plan.gradient[0]) * static_cast<float>(ja);
                    const float across = static_cast<float>(plan.gradient[1]) * static_cast<float>(jb);
                    const float d = entry.distance[o] - root * (along + across);
                    float value = factors[static_cast<std::size_t>(at)] * std::exp2(-d * d);
                    float ratio = std::exp2(-2 * root * d - root * root);
                    const int a = kStreamOctet * stage.octet + ja;
                    const int b = stage.line + line - kStreamLines * g + stage.octet * plan.climb + jb;
                    for (int s = 0; flat && s < steps && first != kStreamNone; ++s, bits <<= 1U) {
                        const int dz = first + s;
                        const double gain = plan.gain[static_cast<std::size_t>(dz)];
                        const double weight =
                            static_cast<double>(factors[static_cast<std::size_t>(at)]) * gain;
                        if ((bits & 0x8000U) != 0) {
                            weights[{a, b, dz}] += weight;
                            weights[{a, b, -dz}] += dz == 0 ? 0 : weight;
                        }
                    }
                    for (int s = 0; !flat && s < steps; ++s, bits <<= 1U) {
                        if (plan.form == StreamForm::Table) {
                            value = factors[static_cast<std::size_t>((low + s) * plan.box + at)];
                        }
                        if ((bits & 0x8000U) != 0) {
                            weights[{a, b, low - plan.reach + s}] += static_cast<double>(value);
                        }
                        value *= ratio;
                        ratio *= static_cast<float>(plan.bend);
                    }
                }
            }
        }
    }
    return weights;
}

}  // namespace

class StreamPlanTest : public QObject {
    Q_OBJECT

  private slots:
    void makesTheWeightsOfTheTables_data();
    void makesTheWeightsOfTheTables();
    void everyPixelHasOneGroup_data() { makesTheWeightsOfTheTables_data(); }
    void everyPixelHasOneGroup();
    void stagesFitSharedMemory();

  private:
    [[nodiscard]] static DirectModel modelOf(const QString& kernel, int lattice);
};

void StreamPlanTest::makesTheWeightsOfTheTables_data() {
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<int>("lattice");
    for (int lattice = 0; lattice < 4; ++lattice) {
        for (const char* kernel : {"variant", "asymmetric-variant", "measured", "measured-voxel"}) {
            QTest::addRow("%s, lattice %d", kernel, lattice) << kernel << lattice;
        }
    }
    QTest::newRow("ha-test") << "ha-test" << 0;
}

DirectModel StreamPlanTest::modelOf(const QString& kernel, int lattice) {
    const Lattice grids[] = {
        Lattice::centred({48, 40, 12}, {4, 4, 4}), Lattice::centred({37, 52, 19}, {2, 2, 2}),
        Lattice::centred({26, 37, 19}, {3.3, 5.1, 2.7}), Lattice::centred({31, 27, 40}, {4, 4, 1})};
    DirectModel model{grids[lattice], fixtures::obliqueViews(), {}};
    for (const auto& [name, spec] : fixtures::kernelFamilies()) {
        if (kernel == QString::fromStdString(name)) {
            model.kernel = spec;
        }
    }
    if (model.kernel.name.empty()) {
        model.kernel = KernelSpec::preset(kernel.toStdString());
        model.views = {{0.5, 0.1}, {2.2, -0.1}};
    }
    return model;
}

void StreamPlanTest::makesTheWeightsOfTheTables() {
    QFETCH(QString, kernel);
    QFETCH(int, lattice);
    const DirectModel model = modelOf(kernel, lattice);
    for (const View& view : model.views) {
        const KernelFrame frame = makeKernelFrame(model.kernel, model.lattice, view);
        const KernelTables tables = buildKernelTables(model.kernel, model.lattice, view);
        const auto made = makeStreamPlan(model.kernel, model.lattice, frame, {16, 3, kShared});
        if (const auto* why = std::get_if<std::string>(&made)) {
            QFAIL(why->c_str());
        }
        const auto& plan = std::get<StreamPlan>(made);
        for (int trial = 0; trial < 12; ++trial) {
            const int row = trial * 7 % frame.rows;
            const auto weights =
                weightsOf(plan, factorsOf(plan, tables, row), trial % 3, trial * 5 % 16, trial % 4);
            QCOMPARE(weights.size(), frame.taps.size());
            double largest = 0;
            double fault = 0;
            for (std::size_t t = 0; t < frame.taps.size(); ++t) {
                const auto found = weights.find(offsetOf(plan, frame.taps[t]));
                QVERIFY(found != weights.end());
                const auto expected = static_cast<double>(tables.row(row)[t]);
                largest = std::max(largest, expected);
                fault = std::max(fault, std::abs(found->second - expected));
            }
            // A run of up to 15 products in single precision.
            QVERIFY2(fault <= 3e-6 * largest, qPrintable(QString::number(fault / largest)));
        }
    }
}

void StreamPlanTest::everyPixelHasOneGroup() {
    QFETCH(QString, kernel);
    QFETCH(int, lattice);
    const DirectModel model = modelOf(kernel, lattice);
    for (const View& view : model.views) {
        const KernelFrame frame = makeKernelFrame(model.kernel, model.lattice, view);
        const auto plan =
            std::get<StreamPlan>(makeStreamPlan(model.kernel, model.lattice, frame, {16, 3, kShared}));
        std::set<std::pair<int, int>> seen;
        int highest = 0;
        for (int i = 0; i < kStreamAlong; ++i) {
            highest = std::max(highest, plan.rise(i));
        }
        for (int column = 0; column < plan.columns(); ++column) {
            const int a0 = kStreamAlong * column;
            for (int k = 0; k < plan.groupsPerColumn(); ++k) {
                for (int p = 0; p < kStreamAlong * kStreamLines; ++p) {
                    const int a = a0 + p % kStreamAlong;
                    const int line = kStreamLines * k + p / kStreamAlong - highest - plan.rise(a0);
                    const int b = line + plan.rise(a);
                    if (a < plan.size[0] && b >= 0 && b < plan.size[1]) {
                        QVERIFY(seen.insert({a, b}).second);
                        QVERIFY(line >= plan.firstLine && line < plan.firstLine + plan.lines);
                    }
                }
            }
        }
        QCOMPARE(static_cast<int>(seen.size()), plan.size[0] * plan.size[1]);
    }
}

void StreamPlanTest::stagesFitSharedMemory() {
    const Lattice grid = Lattice::centred({288, 288, 96}, {2, 2, 2});
    const KernelSpec kernel = KernelSpec::preset("variant1");
    for (const double azimuth : {0.0, 27.0, 45.0, 100.0, 135.0}) {
        const KernelFrame frame =
            makeKernelFrame(kernel, grid, {azimuth * kRadPerDeg, 20.0 / 3 * kRadPerDeg});

        const auto plan = std::get<StreamPlan>(makeStreamPlan(kernel, grid, frame, {96, 2, kShared}));

        qInfo("%.0f degrees: %d steps in %d pairs, box %d, %zu stages of %d lines, depth %d, %zu bytes",
              azimuth, plan.steps, plan.pairs, plan.box, plan.stages.size(), plan.stageLines, plan.depth,
              plan.sharedBytes());
        QVERIFY(plan.sharedBytes() <= kShared);
        QVERIFY(plan.depth >= 3);
    }
}

QTEST_GUILESS_MAIN(StreamPlanTest)

}  // namespace stream_plan_test
#include "stream_plan_test.moc"
