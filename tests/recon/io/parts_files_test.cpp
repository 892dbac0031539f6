// SPDX-License-Identifier: Apache-2.0
// Data of every form with the parts of their corrections, in files, and what `info` tells of them.
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/data/line_data.h"
#include "recon/data/panel_data.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/convert.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/parts_io.h"
#include "recon/scanner/scanner.h"
#include "tests/support/places.h"
#include "tests/support/refusal.h"
#include "tests/support/rings.h"

namespace parts_files_test {

using namespace tof;
using tof::test::inTree;
using tof::test::refusal;
using tof::test::saidBy;

namespace {

HistoData histo() {
    HistoData data;
    data.lattice = Lattice::centred({2, 2, 1}, {4, 4, 4});
    data.views = {{0.0, 0.0}, {1.0, 0.1}};
    data.counts = {1, 0, 0, 1, 0, 1, 2, 0};
    data.mult = {1, 2, 3, 4, 5, 6, 7, 8};
    data.att = {0.5F, 0.5F, 0.5F, 0.5F, 0.25F, 0.25F, 0.25F, 0.25F};
    data.kept = 5;
    data.outside = 3;
    data.deposit = "face";
    data.depositSeed = 17;
    data.duration_s = 10;
    data.decays = 2e6;
    data.scannerJson = R"({"name":"labr3"})";
    return data;
}

SinogramData sinograms() {
    SinogramData data;
    data.michelogram = std::make_shared<const Michelogram>(test::threeRings());
    data.lattice = Lattice::centred({4, 4, 2}, {10, 10, 10});
    data.counts.assign(data.michelogram->bins(), 2.0F);
    data.mult.assign(data.michelogram->bins(), 0.5F);
    data.kept = 2 * data.michelogram->bins();
    data.rejected = 4;
    data.normalisation = "norm.hs";
    return data;
}

LineData lines() {
    LineData data;
    data.michelogram = std::make_shared<const Michelogram>(test::threeRings());
    data.lattice = Lattice::centred({4, 4, 2}, {10, 10, 10});
    LineEvents events;
    events.points = ringPoints(data.michelogram->scanner());
    events.pairs = {{0, 30}, {61, 92}};
    data.events = std::make_shared<const LineEvents>(events);
    data.attenuation = Volume(data.lattice);
    data.attenuation->data[5] = 0.0096F;
    data.rejected = 6;
    return data;
}

const QString kTiny =
    R"({"name":"tiny","modules":{"count":2,"face_to_face_mm":12,"crystals":[4,3],"pitch_mm":[2.4,2.4]},)"
    R"("crystal_mm":[2.1,2.1,10],"attenuation_per_mm":0.0819,"acceptance_deg":85,"fov_diameter_mm":80})";

const QString kThreeCrystals =
    R"({"name":"three","crystal_mm":[4,4,20],"fov_diameter_mm":80,"acceptance_deg":80,"attenuation_per_mm":0.08,)"
    R"("crystals":[[5,0,0,1,0,0],[-5,0,0,-1,0,0],[0,5,0,0,1,0]]})";

PanelData panel() {
    PanelData data;
    data.geometry = PanelGeometry::of(Scanner::fromJson(kTiny.toStdString(), "tiny")).value();
    data.lattice = data.geometry.lattice();
    data.scannerJson = kTiny.toStdString();
    data.counts.assign(data.geometry.lors(), 1.0F);
    return data;
}

CorrectionPart part(PartName name, std::vector<float> values) {
    CorrectionPart one;
    one.name = name;
    one.key = std::string("key of ") + partText(name);
    one.values = std::move(values);
    return one;
}

void compareParts(const CorrectionParts& back, const CorrectionParts& parts) {
    QCOMPARE(back.list.size(), parts.list.size());
    for (const CorrectionPart& one : parts.list) {
        const CorrectionPart* const read = back.find(one.name);
        QVERIFY(read != nullptr);
        QCOMPARE(read->key, one.key);
        QCOMPARE(read->on, one.on);
        QVERIFY(read->figures == one.figures);
        QCOMPARE(read->values, one.values);
        QCOMPARE(read->crystals, one.crystals);
        QVERIFY(read->lattice == one.lattice);
    }
}

using Damage = std::function<void(h5::Writer&)>;

}  // namespace

class PartsFilesTest : public QObject {
    Q_OBJECT
  private:
    QTemporaryDir folder_;
    std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    nlohmann::json info(const char* name) const {
        return nlohmann::json::parse(recognise(file(name)).infoJson());
    }

  private slots:
    void partsOfHistoImagesComeBack() {
        const HistoData data = histo();
        CorrectionParts parts{{part(PartName::Attenuation, data.att), part(PartName::Efficiencies, data.mult),
                               part(PartName::Scatter, {8, 7, 6, 5, 4, 3, 2, 1})}};
        parts.list[0].figures.from = "mu.h5";
        parts.list[1].figures = {"norm.hs", 0.0625, 0.875, {}, {}, {}, {}};
        parts.list[1].crystals = {1, 0.5F, 0.25F};
        parts.list[2].on = false;
        parts.list[2].figures = {"", {}, {}, 3, 36, 30, 1.25};

        writeMeasured(file("h.h5"), data, parts);

        const h5::Reader reader(file("h.h5"));
        compareParts(readParts(reader), parts);
        QCOMPARE(readPart(reader, PartName::Scatter), parts.list[2].values);
        QCOMPARE(readData(file("h.h5")).mult, data.mult);
        CorrectionParts outline = parts;
        for (CorrectionPart& one : outline.list) {
            one.values.clear();
            one.crystals.clear();
        }
        compareParts(outlineOfParts(reader), outline);
        const nlohmann::json told = info("h.h5");
        QCOMPARE(told.at("form").get<std::string>(), std::string("histo"));
        QCOMPARE(told.at("views").get<int>(), 2);
        QCOMPARE(told.at("outside").get<int>(), 3);
        QCOMPARE(told.at("deposit_seed").get<int>(), 17);
        QCOMPARE(told.at("activity_MBq").get<double>(), 0.2);  // 2e6 decays in 10 s
        const nlohmann::json& of = told.at("parts");
        QCOMPARE(of.at(partText(PartName::Attenuation)).at("mu").get<std::string>(), std::string("mu.h5"));
        QCOMPARE(of.at(partText(PartName::Efficiencies)).at("norm").get<std::string>(),
                 std::string("norm.hs"));
        QCOMPARE(of.at(partText(PartName::Scatter)).at("on").get<bool>(), false);
        QCOMPARE(of.at(partText(PartName::Scatter)).at("scatter_scale").get<double>(), 1.25);
    }

    void partsOfSinogramsComeBack() {
        const SinogramData data = sinograms();
        const CorrectionParts parts{{part(PartName::Delayeds, std::vector<float>(data.counts.size(), 3.0F))}};

        writeMeasured(file("s.h5"), data, parts);

        compareParts(readParts(h5::Reader(file("s.h5"))), parts);
        const SinogramData back = readSinogramData(file("s.h5"));
        QCOMPARE(back.counts, data.counts);
        QCOMPARE(back.normalisation, std::string("norm.hs"));
        const nlohmann::json told = info("s.h5");
        QCOMPARE(told.at("form").get<std::string>(), std::string("sinogram"));
        QCOMPARE(told.at("angles").get<int>(), data.michelogram->angles());
        QCOMPARE(told.at("radial_bins").get<int>(), 31);
        QVERIFY(told.at("mult").get<bool>() && !told.at("add").get<bool>());
        QCOMPARE(told.at("rejected").get<int>(), 4);
    }

    void aVolumeThatAttenuatesLinesComesBack_data() {
        QTest::addColumn<bool>("shared");
        QTest::newRow("that of the lines") << true;
        QTest::newRow("another one") << false;
    }
    void aVolumeThatAttenuatesLinesComesBack() {
        QFETCH(bool, shared);
        LineData data = lines();
        Volume mu = *data.attenuation;
        if (!shared) {
            mu = Volume(Lattice::centred({2, 2, 2}, {20, 20, 10}));
            mu.data[1] = 0.005F;
        }
        CorrectionParts parts{{part(PartName::Attenuation, mu.data), part(PartName::Singles, {1.5F, 2.5F})}};
        parts.list[0].lattice = mu.lattice;

        writeMeasured(file("l.h5"), data, parts);

        compareParts(readParts(h5::Reader(file("l.h5"))), parts);
        QCOMPARE(readLineData(file("l.h5")).attenuation->data, data.attenuation->data);
        const nlohmann::json told = info("l.h5");
        QCOMPARE(told.at("form").get<std::string>(), std::string("lors"));
        QCOMPARE(told.at("events").get<int>(), 2);
        QVERIFY(told.at("attenuation").get<bool>() && !told.at("time_of_flight").get<bool>());
        QCOMPARE(told.at("rejected").get<int>(), 6);
    }

    void filesWithoutPartsHaveNone() {
        writeMeasured(file("bare.h5"), histo(), {});
        writeMeasured(file("plain.h5"), MeasuredData(sinograms()));

        QVERIFY(partsOfFile(file("bare.h5")).list.empty());
        QVERIFY(partsOfFile(file("plain.h5")).list.empty());
        QVERIFY(partsOfFile(file("missing.h5")).list.empty());
        QVERIFY(partsOfFile(inTree("README.md").toStdString()).list.empty());
        QVERIFY(readParts(h5::Reader(file("bare.h5"))).list.empty());
    }

    void whatHasNoPlaceInFilesSaysSo() {
        const MeasuredData other{OtherData{}};

        const QString plain = saidBy([&] { writeMeasured(file("o.h5"), other); });
        const QString withParts = saidBy([&] { writeMeasured(file("o.h5"), other, {}); });

        QVERIFY2(plain.contains("o.h5: data of this form have no place in files"), qPrintable(plain));
        QCOMPARE(withParts, plain);
    }

    void damagedPartsAreRefusedOrLeftOut_data() {
        QTest::addColumn<Damage>("damage");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const Damage& damage, const char* said) {
            QTest::newRow(name) << damage << said;
        };
        const auto values = [](const char* name, const h5::Shape& shape, float first) {
            return [=](h5::Writer& out) {
                const std::vector<float> all{first, 1, 1, 1, 1, 1, 1, 1};
                out.write(std::string("/corrections/parts/") + name, shape, all.data());
            };
        };
        row("of a name that nobody knows", values("moonlight", {8}, 1), "accepted");
        row("values below 0", values("scatter", {8}, -1), "/corrections/parts/scatter");
        row(
            "crystals below 0",
            [=](h5::Writer& out) {
                values("efficiencies", {8}, 1)(out);
                values("efficiencies_crystals", {8}, -1)(out);
            },
            "/corrections/parts/efficiencies_crystals");
        row(
            "a volume that is none",
            [=](h5::Writer& out) {
                values("attenuation", {8}, 1)(out);
                out.attribute("/corrections/parts/attenuation", "spacing_mm", std::vector<double>{1, 1, 1});
            },
            "'/corrections/parts/attenuation' must be [z][y][x]");
        row(
            "figures that are no text of ours",
            [=](h5::Writer& out) {
                values("scatter", {8}, 1)(out);
                out.attribute("/corrections/parts/scatter", "figures", std::string("[1, 2]"));
            },
            "accepted");
    }
    void damagedPartsAreRefusedOrLeftOut() {
        QFETCH(Damage, damage);
        QFETCH(QString, said);
        writeData(file("d.h5"), histo(), damage);

        const QString refused = refusal([&] { (void)readParts(h5::Reader(file("d.h5"))); });

        QVERIFY2(refused.contains(said), qPrintable(refused));
        if (refused == "accepted") {
            for (const CorrectionPart& one : readParts(h5::Reader(file("d.h5"))).list) {
                QVERIFY(one.figures == PartFigures{});
            }
        } else {
            QVERIFY2(refused.contains("d.h5: ") && refused.contains("; "), qPrintable(refused));
            QVERIFY(partsOfFile(file("d.h5")).list.empty());  // which are then found again
        }
    }

    void dataAreConvertedToWhatHasAFormForThem_data() {
        QTest::addColumn<QString>("in");
        QTest::addColumn<QString>("out");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const char* in, const char* out, const char* said) {
            QTest::newRow(name) << in << out << said;
        };
        row("sinograms as an image", "s.h5", "o.nii", "sinograms of HDF5 are written as .hs or .cdh only");
        row("lines as sinograms", "l.h5", "o.hs", "lines of response of HDF5 are written as .cdh only");
        row("panels as sinograms", "p.h5", "o.hs", "lines of two panels of HDF5 are written as .cdh only");
        row("sinograms of Interfile as an image", "a.hs", "o.nii",
            "sinograms of Interfile are written as .h5 only");
        row("histo-images", "h.h5", "o.nii",
            "only volumes, runs, checkpoints, list-mode, sinograms and lines can");
        row("a description", "d.json", "o.nii",
            "only volumes, runs, checkpoints, list-mode, sinograms and lines");
        row("a filter of a list", "e.h5", "o.cdh", "is list-mode; --filter-mm is for volumes and runs");
        row("an iteration of a volume", "v.h5", "o.nii", "is not a run file, so it has no iteration 3");
        row("a list as an image", "e2.h5", "o.nii", "list-mode is written as .h5, .cdh or .petsird only");
    }
    void dataAreConvertedToWhatHasAFormForThem() {
        QFETCH(QString, in);
        QFETCH(QString, out);
        QFETCH(QString, said);
        writeMeasured(file("s.h5"), MeasuredData(sinograms()));
        writeMeasured(file("l.h5"), MeasuredData(lines()));
        writeMeasured(file("p.h5"), MeasuredData(panel()));
        writeMeasured(file("h.h5"), MeasuredData(histo()));
        writeTextAside(file("d.json"), kTiny.toStdString());
        writeVolume(file("v.h5"), *lines().attenuation);
        EventList events;
        events.crystals = {{{0, 1}}};
        writeEvents(file("e.h5"), events);
        writeEvents(file("e2.h5"), events);
        (void)convertFile(file("s.h5"), file("a.hs"));
        ConvertOptions options;
        options.filter_mm = in == "e.h5" ? 4 : 0;
        options.iteration = in == "v.h5" ? 3 : 0;
        const std::string target = file(qPrintable(out));

        const QString refused = saidBy([&] { (void)convertFile(file(qPrintable(in)), target, options); });

        QVERIFY2(refused.contains(said), qPrintable(refused));
        QVERIFY(!QFile::exists(QString::fromStdString(target)));
    }

    void infoTellsOfLinesOfPanels() {
        PanelData data = panel();
        data.kept = 12;
        data.add.assign(data.counts.size(), 0.5F);

        writeMeasured(file("p.h5"), data, {});
        const nlohmann::json told = info("p.h5");

        QCOMPARE(told.at("form").get<std::string>(), std::string("panel"));
        QCOMPARE(told.at("lors").get<std::size_t>(), data.geometry.lors());
        QVERIFY(told.at("add").get<bool>() && !told.at("mult").get<bool>());
        QCOMPARE(told.at("kept").get<int>(), 12);
        QCOMPARE(told.at("scanner").get<std::string>(), std::string("tiny"));
    }

    void panelsThatAreNoneAreRefused_data() {
        QTest::addColumn<double>("efficiency");
        QTest::addColumn<QString>("scanner");
        QTest::addColumn<QString>("said");
        QTest::newRow("no efficiency")
            << 0.0 << kTiny << "attribute 'efficiency' of '/panel' is 0; it must be";
        QTest::newRow("more than all")
            << 1.5 << kTiny << "attribute 'efficiency' of '/panel' is 1.5; it must";
        QTest::newRow("no panels") << 1.0 << kThreeCrystals << "names no scanner of two panels";
    }
    void panelsThatAreNoneAreRefused() {
        QFETCH(double, efficiency);
        QFETCH(QString, scanner);
        QFETCH(QString, said);
        PanelData data = panel();
        data.geometry.efficiency = efficiency;
        data.scannerJson = scanner.toStdString();
        writePanelData(file("q.h5"), data);

        const QString refused = refusal([&] { (void)readPanelData(h5::Reader(file("q.h5"))); });

        QVERIFY2(refused.contains("q.h5: ") && refused.contains(said), qPrintable(refused));
    }
};

QTEST_GUILESS_MAIN(PartsFilesTest)

}  // namespace parts_files_test
#include "parts_files_test.moc"
