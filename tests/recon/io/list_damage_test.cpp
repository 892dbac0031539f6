// SPDX-License-Identifier: Apache-2.0
// Every list and raw file damaged in 25 ways by one generator: a reader gives what the whole file holds, says
// something, or refuses it in a sentence. The table of docs/measurements/lists.md is what this test finds;
// TOFSCOPE_WRITE_TABLE=1 writes it. What is believed without a word stands there with the reason.
#include <QFile>
#include <QMap>
#include <QRegularExpression>
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
#include "tests/support/ecat8_norm.h"
#include "tests/support/foreign_lists.h"
#include "tests/support/gate_lists.h"
#include "tests/support/ge_lists.h"
#include "tests/support/petsird_writer.h"

using namespace tof;
using namespace tof::test;

namespace {

/// A field of a header; a value is text of it.
struct Field {
    QByteArray key;
    QByteArray value;
};
using Fields = std::vector<Field>;

QByteArray changedNumber(const QByteArray& value, const std::function<double(double)>& change) {
    return QByteArray::number(change(value.toDouble()), 'g', 12);
}

/// What becomes of the field that is damaged: none, one or two lines.
struct FieldDamage {
    const char* name;
    std::function<std::vector<QByteArray>(const QByteArray& value)> values;
};

std::vector<FieldDamage> fieldDamages() {
    const auto to = [](const char* text) {
        return [text](const QByteArray&) { return std::vector<QByteArray>{text}; };
    };
    const auto by = [](const std::function<double(double)>& change) {
        return [change](const QByteArray& value) {
            return std::vector<QByteArray>{changedNumber(value, change)};
        };
    };
    return {
        {"missing", [](const QByteArray&) { return std::vector<QByteArray>{}; }},
        {"empty", to("")},
        {"zero", to("0")},
        {"negative", by([](double x) { return -x - (x == 0 ? 1 : 0); })},
        {"no number", to("nan")},
        {"infinite", to("inf")},
        {"a word", to("many")},
        {"huge", to("1e30")},
        {"twice alike",
         [](const QByteArray& value) {
             return std::vector<QByteArray>{value, value};
         }},
        {"twice, contradicting",
         [](const QByteArray& value) {
             return std::vector<QByteArray>{value, changedNumber(value, [](double x) { return 2 * x + 1; })};
         }},
        {"another unit, x 1000", by([](double x) { return 1000 * x; })},
        {"another unit, x 0.1", by([](double x) { return 0.1 * x; })},
        {"half more", by([](double x) { return x + 0.5; })},
        {"one more", by([](double x) { return x + 1; })},
        {"one less", by([](double x) { return x - 1; })}};
}

struct DataDamage {
    const char* name;
    std::function<QByteArray(const QByteArray& data, qsizetype start, qsizetype record)> change;
};

std::vector<DataDamage> dataDamages() {
    const auto records = [](QByteArray data, qsizetype start, qsizetype record, auto change) {
        std::vector<QByteArray> all;
        for (qsizetype at = start; at + record <= data.size(); at += record) {
            all.push_back(data.mid(at, record));
        }
        change(all);
        data.truncate(start);
        for (const QByteArray& one : all) {
            data += one;
        }
        return data;
    };
    const auto middle = [](char value) {
        return [value](QByteArray data, qsizetype start, qsizetype record) {
            const qsizetype at = start + (data.size() - start) / record / 2 * record;
            return data.replace(at, record, QByteArray(record, value));
        };
    };
    return {{"no data", [](const QByteArray&, qsizetype, qsizetype) { return QByteArray(); }},
            {"cut within a record", [](const QByteArray& data, qsizetype,
                                       qsizetype record) { return data.chopped((record + 1) / 2); }},
            {"a record less",
             [](const QByteArray& data, qsizetype, qsizetype record) { return data.chopped(record); }},
            {"half of it",
             [](const QByteArray& data, qsizetype start, qsizetype record) {
                 return data.left(start + (data.size() - start) / record / 2 * record);
             }},
            {"bytes more",
             [](const QByteArray& data, qsizetype, qsizetype) { return data + QByteArray(3, '\1'); }},
            {"a record more",
             [](const QByteArray& data, qsizetype, qsizetype record) { return data + data.right(record); }},
            {"another byte order",
             [=](const QByteArray& data, qsizetype start, qsizetype record) {
                 return records(data, start, record, [](std::vector<QByteArray>& all) {
                     for (QByteArray& one : all) {
                         std::reverse(one.begin(), one.end());
                     }
                 });
             }},
            {"another order of records",
             [=](const QByteArray& data, qsizetype start, qsizetype record) {
                 return records(data, start, record,
                                [](std::vector<QByteArray>& all) { std::reverse(all.begin(), all.end()); });
             }},
            {"a record of zeros", middle('\0')},
            {"a record of ones", middle('\xFF')}};
}

/// How a kind of file is written with its fields and data, and all that its reader gives, as bytes.
struct Reader {
    QString name;
    Fields fields{};
    std::set<QByteArray> whole{};  ///< fields that are not damaged
    bool once = false;             ///< a field cannot stand twice
    QByteArray data{};
    qsizetype start = 0;   ///< where the records of the data begin
    qsizetype record = 1;  ///< bytes of one
    std::function<void(const Fields& fields, const QByteArray& data)> write{};
    std::function<QByteArray(std::string& note)> read{};
};

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

/// Counts of outcomes of one damage over all fields: R, N, = and B of the table.
struct Cell {
    int refused = 0;
    int remark = 0;
    int right = 0;
    int believed = 0;
    [[nodiscard]] QString text() const {
        QStringList parts;
        for (const auto& [count, letter] :
             {std::pair{refused, "R"}, {remark, "N"}, {right, "="}, {believed, "B"}}) {
            if (count > 0) {
                parts += (count > 1 ? QString::number(count) + " " : QString()) + letter;
            }
        }
        return parts.isEmpty() ? "" : parts.join(", ");
    }
};

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
        r.whole = {"Scanner name", "Data filename", "Data mode", "Data type", "Start time (s)"};
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
        r.whole = {"scannerName", "detCoord"};
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
        r.once = true;
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
            r.fields.push_back({name, QByteArray::number(value, 'g', 17)});
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
        r.whole = {"!INTERFILE", "%SMS-MI header name space", "name of data file", "%patient orientation"};
        r.fields.push_back({"%number of segments", "3"});
        r.fields.push_back({"%segment table", "{7,3,3}"});
        r.whole.insert("%segment table");
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
        r.whole = {"!INTERFILE", "name of data file", "!originating system"};
        for (const Field& field : r.fields) {
            if (field.key.startsWith("%normalization component") || field.value.startsWith('{')) {
                r.whole.insert(field.key);
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

    /// The outcome of reading what was written; believed ones are named.
    void judge(const Reader& reader, const QByteArray& whole, const std::string& usual, const QString& key,
               const QString& damage, Cell& cell) {
        try {
            std::string note;
            const QByteArray read = reader.read(note);
            if (note != usual) {
                ++cell.remark;
            } else if (read == whole) {
                ++cell.right;
            } else {
                ++cell.believed;
                believe(reader.name + (key.isEmpty() ? "" : ", " + key.trimmed()), damage);
            }
        } catch (const Error& fault) {
            const QString told = fault.what();
            QVERIFY2(told.contains(folder_.path()) && !told.contains('\n'),
                     qPrintable(key + ", " + damage + ": " + told));
            ++cell.refused;
        }
    }

    /// The cells of one reader, damage by damage.
    [[nodiscard]] QStringList column(const Reader& reader) {
        reader.write(reader.fields, reader.data);
        std::string usual;
        const QByteArray whole = reader.read(usual);
        QStringList cells;
        for (const FieldDamage& damage : fieldDamages()) {
            Cell cell;
            for (std::size_t i = 0; i < reader.fields.size(); ++i) {
                const auto& [key, value] = reader.fields[i];
                const std::vector<QByteArray> values = damage.values(value);
                if (reader.whole.contains(key) || (reader.once && values.size() > 1)) {
                    continue;
                }
                Fields changed(reader.fields.begin(), reader.fields.begin() + static_cast<std::ptrdiff_t>(i));
                for (const QByteArray& one : values) {
                    changed.push_back({key, one});
                }
                changed.insert(changed.end(), reader.fields.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                               reader.fields.end());
                reader.write(changed, reader.data);
                judge(reader, whole, usual, key, damage.name, cell);
            }
            cells += cell.text();
        }
        for (const DataDamage& damage : dataDamages()) {
            Cell cell;
            reader.write(reader.fields, damage.change(reader.data, reader.start, reader.record));
            judge(reader, whole, usual, "", damage.name, cell);
            cells += cell.text();
        }
        return cells;
    }

    void believe(const QString& what, const QString& damage) {
        auto at = std::find_if(believed_.begin(), believed_.end(),
                               [&](const Believed& one) { return one.what == what; });
        if (at == believed_.end()) {
            at = believed_.insert(at, {what, {}});
        }
        at->damages += damage;
    }

    struct Believed {
        QString what;
        QStringList damages;
    };
    std::vector<Believed> believed_;
    std::vector<QByteArray> geNames_;

  private slots:
    void theTableIsWhatReadersDo() {
        std::vector<Reader> readers;
        for (const auto& make :
             {&ListDamageTest::castor, &ListDamageTest::safir, &ListDamageTest::yrt, &ListDamageTest::inveon,
              &ListDamageTest::ge, &ListDamageTest::ecat8, &ListDamageTest::ptd, &ListDamageTest::ecat8Norm,
              &ListDamageTest::petsird, &ListDamageTest::gate}) {
            readers.push_back((this->*make)());
            if (readers.back().name == "GE RDF 9") {
                for (const Field& field : readers.back().fields) {
                    geNames_.push_back(field.key);
                }
            }
        }
        QString head = "| damage |";
        QString line = "| --- |";
        std::vector<QStringList> columns;
        for (const Reader& reader : readers) {
            head += " " + reader.name + " |";
            line += " --- |";
            columns.push_back(column(reader));
        }
        QString table = head + "\n" + line + "\n";
        QStringList names;
        for (const FieldDamage& damage : fieldDamages()) {
            names += damage.name;
        }
        for (const DataDamage& damage : dataDamages()) {
            names += damage.name;
        }
        QCOMPARE(names.size(), qsizetype{25});
        for (qsizetype i = 0; i < names.size(); ++i) {
            table += "| " + names[i] + " |";
            for (const QStringList& cells : columns) {
                table += " " + cells[i] + " |";
            }
            table += "\n";
        }
        table += "\nBelieved:\n\n";
        for (const Believed& one : believed_) {
            table += "- " + one.what + ": " + one.damages.join(", ") + ".\n";
        }
        compareWithPage(table);
    }

  private:
    static void compareWithPage(const QString& table) {
        const QString name = QString(TOF_SOURCE_DIR) + "/docs/measurements/lists.md";
        QFile page(name);
        QVERIFY(page.open(QIODevice::ReadOnly));
        QString text = page.readAll();
        page.close();
        const QString begin = "<!-- table: damages -->\n";
        const QString end = "<!-- /table -->";
        const qsizetype from = text.indexOf(begin) + begin.size();
        const qsizetype to = text.indexOf(end);
        QVERIFY(from >= begin.size() && to >= from);
        if (qEnvironmentVariableIsSet("TOFSCOPE_WRITE_TABLE")) {
            saveBytes(name, text.replace(from, to - from, table).toUtf8());
            return;
        }
        const QString held = text.mid(from, to - from);
        QVERIFY2(held == table,
                 qPrintable("docs/measurements/lists.md differs; TOFSCOPE_WRITE_TABLE=1 writes:\n" + table));
    }
};

QTEST_GUILESS_MAIN(ListDamageTest)
#include "list_damage_test.moc"
