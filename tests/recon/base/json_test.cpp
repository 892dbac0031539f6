// SPDX-License-Identifier: Apache-2.0
// JSON of others is no deeper than recursion can go, and what is printed as JSON is JSON.
#include <QTest>

#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "tests/support/refusal.h"

namespace json_test {

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

    void textsThatAreNoJsonAreRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("a comma") << R"({"a": 1,})"
                                 << "x.json: not valid JSON near byte 9; check brackets";
        QTest::newRow("nothing") << ""
                                 << "x.json: not valid JSON near byte 1";
        QTest::newRow("beyond double") << R"({"a": 1e999})"
                                       << "x.json: holds a number too large to read";
    }
    void textsThatAreNoJsonAreRefused() {
        QFETCH(QString, text);
        QFETCH(QString, said);

        for (const auto& parse :
             {+[](const std::string& t) { static_cast<void>(parseJson(t, "x.json")); },
              +[](const std::string& t) { static_cast<void>(parseOrderedJson(t, "x.json")); }}) {
            const QString refused = refusal([&] { parse(text.toStdString()); });
            QVERIFY2(refused.contains(said), qPrintable(refused));
        }
        QVERIFY(tryJson(text.toStdString()).is_discarded());
        QVERIFY(tryOrderedJson(text.toStdString()).is_discarded());
    }

    void fieldsAreRefusedByName_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("all there") << R"({"size": 2.5, "count": 3, "name": "n"})"
                                   << "accepted";
        QTest::newRow("defaults") << R"({"size": null, "count": 3})"
                                  << "accepted";
        QTest::newRow("a list") << "[1, 2]"
                                << "x.json: expected an object in braces";
        QTest::newRow("a slip of the pen") << R"({"count": 3, "siez": 1})"
                                           << "x.json: unknown field 'siez', did you mean 'size'?";
        QTest::newRow("another word") << R"({"count": 3, "colour": 1})"
                                      << "x.json: unknown field 'colour'";
        QTest::newRow("missing") << R"({"size": 2.5})"
                                 << "x.json: field 'count' is missing";
        QTest::newRow("null is missing") << R"({"count": null})"
                                         << "x.json: field 'count' is missing";
        QTest::newRow("a text for a number") << R"({"count": "3"})"
                                             << "x.json: field 'count' must be a number";
        QTest::newRow("below") << R"({"count": 3, "size": -1})"
                               << "x.json: field 'size' is -1; it must lie between 0 and 10";
        QTest::newRow("above") << R"({"count": 3, "size": 10.5})"
                               << "x.json: field 'size' is 10.5; it must lie between 0 and 10";
        QTest::newRow("half a one") << R"({"count": 2.5})"
                                    << "x.json: field 'count' must be a whole number";
        QTest::newRow("a number for a text") << R"({"count": 3, "name": 5})"
                                             << "x.json: field 'name' must be a text in quotes";
    }
    void fieldsAreRefusedByName() {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const nlohmann::json root = parseJson(text.toStdString(), "x.json");

        const QString refused = refusal([&] {
            const JsonFields fields(root, "x.json", {"size", "count", "name"});
            QCOMPARE(fields.number("size", 1.5, 0, 10),
                     root.contains("size") && root.at("size").is_number() ? 2.5 : 1.5);
            QCOMPARE(fields.integer("count", 1, 5), 3);
            QCOMPARE(fields.text("name", "none"), std::string(root.contains("name") ? "n" : "none"));
        });

        QVERIFY2(refused.contains(said), qPrintable(refused));
    }
};

QTEST_GUILESS_MAIN(JsonTest)

}  // namespace json_test
#include "json_test.moc"
