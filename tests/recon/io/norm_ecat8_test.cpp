// SPDX-License-Identifier: Apache-2.0
// Normalisations of Siemens: efficiencies of bins against a sum over all pairs of crystals.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>

#include "recon/io/format_table.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/interfile/norm_ecat8.h"
#include "recon/io/interfile/sinogram_interfile.h"
#include "tests/support/ecat8_norm.h"
#include "tests/support/refusal.h"
#include "tests/support/small_ecat8.h"

namespace norm_ecat8_test {

using namespace tof;
using namespace tof::test;

class NormEcat8Test : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }

    /// Writes norm and list; the bins of the list.
    [[nodiscard]] std::shared_ptr<const Michelogram> write(const Ecat8NormTables& tables) const {
        writeEcat8Norm(folder_.path().toStdString(), "x.n", tables);
        std::ofstream(path("list.l.hdr")) << ecat8ListHeader(tables, "list.l");
        std::ofstream(path("list.l")) << std::string("\0\0\0\x80", 4);
        return readEcat8(path("list.l.hdr"), {}).data.michelogram;
    }

  private slots:
    // The patient lies head first: rings of the file run against those of the image, and ring differences
    // turn their sign.
    void binsAreTheSumOfTheirPairs() {
        Ecat8NormTables t;
        t.fill();
        const auto m = write(t);
        // Planes of span 3 in the order of the file, by the sign of their segment and the sum of rings.
        std::map<std::pair<int, int>, std::size_t> planes;
        for (int sum = 0; sum <= 6; ++sum) {
            planes[{0, sum}] = planes.size();
        }
        for (const int sign : {-1, 1}) {
            for (int sum = 2; sum <= 4; ++sum) {
                planes[{sign, sum}] = planes.size();
            }
        }
        std::vector<double> expected(m->bins(), 0);
        const std::uint32_t all = 4 * 24;
        const auto efficiency = [&](std::uint32_t crystal) {
            return static_cast<double>(t.efficiencies[(3 - crystal / 24) * 24 + crystal % 24]);
        };
        for (std::uint32_t one = 0; one < all; ++one) {
            for (std::uint32_t two = one + 1; two < all; ++two) {
                const auto index = m->binOf(one, two, 0);
                if (!index) {
                    continue;
                }
                const std::size_t radial = *index % 9;
                const Sinogram& plane = m->sinograms()[*index / 9 % m->sinograms().size()];
                const int azimuth = m->angleOfSlot(static_cast<int>(*index / 9 / m->sinograms().size()));
                const int sum = 6 - static_cast<int>(one / 24 + two / 24);
                const int sign = plane.z2_mm > plane.z1_mm + 6 ? -1 : plane.z2_mm < plane.z1_mm - 6 ? 1 : 0;
                expected[*index] +=
                    efficiency(one) * efficiency(two) *
                    static_cast<double>(t.geometric[static_cast<std::size_t>(sum) * 9 + radial]) *
                    static_cast<double>(t.interference[radial * 6 + static_cast<std::size_t>(azimuth % 6)]) *
                    static_cast<double>(t.axial[planes.at({sign, sum})]);
            }
        }

        const Ecat8Efficiencies read = ecat8Efficiencies(path("x.n.hdr"), path("list.l.hdr"), *m);

        QCOMPARE(read.values.size(), expected.size());
        for (std::size_t bin = 0; bin < expected.size(); ++bin) {
            QVERIFY2(
                std::abs(static_cast<double>(read.values[bin]) - expected[bin]) <= 2e-6 * expected[bin],
                qPrintable(QString("%1: %2, expected %3").arg(bin).arg(read.values[bin]).arg(expected[bin])));
        }
        QVERIFY(read.note.find("paralyzing ring dt parameters") != std::string::npos);
        QVERIFY(read.note.find("quantification factor is of images in ECAT counts") != std::string::npos);
        QVERIFY(recognise(path("x.n.hdr")).infoJson().find("crystal interference") != std::string::npos);
    }

    // Rings count against z: the patient lies head first. Sinograms of e7 have the order of the addresses.
    void addressesAreThePairsOfStir() {
        Ecat8NormTables t;
        t.span = 1;
        const std::vector<Ecat8Pair> pairs = ecat8Pairs(t);
        std::ofstream words(path("each.l"), std::ios::binary);
        std::ofstream counts(path("each.s"), std::ios::binary);
        counts << "ahead";
        for (std::uint32_t address = 0; address < pairs.size(); ++address) {
            const std::uint32_t word = 0x40000000U | address;
            const auto count = static_cast<std::int16_t>(address % 999);
            words.write(reinterpret_cast<const char*>(&word), sizeof word);
            counts.write(reinterpret_cast<const char*>(&count), sizeof count);
        }
        words.close();
        counts.close();
        std::ofstream(path("each.l.hdr")) << ecat8ListHeader(t, "each.l");
        const std::string header =
            "!INTERFILE:=\n!originating system:=9999\n%SMS-MI header name space:=sinogram subheader\n"
            "!name of data file:=each.s\n%compression:=off\nimage data byte order:=LITTLEENDIAN\n"
            "%patient orientation:=HFS\n!PET data type:=emission\nnumber format:=signed integer\n"
            "!number of bytes per pixel:=2\nnumber of dimensions:=3\nmatrix axis label [1]:=bin\n"
            "matrix axis label [2]:=projection\nmatrix axis label [3]:=plane\nmatrix size [1]:=9\n"
            "matrix size [2]:=12\nmatrix size [3]:=16\n%axial compression:=1\n"
            "%maximum ring difference:=3\nnumber of rings:=4\nNumber of detectors per ring:=24\n"
            "Inner ring diameter (cm):=60\nDistance between rings (cm):=0.5\n"
            "%segment table:={4,3,3,2,2,1,1}\napplied corrections:=\nnumber of scan data types:=2\n"
            "data offset in bytes [1]:=5\n!image duration (sec):=1140\n";
        std::ofstream(path("each.s.hdr")) << header;
        const auto refused = [&](const std::string& more) {
            std::ofstream(path("not.s.hdr")) << header + more;
            return refusal([&] { (void)recognise(path("not.s.hdr")).infoJson(); });
        };

        Ecat8Options options;
        options.events = true;
        const Ecat8Result list = readEcat8(path("each.l.hdr"), options);
        const InterfileSinograms sinograms = readInterfileSinograms(path("each.s.hdr"));

        QCOMPARE(list.prompts.size(), pairs.size());
        QCOMPARE(sinograms.data.duration_s, 1140.0);
        QVERIFY(sinograms.note.find("further data types") != std::string::npos);
        QVERIFY(refused("%compression:=on\n").contains("unpacked"));
        QVERIFY(refused("%number of TOF time bins:=32\n").contains("STIR's scripts"));
        QVERIFY(refused("matrix size [3]:=15\n").contains("%segment table"));
        QVERIFY(refused("originating system:=1209\nNumber of detectors per ring:=\n")
                    .contains("Number of detectors per ring"));
        for (std::size_t address = 0; address < pairs.size(); ++address) {
            std::array<std::uint32_t, 2> crystals{};
            for (std::size_t end = 0; end < 2; ++end) {
                crystals.at(end) = static_cast<std::uint32_t>((3 - pairs[address].ring.at(end)) * 24 +
                                                              pairs[address].place.at(end));
            }
            const auto bin = list.data.michelogram->binOf(crystals[0], crystals[1], 0);
            QVERIFY(bin.has_value());
            QCOMPARE(std::size_t{list.prompts[address]}, *bin);
            const auto same = sinograms.data.michelogram->binOf(crystals[0], crystals[1], 0);
            QVERIFY(same.has_value());
            QCOMPARE(sinograms.data.counts[*same], static_cast<float>(address % 999));
        }
    }

    // Efficiencies of the mMR lie a crystal before the places of its list, and the first of nine is a gap.
    void theMmrIsShiftedByACrystal() {
        Ecat8NormTables t{1, 18, 9, 9, 1, 0, 1, {}, {}, {}, {}};
        t.geometric.assign(9, 1);
        t.interference.assign(81, 1);
        t.axial.assign(1, 1);
        for (int crystal = 0; crystal < 18; ++crystal) {
            t.efficiencies.push_back(static_cast<float>(crystal + 1));
        }
        t.system = "2008";
        const auto m = write(t);

        const Ecat8Efficiencies read = ecat8Efficiencies(path("x.n.hdr"), path("list.l.hdr"), *m);

        for (std::uint32_t one = 0; one < 18; ++one) {
            for (std::uint32_t two = 0; two < one; ++two) {
                if (const auto bin = m->binOf(one, two, 0)) {
                    const std::uint32_t product = one % 9 == 0 || two % 9 == 0 ? 0 : one * two;
                    QCOMPARE(read.values[*bin], static_cast<float>(product));
                }
            }
        }
    }

    // Crystals are as live as the singles of their blocks of 18 places and 8 rings let them be.
    void deadTimeFollowsTheSinglesOfBlocks() {
        Ecat8NormTables t = smallMmr();
        (void)write(t);
        std::vector<std::uint32_t> words{0x80000000U};
        for (std::uint32_t half = 0; half < 2; ++half) {  // the mean of two polls, and a number of no block
            for (std::uint32_t block = 0; block < 4; ++block) {
                const std::uint32_t more = half == 0 ? 1000U : 0U - 1000U;
                words.push_back(0xA0000000U | block << 19U | (t.singles[block] + more));
            }
            words.push_back(0xA0000000U | 800U << 19U | 7U);
        }
        std::ofstream(path("list.l"), std::ios::binary)
            .write(reinterpret_cast<const char*>(words.data()),
                   static_cast<std::streamsize>(4 * words.size()));
        const Ecat8Result list = readEcat8(path("list.l.hdr"), {});
        const Michelogram& m = *list.data.michelogram;

        const Ecat8Efficiencies read =
            ecat8Efficiencies(path("x.n.hdr"), path("list.l.hdr"), m, list.blockSingles);
        const Ecat8Efficiencies without = ecat8Efficiencies(path("x.n.hdr"), path("list.l.hdr"), m);

        QCOMPARE(list.blockSingles, (std::vector<double>{80000, 480000, 160000, 720000}));
        double least = 1;
        for (int ring = 0; ring < 16; ++ring) {
            for (int one = 0; one < 36; ++one) {
                for (int two = 0; two < one; ++two) {
                    const auto bin = m.binOf(static_cast<std::uint32_t>((15 - ring) * 36 + one),
                                             static_cast<std::uint32_t>((15 - ring) * 36 + two), 0);
                    if (!bin || one % 9 == 0 || two % 9 == 0) {
                        continue;
                    }
                    const auto bare = [&](int place) {
                        return static_cast<double>(
                            t.efficiencies[static_cast<std::size_t>(ring * 36 + (place + 35) % 36)]);
                    };
                    const double live = t.recorded(ring, one) * t.recorded(ring, two) / bare(one) / bare(two);
                    const double found = static_cast<double>(read.values[*bin] / without.values[*bin]);
                    QVERIFY2(std::abs(found / live - 1) < 1e-6,
                             qPrintable(QString("%1 %2").arg(found).arg(live)));
                    least = std::min(least, live);
                }
            }
        }
        QVERIFY(least < 0.3);
        QVERIFY(read.note.find("dead time leaves") != std::string::npos);
        QVERIFY(read.note.find("not applied") == std::string::npos);
        QVERIFY(without.note.find("dead time needs singles") != std::string::npos);

        const auto noteOf = [&](const std::vector<double>& singles) {
            return ecat8Efficiencies(path("x.n.hdr"), path("list.l.hdr"), m, singles).note;
        };
        QVERIFY(noteOf({1, 2, 3}).find("which crystals 3 blocks") != std::string::npos);
        t.paralysing[3] = 1e-5F;
        (void)write(t);
        QVERIFY(noteOf(list.blockSingles).find("of ring 3's") != std::string::npos);
    }

    // The singles of a frame's times, and what they leave of all counts over what the mean singles leave.
    void framesHaveTheDeadTimeOfTheirTimes() {
        Ecat8NormTables t = smallMmr();
        (void)write(t);
        const std::vector<std::uint32_t> later{30000, 20000, 80000, 10000};
        const std::vector<std::uint32_t> words = mmrWords(t, later);
        std::ofstream(path("list.l"), std::ios::binary)
            .write(reinterpret_cast<const char*>(words.data()),
                   static_cast<std::streamsize>(4 * words.size()));
        Ecat8Options options;
        options.moments = true;
        const Ecat8Result list = readEcat8(path("list.l.hdr"), options);

        const std::vector<double> first = ecat8SinglesBetween(list, 0, 10);
        const std::vector<double> second = ecat8SinglesBetween(list, 10, 20);
        const std::vector<double> live = ecat8LiveOfFrames(list.data, path("x.n.hdr"), path("list.l.hdr"),
                                                           list.blockSingles, {first, second});

        QCOMPARE(first, (std::vector<double>{80000, 480000, 160000, 720000}));
        QCOMPARE(second, (std::vector<double>{240000, 160000, 640000, 80000}));
        QCOMPARE(ecat8SinglesBetween(list, 5, 6), second);  // 4.5 s away, not 5.5
        QCOMPARE(ecat8SinglesBetween(list, 0, 15), list.blockSingles);
        const std::vector<MmrPrompt> prompts = mmrPrompts(t);
        const auto recorded = [&](const std::vector<std::uint32_t>& singles) {
            Ecat8NormTables then = t;
            then.singles = singles;
            std::vector<double> all;
            for (const MmrPrompt& one : prompts) {
                all.push_back(then.recorded(one.ring, one.one) * then.recorded(one.ring, one.two));
            }
            return all;
        };
        const std::vector<double> mean = recorded({20000, 40000, 50000, 50000});
        QCOMPARE(live.size(), std::size_t{2});
        for (const std::size_t frame : {0U, 1U}) {
            const std::vector<double> then = recorded(frame == 0 ? t.singles : later);
            double sum = 0;
            for (std::size_t i = 0; i < then.size(); ++i) {
                sum += then[i] / mean[i] / static_cast<double>(then.size());
            }
            QVERIFY2(std::abs(live[frame] - sum) < 1e-9,
                     qPrintable(QString("%1 %2").arg(live[frame]).arg(sum)));
            QVERIFY(std::abs(sum - 1) > 0.01);
        }
        QVERIFY(ecat8LiveOfFrames(list.data, path("x.n.hdr"), path("list.l.hdr"), {}, {first}).empty());
    }

    // What a console exports: words before DICOM that holds their header, or the header in DICOM beside them.
    void rawDataOfSiemensSayWhatTheyAreInDicom() {
        Ecat8NormTables t;
        t.fill();
        const auto m = write(t);
        QVERIFY(writeSmallEcat8(folder_.path(), "small.l"));
        const auto bytesOf = [&](const char* name) {
            QFile file(folder_.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const auto save = [&](const char* name, const QByteArray& bytes) {
            QFile file(folder_.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
        };
        const auto dicom = [](QByteArray header) {
            header += QByteArray(header.size() % 2, '\0');
            const auto length = static_cast<quint32>(header.size());
            return QByteArray(128, '\0') + "DICM" + QByteArray("\x29\0\x10\x10OB\0\0", 8) +
                   QByteArray(reinterpret_cast<const char*>(&length), 4) + header +
                   QByteArray("\xE1\x7F\x10\x10OB\0\0\0\0\0\0", 12);
        };
        QVERIFY(save("list.ptd", bytesOf("small.l") + dicom(bytesOf("small.l.hdr"))));
        QVERIFY(save("norm.dcm", dicom(bytesOf("x.n.hdr"))) && save("norm.bf", bytesOf("x.n")));

        const Ecat8Result list = readEcat8(path("list.ptd"), {});
        const Ecat8Result plain = readEcat8(path("small.l.hdr"), {});

        QCOMPARE(list.data.counts, plain.data.counts);
        QCOMPARE(list.words.words, plain.words.words);
        QCOMPARE(recognise(path("list.ptd")).foreignBins(), ForeignBins::Addresses);
        QCOMPARE(recognise(path("norm.dcm")).formatName(), std::string("Interfile"));
        QCOMPARE(ecat8Efficiencies(path("norm.dcm"), path("list.l.hdr"), *m).values,
                 ecat8Efficiencies(path("x.n.hdr"), path("list.l.hdr"), *m).values);

        QVERIFY(save("list.ptd", bytesOf("small.l")));
        QVERIFY(refusal([&] { (void)readEcat8(path("list.ptd"), {}); }).contains("(0029,1010)"));
        QVERIFY(save("list.ptd", bytesOf("small.l") + dicom("nothing")));
        QVERIFY(refusal([&] { (void)recognise(path("list.ptd")).infoJson(); }).contains("(0029,1010)"));
        QVERIFY(save("alone.dcm", dicom(bytesOf("x.n.hdr"))));
        QVERIFY(refusal([&] { (void)recognise(path("alone.dcm")).infoJson(); }).contains("alone.bf"));
    }

    void listsOfOtherWordsAreRefusedByName() {
        Ecat8NormTables tables;
        tables.fill();
        const auto refused = [&](const std::string& from, const std::string& to) {
            std::string header = ecat8ListHeader(tables, "list.l");
            header.replace(header.find(from), from.size(), to);
            const std::string path = folder_.filePath("list.l.hdr").toStdString();
            std::ofstream(path, std::ios::binary) << header;
            const RecognisedFile file = recognise(path);
            return file.kind() == FileKind::List ? refusal([&] { static_cast<void>(readEcat8(path, {})); })
                                                 : QString("no list");
        };
        QVERIFY(refused("PETLINK bin address", "PETLINK singles").contains("'PETLINK singles'"));
        QVERIFY(refused("number of rings", "%LM event and tag words format (bits):=48\nnumber of rings")
                    .contains("is '48', which is neither"));
        QVERIFY(refused("number of rings", "number of rings:=7\nnumber of rings").contains("stands twice"));
    }

    void whatCannotBeUsedIsRefusedByName() {
        Ecat8NormTables good;
        good.fill();
        const auto m = write(good);
        const auto refused = [&](const Ecat8NormTables& tables, const char* from = "", const char* to = "") {
            writeEcat8Norm(folder_.path().toStdString(), "x.n", tables);
            QFile header(folder_.filePath("x.n.hdr"));
            (void)header.open(QIODevice::ReadOnly);
            const QByteArray text = *from == '\0' ? header.readAll() : header.readAll().replace(from, to);
            header.close();
            (void)header.open(QIODevice::WriteOnly);
            header.write(text);
            header.close();
            return refusal(
                [&] { static_cast<void>(ecat8Efficiencies(path("x.n.hdr"), path("list.l.hdr"), *m)); });
        };

        QVERIFY(refused(good, "crystal interference", "something").contains("no 'crystal interference'"));
        QVERIFY(refused(good, "{24,4}", "{24,x}").contains("matrix size"));
        QVERIFY(refused(good, "{24,4}", "{24}").contains("[3]"));
        QVERIFY(refused(good, "{9,7}", "{9,8}").contains("do not go together"));
        QVERIFY(refused(good, "{13}", "{12}").contains("12 axial effects"));
        QVERIFY(refused(good, "components:=5", "components:=1000").contains("between 1 and 99"));
        QVERIFY(refused(good, "bytes [2]:=", "bytes [2]:=9").contains("ends before"));
        Ecat8NormTables bad = good;
        bad.efficiencies[7] = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(refused(bad).contains("'crystal efficiencies'"));
        bad = good;
        bad.axial[0] = -1;
        QVERIFY(refused(bad).contains("-1"));
        bad = good;
        bad.crystals = 12;
        QVERIFY(refused(bad).contains("normalisation of its scanner"));
    }
};

QTEST_APPLESS_MAIN(NormEcat8Test)

}  // namespace norm_ecat8_test
#include "norm_ecat8_test.moc"
