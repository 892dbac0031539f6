// SPDX-License-Identifier: Apache-2.0
// Parts of a list by the number of subsets that are asked for.
#include <QTest>
#include <memory>

#include "recon/systems/lines/line_measurement.h"

namespace list_blocks_test {

using namespace tof;

namespace {

LineMeasurement listOf(std::size_t events, const Lattice& lattice) {
    auto lines = std::make_shared<LineEvents>();
    lines->points = {{-100, 0, 0}, {100, 0, 0}};
    lines->pairs.assign(events, {0, 1});
    lines->eventsPerPart = usualPartSize(events);
    LineData data;
    data.lattice = lattice;
    data.events = std::move(lines);
    return LineMeasurement(std::move(data));
}

}  // namespace

class ListBlocksTest : public QObject {
    Q_OBJECT

  private slots:
    void listsHavePartsForAnyNumberOfSubsets_data() {
        QTest::addColumn<qulonglong>("events");
        QTest::addColumn<bool>("large");
        QTest::addColumn<int>("subsets");
        QTest::addColumn<int>("parts");  // 0: as they are
        QTest::newRow("they serve") << 3400000ULL << false << 8 << 0;
        QTest::newRow("more than parts") << 3400000ULL << false << 34 << 34;
        QTest::newRow("no divisor") << 3400000ULL << false << 7 << 7;
        QTest::newRow("more than 10^5 events each allow") << 3400000ULL << false << 50 << 34;
        QTest::newRow("too few events for a part each") << 300000ULL << false << 17 << 0;
        QTest::newRow("one part a subset on a large lattice") << 3400000ULL << true << 1 << 1;
        QTest::newRow("none is asked for") << 3400000ULL << true << 0 << 0;
    }
    void listsHavePartsForAnyNumberOfSubsets() {
        QFETCH(qulonglong, events);
        QFETCH(bool, large);
        QFETCH(int, subsets);
        QFETCH(int, parts);
        const Lattice lattice =
            large ? Lattice::centred({300, 300, 300}, {1, 1, 1}) : Lattice::centred({30, 30, 30}, {8, 8, 8});
        const LineMeasurement list = listOf(events, lattice);
        QCOMPARE(list.order(1).size(), std::size_t{16});

        const std::shared_ptr<const Measurement> other = list.inBlocks(static_cast<std::size_t>(subsets));

        QCOMPARE(other == nullptr, parts == 0);
        if (other != nullptr) {
            QCOMPARE(other->order(1).size(), static_cast<std::size_t>(parts));
            QCOMPARE(other->events().kept, static_cast<double>(events));
        }
    }
};

QTEST_APPLESS_MAIN(ListBlocksTest)

}  // namespace list_blocks_test
#include "list_blocks_test.moc"
