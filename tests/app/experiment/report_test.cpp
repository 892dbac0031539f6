// SPDX-License-Identifier: Apache-2.0
// Reports of experiments: what their files and pictures hold.
#include <png.h>
#include <zlib.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "app/experiment/report.h"
#include "app/pictures/pictures.h"
#include "recon/base/error.h"
#include "recon/experiment/registry.h"
#include "recon/figure/png.h"

namespace report_test {

using namespace tof;

namespace {

std::uint32_t bigEndian(const std::string& bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8U | static_cast<std::uint8_t>(bytes[at + i]);
    }
    return value;
}

}  // namespace

class ReportTest : public QObject {
    Q_OBJECT

  private slots:
    void reportsSayWhatIsMissing() {
        const Experiment experiment{"name", "paper 9, Fig. 9", "Something", "", "", nullptr};
        ExperimentReport report;
        report.comparisons = {{"length", "mm", "3", 2.5, ""}, {"time", "s", "", std::nan(""), "no engine"}};
        report.data = {{"kind", "value"}, {{std::string("a, b"), 1.5}, {std::string("c"), std::nan("")}}};

        QCOMPARE(reportAsCsv(report), std::string("kind,value\n\"a, b\",1.5\nc,\n"));
        const std::string page = reportAsMarkdown(experiment, report);
        QVERIFY(page.find("| length | 3 | 2.5 mm |\n") != std::string::npos);
        QVERIFY(page.find("| time | - | - (no engine) |\n") != std::string::npos);
        const QJsonObject form =
            QJsonDocument::fromJson(QByteArray::fromStdString(reportAsJson(experiment, report))).object();
        QCOMPARE(form["comparisons"].toArray()[0].toObject()["ours"].toDouble(), 2.5);
        QVERIFY(form["comparisons"].toArray()[1].toObject()["ours"].isNull());
        QVERIFY(form["rows"].toArray()[1].toArray()[1].isNull());
        QCOMPARE(form["experiment"].toString(), QString("name"));
        QCOMPARE(form["rows"].toArray().size(), qsizetype{2});
    }

    void aFileInTheWayIsSaid() {
        const QTemporaryDir folder;
        const std::string taken = folder.filePath("taken").toStdString();
        QFile file(QString::fromStdString(taken));
        QVERIFY(file.open(QIODevice::WriteOnly));

        QVERIFY_THROWS_EXCEPTION(CannotWrite, writeReport(taken, experiments().front(), {}));
    }

    void picturesAreMadeOfTheirPixels() {
        const auto volume = std::make_shared<Volume>(Lattice::centred({2, 1, 2}, {1, 1, 1}));
        volume->data = {0, 1, 0.5F, 2};  // z = 0: 0 1; z = 1: 0.5 2

        const Pixels picture = pixelsOf({volume, Plane::Coronal, {0, 0, 0}, {0, 1, Palette::InverseGrey}, 2});
        const Pixels two = mosaic({{picture, picture}});
        const std::string png = pngFile(picture);

        QCOMPARE(picture.width, 4);
        QCOMPARE(picture.height, 4);
        QCOMPARE(static_cast<int>(picture.at(0, 0).r), 128);  // superior is up: z = 1 first; 127.5 rounds up
        QCOMPARE(static_cast<int>(picture.at(3, 1).r), 0);
        QCOMPARE(static_cast<int>(picture.at(1, 3).r), 255);
        QCOMPARE(two.width, 3 * 4 + 2 * 4);
        QCOMPARE(static_cast<int>(two.at(12, 4).r), 128);
        QCOMPARE(png.substr(1, 3), std::string("PNG"));
        QCOMPARE(bigEndian(png, 16), 4U);
        QCOMPARE(bigEndian(png, 20), 4U);
        // Signature 8 bytes, then chunks: length, type, content, and the CRC of type and content.
        const auto* bytes = reinterpret_cast<const Bytef*>(png.data());
        std::vector<std::string> types;
        for (std::size_t at = 8; at + 12 <= png.size();) {
            const std::uint32_t length = bigEndian(png, at);
            QVERIFY(at + 12 + length <= png.size());
            types.push_back(png.substr(at + 4, 4));
            QCOMPARE(bigEndian(png, at + 8 + length),
                     static_cast<std::uint32_t>(crc32(0, bytes + at + 4, length + 4)));
            at += 12 + length;
        }
        QCOMPARE(types.front(), std::string("IHDR"));
        QCOMPARE(types.back(), std::string("IEND"));
        QVERIFY(std::count(types.begin(), types.end(), std::string("IDAT")) > 0);
        png_image read{};
        read.version = PNG_IMAGE_VERSION;
        QVERIFY(png_image_begin_read_from_memory(&read, png.data(), png.size()) != 0);
        read.format = PNG_FORMAT_RGB;
        std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(read));
        QVERIFY(png_image_finish_read(&read, nullptr, pixels.data(), 0, nullptr) != 0);
        QCOMPARE(pixels.size(), picture.rgb.size());
        QVERIFY(std::equal(pixels.begin(), pixels.end(), picture.rgb.begin()));
    }

    void chartsLeaveOutWhatIsNoNumber() {
        const std::string chart =
            chartSvg({"x", "a < b", {{"one", {0, 1, 2}, {1, std::nan(""), 3}}, {"none", {}, {}}}});

        QVERIFY(chart.find("nan") == std::string::npos);
        QVERIFY(chart.find("a &lt; b") != std::string::npos);
        QCOMPARE(QString::fromStdString(chart).count("<circle"), 2);
    }

    void aReportHoldsItsPictures() {
        const QTemporaryDir folder;
        const auto volume = std::make_shared<Volume>(Lattice::centred({2, 2, 1}, {1, 1, 1}));
        ExperimentReport report;
        report.pictures = {{"curve.svg", "A curve.", LineChart{"x", "y", {{"one", {0, 1}, {1, 2}}}}},
                           {"slice.png", "A slice.", SliceMosaic{{{volume, Plane::Transverse, {}, {}, 1}}}}};

        writeReport(folder.path().toStdString(), {"name", "", "", "", "", nullptr}, report);

        QFile curve(folder.filePath("name-curve.svg"));
        QFile slice(folder.filePath("name-slice.png"));
        QVERIFY(curve.open(QIODevice::ReadOnly) && slice.open(QIODevice::ReadOnly));
        QVERIFY(curve.readAll().startsWith("<svg"));
        QCOMPARE(slice.readAll().mid(1, 3), QByteArray("PNG"));
    }
};

QTEST_APPLESS_MAIN(ReportTest)

}  // namespace report_test
#include "report_test.moc"
