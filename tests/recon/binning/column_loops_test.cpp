// SPDX-License-Identifier: Apache-2.0
// The inner loops of the factors of histo-images against sums in double, for every instruction set that this
// processor has.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "recon/binning/column_loops.h"

namespace column_loops_test {

using namespace tof;

class ColumnLoopsTest : public QObject {
    Q_OBJECT

    static constexpr float kOutside = -7;

  private slots:
    void agreeWithSumsInDouble_data() {
        QTest::addColumn<int>("set");
        for (const InstructionSet set : availableInstructionSets()) {
            QTest::newRow(instructionSetName(set).c_str()) << static_cast<int>(set);
        }
    }
    void agreeWithSumsInDouble() {
        QFETCH(int, set);
        const ColumnLoops loops = ColumnLoops::of(static_cast<InstructionSet>(set));
        std::mt19937 random(4);
        const auto number = [&random] { return static_cast<float>(random() % 4096) / 4096; };
        for (const std::size_t length : {1, 3, 4, 5, 16, 17, 31, 48, 96, 97, 168, 203}) {
            for (const std::size_t count : {0, 1, 2, 24, 57}) {
                std::vector<std::vector<float>> values(count, std::vector<float>(length + 1));
                std::vector<ShiftedColumn> columns;
                for (std::vector<float>& column : values) {
                    std::generate(column.begin(), column.end(), number);
                    columns.push_back({column.data(), number(), number()});
                }
                std::vector<float> out(length + 1, 0.5F);
                out.back() = kOutside;

                loops.add(columns.data(), count, length, out.data());

                for (std::size_t i = 0; i < length; ++i) {
                    double expected = 0.5;
                    for (const ShiftedColumn& column : columns) {
                        expected +=
                            static_cast<double>(column.lower) * static_cast<double>(column.values[i]) +
                            static_cast<double>(column.upper) * static_cast<double>(column.values[i + 1]);
                    }
                    // Three roundings for each column.
                    const double allowed = (3.0 * static_cast<double>(count) + 1) * 6e-8 * expected;
                    QVERIFY(std::abs(static_cast<double>(out[i]) - expected) <= allowed);
                }
                QCOMPARE(out.back(), kOutside);
            }
        }
    }

    void blends_data() { agreeWithSumsInDouble_data(); }
    void blends() {
        QFETCH(int, set);
        const ColumnLoops loops = ColumnLoops::of(static_cast<InstructionSet>(set));
        for (const std::size_t length : {1, 4, 15, 16, 168, 203}) {
            std::vector<float> low(length);
            std::vector<float> high(length);
            std::vector<float> factors(length);
            for (std::size_t i = 0; i < length; ++i) {
                low[i] = static_cast<float>(i);
                high[i] = static_cast<float>(i) + 2;
                factors[i] = 0.5F;
            }
            std::vector<float> out(length + 1, kOutside);

            loops.blend(low.data(), high.data(), 0.25F, factors.data(), length, out.data());

            for (std::size_t i = 0; i < length; ++i) {
                QCOMPARE(out[i], 0.5F * (static_cast<float>(i) + 0.5F));  // exact in single precision
            }
            QCOMPARE(out[length], kOutside);
        }
    }
};

QTEST_GUILESS_MAIN(ColumnLoopsTest)

}  // namespace column_loops_test
#include "column_loops_test.moc"
