// SPDX-License-Identifier: Apache-2.0
// JSON of others is no deeper than recursion can go.
#include "recon/base/json_fields.h"

#include <QTest>

#include "tests/support/refusal.h"

using namespace tof;
using tof::test::refusal;

class JsonDepthTest : public QObject {
    Q_OBJECT

  private slots:
    void jsonIsNotDeep() {
        const auto lists = [](std::size_t depth) {
            return std::string(depth, '[') + std::string(depth, ']');
        };
        QCOMPARE(refusal([&] { static_cast<void>(parseJson(lists(64), "x.json")); }), QString("accepted"));
        for (const std::size_t depth : {std::size_t{65}, std::size_t{200000}}) {
            QVERIFY(
                refusal([&] { static_cast<void>(parseJson(lists(depth), "x.json")); }).contains("64 deep"));
            QVERIFY(tryJson(lists(depth)).is_discarded());
            QVERIFY(tryOrderedJson(lists(depth)).is_discarded());
        }
        QCOMPARE(parseJson("[\"" + std::string(100, '[') + "\\\"[\"]", "x.json").size(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(JsonDepthTest)
#include "json_depth_test.moc"
