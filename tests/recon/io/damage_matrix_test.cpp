// SPDX-License-Identifier: Apache-2.0
// Every field of small files damaged in every way by one generator: the reader gives what the whole file
// holds, says something, or refuses it in a sentence. What it believes without a word stands in a table with
// the reason.
#include <QFile>
#include <QMap>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format_table.h"
#include "tests/support/dicom_elements.h"

using namespace tof;
using tof::test::Elements;
using tof::test::kPet;
using tof::test::raw;

namespace {

enum class Damage { None, Missing, Zero, Negative, NoNumber, Doubled, OtherUnit, Truncated, Longer };

constexpr std::pair<Damage, const char*> kDamages[] = {
    {Damage::Missing, "missing"},     {Damage::Zero, "zero"},       {Damage::Negative, "negative"},
    {Damage::NoNumber, "no number"},  {Damage::Doubled, "doubled"}, {Damage::OtherUnit, "another unit"},
    {Damage::Truncated, "truncated"}, {Damage::Longer, "longer"}};

struct Field {
    QByteArray key;
    QByteArray value;
};

/// A file as a list of fields with numbers, and how it is written with one of them damaged and read again.
struct Reader {
    std::vector<Field> fields;
    std::vector<QByteArray> damaged;  ///< keys
    std::function<void(const std::vector<Field>& fields, const QByteArray& data)> write;
    QByteArray data;
    std::function<QByteArray(std::string& note)> read;  ///< all that it gives, as bytes
};

QByteArray changed(const QByteArray& value, Damage damage) {
    const bool list = value.startsWith('{');
    const QByteArray number = list ? value.mid(1, value.size() - 2) : value;
    QByteArray result = value;
    switch (damage) {
        case Damage::Zero: result = "0"; break;
        case Damage::Negative: result = "-" + number; break;
        case Damage::NoNumber: result = "nan"; break;
        case Damage::OtherUnit: result = QByteArray::number(1000 * number.toDouble(), 'g', 12); break;
        default: break;
    }
    return list && result != value ? "{" + result + "}" : result;
}

std::vector<Field> damagedFields(const std::vector<Field>& fields, const QByteArray& key, Damage damage) {
    std::vector<Field> result;
    for (const Field& field : fields) {
        if (field.key != key) {
            result.push_back(field);
            continue;
        }
        if (damage == Damage::Doubled) {
            result.push_back({key, changed(field.value, Damage::OtherUnit)});
        }
        if (damage != Damage::Missing) {
            result.push_back({key, changed(field.value, damage)});
        }
    }
    return result;
}

QByteArray floats(std::initializer_list<float> values) {
    QByteArray bytes;
    for (const float value : values) {
        bytes += raw(value);
    }
    return bytes;
}

QByteArray bytesOf(const VolumeReadResult& read) {
    QByteArray bytes = QByteArray::fromStdString(read.volume.lattice.text() + " " + read.volume.units);
    const Vec3 o = read.volume.lattice.origin_mm;
    bytes += raw(o.x) + raw(o.y) + raw(o.z) + raw(read.uptake ? suvPerBqMl(*read.uptake) : 0.0);
    return bytes + QByteArray(reinterpret_cast<const char*>(read.volume.data.data()),
                              static_cast<qsizetype>(sizeof(float) * read.volume.data.size()));
}

}  // namespace

class DamageMatrixTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    void save(const QString& name, const QByteArray& bytes) const {
        QFile out(path(name));
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size());
    }
    [[nodiscard]] std::function<QByteArray(std::string&)> volumeAt(const char* name) const {
        const std::string file = path(name).toStdString();
        return [file](std::string& note) {
            const VolumeReadResult read = recognise(file).readVolumeResult();
            note = read.note;
            return bytesOf(read);
        };
    }
    [[nodiscard]] static QByteArray text(const std::vector<Field>& fields, const char* mark) {
        QByteArray lines;
        for (const Field& field : fields) {
            lines += field.key + mark + field.value + "\n";
        }
        return lines;
    }

    [[nodiscard]] Reader interfile() const {
        Reader r;
        r.fields = {{"!INTERFILE ", ""},
                    {"name of data file ", "d.v"},
                    {"imagedata byte order ", "LITTLEENDIAN"},
                    {"!PET data type ", "Image"},
                    {"!number format ", "float"},
                    {"!number of bytes per pixel ", "4"},
                    {"number of dimensions ", "3"},
                    {"!matrix size [1] ", "3"},
                    {"!matrix size [2] ", "2"},
                    {"!matrix size [3] ", "2"},
                    {"scaling factor (mm/pixel) [1] ", "4"},
                    {"scaling factor (mm/pixel) [2] ", "5"},
                    {"scaling factor (mm/pixel) [3] ", "3"},
                    {"first pixel offset (mm) [1] ", "-7"},
                    {"image scaling factor[1] ", "2"},
                    {"data offset in bytes[1] ", "0"},
                    {"!END OF INTERFILE ", ""}};
        r.damaged = {"!number of bytes per pixel ",
                     "number of dimensions ",
                     "!matrix size [1] ",
                     "!matrix size [3] ",
                     "scaling factor (mm/pixel) [1] ",
                     "scaling factor (mm/pixel) [3] ",
                     "first pixel offset (mm) [1] ",
                     "image scaling factor[1] ",
                     "data offset in bytes[1] "};
        r.data = floats({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
        r.write = [this](const std::vector<Field>& fields, const QByteArray& data) {
            save("d.v", data);
            save("d.hv", text(fields, ":= "));
        };
        r.read = volumeAt("d.hv");
        return r;
    }

    [[nodiscard]] Reader castor() const {
        Reader r;
        r.fields = {{"Scanner name", "ring"},
                    {"Data filename", "d.cdf"},
                    {"Number of events", "3"},
                    {"Data mode", "list-mode"},
                    {"Data type", "PET"},
                    {"Start time (s)", "0"},
                    {"Duration (s)", "60"},
                    {"Random correction flag", "1"},
                    {"TOF information flag", "1"},
                    {"TOF resolution (ps)", "400"},
                    {"List TOF measurement range (ps)", "2000"}};
        r.damaged = {"Number of events",     "Duration (s)",        "Random correction flag",
                     "TOF information flag", "TOF resolution (ps)", "List TOF measurement range (ps)"};
        for (quint32 i = 0; i < 3; ++i) {
            r.data += raw(i) + raw(0.25F) + raw(100.0F) + raw(i) + raw(i + 6);
        }
        r.write = [this](const std::vector<Field>& fields, const QByteArray& data) {
            save("ring.geom",
                 "modality: PET\nscanner name: ring\nnumber of elements: 12\nnumber of layers: 1\n"
                 "scanner radius: 100\nnumber of rsectors: 12\nnumber of crystals transaxial: 1\n"
                 "number of crystals axial: 1\ncrystals size depth: 20\ncrystals size transaxial: 4\n"
                 "crystals size axial: 4\nrsectors first angle: 0\nrsectors angular span: 360\n"
                 "mean depth of interaction: -1\nrotation direction: CW\n");
            save("d.cdf", data);
            save("d.cdh", text(fields, ": "));
        };
        const std::string file = path("d.cdh").toStdString();
        r.read = [file](std::string& note) {
            const ListReadResult read = readEvents(file);
            note = read.note;
            QByteArray bytes = raw(read.events.duration_s) + QByteArray::number(read.events.size());
            for (std::size_t i = 0; i < read.events.size(); ++i) {
                bytes += raw(read.events.crystals[i]) +
                         raw(read.events.dt_ps.empty() ? 0.0F : read.events.dt_ps[i]) +
                         raw(read.events.add.empty() ? 0.0F : read.events.add[i]);
            }
            return bytes + QByteArray::fromStdString(read.events.scannerJson);
        };
        return r;
    }

    /// The middle one of three slices is damaged; keys are tags.
    [[nodiscard]] Reader dicom() const {
        Reader r;
        r.fields = {{"00101030", "70"},  {"00180050", "4"},         {"00280030", "2"},      {"00281052", "0"},
                    {"00281053", "0.5"}, {"00181074", "370000000"}, {"00181075", "6586.2"}, {"00280010", "2"},
                    {"00280011", "3"},   {"00280100", "16"}};
        for (const Field& field : r.fields) {
            r.damaged.push_back(field.key);
        }
        for (qint16 i = 0; i < 6; ++i) {
            r.data += raw(static_cast<qint16>(100 + i));
        }
        const std::vector<Field> whole = r.fields;
        const QByteArray pixels = r.data;
        r.write = [this, whole, pixels](const std::vector<Field>& fields, const QByteArray& data) {
            save("0.dcm", slice(whole, pixels, 0));
            save("1.dcm", slice(fields, data, 4));
            save("2.dcm", slice(whole, pixels, 8));
        };
        r.read = volumeAt("1.dcm");
        return r;
    }
    [[nodiscard]] static QByteArray slice(const std::vector<Field>& fields, const QByteArray& pixels, int z) {
        Elements e;
        Elements drug;
        Elements code;
        code.text(0x00080100, "SH", "C-111A1");
        drug.text(0x00181072, "TM", "090000");
        drug.sequence(0x00540300, code);
        for (const auto& [tag, value] : {std::pair{0x00080021U, "20261122"},
                                         {0x00080031U, "100000"},
                                         {0x00541001U, "BQML"},
                                         {0x00541102U, "START"},
                                         {0x0020000EU, "1.2.3"},
                                         {0x00080016U, kPet},
                                         {0x00280004U, "MONOCHROME2"},
                                         {0x00200037U, "1\\0\\0\\0\\1\\0"}}) {
            e.text(tag, tag == 0x00080016U || tag == 0x0020000EU ? "UI" : "LO", value);
        }
        e.text(0x00200032, "DS", "0\\0\\" + QByteArray::number(z));
        for (const Field& field : fields) {
            const quint32 tag = field.key.toUInt(nullptr, 16);
            if (tag == 0x00280010U || tag == 0x00280011U || tag == 0x00280100U) {
                e.whole(tag, static_cast<quint16>(field.value.toDouble()));
            } else if (tag >> 16U == 0x0018U && tag != 0x00180050U) {
                drug.text(tag, "DS", field.value);
            } else {
                e.text(tag, "DS", tag == 0x00280030U ? field.value + "\\2" : field.value);
            }
        }
        e.sequence(0x00540016, drug);
        e.whole(0x00280101, 16);
        e.whole(0x00280102, 15);
        e.whole(0x00280103, 1);
        e.put(0x7FE00010, "OW", pixels);
        return e.file(kPet);
    }

    /// Keys are an offset and a type of the header.
    [[nodiscard]] Reader nifti() const {
        Reader r;
        r.fields = {{"40h", "3"},    {"42h", "3"},   {"44h", "2"},  {"46h", "2"},   {"70h", "4"},
                    {"108f", "352"}, {"112f", "2"},  {"116f", "1"}, {"123b", "2"},  {"254h", "1"},
                    {"280f", "2"},   {"292f", "10"}, {"300f", "3"}, {"308f", "20"}, {"320f", "4"},
                    {"324f", "30"},  {"80f", "2"},   {"84f", "3"},  {"88f", "4"},   {"72h", "16"}};
        r.damaged = {"40h", "42h", "46h", "70h", "108f", "112f", "254h", "280f", "320f", "123b"};
        for (qint16 i = 0; i < 12; ++i) {
            r.data += raw(static_cast<qint16>(100 + i));
        }
        r.write = [this](const std::vector<Field>& fields, const QByteArray& data) {
            QByteArray bytes(352, '\0');
            const auto put = [&](int offset, auto value) {
                std::memcpy(bytes.data() + offset, &value, sizeof(value));
            };
            put(0, qint32{348});
            std::memcpy(bytes.data() + 344, "n+1", 4);
            for (const Field& field : fields) {
                const int offset = field.key.chopped(1).toInt();
                const double value = field.value == "nan" ? std::nan("") : field.value.toDouble();
                if (field.key.endsWith('f')) {
                    put(offset, static_cast<float>(value));
                } else if (field.key.endsWith('h')) {
                    put(offset, static_cast<qint16>(std::isnan(value) ? 32000 : std::min(value, 32000.0)));
                } else {
                    put(offset, static_cast<quint8>(std::isnan(value) ? 255
                                                    : value > 255     ? 3
                                                                      : std::abs(value)));
                }
            }
            save("d.nii", bytes + data);
        };
        r.read = volumeAt("d.nii");
        return r;
    }

  private slots:
    void initTestCase() {
        if (!whyNoDicom().empty()) {
            QSKIP(whyNoDicom().c_str());
        }
    }

    void nothingIsBelievedWithoutAWord_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"Interfile", "CASToR", "DICOM", "NIfTI"}) {
            QTest::newRow(name) << name;
        }
    }

    void nothingIsBelievedWithoutAWord() {
        QFETCH(QString, name);
        const Reader reader = name == "Interfile" ? interfile()
                              : name == "CASToR"  ? castor()
                              : name == "DICOM"   ? dicom()
                                                  : nifti();
        reader.write(reader.fields, reader.data);
        std::string note;
        const QByteArray whole = reader.read(note);
        QVERIFY2(note.empty(), note.c_str());
        QMap<QString, int> counted;
        QStringList silent;
        std::vector<QByteArray> keys = reader.damaged;
        keys.push_back("data");
        for (const QByteArray& key : keys) {
            for (const auto& [damage, called] : kDamages) {
                const bool ofData = damage == Damage::Truncated || damage == Damage::Longer;
                if (ofData != (key == "data")) {
                    continue;
                }
                const QByteArray data = damage == Damage::Truncated ? reader.data.left(reader.data.size() / 2)
                                        : damage == Damage::Longer  ? reader.data + QByteArray(6, '\1')
                                                                    : reader.data;
                reader.write(damagedFields(reader.fields, key, damage), data);
                QString outcome = "right";
                try {
                    note.clear();
                    const QByteArray read = reader.read(note);
                    outcome = !note.empty() ? "remark" : read == whole ? "right" : "silent";
                } catch (const Error& fault) {
                    const QString told = fault.what();
                    QVERIFY2(told.contains(folder_.path()) && !told.contains('\n'), qPrintable(told));
                    outcome = "refused";
                }
                ++counted[outcome];
                if (outcome == "silent") {
                    silent.append(key.trimmed() + ", " + called);
                }
            }
        }
        qInfo() << qPrintable(name) << counted << silent;
        QCOMPARE(silent, believed().value(name));
    }

  private:
    /// What no reader can know from the file alone: numbers that are as possible as the true ones, and what
    /// the formats define so (an absent offset is centred, an absent factor is 1, of two lines one counts).
    [[nodiscard]] static QMap<QString, QStringList> believed() {
        return {
            {"Interfile",
             {"scaling factor (mm/pixel) [1], another unit", "scaling factor (mm/pixel) [3], another unit",
              "first pixel offset (mm) [1], missing", "first pixel offset (mm) [1], zero",
              "first pixel offset (mm) [1], another unit", "image scaling factor[1], missing",
              "image scaling factor[1], another unit"}},
            {"CASToR",
             {"Duration (s), doubled", "Duration (s), another unit",
              "List TOF measurement range (ps), doubled", "List TOF measurement range (ps), another unit"}},
            {"DICOM", {"00281053, another unit"}},
            {"NIfTI",
             {"112f, missing", "112f, zero", "112f, no number", "112f, another unit", "280f, negative",
              "280f, another unit", "320f, negative", "320f, another unit", "123b, another unit"}}};
    }
};

QTEST_GUILESS_MAIN(DamageMatrixTest)
#include "damage_matrix_test.moc"
