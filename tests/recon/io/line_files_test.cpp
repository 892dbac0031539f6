// SPDX-License-Identifier: Apache-2.0
// Sinograms and list-mode of other programs: files that this project did not write, where they are there.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/format_table.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/interfile/sinogram_interfile.h"
#include "recon/scanner/scanner.h"
#include "recon/sources/list_source.h"
#include "recon/sources/resident_source.h"
#include "recon/systems/lines/all_lines.h"
#include "recon/systems/lines/line_model.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/places.h"
#include "tests/support/refusal.h"

namespace line_files_test {

using namespace tof;
using namespace tof::fixtures;
using tof::test::inTree;
using tof::test::refusal;

namespace {

/// A file of the data that this project did not write; "" when the folder is not there.
std::string foreign(const QString& name) {
    for (const char* up : {"../shared/data/", "../../shared/data/"}) {
        const QString path = inTree(up) + name;
        if (QFile::exists(path)) {
            return QDir::cleanPath(path).toStdString();
        }
    }
    return "";
}

#define SKIP_WITHOUT(path)                                                \
    if ((path).empty()) {                                                 \
        QSKIP("the folder ../shared/data with others' files is missing"); \
    }

std::vector<float> osemImage(Projector& projector, DataSource& source, const Lattice& lattice, int iterations,
                             int subsets) {
    AlgorithmSettings settings;
    settings.algorithm = &osem();
    settings.iterations = iterations;
    settings.subsets = subsets;
    std::vector<std::size_t> order(projector.parts());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RunControl control;
    Reconstruction run(projector, source, lattice, settings, order, control);
    run.run(control);
    return run.image().data;
}

std::shared_ptr<SinogramData> smallData(int timeBins, double binSize_mm) {
    MichelogramSpec spec;
    spec.scanner = {"small", 5, 48, 150.0, 6.0, 0.0};
    spec.segments = {{-3, -2}, {-1, 1}, {2, 3}};
    spec.radialBins = 17;
    spec.binSize_mm = binSize_mm;
    if (timeBins > 0) {
        spec.tof = {timeBins, 120.5, 400};
    }
    auto data = std::make_shared<SinogramData>();
    data->michelogram = std::make_shared<const Michelogram>(spec);
    data->lattice = defaultLattice(*data->michelogram);
    data->counts = uniformData(data->michelogram->bins(), 3, 0.0F, 9.0F);
    return data;
}

QString written(const QTemporaryDir& folder, const char* name, const QByteArray& bytes) {
    QFile file(folder.filePath(name));
    if (file.open(QIODevice::WriteOnly)) {
        file.write(bytes);
    }
    return file.fileName();
}

}  // namespace

class RingFilesTest : public QObject {
    Q_OBJECT

  private slots:
    void interfileSinogramsSurviveTheirFile_data() {
        QTest::addColumn<int>("timeBins");
        QTest::addColumn<double>("binSize");
        QTest::newRow("plain") << 0 << 0.0;
        QTest::newRow("arc-corrected") << 0 << 4.0;
        QTest::newRow("time of flight") << 5 << 0.0;
        QTest::newRow("an even number of time bins") << 4 << 0.0;
    }
    void interfileSinogramsSurviveTheirFile() {
        QFETCH(int, timeBins);
        QFETCH(double, binSize);
        const QTemporaryDir folder;
        const auto data = smallData(timeBins, binSize);
        const std::string path = folder.filePath("a.hs").toStdString();

        writeInterfileSinograms(path, *data);
        SinogramReadOptions options;
        options.multiplicity = binSize > 0 ? Multiplicity::Auto : Multiplicity::Yes;
        const SinogramData back = readInterfileSinograms(path, options).data;

        QCOMPARE(back.michelogram->spec().segments, data->michelogram->spec().segments);
        QCOMPARE(back.michelogram->spec().tof.count, timeBins);
        QCOMPARE(back.michelogram->spec().binSize_mm, binSize);
        QVERIFY(std::abs(back.michelogram->scanner().radius_mm - 150) < 1e-9);
        QCOMPARE(back.mult.empty(), binSize > 0);
        QVERIFY(binSize > 0 || back.mult == pairMultiplicity(*back.michelogram));
        // The parts may be others; bin by bin the counts are the same.
        const Michelogram& ours = *data->michelogram;
        const Michelogram& theirs = *back.michelogram;
        for (int angle = 0; angle < ours.angles(); ++angle) {
            for (std::size_t plane = 0; plane < ours.sinograms().size(); ++plane) {
                for (int bin = 0; bin < 17; ++bin) {
                    for (int k = 0; k < ours.timeBins(); ++k) {
                        QCOMPARE(back.counts[theirs.index(theirs.slotOfAngle(angle), plane, bin, k)],
                                 data->counts[ours.index(ours.slotOfAngle(angle), plane, bin, k)]);
                    }
                }
            }
        }
    }

    void stirsLastTimeBinIsNearestTheFirstCrystal() {
        const QTemporaryDir folder;
        const auto data = smallData(5, 0);
        const Michelogram& m = *data->michelogram;
        std::fill(data->counts.begin(), data->counts.end(), 0.0F);
        std::size_t top = 0;  // written head first, so the highest plane of a segment comes first
        while (m.sinograms()[top + 1].segment == 0) {
            ++top;
        }
        data->counts[m.index(0, top, 0, 4)] = 7.0F;  // dt > 0: nearest the second crystal
        writeInterfileSinograms(folder.filePath("a.hs").toStdString(), *data);

        QFile file(folder.filePath("a.s"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();

        QCOMPARE(static_cast<std::size_t>(bytes.size()), m.bins() * sizeof(float));
        float first = 0;
        std::memcpy(&first, bytes.constData(), sizeof(first));
        QCOMPARE(first, 7.0F);  // STIR's first time bin, segment, plane, view, bin
    }

    void aForeignSinogramHasItsKnownCountsAndReconstructs() {
        const std::string path = foreign("rat_sinogram/smalllong.hs");
        SKIP_WITHOUT(path)
        const InterfileSinograms file = readInterfileSinograms(path);
        const auto data = std::make_shared<const SinogramData>(file.data);
        QCOMPARE(data->michelogram->angles(), 64);
        QCOMPARE(data->michelogram->sinograms().size(), std::size_t{27});
        QCOMPARE(data->michelogram->radialBins(), 75);
        const double total = std::accumulate(data->counts.begin(), data->counts.end(), 0.0);
        // Corrected beforehand: some bins are below zero.
        QVERIFY2(std::abs(total + file.negativeSum - 102737) < 1, qPrintable(QString::number(total)));
        QVERIFY(file.negativeBins > 0 && file.negativeSum < 0);

        LineModel model;
        model.lattice = data->lattice;
        model.lines = data->michelogram;
        const auto engine = makeCpuEngine();
        const auto projector = requireProjector(*engine, model, engine->makeSpace({}), {});
        HostHistoSource source(partsOf(data));
        const std::vector<float> image = osemImage(*projector, source, model.lattice, 4, 1);

        // One subset is MLEM: the expected counts of every iterate sum to those measured.
        HostHarness again(*engine, model, {});
        double expected = 0;
        for (std::size_t part = 0; part < again.projector().parts(); ++part) {
            const auto p = again.forward(part, image);
            expected = std::accumulate(p.begin(), p.end(), expected);
        }
        QVERIFY2(std::abs(expected / total - 1) < 1e-4, qPrintable(QString::number(expected)));
        // A small object: most of the image lies in few voxels.
        std::vector<float> sorted = image;
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        const double all = std::accumulate(sorted.begin(), sorted.end(), 0.0);
        const auto tenth = static_cast<std::ptrdiff_t>(sorted.size() / 10);
        QVERIFY(std::accumulate(sorted.begin(), sorted.begin() + tenth, 0.0) > 0.5 * all);
    }

    void aMeasuredListHasItsKnownWords() {
        const std::string path = foreign("mmr_listmode/PET_ACQ_small.l.hdr.STIR");
        SKIP_WITHOUT(path)
        Ecat8Options options;
        options.segments = 1;  // the direct planes: all segments are 354 million bins
        const QString refused = refusal([&] { static_cast<void>(readEcat8(path, options)); });
        QVERIFY2(refused.contains("--partial"), qPrintable(refused));
        options.partial = true;

        const Ecat8Result result = readEcat8(path, options);

        QCOMPARE(result.words.words, std::uint64_t{254816});
        QCOMPARE(result.words.prompts, std::uint64_t{218881});
        QCOMPARE(result.words.delayeds, std::uint64_t{35320});
        QCOMPARE(result.words.timeTags, std::uint64_t{613});
        QCOMPARE(result.words.announced, std::uint64_t{331257106});
        QCOMPARE(result.data.kept + result.data.rejected, result.words.prompts);
        QCOMPARE(std::accumulate(result.data.counts.begin(), result.data.counts.end(), 0.0),
                 static_cast<double>(result.data.kept));

        // As events, of all segments.
        Ecat8Options asEvents;
        asEvents.partial = true;
        asEvents.sinograms = false;
        asEvents.events = true;
        const Ecat8Result events = readEcat8(path, asEvents);
        QCOMPARE(events.prompts.size(), std::size_t{218881});
        QCOMPARE(events.delayeds.size(), std::size_t{35320});
        QCOMPARE(events.data.rejected, std::uint64_t{0});
        QCOMPARE(events.data.michelogram->sinograms().size(), std::size_t{4084});
        QCOMPARE(events.data.michelogram->scanner().gapPlaces.size(), std::size_t{56});

        // The scanner has eight crystals and a gap in every nine places of a ring. Events only meet crystals
        // when bins are taken to the right pairs of places.
        const Michelogram& m = *result.data.michelogram;
        std::array<double, 9> hits{};
        for (int angle = 0; angle < 252; ++angle) {
            for (int bin = 0; bin < 344; ++bin) {
                double sum = 0;
                for (std::size_t plane = 0; plane < m.sinograms().size(); ++plane) {
                    sum += static_cast<double>(result.data.counts[m.index(m.slotOfAngle(angle), plane, bin)]);
                }
                const TransverseLine line = m.line(angle, bin);
                for (const auto& [x, y] : {std::pair{line.x1, line.y1}, std::pair{line.x2, line.y2}}) {
                    const double place = std::atan2(x, -y) / (2 * 3.14159265358979 / 504);
                    hits[static_cast<std::size_t>((std::lround(place) + 504) % 9)] += sum;
                }
            }
        }
        QCOMPARE(std::count(hits.begin(), hits.end(), 0.0), std::ptrdiff_t{1});
    }

    void aForeignListFindsItsPoint() {
        const std::string path = foreign("safir_dualring/coincidencesLM.clm.safir");
        SKIP_WITHOUT(path)
        QCOMPARE(fileKind(path), FileKind::List);
        const ListReadResult list = readEvents(path);
        QCOMPARE(list.events.size(), std::size_t{1408});
        const Scanner scanner = Scanner::fromJson(list.events.scannerJson, path);
        QCOMPARE(scanner.crystals.size(), std::size_t{2880});

        // The point nearest all lines in the sense of least squares: sum (1 - u u^T) (x - p) = 0.
        double a[3][3] = {};
        double b[3] = {};
        for (const auto& [c1, c2] : list.events.crystals) {
            const Vec3 p = scanner.reference(c1);
            const Vec3 u = normalized(scanner.reference(c2) - p);
            const double uu[3] = {u.x, u.y, u.z};
            const double pp[3] = {p.x, p.y, p.z};
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    const double m = (i == j ? 1.0 : 0.0) - uu[i] * uu[j];
                    a[i][j] += m;
                    b[i] += m * pp[j];
                }
            }
        }
        for (int i = 0; i < 3; ++i) {
            for (int j = i + 1; j < 3; ++j) {
                const double factor = a[j][i] / a[i][i];
                for (int k = i; k < 3; ++k) {
                    a[j][k] -= factor * a[i][k];
                }
                b[j] -= factor * b[i];
            }
        }
        double x[3];
        for (int i = 2; i >= 0; --i) {
            double sum = b[i];
            for (int j = i + 1; j < 3; ++j) {
                sum -= a[i][j] * x[j];
            }
            x[i] = sum / a[i][i];
        }
        QVERIFY2(norm(Vec3{x[0], x[1], x[2]}) < 0.05,
                 qPrintable(QString("%1 %2 %3").arg(x[0]).arg(x[1]).arg(x[2])));
    }

    // Two prompts and a delayed coincidence between times of 5 and 9 ms.
    void safirListsKeepTimesAndSayWhatTheyHold() {
        QTemporaryDir folder;
        const std::string path = (folder.path() + "/list.safir").toStdString();
        QByteArray bytes = QByteArray("MUPET CListModeData").leftJustified(32, '\0');
        const quint64 time = quint64{1} << 63U;
        const quint64 pair = quint64{1} << 16U | quint64{2} << 32U;  // detectors 1 and 2 of ring 0
        for (const quint64 word : {time | 5U, pair, pair | quint64{1} << 62U, time | 9U, pair}) {
            bytes.append(reinterpret_cast<const char*>(&word), 8);
        }
        QFile data(QString::fromStdString(path));
        QVERIFY(data.open(QIODevice::WriteOnly) && data.write(bytes) == bytes.size());
        data.close();
        QFile map(folder.filePath("crystal_map.txt"));
        QVERIFY(map.open(QIODevice::WriteOnly) && map.write("0,1,100,0,0\n0,2,-100,0,0\n") > 0);
        map.close();

        QCOMPARE(readEvents(path).events.time_ms, (std::vector<std::uint32_t>{0, 4}));
        const std::string info = recognise(path).infoJson();
        QVERIFY(info.find("\"events\": 2") != std::string::npos);
        QVERIFY(info.find("\"delayed\": 1") != std::string::npos);
        QVERIFY(info.find("\"scanner\": \"MUPET\"") != std::string::npos);
    }

    void aForeignListReconstructsItsPoint() {
        const std::string path = foreign("safir_dualring/coincidencesLM.clm.safir");
        SKIP_WITHOUT(path)
        const ListReadResult list = readEvents(path);
        QVERIFY(list.events.dt_ps.empty());
        const Scanner scanner = Scanner::fromJson(list.events.scannerJson, path);
        const Lattice lattice = Lattice::centred({21, 21, 21}, {1, 1, 1});
        const LineData lines = listLines(list.events, scanner, {}, lattice);
        QCOMPARE(lines.events->pairs.size() + lines.rejected, std::size_t{1408});
        QCOMPARE(lines.rejected, std::uint64_t{0});

        // All pairs of crystals whose lines cross the field, as reconstructing does it.
        LineModel model;
        model.lattice = lattice;
        const AllLines all = allLines(lines, ThreadPool(2));
        model.lines = all.lines;
        const auto engine = makeCpuEngine();
        HostHarness harness(*engine, model, {});
        std::vector<float> sensitivity(lattice.voxels(), 0.0F);
        for (std::size_t part = 0; part < harness.projector().parts(); ++part) {
            const auto mult = all.data.mult.subspan(part * all.data.partSize, all.data.partSize);
            sensitivity =
                harness.back(part, std::vector<float>(mult.begin(), mult.end()), Write::Add, sensitivity);
        }
        model.lines = lines.events;
        const auto space = engine->makeSpace({});
        const auto projector = requireProjector(*engine, model, space, {});
        ListSource source(lines.events, sensitivity, {}, {}, 0, space);

        const std::vector<float> image = osemImage(*projector, source, model.lattice, 5, 1);

        Vec3 centre;
        double sum = 0;
        for (int z = 0; z < 21; ++z) {
            for (int y = 0; y < 21; ++y) {
                for (int x = 0; x < 21; ++x) {
                    const auto value = static_cast<double>(image[lattice.index(x, y, z)]);
                    centre = centre + value * lattice.centre(x, y, z);
                    sum += value;
                }
            }
        }
        centre = (1 / sum) * centre;
        QVERIFY2(norm(centre) < 0.5,
                 qPrintable(QString("%1 %2 %3").arg(centre.x).arg(centre.y).arg(centre.z)));
    }

    void whatIsNotReadIsRefused() {
        const QTemporaryDir folder;
        const auto data = smallData(0, 0);
        const std::string path = folder.filePath("a.hs").toStdString();
        writeInterfileSinograms(path, *data);
        QFile header(folder.filePath("a.hs"));
        QVERIFY(header.open(QIODevice::ReadOnly));
        const QByteArray good = header.readAll();
        const auto said = [&](const char* from, const char* to) {
            QByteArray bad = good;
            bad.replace(from, to);
            const QString name = written(folder, "b.hs", bad);
            return refusal([&] { static_cast<void>(readInterfileSinograms(name.toStdString())); });
        };
        QVERIFY(said("matrix size [2] := 24", "matrix size [2] := 23").contains("does not fit"));
        QVERIFY(said(":= { 2,-1,-3 }", ":= { 2,-1 }").contains("every segment"));
        QVERIFY(said("Number of rings := 5", "Number of rings := 4").contains("planes per segment"));
        QVERIFY(said("Emission", "Image").contains("projection data"));
        QVERIFY(said("matrix axis label [4] := segment", "matrix axis label [4] := bed")
                    .contains("matrix axis label"));
        QFile numbers(folder.filePath("a.s"));
        QVERIFY(numbers.resize(numbers.size() - 4));
        QVERIFY(refusal([&] { static_cast<void>(readInterfileSinograms(path)); }).contains("a.s"));

        QByteArray list = QByteArray("SAFIR CListModeData").leftJustified(32, '\0');
        list.append(QByteArray::fromHex("0000010000000000"));  // crystals (0,1) and (0,0), of a map without
        const std::string safir = written(folder, "l.safir", list).toStdString();
        QVERIFY(refusal([&] { static_cast<void>(readEvents(safir)); }).contains("crystal map"));
        written(folder, "crystal_map.txt", "0 0 0 10 0 0\n0 1 0 -10 0 0\n");
        QCOMPARE(readEvents(safir).events.size(), std::size_t{1});
        written(folder, "crystal_map.txt", "0 0 0 10 0 0\n0 2 0 -10 0 0\n");
        QVERIFY(refusal([&] { static_cast<void>(readEvents(safir)); }).contains("does not have"));
        QByteArray sparse;  // rows of 65536 places with one crystal each
        for (int row = 0; row < 300; ++row) {
            sparse += QByteArray::number(row % 256) + " 65535 " + QByteArray::number(row / 256) + " 10 0 0\n";
        }
        written(folder, "crystal_map.txt", sparse);
        QVERIFY(refusal([&] { static_cast<void>(readEvents(safir)); }).contains("nearly all empty"));
        written(folder, "crystal_map.txt", "0 0 0 10 0 0\n0 2 0 -10 0 0\n");
        written(folder, "l.safir", list.chopped(3));
        QVERIFY(refusal([&] { static_cast<void>(readEvents(safir)); }).contains("--partial"));
    }
};

QTEST_APPLESS_MAIN(RingFilesTest)

}  // namespace line_files_test
#include "line_files_test.moc"
