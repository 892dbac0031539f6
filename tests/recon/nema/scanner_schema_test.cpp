// SPDX-License-Identifier: Apache-2.0
// resources/scanners/scanner.schema.json against the readers of descriptions and the scanners of this tree.
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>

#include "recon/nema/published.h"
#include "tests/support/places.h"

namespace scanner_schema_test {

using namespace tof;
using nlohmann::json;
using tof::test::inTree;

namespace {

const std::filesystem::path kSource = inTree("").toStdString();

std::string textOf(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

json schema() {
    return json::parse(textOf(kSource / "resources/scanners/scanner.schema.json"));
}

/// Keys that a schema names, at any depth.
void addKeys(const json& schema, std::set<std::string>& keys) {
    if (schema.contains("properties")) {
        for (const auto& [key, field] : schema["properties"].items()) {
            keys.insert(key);
            addKeys(field, keys);
        }
    }
    if (schema.contains("items")) {
        addKeys(schema["items"], keys);
    }
}

/// The first key or figure of a description that its schema does not have; empty where all are there.
std::string unnamed(const json& value, const json& schema, const std::string& path) {
    if (schema.contains("enum")) {
        const json& known = schema["enum"];
        return std::find(known.begin(), known.end(), value) != known.end() ? "" : path + " " + value.dump();
    }
    if (value.is_array() && schema.contains("items")) {
        for (const json& one : value) {
            if (const std::string found = unnamed(one, schema["items"], path + "[]"); !found.empty()) {
                return found;
            }
        }
    }
    if (value.is_object() && schema.contains("properties")) {
        for (const auto& [key, field] : value.items()) {
            if (!schema["properties"].contains(key)) {
                return path + "." + key;
            }
            const std::string found = unnamed(field, schema["properties"][key], path + "." + key);
            if (!found.empty()) {
                return found;
            }
        }
    }
    return "";
}

}  // namespace

class ScannerSchemaTest : public QObject {
    Q_OBJECT

  private slots:
    void aKeyOrFigureThatIsNotThereIsFound() {
        const json strange = {{"name", "x"}, {"detection", {{"colour", 1}}}};
        QCOMPARE(unnamed(strange, schema(), ""), std::string(".detection.colour"));
        const json figure = {{"published", {{{"figure", "beauty"}, {"value", 1}, {"source", "x"}}}}};
        QCOMPARE(unnamed(figure, schema(), ""), std::string(".published[].figure \"beauty\""));
    }

    void everyScannersKeysAreInIt() {
        std::size_t scanners = 0;
        for (const auto& file : std::filesystem::directory_iterator(kSource / "resources/scanners")) {
            if (file.path().filename() == "scanner.schema.json") {
                continue;
            }
            ++scanners;
            const std::string found = unnamed(json::parse(textOf(file.path())), schema(), "");
            QVERIFY2(found.empty(), (file.path().string() + " " + found).c_str());
        }
        QVERIFY(scanners > 10);
    }

    void itsFiguresAreThoseOfTheStandards() {
        const json names = schema()["properties"]["published"]["items"]["properties"]["figure"]["enum"];
        std::set<std::string> figures;
        for (const NemaFigure& figure : nemaFigures()) {
            figures.insert(figure.key);
        }
        QCOMPARE(names.get<std::set<std::string>>(), figures);
    }

    void itsKeysAreThoseOfTheReaders() {
        // A reader names the fields it knows where it makes its JsonFields.
        std::set<std::string> read;
        const std::regex fields(R"(JsonFields\s+\w+\([^{;]*\{([^}]*)\})");
        const std::regex quoted("\"([a-z_0-9]+)\"");
        for (const char* file : {"recon/scanner/scanner.cpp", "recon/scanner/detection.cpp",
                                 "recon/scanner/surroundings.cpp", "recon/nema/published.cpp"}) {
            const std::string text = textOf(kSource / file);
            std::size_t lists = 0;
            for (std::sregex_iterator list(text.begin(), text.end(), fields), end; list != end; ++list) {
                ++lists;
                const std::string names = (*list)[1];
                for (std::sregex_iterator name(names.begin(), names.end(), quoted); name != end; ++name) {
                    read.insert((*name)[1]);
                }
            }
            QVERIFY2(lists > 0, file);
        }
        std::set<std::string> named;
        addKeys(schema(), named);

        QCOMPARE(named, read);
    }
};

QTEST_GUILESS_MAIN(ScannerSchemaTest)

}  // namespace scanner_schema_test
#include "scanner_schema_test.moc"
