// SPDX-License-Identifier: Apache-2.0
#include "recon/algorithm/part_shares.h"

#include <QTest>
#include <algorithm>

namespace part_shares_test {

using namespace tof;

class PartSharesTest : public QObject {
    Q_OBJECT
  private slots:
    void sharesAreEqualButForOnePart_data() {
        QTest::addColumn<int>("parts");
        QTest::addColumn<int>("blocks");
        QTest::addColumn<int>("shares");
        QTest::newRow("even") << 96 << 12 << 2;
        QTest::newRow("odd") << 15 << 3 << 2;
        QTest::newRow("several more") << 33 << 3 << 4;
        QTest::newRow("fewer parts than shares") << 6 << 6 << 4;
    }
    void sharesAreEqualButForOnePart() {
        QFETCH(int, parts);
        QFETCH(int, blocks);
        QFETCH(int, shares);
        std::vector<std::vector<std::size_t>> all(static_cast<std::size_t>(blocks));
        for (std::size_t part = 0; part < static_cast<std::size_t>(parts); ++part) {
            all[part % all.size()].push_back(part);
        }

        const auto begins = shareBegins(all, static_cast<std::size_t>(shares));

        std::vector<std::size_t> total(static_cast<std::size_t>(shares), 0);
        for (std::size_t b = 0; b < all.size(); ++b) {
            QCOMPARE(begins[b].size(), total.size() + 1);
            QCOMPARE(begins[b].front(), std::size_t{0});
            QCOMPARE(begins[b].back(), all[b].size());
            for (std::size_t s = 0; s < total.size(); ++s) {
                const std::size_t mine = begins[b][s + 1] - begins[b][s];
                QVERIFY(mine == all[b].size() / total.size() || mine == all[b].size() / total.size() + 1);
                total[s] += mine;
            }
        }
        const auto [least, most] = std::minmax_element(total.begin(), total.end());
        QVERIFY(*most - *least <= 1);
    }
};

QTEST_APPLESS_MAIN(PartSharesTest)

}  // namespace part_shares_test
#include "part_shares_test.moc"
