// SPDX-License-Identifier: Apache-2.0
// Where the numbers of scanners that are compared with published figures are from.
#include <QTest>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "recon/scanner/scanner.h"

namespace scanner_sources_test {

using namespace tof;
using nlohmann::json;

namespace {

/// Last parts of the paths that a key of `sources` names: "detection.block, position" names block and
/// position.
std::set<std::string> namedBy(const json& sources) {
    std::set<std::string> names;
    for (const auto& [key, text] : sources.items()) {
        std::istringstream paths(key);
        for (std::string path; std::getline(paths, path, ',');) {
            const std::size_t dot = path.rfind('.');
            names.insert(path.substr(dot == std::string::npos ? path.find_first_not_of(' ') : dot + 1));
            if (path.starts_with("modules.units")) {
                names.insert("units");
            }
        }
    }
    return names;
}

/// Fields without a source: those of objects one by one, unless the object itself has one.
std::string missing(const json& fields, const std::set<std::string>& named, const std::string& path = "") {
    static const std::set<std::string> kNoNumbers{"name", "about", "sources", "published"};
    std::string all;
    for (const auto& [field, value] : fields.items()) {
        if (named.contains(field) || kNoNumbers.contains(field)) {
            continue;
        }
        all += value.is_object() ? missing(value, named, path + field + ".") : path + field + " ";
    }
    return all;
}

}  // namespace

class ScannerSourcesTest : public QObject {
    Q_OBJECT
  private slots:
    void aFieldWithoutSourceIsFound();
    void everyNumberSaysWhereItIsFrom_data();
    void everyNumberSaysWhereItIsFrom();
};

void ScannerSourcesTest::aFieldWithoutSourceIsFound() {
    const json fields =
        json::parse(R"({"name": "x", "crystal_mm": [4, 4, 20], "modules": {"count": 2, "pitch_mm": [4, 4]},
                                        "sources": {"modules.count, pitch_mm": "assumed"}})");
    QCOMPARE(missing(fields, namedBy(fields["sources"])), std::string("crystal_mm "));
}

void ScannerSourcesTest::everyNumberSaysWhereItIsFrom_data() {
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"vereos", "vision-450", "clinical-214ps", "quadra", "discovery-mi", "ge-ste-blocks", "signa-petmr",
          "umi-550", "pennpet", "inveon", "labr3", "long-axial"}) {
        QTest::newRow(name) << name;
    }
}

void ScannerSourcesTest::everyNumberSaysWhereItIsFrom() {
    QFETCH(QString, name);
    const json fields = json::parse(Scanner::find(name.toStdString()).description);

    const std::string without = missing(fields, namedBy(fields["sources"]));

    QVERIFY2(without.empty(), without.c_str());
    for (const auto& [key, text] : fields["sources"].items()) {
        QVERIFY2(!text.get<std::string>().empty(), key.c_str());
    }
}

QTEST_GUILESS_MAIN(ScannerSourcesTest)

}  // namespace scanner_sources_test
#include "scanner_sources_test.moc"
