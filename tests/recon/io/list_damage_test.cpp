// SPDX-License-Identifier: Apache-2.0
// Every list and raw file damaged in 25 ways by one generator: a reader gives what the whole file holds, says
// something, or refuses it in a sentence. The table of docs/measurements/lists.md is what this test finds;
// TOFSCOPE_WRITE_TABLE=1 writes it. What is believed without a word stands there with the reason.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <fstream>
#include <functional>
#include <set>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/io/interfile/list_ecat8.h"
#include "recon/io/interfile/norm_ecat8.h"
#include "tests/support/damages.h"
#include "tests/support/ecat8_norm.h"
#include "tests/support/foreign_lists.h"
#include "tests/support/gate_lists.h"
#include "tests/support/ge_lists.h"
#include "tests/support/petlink_lists.h"
#include "tests/support/petsird_writer.h"

namespace list_damage_test {

using namespace tof;
using namespace tof::test;

namespace {

using Field = DamagedField;
using Fields = std::vector<DamagedField>;
using Reader = DamagedReader;

/// These fields stay as they are.
void keep(Fields& fields, const std::set<QByteArray>& keys) {
    for (Field& field : fields) {
        field.damaged = !keys.contains(field.key);
    }
}

QByteArray bytesOf(const EventList& events) {
    QByteArray bytes = little(events.duration_s) + QByteArray::number(qulonglong{events.size()});
    const auto add = [&](const auto& column) {
        for (const auto& value : column) {
            bytes += little(value);
        }
    };
    add(events.crystals);
    add(events.dt_ps);
    add(events.add);
    add(events.mult);
    add(events.time_ms);
    return bytes + QByteArray::fromStdString(events.scannerJson);
}

QByteArray text(const Fields& fields, const char* mark) {
    QByteArray lines;
    for (const Field& field : fields) {
        lines += field.key + mark + field.value + "\n";
    }
    return lines;
}

Fields fieldsOf(const std::string& header) {
    Fields fields;
    for (const QByteArray& line : QByteArray::fromStdString(header).split('\n')) {
        if (const qsizetype at = line.indexOf(":="); at >= 0) {
            fields.push_back({line.left(at), line.mid(at + 2)});
        }
    }
    return fields;
}

}  // namespace

class ListDamageTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] std::function<QByteArray(std::string&)> eventsAt(const char* name,
                                                                   const QString& scanner = {}) const {
        const std::string file = path(name).toStdString();
        const std::string given = scanner.isEmpty() ? "" : path(scanner).toStdString();
        return [file, given](std::string& note) {
            const ListReadResult read = readEvents(file, {false, given});
            note = read.note;
            return bytesOf(read.events);
        };
    }
    void saveText(const QString& name, const std::string& bytes) const {
        saveBytes(path(name), QByteArray::fromStdString(bytes));
    }

    [[nodiscard]] Reader castor() const {
        Reader r{.name = "CASToR"};
        r.fields = {{"Scanner name", "ring"},
                    {"Data filename", "d.cdf"},
                    {"Number of events", "30"},
                    {"Data mode", "list-mode"},
                    {"Data type", "PET"},
                    {"Start time (s)", "0"},
                    {"Duration (s)", "60"},
                    {"Random correction flag", "1"},
                    {"TOF information flag", "1"},
                    {"TOF resolution (ps)", "400"},
                    {"List TOF measurement range (ps)", "2000"}};
        keep(r.fields, {"Scanner name", "Data filename", "Data mode", "Data type", "Start time (s)"});
        for (quint32 i = 0; i < 30; ++i) {
            r.data += little(i) + little(0.25F) + little(100.0F) + little(i % 6) + little(i % 6 + 6);
        }
        r.record = 20;
        r.write = [this](const Fields& fields, const QByteArray& data) {
            saveText("ring.geom",
                     "modality: PET\nscanner name: ring\nnumber of elements: 12\nnumber of layers: 1\n"
                     "scanner radius: 100\nnumber of rsectors: 12\nnumber of crystals transaxial: 1\n"
                     "number of crystals axial: 1\ncrystals size depth: 20\ncrystals size transaxial: 4\n"
                     "crystals size axial: 4\nrsectors first angle: 0\nrsectors angular span: 360\n"
                     "mean depth of interaction: -1\nrotation direction: CW\n");
            saveBytes(path("d.cdf"), data);
            saveBytes(path("d.cdh"), text(fields, ": "));
        };
        r.read = eventsAt("d.cdh");
        return r;
    }

    [[nodiscard]] Reader safir() const {
        Reader r{.name = "SAFIR"};
        r.fields = {{"0,1,100,0", "5"}, {"0,2,-100,1", "-4"}, {"1,3,3,100", "12"}};
        r.data = QByteArray("SAFIR CListModeData").leftJustified(32, '\0');
        const quint64 time = quint64{1} << 63U;
        for (quint64 i = 0; i < 30; ++i) {
            const quint64 other = i % 2 == 0 ? quint64{2} << 32U : quint64{3} << 32U | quint64{1} << 8U;
            r.data += little(i % 3 == 0 ? time | (100 + i) : quint64{1} << 16U | other);
        }
        r.start = 32;
        r.record = 8;
        r.write = [this](const Fields& fields, const QByteArray& data) {
            saveBytes(path("d.safir"), data);
            saveBytes(path("crystal_map.txt"), text(fields, ","));
        };
        r.read = eventsAt("d.safir", "crystal_map.txt");
        return r;
    }

    [[nodiscard]] Reader yrt() const {
        Reader r{.name = "YRT-PET"};
        const SmallRing ring{24, 4, 100, 5};
        writeYrtScanner(folder_.path(), ring, 20, {{"timing_fwhm_ps", "300"}});
        QFile json(path("small.json"));
        if (!json.open(QIODevice::ReadOnly)) {
            qFatal("no scanner");
        }
        QByteArray body = json.readAll();
        for (const QByteArray& part : body.mid(1, body.size() - 2).split(',')) {
            const qsizetype at = part.indexOf(": ");
            r.fields.push_back({part.left(at).replace("\"", ""), part.mid(at + 2)});
        }
        keep(r.fields, {"scannerName", "detCoord"});
        for (quint32 i = 0; i < 60; ++i) {
            r.data += little(i) + little(i % 96) + little((i + 36) % 96) +
                      little(i % 2 == 0 ? 40.0F : -60.0F - static_cast<float>(i));
        }
        r.record = 16;
        r.write = [this](const Fields& fields, const QByteArray& data) {
            QByteArray text;
            for (const Field& field : fields) {
                text += (text.isEmpty() ? "{\"" : ",\"") + field.key + "\": " + field.value;
            }
            saveBytes(path("small.json"), text + "}");
            saveBytes(path("d.lmDat"), data);
        };
        r.read = eventsAt("d.lmDat", "small.json");
        return r;
    }

    [[nodiscard]] Reader inveon() const {
        Reader r{.name = "Inveon"};
        InveonWords words;
        for (std::uint64_t i = 0; i < 60; ++i) {
            i % 5 == 0 ? words.tick() : words.prompt(i * 321, 25599 - i * 322);
        }
        r.data = words.bytes;
        r.record = 6;
        r.write = [this](const Fields&, const QByteArray& data) { saveBytes(path("d.lst"), data); };
        r.read = eventsAt("d.lst");
        return r;
    }

    [[nodiscard]] Reader ge() const {
        Reader r{.name = "GE RDF 9"};
        GeList list;
        list.marker(70000);
        list.point({-60, 35, 12}, 30);
        list.marker(72500);
        writeRdf9(path("d.BLF").toStdString(), list);
        const h5::Reader file(path("d.BLF").toStdString());
        const QByteArray geometry = "/HeaderData/SystemGeometry/";
        for (const QByteArray& name :
             {QByteArray("/HeaderData/RDFConfiguration/fileVersion/majorVersion"),
              QByteArray("/HeaderData/RDFConfiguration/isListFile"),
              QByteArray("/HeaderData/ListHeader/isListCompressed"),
              QByteArray("/HeaderData/ListHeader/firstTmAbsTimeStamp"),
              QByteArray("/HeaderData/ListHeader/lastTmAbsTimeStamp"),
              QByteArray("/HeaderData/AcqParameters/EDCATParameters/coincTimingPrecision"),
              geometry + "axialBlocksPerModule", geometry + "radialCrystalsPerBlock",
              geometry + "effectiveRingDiameter", geometry + "detectorAxialSize",
              geometry + "transaxial_crystal_0_offset"}) {
            const double value = file.read<double>(name.toStdString(), {1}).front();
            r.fields.push_back({name, QByteArray::number(value, 'g', 17), FieldKind::Once});
        }
        r.data = QByteArray(reinterpret_cast<const char*>(list.bytes.data()),
                            static_cast<qsizetype>(list.bytes.size()));
        r.record = 6;
        r.write = [this](const Fields& fields, const QByteArray& data) {
            GeList changed;
            changed.bytes.assign(data.begin(), data.end());
            std::map<std::string, double> numbers;
            std::set<std::string> texts;
            for (const Field& field : fields) {
                bool number = false;
                numbers[field.key.toStdString()] = field.value.toDouble(&number);
                if (!number && field.value != "nan" && field.value != "inf") {
                    texts.insert(field.key.toStdString());
                }
                if (field.value == "nan" || field.value == "inf") {
                    numbers[field.key.toStdString()] =
                        field.value == "nan" ? std::nan("") : std::numeric_limits<double>::infinity();
                }
            }
            writeRdf9(path("d.BLF").toStdString(), changed, numbers, missingOf(fields), texts);
        };
        r.read = eventsAt("d.BLF");
        return r;
    }
    /// Fields of a list of GE that `fields` leave out.
    [[nodiscard]] std::set<std::string> missingOf(const Fields& fields) const {
        std::set<std::string> missing;
        for (const QByteArray& name : geNames_) {
            if (std::none_of(fields.begin(), fields.end(),
                             [&](const Field& one) { return one.key == name; })) {
                missing.insert(name.toStdString());
            }
        }
        return missing;
    }

    [[nodiscard]] Reader ecat8() const {
        Reader r{.name = "Siemens ECAT8"};
        Ecat8NormTables tables;
        tables.fill();
        r.fields = fieldsOf(ecat8ListHeader(tables, "d.l"));
        keep(r.fields,
             {"!INTERFILE", "%SMS-MI header name space", "name of data file", "%patient orientation"});
        r.fields.push_back({"%number of segments", "3"});
        r.fields.push_back({"%segment table", "{7,3,3}", FieldKind::Text, false});
        std::vector<std::uint32_t> words = cylinderWords(tables);
        words.resize(400);
        words.push_back(0x80000000U | 2000U);
        for (const std::uint32_t word : words) {
            r.data += little(word);
        }
        for (Field& field : r.fields) {
            if (field.key == "%total listmode word counts") {
                field.value = QByteArray::number(static_cast<int>(words.size()));
            }
        }
        r.record = 4;
        r.write = [this](const Fields& fields, const QByteArray& data) {
            saveBytes(path("d.l"), data);
            saveBytes(path("d.l.hdr"), text(fields, ":="));
        };
        r.read = wordsAt("d.l.hdr");
        return r;
    }
    [[nodiscard]] std::function<QByteArray(std::string&)> wordsAt(const char* name) const {
        const std::string file = path(name).toStdString();
        return [file](std::string& note) {
            Ecat8Options options;
            options.events = true;
            options.moments = true;
            const Ecat8Result read = readEcat8(file, options);
            note = read.note;
            QByteArray bytes = little(read.data.duration_s);
            for (const auto* column : {&read.prompts, &read.delayeds, &read.prompts_ms}) {
                for (const std::uint32_t value : *column) {
                    bytes += little(value);
                }
            }
            return bytes + QByteArray::fromStdString(read.data.michelogram->spec().toJson());
        };
    }

    [[nodiscard]] Reader petlink() const {
        Reader r{.name = "Siemens PETLINK"};
        PetlinkWords words;
        for (unsigned i = 0; i < 60; ++i) {
            if (i % 6 == 0) {
                words.time(1000 + i);
            } else {
                words.event(true, 1 + i, {i % 40, i}, {i % 37, 79 - i}, static_cast<int>(i) - 30);
            }
        }
        r.fields.push_back({"!INTERFILE", ""});
        for (const auto& [key, value] : petlinkFields("1208", "d.l", 60)) {
            r.fields.push_back({key, value});
        }
        keep(r.fields, {"!INTERFILE", "%SMS-MI header name space", "originating system", "name of data file",
                        "%patient orientation"});
        r.data = words.bytes;
        r.record = 8;
        r.write = [this](const Fields& fields, const QByteArray& data) {
            saveBytes(path("d.l"), data);
            saveBytes(path("d.l.hdr"), text(fields, ":="));
        };
        r.read = eventsAt("d.l.hdr");
        return r;
    }

    /// The list of ecat8() with its header in DICOM behind the words.
    [[nodiscard]] Reader ptd() const {
        Reader r = ecat8();
        r.name = "Siemens .ptd";
        r.write = [this](const Fields& fields, const QByteArray& data) {
            const QByteArray header = text(fields, ":=");
            saveBytes(path("d.ptd"), data + QByteArray(128, '\0') + "DICM" +
                                         QByteArray("\x29\0\x10\x10OB\0\0", 8) +
                                         little(static_cast<quint32>(header.size())) + header);
        };
        r.read = wordsAt("d.ptd");
        return r;
    }

    [[nodiscard]] Reader ecat8Norm() const {
        Reader r{.name = "ECAT8 .n"};
        Ecat8NormTables tables;
        tables.fill();
        writeEcat8Norm(folder_.path().toStdString(), "x.n", tables);
        std::ifstream header(path("x.n.hdr").toStdString());
        r.fields = fieldsOf({std::istreambuf_iterator<char>(header), {}});
        keep(r.fields, {"!INTERFILE", "name of data file", "!originating system"});
        for (Field& field : r.fields) {
            if (field.key.startsWith("%normalization component") || field.value.startsWith('{')) {
                field.damaged = false;
            }
        }
        QFile data(path("x.n"));
        if (!data.open(QIODevice::ReadOnly)) {
            qFatal("no factors");
        }
        r.data = data.readAll();
        r.record = 4;
        saveText("list.l.hdr", ecat8ListHeader(tables, "list.l"));
        saveText("list.l", std::string("\0\0\0\x80", 4));
        r.write = [this](const Fields& fields, const QByteArray& factors) {
            saveBytes(path("x.n"), factors);
            saveBytes(path("x.n.hdr"), text(fields, ":="));
        };
        const std::string norm = path("x.n.hdr").toStdString();
        const std::string list = path("list.l.hdr").toStdString();
        r.read = [norm, list](std::string& note) {
            const Ecat8Result words = readEcat8(list, {});
            const Ecat8Efficiencies read = ecat8Efficiencies(norm, list, *words.data.michelogram);
            note = read.note;
            QByteArray bytes;
            for (const float value : read.values) {
                bytes += little(value);
            }
            return bytes;
        };
        return r;
    }

    [[nodiscard]] Reader petsird() const {
        Reader r{.name = "PETSIRD"};
        PetsirdWriter::Ring ring = petsirdRing();
        ring.azimuths.resize(3);
        ring.at0.resize(4);
        PetsirdWriter out(ring);
        const auto start = static_cast<qsizetype>(out.bytes.size());
        out.block(0, 9, {{{9, 4}, 40}, {{11, 7}, 39}}, {{{5, 2}, 1}});
        out.block(9, 20, {{{8, 4}, 40}, {{10, 7}, 39}}, {});
        out.end();
        r.data = QByteArray::fromStdString(out.bytes);
        r.start = start;
        r.record = 1;
        r.write = [this](const Fields&, const QByteArray& data) { saveBytes(path("d.petsird"), data); };
        r.read = eventsAt("d.petsird");
        return r;
    }

    [[nodiscard]] Reader gate() const {
        Reader r{.name = "GATE"};
        saveText("gate.json", kGateScanner);
        const Scanner ring = Scanner::fromJson(kGateScanner, "ring");
        r.data = QByteArray::fromStdString(RootWriter({RootPacking::None, 20, 20, false})
                                               .file("Coincidences", gate9Columns(gatePoint(ring, {}, 40))));
        r.start = r.data.size() / 2 / 8 * 8;
        r.record = 8;
        r.write = [this](const Fields&, const QByteArray& data) { saveBytes(path("d.root"), data); };
        r.read = eventsAt("d.root", "gate.json");
        return r;
    }

    std::vector<QByteArray> geNames_;

  private slots:
    void theTableIsWhatReadersDo() {
        std::vector<Reader> readers;
        for (const auto& make :
             {&ListDamageTest::castor, &ListDamageTest::safir, &ListDamageTest::yrt, &ListDamageTest::inveon,
              &ListDamageTest::ge, &ListDamageTest::petlink, &ListDamageTest::ecat8, &ListDamageTest::ptd,
              &ListDamageTest::ecat8Norm, &ListDamageTest::petsird, &ListDamageTest::gate}) {
            readers.push_back((this->*make)());
            if (readers.back().name == "GE RDF 9") {
                for (const Field& field : readers.back().fields) {
                    geNames_.push_back(field.key);
                }
            }
        }
        DamageTable table("record",
                          {"a record more", [](const QByteArray& data, qsizetype, qsizetype record) {
                               return data + data.right(record);
                           }});
        for (const Reader& reader : readers) {
            const QString fault = table.add(reader, folder_.path());
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
        }
        QCOMPARE(table.damages(), std::size_t{25});
        const QString differs = pageFault("lists.md", table.text());
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }
};

QTEST_GUILESS_MAIN(ListDamageTest)

}  // namespace list_damage_test
#include "list_damage_test.moc"
