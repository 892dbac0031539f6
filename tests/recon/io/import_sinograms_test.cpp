// SPDX-License-Identifier: Apache-2.0
// Sinograms of STIR with the sinograms that correct them.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include <zlib.h>

#include "recon/base/error.h"
#include "recon/io/convert.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/import_sinograms.h"
#include "tests/support/refusal.h"

namespace import_sinograms_test {

using namespace tof;
using tof::test::refusal;

namespace {

SinogramData smallData(int timeBins, float value) {
    MichelogramSpec spec;
    spec.scanner = {"small", 3, 24, 150.0, 6.0, 0.1};
    spec.segments = {{-1, 1}, {2, 2}, {-2, -2}};
    spec.radialBins = 11;
    spec.anglesPerPart = 1;
    if (timeBins > 0) {
        spec.tof = {timeBins, 200, 400};
    }
    SinogramData data;
    data.michelogram = std::make_shared<const Michelogram>(spec);
    data.lattice = defaultLattice(*data.michelogram);
    data.counts.assign(data.michelogram->bins(), value);
    return data;
}

/// Every bin another value.
SinogramData ramp(int timeBins, float step) {
    SinogramData data = smallData(timeBins, 0);
    for (std::size_t i = 0; i < data.counts.size(); ++i) {
        data.counts[i] = 1 + step * static_cast<float>(i);
    }
    return data;
}

}  // namespace

class ImportSinogramsTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void factorsAndBackgroundsOfOneTemplateAreTaken() {
        save("y.hs", smallData(0, 5));
        save("af.hs", smallData(0, 0.5F));
        save("acf.hs", smallData(0, 4));
        SinogramData norm = ramp(0, 0.01F);
        norm.counts[3] = 0;
        save("n.hs", norm);
        save("s.hs", smallData(0, 0.25F));
        save("r.hs", ramp(0, 0.5F));
        SinogramImport import;
        import.mult = {file("af.hs")};
        import.acf = {file("acf.hs")};
        import.norm = {file("n.hs")};
        import.add = {file("s.hs"), file("r.hs")};

        const SinogramData data = std::get<SinogramData>(importSinograms(file("y.hs"), import).data);
        const SinogramData stored = readInterfileSinograms(file("n.hs"), {.values = true}).data;

        for (std::size_t i = 0; i < data.counts.size(); ++i) {
            const float n = stored.counts[i];
            const float mult = n > 0 ? 0.125F / n : 0.0F;
            QVERIFY(std::abs(data.mult[i] - mult) <= 1e-6F * mult);
            const float randoms = 1 + 50 * ((n > 0 ? n : 1.03F) - 1);
            QVERIFY(std::abs(data.add[i] - 0.25F - randoms) < 1e-3F);
        }
    }

    void withoutTimeBinsFactorsHoldForAllOfALine() {
        save("y.hs", smallData(5, 2));
        save("af.hs", ramp(0, 0.001F));
        SinogramImport import;
        import.mult = {file("af.hs")};

        const SinogramData data = std::get<SinogramData>(importSinograms(file("y.hs"), import).data);
        const SinogramData factors =
            readInterfileSinograms(file("af.hs"), {.multiplicity = Multiplicity::No, .values = true}).data;

        const std::vector<float> pairs = pairMultiplicity(*data.michelogram);  // raw counts: part of mult
        for (std::size_t i = 0; i < data.mult.size(); ++i) {
            QVERIFY(std::abs(data.mult[i] - pairs[i] * factors.counts[i / 5]) < 1e-5F);
        }
        import.mult.clear();
        import.add = {file("af.hs")};
        QVERIFY(refused(import).contains("time bins"));
    }

    void whatDoesNotFitIsRefused() {
        save("y.hs", smallData(0, 2));
        SinogramData other = smallData(0, 1);
        MichelogramSpec spec = other.michelogram->spec();
        spec.radialBins = 9;
        other.michelogram = std::make_shared<const Michelogram>(spec);
        other.counts.resize(other.michelogram->bins());
        save("o.hs", other);
        SinogramData negative = smallData(0, 1);
        negative.counts[7] = -1;
        save("n.hs", negative);
        SinogramImport import;
        import.mult = {file("o.hs")};
        QVERIFY(refused(import).contains("o.hs"));
        import.mult = {file("n.hs")};
        QVERIFY(refused(import).contains("below zero"));
        import.mult = {file("absent.hs")};
        QVERIFY(refused(import).contains("absent.hs"));
    }

    /// Estimates of STIR hold -1e-28 where there is nothing.
    void undershootsBecomeZeroAndAreTold() {
        save("y.hs", smallData(0, 2));
        SinogramData scatter = smallData(0, 1);
        scatter.counts[7] = -1e-28F;
        scatter.counts[8] = -0.005F;
        save("s.hs", scatter);
        SinogramImport import;
        import.add = {file("s.hs")};

        const DataReadResult read = importSinograms(file("y.hs"), import);

        const std::vector<float>& add = std::get<SinogramData>(read.data).add;
        QCOMPARE(std::count(add.begin(), add.end(), 0.0F), 2);
        QCOMPARE(std::count(add.begin(), add.end(), 1.0F), static_cast<std::ptrdiff_t>(add.size()) - 2);
        QVERIFY2(read.note.find("2 values below zero, down to -0.005") != std::string::npos,
                 read.note.c_str());
    }

    void dataCorrectedBeforehandAreSaidToBeBiased() {
        SinogramData net = smallData(0, 2);
        net.counts[3] = -1;
        save("y.hs", net);
        QVERIFY(importSinograms(file("y.hs"), {}).note.find("biased") != std::string::npos);
    }

    void factorsTheWrongWayRoundAreDoubted() {
        save("y.hs", smallData(0, 2));
        save("acf.hs", smallData(0, 4));
        save("af.hs", smallData(0, 0.25F));
        SinogramImport import;
        import.mult = {file("acf.hs")};
        QVERIFY(QString::fromStdString(importSinograms(file("y.hs"), import).note).contains("--acf"));
        import.mult.clear();
        import.acf = {file("af.hs")};
        QVERIFY(QString::fromStdString(importSinograms(file("y.hs"), import).note).contains("--mult"));
    }

    void correctionsOfADataFileAreTakenAndTheImageChosen() {
        save("y.hs", smallData(0, 2));
        SinogramData corrections = std::get<SinogramData>(importSinograms(file("y.hs"), {}).data);
        corrections.mult.assign(corrections.counts.size(), 0.5F);
        corrections.add.assign(corrections.counts.size(), 0.125F);
        writeSinogramData(file("c.h5"), corrections);
        ConvertOptions options;
        options.sinograms.corrections = file("c.h5");
        options.sinograms.size = {20, 22, 6};

        (void)convertFile(file("y.hs"), file("out.h5"), options);
        const SinogramData data = readSinogramData(file("out.h5"));

        QVERIFY(data.mult == corrections.mult && data.add == corrections.add);
        QVERIFY((data.lattice.size == std::array<int, 3>{20, 22, 6}));
        // As large as the image that fits the sampling.
        const Lattice fitting = defaultLattice(*data.michelogram);
        QVERIFY(std::abs(data.lattice.spacing_mm[1] * 22 - fitting.spacing_mm[1] * fitting.size[1]) < 1e-9);
        options.sinograms.size.reset();
        options.sinograms.spacing_mm = {10, 10, 3};
        const Lattice voxels = importLattice(options.sinograms, fitting);
        QCOMPARE(voxels.size[0], static_cast<int>(std::ceil(fitting.size[0] * fitting.spacing_mm[0] / 10)));
        QVERIFY_EXCEPTION_THROWN((void)convertFile(file("out.h5"), file("o.hs"), options), WrongUse);
    }

    void whatPassesInPartsIsWhatIsReadWhole_data() {
        QTest::addColumn<int>("timeBins");
        QTest::addColumn<double>("step");  // from bin to bin
        QTest::addColumn<double>("first");
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        const QByteArray none;
        QTest::newRow("whole numbers") << 0 << 1.0 << 0.0 << none << none;
        QTest::newRow("beyond 16 bits") << 0 << 300.0 << 0.0 << none << none;
        QTest::newRow("fractions") << 0 << 0.25 << 0.0 << none << none;
        QTest::newRow("below zero") << 0 << 1.0 << -40.0 << none << none;
        QTest::newRow("time bins") << 5 << 1.0 << 0.0 << none << none;
        QTest::newRow("even time bins, fractions") << 4 << 0.5 << 0.0 << none << none;
        QTest::newRow("feet first") << 3 << 1.0 << 0.0 << QByteArray("orientation := head_in")
                                    << QByteArray("orientation := feet_in");
        QTest::newRow("planes missing")
            << 3 << 1.0 << 0.0 << QByteArray("{ 5,1,1 }") << QByteArray("{ 3,1,1 }");
        QTest::newRow("views outside") << 3 << 1.0 << 0.0
                                       << QByteArray(
                                              "[3] := axial coordinate\n!matrix size [3] := { 5,1,1 }\n"
                                              "matrix axis label [2] := view\n!matrix size [2] := 12")
                                       << QByteArray(
                                              "[3] := view\n!matrix size [3] := 12\n"
                                              "matrix axis label [2] := axial coordinate\n"
                                              "!matrix size [2] := { 5,1,1 }");
        QTest::newRow("big-endian") << 0 << 1.0 << 0.0 << QByteArray("LITTLEENDIAN")
                                    << QByteArray("BIGENDIAN");
        QTest::newRow("mashed") << 3 << 1.0 << 0.0 << QByteArray("detectors per ring := 24")
                                << QByteArray("detectors per ring := 48");
    }
    void whatPassesInPartsIsWhatIsReadWhole() {
        QFETCH(int, timeBins);
        QFETCH(double, step);
        QFETCH(double, first);
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        SinogramData ramped = smallData(timeBins, 0);
        for (std::size_t i = 0; i < ramped.counts.size(); ++i) {
            ramped.counts[i] = static_cast<float>(first + step * static_cast<double>(i));
        }
        save("y.hs", ramped);
        QFile header(folder_->filePath("y.hs"));
        QVERIFY(header.open(QIODevice::ReadOnly));
        QByteArray text = header.readAll();
        header.close();
        if (from == "LITTLEENDIAN") {
            swapFloats(folder_->filePath("y.s"));
        }
        QVERIFY2(from.isEmpty() || text.contains(from), text.constData());
        if (!from.isEmpty()) {
            text.replace(from, to);
            QVERIFY(header.open(QIODevice::WriteOnly) && header.write(text) == text.size());
            header.close();
        }

        const std::string note = convertFile(file("y.hs"), file("parts.h5"));
        const DataReadResult whole = importSinograms(file("y.hs"), {});
        writeMeasured(file("whole.h5"), whole.data);

        QCOMPARE(note, whole.note);
        QCOMPARE(bytesOf("parts.h5"), bytesOf("whole.h5"));
        QVERIFY(!bytesOf("parts.h5").isEmpty());
    }

    void packedNumbersAreReadWhole() {
        save("y.hs", smallData(0, 2));
        QFile numbers(folder_->filePath("y.s"));
        QVERIFY(numbers.open(QIODevice::ReadOnly));
        const QByteArray plain = numbers.readAll();
        numbers.close();
        const gzFile packed = gzopen(file("y.s").c_str(), "wb");
        QCOMPARE(gzwrite(packed, plain.data(), static_cast<unsigned>(plain.size())), plain.size());
        QCOMPARE(gzclose(packed), Z_OK);

        (void)convertFile(file("y.hs"), file("out.h5"));

        QCOMPARE(readSinogramData(file("out.h5")).kept, std::uint64_t{2} * smallData(0, 2).counts.size());
    }

  private:
    [[nodiscard]] QByteArray bytesOf(const char* name) const {
        QFile in(folder_->filePath(name));
        return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
    }
    static void swapFloats(const QString& path) {
        QFile numbers(path);
        QVERIFY(numbers.open(QIODevice::ReadWrite));
        QByteArray bytes = numbers.readAll();
        for (qsizetype at = 0; at < bytes.size(); at += 4) {
            std::reverse(bytes.begin() + at, bytes.begin() + at + 4);
        }
        QVERIFY(numbers.seek(0) && numbers.write(bytes) == bytes.size());
    }
    [[nodiscard]] std::string file(const char* name) const { return folder_->filePath(name).toStdString(); }
    void save(const char* name, const SinogramData& data) const { writeInterfileSinograms(file(name), data); }
    [[nodiscard]] QString refused(const SinogramImport& import) const {
        return refusal([&] { (void)importSinograms(file("y.hs"), import); });
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_APPLESS_MAIN(ImportSinogramsTest)

}  // namespace import_sinograms_test
#include "import_sinograms_test.moc"
