// SPDX-License-Identifier: Apache-2.0
// Every image reader against 25 damages of one generator. The table of docs/measurements/foreign.md is what
// this test finds; TOFSCOPE_WRITE_TABLE=1 writes it.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>
#include <limits>

#include "recon/io/dicom/dicom_slices.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "tests/support/damages.h"
#include "tests/support/dicom_objects.h"
#include "tests/support/ecat7_writer.h"

namespace image_damage_test {

using namespace tof;
using namespace tof::test;

namespace {

using Fields = std::vector<DamagedField>;

/// The value of the last field called so; what is missing is empty.
QByteArray valueOf(const Fields& fields, const QByteArray& key) {
    QByteArray value;
    for (const DamagedField& field : fields) {
        value = field.key == key ? field.value : value;
    }
    return value;
}

double numberOf(const Fields& fields, const QByteArray& key) {
    return valueOf(fields, key).toDouble();
}

QByteArray floats(int count) {
    QByteArray bytes;
    for (int i = 1; i <= count; ++i) {
        bytes += raw(static_cast<float>(i));
    }
    return bytes;
}

QByteArray shorts(int count) {
    QByteArray bytes;
    for (int i = 1; i <= count; ++i) {
        bytes += raw(static_cast<qint16>(100 + i));
    }
    return bytes;
}

QByteArray bytesOf(const VolumeReadResult& read) {
    const Lattice& lattice = read.volume.lattice;
    QByteArray bytes = QByteArray::fromStdString(lattice.text() + " " + read.volume.units);
    const Vec3 o = lattice.origin_mm;
    bytes += raw(o.x) + raw(o.y) + raw(o.z) + raw(read.uptake ? suvPerBqMl(*read.uptake) : 0.0);
    return bytes + QByteArray(reinterpret_cast<const char*>(read.volume.data.data()),
                              static_cast<qsizetype>(sizeof(float) * read.volume.data.size()));
}

QByteArray textOf(const Fields& fields, const char* mark) {
    QByteArray lines;
    for (const DamagedField& field : fields) {
        lines += field.key + mark + field.value + "\n";
    }
    return lines;
}

constexpr FieldKind kText = FieldKind::Text;
constexpr FieldKind kOnce = FieldKind::Once;
constexpr FieldKind kFloat = FieldKind::Float;
constexpr FieldKind kWhole = FieldKind::Whole;

}  // namespace

class ImageDamageTest : public QObject {
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
    [[nodiscard]] std::function<QByteArray(std::string&)> framesAt(const char* name) const {
        const std::string file = path(name).toStdString();
        return [file](std::string& note) {
            const DynamicReadResult read = recognise(file).readDynamicImage();
            note = read.note;
            QByteArray bytes = QByteArray::fromStdString(read.image.lattice.text() + read.image.units) +
                               raw(read.image.decayReference_s) + raw(read.image.halfLife_s) +
                               raw(static_cast<int>(read.image.decay));
            for (std::size_t i = 0; i < read.image.frames.size(); ++i) {
                bytes += raw(read.image.frames[i].start_s) + raw(read.image.frames[i].duration_s);
                for (const float value : read.image.values[i]) {
                    bytes += raw(value);
                }
            }
            return bytes;
        };
    }

    [[nodiscard]] DamagedReader interfile() const {
        return {.name = "Interfile",
                .fields = {{"!INTERFILE ", "", kText, false},
                           {"name of data file ", "d.v", kText, false},
                           {"imagedata byte order ", "LITTLEENDIAN", kText, false},
                           {"!PET data type ", "Image", kText, false},
                           {"!number format ", "float", kText, false},
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
                           {"!END OF INTERFILE ", "", kText, false}},
                .data = floats(12),
                .write =
                    [this](const Fields& fields, const QByteArray& data) {
                        save("d.v", data);
                        save("d.hv", textOf(fields, ":= "));
                    },
                .read = volumeAt("d.hv")};
    }

    [[nodiscard]] DamagedReader metaImage() const {
        return {.name = "MetaImage",
                .fields = {{"ObjectType", "Image", kText, false},
                           {"NDims", "3"},
                           {"DimSize", "3 2 2", kText, false},
                           {"ElementSpacing", "2", kText},
                           {"Offset", "-7 11 13", kText, false},
                           {"HeaderSize", "0"},
                           {"ElementNumberOfChannels", "1"},
                           {"ElementToIntensityFunctionSlope", "2"},
                           {"ElementToIntensityFunctionOffset", "1"},
                           {"ElementType", "MET_FLOAT", kText, false},
                           {"ElementDataFile", "d.raw", kText, false}},
                .data = floats(12),
                .write =
                    [this](const Fields& fields, const QByteArray& data) {
                        Fields whole = fields;
                        for (DamagedField& field : whole) {
                            field.value += field.key == "ElementSpacing" ? " 3 5" : "";
                        }
                        save("d.raw", data);
                        save("d.mhd", textOf(whole, " = "));
                    },
                .read = volumeAt("d.mhd")};
    }

    /// The middle one of three slices is damaged.
    [[nodiscard]] DamagedReader dicom() const {
        const Fields whole{
            {"0010,1030", "70", kOnce},     {"0018,0050", "4", kOnce},   {"0028,0030", "2", kOnce},
            {"0028,1052", "0", kOnce},      {"0028,1053", "0.5", kOnce}, {"0018,1074", "370000000", kOnce},
            {"0018,1075", "6586.2", kOnce}, {"0054,1300", "0", kOnce},   {"0020,0032", "0", kOnce},
            {"0028,0010", "2", kWhole},     {"0028,0011", "3", kWhole},  {"0028,0100", "16", kWhole},
            {"0028,0101", "16", kWhole},    {"0028,0103", "1", kWhole}};
        const QByteArray pixels = shorts(6);
        return {.name = "DICOM",
                .fields = whole,
                .data = pixels,
                .record = 2,
                .write =
                    [this, whole, pixels](const Fields& fields, const QByteArray& data) {
                        save("p0.dcm", slice(whole, pixels, 0));
                        save("p1.dcm", slice(fields, data, 4));
                        save("p2.dcm", slice(whole, pixels, 8));
                    },
                .read = volumeAt("p1.dcm")};
    }
    [[nodiscard]] static QByteArray slice(const Fields& fields, const QByteArray& pixels, int z) {
        Elements e;
        Elements drug;
        drug.text(0x00181072, "TM", "090000");
        drug.sequence(0x00540300, itemWith(0x00080100, "SH", "C-111A1"));
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
        for (const DamagedField& field : fields) {
            const quint32 tag = QByteArray(field.key).replace(",", "").toUInt(nullptr, 16);
            if (field.kind == kWhole) {
                e.whole(tag, static_cast<quint16>(static_cast<int>(field.value.toDouble())));
            } else if (field.key.startsWith("0018,107")) {
                drug.text(tag, "DS", field.value);
            } else if (tag == 0x00280030U) {
                e.text(tag, "DS", field.value + "\\2");
            } else if (tag == 0x00200032U) {
                e.text(tag, "DS", field.value + "\\0\\" + QByteArray::number(z));
            } else {
                e.text(tag, "DS", field.value);
            }
        }
        e.sequence(0x00540016, drug);
        e.whole(0x00280102, 15);
        e.put(0x7FE00010, "OW", pixels);
        return e.file(kPet);
    }

    /// Fields of the third of four images.
    [[nodiscard]] DamagedReader enhanced() const {
        return {.name = "Enhanced PET",
                .fields = {{"Number of Frames", "4", kOnce},
                           {"Pixel Spacing", "2.5", kOnce},
                           {"Image Position (Patient)", "-10", kOnce},
                           {"Real World Value Slope", "2.5", kFloat},
                           {"Frame Acquisition Duration", "300000", kFloat},
                           {"Rows", "2", kWhole},
                           {"Columns", "3", kWhole}},
                .data = EnhancedPet().pixels,
                .record = 2,
                .write =
                    [this](const Fields& fields, const QByteArray& data) {
                        EnhancedPet pet;
                        pet.pixels = data;
                        writeEnhanced(pet, fields);
                        save("e/e.dcm", pet.file());
                    },
                .read = framesAt("e/e.dcm")};
    }
    static void writeEnhanced(EnhancedPet& pet, const Fields& fields) {
        const auto has = [&](const char* key) {
            return std::any_of(fields.begin(), fields.end(), [&](const auto& f) { return f.key == key; });
        };
        Elements& image = pet.images[2];
        pet.head.remove(0x00280008);
        if (has("Number of Frames")) {
            pet.head.text(0x00280008, "IS", valueOf(fields, "Number of Frames"));
        }
        Elements measures;
        if (has("Pixel Spacing")) {
            measures.text(0x00280030, "DS", valueOf(fields, "Pixel Spacing") + "\\1.5");
        }
        image.sequence(0x00289110, measures);
        Elements place;
        if (has("Image Position (Patient)")) {
            place.text(0x00200032, "DS", valueOf(fields, "Image Position (Patient)") + "\\-20\\5");
        }
        image.sequence(0x00209113, place);
        Elements real;
        real.number(0x00409225, numberOf(fields, "Real World Value Slope"));
        real.number(0x00409224, 0);
        real.sequence(0x004008EA, itemWith(0x00080100, "SH", "Bq/ml"));
        image.sequence(0x00409096, real);
        Elements content = itemWith(0x00189074, "DT", "20261122100500");
        content.number(0x00189220, 2 * numberOf(fields, "Frame Acquisition Duration"));
        image.sequence(0x00209111, content);
        pet.head.whole(0x00280010, static_cast<quint16>(numberOf(fields, "Rows")));
        pet.head.whole(0x00280011, static_cast<quint16>(numberOf(fields, "Columns")));
    }

    [[nodiscard]] DamagedReader segmentation() const {
        return {.name = "SEG",
                .fields = {{"Number of Frames", "3", kOnce},
                           {"Spacing Between Slices", "4", kOnce},
                           {"Referenced Segment Number", "2", kWhole},
                           {"Rows", "3", kWhole},
                           {"Columns", "5", kWhole},
                           {"Bits Allocated", "1", kWhole}},
                .data = Segmentation().bits(),
                .record = 1,
                .write =
                    [this](const Fields& fields, const QByteArray& data) {
                        Segmentation masks;
                        masks.head.remove(0x00280008);
                        for (const DamagedField& field : fields) {
                            if (field.key == "Number of Frames") {
                                masks.head.text(0x00280008, "IS", field.value);
                            }
                        }
                        Elements shared;
                        Elements measures = itemWith(0x00280030, "DS", "2.5\\1.5");
                        measures.text(0x00180050, "DS", "4");
                        measures.text(0x00180088, "DS", valueOf(fields, "Spacing Between Slices"));
                        shared.sequence(0x00289110, measures);
                        shared.sequence(0x00209116, itemWith(0x00200037, "DS", "1\\0\\0\\0\\1\\0"));
                        masks.head.sequence(0x52009229, shared);
                        Elements which;
                        which.whole(0x0062000B,
                                    static_cast<quint16>(numberOf(fields, "Referenced Segment Number")));
                        masks.images[1].sequence(0x0062000A, which);
                        masks.head.whole(0x00280010, static_cast<quint16>(numberOf(fields, "Rows")));
                        masks.head.whole(0x00280011, static_cast<quint16>(numberOf(fields, "Columns")));
                        masks.head.whole(0x00280100,
                                         static_cast<quint16>(numberOf(fields, "Bits Allocated")));
                        Elements whole = masks.head;
                        whole.sequence(0x52009230, masks.images);
                        whole.put(0x7FE00010, "OB", data);
                        save("s/s.dcm", whole.file(kSegmentation));
                    },
                .read = volumeAt("s/s.dcm")};
    }

    [[nodiscard]] DamagedReader structures() const {
        return {.name = "RTSTRUCT",
                .fields = {{"ROI Number", "4", kOnce},
                           {"Number of Contour Points", "4", kOnce},
                           {"Contour Data, x", "10.5", kOnce},
                           {"Contour Data, z", "-27", kOnce}},
                .write =
                    [this](const Fields& fields, const QByteArray&) {
                        const QByteArray x = valueOf(fields, "Contour Data, x");
                        const QByteArray z = valueOf(fields, "Contour Data, z");
                        Structures set;
                        set.names = {{4, "gland"}};
                        set.lines = {
                            {4, Structures::rectangle(10.5, 18.5, -20.5, 9.5, -30)},
                            {4, x + "\\-20.5\\" + z + "\\18.5\\-20.5\\-27\\18.5\\9.5\\-27\\10.5\\9.5\\-27"}};
                        set.lines[1].stated = valueOf(fields, "Number of Contour Points");
                        set.number = valueOf(fields, "ROI Number");
                        save("r/r.dcm", set.file());
                    },
                .read = volumeAt("r/r.dcm")};
    }

    /// Keys are what a header of NIfTI-1 calls them; the number behind is the offset.
    [[nodiscard]] DamagedReader nifti() const {
        return {.name = "NIfTI",
                .fields = {{"dim[0] 40", "3", kWhole},
                           {"dim[1] 42", "3", kWhole},
                           {"dim[2] 44", "2", kWhole, false},
                           {"dim[3] 46", "2", kWhole},
                           {"datatype 70", "4", kWhole},
                           {"bitpix 72", "16", kWhole},
                           {"vox_offset 108", "352", kFloat},
                           {"scl_slope 112", "2", kFloat},
                           {"scl_inter 116", "1", kFloat},
                           {"sform_code 254", "1", kWhole},
                           {"srow_x[0] 280", "2", kFloat},
                           {"srow_x[3] 292", "10", kFloat, false},
                           {"srow_y[1] 300", "3", kFloat, false},
                           {"srow_y[3] 308", "20", kFloat, false},
                           {"srow_z[2] 320", "4", kFloat},
                           {"srow_z[3] 324", "30", kFloat},
                           {"pixdim[1] 80", "2", kFloat, false},
                           {"pixdim[2] 84", "3", kFloat, false},
                           {"pixdim[3] 88", "4", kFloat, false}},
                .data = shorts(12),
                .record = 2,
                .write =
                    [this](const Fields& fields, const QByteArray& data) {
                        QByteArray bytes(352, '\0');
                        const auto put = [&](int offset, auto value) {
                            std::memcpy(bytes.data() + offset, &value, sizeof(value));
                        };
                        put(0, qint32{348});
                        put(123, char{2});
                        std::memcpy(bytes.data() + 344, "n+1", 4);
                        for (const DamagedField& field : fields) {
                            const int offset = field.key.mid(field.key.indexOf(' ')).trimmed().toInt();
                            if (field.kind == kFloat) {
                                put(offset, static_cast<float>(field.value.toDouble()));
                            } else {
                                put(offset, static_cast<qint16>(field.value.toInt()));
                            }
                        }
                        save("d.nii", bytes + data);
                    },
                .read = volumeAt("d.nii")};
    }

    [[nodiscard]] DamagedReader sidecar() const {
        return {.name = "BIDS sidecar",
                .fields = {{"FrameTimesStart", "30", kOnce},
                           {"FrameDuration", "60", kOnce},
                           {"ImageDecayCorrectionTime", "20", kOnce}},
                .write =
                    [this](const Fields& fields, const QByteArray&) {
                        DynamicImage image;
                        image.lattice = Lattice::centred({3, 2, 2}, {2, 3, 4});
                        image.units = "Bq/ml";
                        image.frames = {{0, 30}, {30, 60}};
                        image.values.assign(2, std::vector<float>(12, 1));
                        (void)QFile::remove(folder_.filePath("f.json"));  // one of others stays
                        (void)writeDynamicImage(path("f.nii").toStdString(), image);
                        QByteArray text = R"({"Units": "Bq/mL", "ImageDecayCorrected": true)";
                        for (const DamagedField& field : fields) {
                            const bool list = field.key.startsWith("Frame");
                            const QByteArray first = field.key == "FrameDuration" ? "30" : "0";
                            text += ", \"" + field.key +
                                    "\": " + (list ? "[" + first + ", " + field.value + "]" : field.value);
                        }
                        save("f.json", text + "}");
                    },
                .read = framesAt("f.nii")};
    }

    /// Keys end with the place in the file, counted from 0: main header, then that of the image.
    [[nodiscard]] DamagedReader ecat7() const {
        EcatFile file;
        file.frames = 1;
        file.make();
        return {.name = "ECAT 7",
                .fields = {{"file_type 50", "7", kWhole},
                           {"ecat_calibration_factor 144", "2.5", kFloat},
                           {"patient_orientation 330", "3", kWhole},
                           {"data_type 1536", "6", kWhole},
                           {"num_dimensions 1538", "3", kWhole},
                           {"x_dimension 1540", "4", kWhole},
                           {"z_dimension 1544", "2", kWhole},
                           {"scale_factor 1562", "0.5", kFloat},
                           {"x_pixel_size 1570", "0.2", kFloat},
                           {"z_pixel_size 1578", "0.5", kFloat}},
                .data = QByteArray::fromStdString(file.bytes),
                .start = 2048,
                .record = 2,
                .write =
                    [this](const Fields& fields, const QByteArray& data) {
                        EcatFile out;
                        out.bytes = data.toStdString();
                        for (const DamagedField& field : fields) {
                            const auto at = static_cast<std::size_t>(
                                field.key.mid(field.key.indexOf(' ')).trimmed().toInt());
                            if (at + 4 > out.bytes.size()) {
                                continue;
                            }
                            if (field.kind == kFloat) {
                                out.put<float>(at, static_cast<float>(field.value.toDouble()));
                            } else {
                                out.put<std::uint16_t>(at, static_cast<std::uint16_t>(field.value.toInt()));
                            }
                        }
                        save("d7.v", QByteArray::fromStdString(out.bytes));
                    },
                .read = volumeAt("d7.v")};
    }

    [[nodiscard]] DamagedReader hdf5() const {
        return {.name = "HDF5",
                .fields = {{"spacing_mm", "2", kFloat},
                           {"origin_mm", "5", kFloat},
                           {"size[0]", "2", kWhole},
                           {"size[2]", "3", kWhole}},
                .data = floats(12),
                .write =
                    [this](const Fields& fields, const QByteArray& data) {
                        const auto size = [&](const char* key) {
                            return static_cast<std::uint64_t>(std::max(numberOf(fields, key), 0.0));
                        };
                        const h5::Shape shape{size("size[0]"), 2, size("size[2]")};
                        std::vector<float> values(std::max<std::size_t>(12, shape[0] * 2 * shape[2]));
                        std::memcpy(values.data(), data.data(),
                                    std::min<std::size_t>(48, static_cast<std::size_t>(data.size())));
                        h5::writeFile(path("d.h5").toStdString(), [&](h5::Writer& out) {
                            out.write("/image", shape, values.data());
                            out.attribute("/image", "spacing_mm",
                                          std::vector<double>{numberOf(fields, "spacing_mm"), 3, 4});
                            out.attribute("/image", "origin_mm",
                                          std::vector<double>{numberOf(fields, "origin_mm"), 6, 7});
                            out.attribute("/image", "units", std::string("Bq/ml"));
                        });
                        if (data.size() < 48) {  // the file itself loses as many bytes
                            QFile file(path("d.h5"));
                            QVERIFY(file.resize(file.size() - (48 - data.size())));
                        }
                    },
                .read = volumeAt("d.h5")};
    }

  private slots:
    void theTableIsWhatReadersDo() {
        if (!whyNoDicom().empty()) {
            QSKIP(whyNoDicom().c_str());
        }
        for (const char* name : {"e", "s", "r"}) {
            QVERIFY(QDir(folder_.path()).mkdir(name));
        }
        DamageTable table("value", {"as much again", [](const QByteArray& data, qsizetype start, qsizetype) {
                                        return data + data.mid(start);
                                    }});
        for (const DamagedReader& reader : {dicom(), enhanced(), segmentation(), structures(), nifti(),
                                            sidecar(), interfile(), metaImage(), ecat7(), hdf5()}) {
            const QString fault = table.add(reader, folder_.path());
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
        }

        const QString differs = pageFault("foreign.md", table.text());
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }
};

QTEST_GUILESS_MAIN(ImageDamageTest)

}  // namespace image_damage_test
#include "image_damage_test.moc"
