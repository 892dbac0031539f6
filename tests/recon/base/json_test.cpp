// SPDX-License-Identifier: Apache-2.0
// JSON of others is no deeper than recursion can go, and what is printed as JSON is JSON.
#include <QTest>

#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "tests/support/refusal.h"

using namespace tof;
using tof::test::refusal;

class JsonTest : public QObject {
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

    void bytesOfOtherEncodingsArePrinted() {
        // Latin 1's e with an acute accent, as a key and as a text; half of a character of two bytes.
        const nlohmann::ordered_json form{{"caf\xe9", "M\xe9lanie"}, {"cut", "\xc3"}, {"whole", "\xc3\xa9"}};

        const auto read = parseOrderedJson(jsonText(form), "x.json");

        QCOMPARE(read.at("caf\xef\xbf\xbd").get<std::string>(), std::string("M\xef\xbf\xbdlanie"));
        QCOMPARE(read.at("cut").get<std::string>(), std::string("\xef\xbf\xbd"));
        QCOMPARE(read.at("whole").get<std::string>(), std::string("\xc3\xa9"));
    }
};

QTEST_GUILESS_MAIN(JsonTest)
#include "json_test.moc"
