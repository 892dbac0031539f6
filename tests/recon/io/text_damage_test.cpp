// SPDX-License-Identifier: Apache-2.0
// What is no image and no list of others - tables, descriptions, sinograms and fields of displacements -
// against the damages of one generator. Damages that no file of them can have leave their rows empty. The
// second table of docs/measurements/foreign.md is what this test finds; TOFSCOPE_WRITE_TABLE=1 writes it.
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>

#include "recon/base/text_file.h"
#include "recon/data/displacement_field.h"
#include "recon/frames/frame_list.h"
#include "recon/frames/gates.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/import_sinograms.h"
#include "recon/kinetics/blood_file.h"
#include "recon/metrics/roi.h"
#include "recon/motion/motion_file.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/michelogram.h"
#include "recon/work/calibration.h"
#include "recon/work/read_joined.h"
#include "tests/support/damages.h"
#include "tests/support/foreign_lists.h"

namespace text_damage_test {

using namespace tof;
using namespace tof::test;

namespace {

using Fields = std::vector<DamagedField>;

template <typename... Values>
QByteArray bytesOf(const Values&... values) {
    return (little(values) + ...);
}

template <typename Value>
QByteArray allOf(const std::vector<Value>& values) {
    QByteArray bytes;
    for (const Value& value : values) {
        bytes += little(value);
    }
    return bytes;
}

/// The template with a value in the place of each "@key@". What is missing is a line of JSON or of a header
/// less, or an empty cell of a table.
QByteArray filled(QByteArray text, const Fields& fields) {
    for (const DamagedField& field : fields) {
        text.replace("@" + field.key + "@", field.value);
    }
    QByteArrayList lines;
    for (const QByteArray& line : text.split('\n')) {
        if (line.contains('\t')) {
            lines += QString(line).remove(QRegularExpression("@[^@\t]*@")).toUtf8();
        } else if (!line.contains('@')) {
            lines += line;
        }
    }
    return lines.join('\n');
}

constexpr FieldKind kOnce = FieldKind::Once;

}  // namespace

class TextDamageTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] std::string path(const QString& name) const { return folder_.filePath(name).toStdString(); }

    using Read = std::function<QByteArray(const std::string& path, std::string& note)>;
    /// A file of text, with the data beside it where there are any.
    [[nodiscard]] DamagedReader of(const char* name, const char* file, const QByteArray& text,
                                   const Fields& fields, const Read& read) const {
        DamagedReader reader{.name = name, .fields = fields};
        for (DamagedField& field : reader.fields) {
            field.kind = kOnce;
        }
        reader.write = [this, file, text](const Fields& now, const QByteArray&) {
            saveBytes(folder_.filePath(file), filled(text, now));
        };
        reader.read = [at = path(file), read](std::string& note) { return read(at, note); };
        return reader;
    }

    // ---- tables ----

    [[nodiscard]] std::vector<DamagedReader> tables() const {
        const auto frames = [](const std::string& file, std::string&) {
            QByteArray bytes;
            for (const TimeFrame& frame : framesFrom(file)) {
                bytes += bytesOf(frame.start_s, frame.duration_s);
            }
            return bytes;
        };
        const auto gates = [](const std::string& file, std::string&) {
            QByteArray bytes;
            for (const GateTime& gate : gatesFrom({file, 2, GateBy::Phase}, "list")) {
                bytes += bytesOf(gate.begin_s, gate.end_s, gate.gate);
            }
            return bytes;
        };
        const auto motion = [](const std::string& file, std::string&) {
            const RigidMotion read = motionFrom({file});
            QByteArray bytes = bytesOf(read.end_ms());
            for (const TimedPose& pose : read.poses()) {
                bytes += bytesOf(pose.time_ms, pose.pose);
            }
            return bytes;
        };
        const auto beds = [](const std::string& file, std::string&) {
            QByteArray bytes;
            for (const Bed& bed : readBedTable(file)) {
                bytes += QByteArray::fromStdString(bed.file) + bytesOf(bed.z_mm, bed.activity);
            }
            return bytes;
        };
        const auto blood = [](const std::string& file, std::string& note) {
            const BloodSamples read = readBloodFile(file, "Bq/ml");
            for (const std::string& one : read.notes) {
                note += one;
            }
            return bytesOf(read.plasma.start_s(), read.plasma.end_s()) +
                   allOf(read.plasma.means({{0, 20}, {20, 20}, {40, 40}}));
        };
        saveBytes(folder_.filePath("b.json"),
                  R"({"time": {"Units": "s"}, "plasma_radioactivity": {"Units": "Bq/mL"}})");
        return {
            of("frames", "f.tsv", "onset\tduration\n0\t@first@\n@onset@\t@duration@\n60\t30\n",
               {{"first", "30"}, {"onset", "30"}, {"duration", "20"}}, frames),
            of("triggers", "t.tsv", "trigger\t\n0.5\t\n@time@\t\n2.5\t\n3.25\t\n", {{"time", "1.5"}}, gates),
            of("poses", "p.tsv",
               "# frame: scanner\n# units: mm\n# reference: identity\n# end_ms: @end@\n"
               "time_ms m00 m01 m02 m03 m10 m11 m12 m13 m20 m21 m22 m23\n"
               "0\t1 0 0 0 0 1 0 0 0 0 1 0\n@time@\t@m00@ -1 0 @m03@ 1 0 0 6 0 0 1 7\n",
               {{"end", "3000"}, {"time", "1000"}, {"m00", "0"}, {"m03", "5"}}, motion),
            of("beds", "beds.tsv", "file\tz_mm\tactivity\na.h5\t0\t1\nb.h5\t@z@\t@activity@\n",
               {{"z", "100"}, {"activity", "0.9"}}, beds),
            of("blood", "b.tsv",
               "time\tplasma_radioactivity\tmetabolite_parent_fraction\n0\t0\t1\n@time@\t@plasma@\t@parent@\n"
               "60\t20\t0.5\n",
               {{"time", "30"}, {"plasma", "100"}, {"parent", "0.75"}}, blood)};
    }

    // ---- descriptions ----

    [[nodiscard]] std::vector<DamagedReader> descriptions() const {
        const auto scanner = [](const std::string& file, std::string&) {
            return QByteArray::fromStdString(Scanner::find(file).toJson());
        };
        const auto rings = [](const std::string& file, std::string&) {
            return QByteArray::fromStdString(MichelogramSpec::find(file).toJson());
        };
        const auto phantom = [](const std::string& file, std::string&) {
            return allOf(Phantom::find(file).emissionOn(Lattice::centred({8, 8, 4}, {8, 8, 16}), 2).data);
        };
        const auto calibration = [](const std::string& file, std::string&) {
            const Calibration read = readCalibration(file);
            return bytesOf(read.factor, read.spacing_mm) + QByteArray::fromStdString(read.units);
        };
        const auto rois = [](const std::string& file, std::string&) {
            const Roi roi = roisFromJson(readTextFile(file), file).front();
            return bytesOf(roi.centre, roi.radius_mm, roi.innerRadius_mm);
        };
        const auto motion = [](const std::string& file, std::string&) {
            const RigidMotion read = motionFrom({file});
            return bytesOf(read.end_ms(), read.poses().back().time_ms, read.poses().back().pose);
        };
        return {of("scanner", "s.json",
                   R"({"name": "small"
,"modules": {"count": 24
,"face_to_face_mm": @face_to_face_mm@
,"first_angle_deg": @first_angle_deg@
,"crystals": [@crystals@, 8], "pitch_mm": [@pitch_mm@, 4.2]}
,"crystal_mm": [3.9, 4.1, 12]
,"acceptance_deg": @acceptance_deg@
,"fov_diameter_mm": @fov_diameter_mm@
,"timing_fwhm_ps": @timing_fwhm_ps@
})",
                   {{"face_to_face_mm", "300"},
                    {"first_angle_deg", "7"},
                    {"crystals", "9"},
                    {"pitch_mm", "4"},
                    {"acceptance_deg", "30"},
                    {"fov_diameter_mm", "200"},
                    {"timing_fwhm_ps", "100"}},
                   scanner),
                of("rings", "r.json",
                   R"({"kind": "rings", "name": "small", "segments": "ge"
,"rings": @rings@
,"crystals_per_ring": @crystals_per_ring@
,"radius_mm": @radius_mm@
,"ring_spacing_mm": @ring_spacing_mm@
,"radial_bins": @radial_bins@
})",
                   {{"rings", "4"},
                    {"crystals_per_ring", "96"},
                    {"radius_mm", "160"},
                    {"ring_spacing_mm", "6"},
                    {"radial_bins", "47"}},
                   rings),
                of("phantom", "ph.json",
                   R"({"name": "one"
,"shapes": [{"kind": "sphere", "name": "hot"
,"role": "sphere"
,"centre_mm": [@x@, 0, 0]
,"radius_mm": @radius_mm@
,"activity": @activity@
,"mu_per_mm": @mu_per_mm@
}]})",
                   {{"x", "10"}, {"radius_mm", "20"}, {"activity", "4"}, {"mu_per_mm", "0.0096"}}, phantom),
                of("calibration", "c.json",
                   R"({"kind": "calibration", "units": "counts"
,"bq_per_ml_per_unit_s": @factor@
,"spacing_mm": [@spacing_mm@, 4, 4]
,"scanner": "small"})",
                   {{"factor", "2.5"}, {"spacing_mm", "4"}}, calibration),
                of("ROIs", "rois.json",
                   R"([{"name": "one", "shape": "annulus"
,"centre_mm": [@x@, 0, 0]
,"radius_mm": @radius_mm@
,"inner_radius_mm": @inner_radius_mm@
}])",
                   {{"x", "10"}, {"radius_mm", "20"}, {"inner_radius_mm", "5"}}, rois),
                of("poses (JSON)", "p.json",
                   R"({"frame": "scanner", "units": "mm", "reference": "identity"
,"end_ms": @end@
,"poses": [{"time_ms": 0, "matrix": [[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0,1]]},
{"matrix": [[@m00@,-1,0,@m03@],[1,0,0,6],[0,0,1,7],[0,0,0,1]]
,"time_ms": @time@
}]})",
                   {{"end", "3000"}, {"time", "1000"}, {"m00", "0"}, {"m03", "5"}}, motion)};
    }

    // ---- data ----

    [[nodiscard]] DamagedReader sinograms() const {
        DamagedReader reader = of("sinograms of STIR", "y.hs",
                                  R"(!INTERFILE :=
name of data file := y.s
originating system := User_defined_scanner
imagedata byte order := LITTLEENDIAN
!PET data type := Emission
applied corrections := {None}
!number format := float
!number of bytes per pixel := @number of bytes per pixel@
number of dimensions := 4
matrix axis label [4] := segment
!matrix size [4] := 3
matrix axis label [3] := axial coordinate
!matrix size [3] := { 2,1,1 }
matrix axis label [2] := view
!matrix size [2] := @matrix size [2]@
matrix axis label [1] := tangential coordinate
!matrix size [1] := @matrix size [1]@
minimum ring difference per segment := { 0,1,-1 }
maximum ring difference per segment := { 0,1,-1 }
Scanner type := User_defined_scanner
Number of rings := @Number of rings@
Number of detectors per ring := @Number of detectors per ring@
Inner ring diameter (cm) := @Inner ring diameter (cm)@
Average depth of interaction (cm) := 0
Distance between rings (cm) := @Distance between rings (cm)@
View offset (degrees) := @View offset (degrees)@
image scaling factor[1] := @image scaling factor[1]@
data offset in bytes[1] := @data offset in bytes[1]@
!END OF INTERFILE :=
)",
                                  {{"number of bytes per pixel", "4"},
                                   {"matrix size [2]", "6"},
                                   {"matrix size [1]", "5"},
                                   {"Number of rings", "2"},
                                   {"Number of detectors per ring", "12"},
                                   {"Inner ring diameter (cm)", "30"},
                                   {"Distance between rings (cm)", "0.6"},
                                   {"View offset (degrees)", "5"},
                                   {"image scaling factor[1]", "2"},
                                   {"data offset in bytes[1]", "0"}},
                                  [](const std::string& file, std::string& note) {
                                      const DataReadResult read = importSinograms(file, {});
                                      note = read.note;
                                      const auto& data = std::get<SinogramData>(read.data);
                                      return QByteArray::fromStdString(data.michelogram->spec().toJson()) +
                                             allOf(data.counts) + allOf(data.mult);
                                  });
        for (int i = 0; i < 120; ++i) {
            reader.data += little(static_cast<float>(i % 7) + 0.5F);
        }
        const auto header = reader.write;
        reader.write = [this, header](const Fields& fields, const QByteArray& data) {
            header(fields, data);
            saveBytes(folder_.filePath("y.s"), data);
        };
        return reader;
    }

    [[nodiscard]] DamagedReader histogram() const {
        DamagedReader reader =
            of("histogram of CASToR", "h.cdh",
               R"(Scanner name: ring
Data filename: h.cdf
Number of events: @Number of events@
Data mode: histogram
Data type: PET
Start time (s): 0
Duration (s): @Duration (s)@
Attenuation correction flag: @Attenuation correction flag@
)",
               {{"Number of events", "12"}, {"Duration (s)", "20"}, {"Attenuation correction flag", "1"}},
               [](const std::string& file, std::string& note) {
                   const DataReadResult read = recognise(file).readData();
                   note = read.note;
                   const auto& data = std::get<LineData>(read.data);
                   return bytesOf(data.duration_s) + allOf(data.counts) + allOf(data.mult) +
                          allOf(data.events->pairs);
               });
        for (quint32 i = 0; i < 12; ++i) {
            reader.data += little(quint32{0}) + little(1.5F) + little(static_cast<float>(i % 5)) +
                           little(i % 6) + little(i % 6 + 6 - i / 6);
        }
        reader.record = 20;
        const auto header = reader.write;
        reader.write = [this, header](const Fields& fields, const QByteArray& data) {
            saveBytes(folder_.filePath("ring.geom"),
                      "modality: PET\nscanner name: ring\nnumber of elements: 12\nnumber of layers: 1\n"
                      "scanner radius: 90\nnumber of rsectors: 12\nnumber of crystals transaxial: 1\n"
                      "number of crystals axial: 1\ncrystals size depth: 20\ncrystals size transaxial: 4\n"
                      "crystals size axial: 4\nfield of view transaxial: 150\n");
            header(fields, data);
            saveBytes(folder_.filePath("h.cdf"), data);
        };
        return reader;
    }

    /// An image of three numbers a voxel.
    [[nodiscard]] DamagedReader displacements() const {
        DamagedReader reader = of(
            "displacements", "d.mhd",
            R"(ObjectType = Image
NDims = 3
DimSize = 3 2 2
ElementNumberOfChannels = @ElementNumberOfChannels@
ElementSpacing = @ElementSpacing@ 3 5
Offset = @Offset@ 11 13
ElementType = MET_FLOAT
ElementDataFile = d.raw
)",
            {{"ElementNumberOfChannels", "3"}, {"ElementSpacing", "2"}, {"Offset", "-7"}},
            [](const std::string& file, std::string&) {
                const RecognisedFile known = recognise(file);
                const auto held = known.file()->otherData();
                const auto* const field = std::any_cast<DisplacementField>(&held);
                if (field == nullptr) {
                    throw BadInput("{}: holds no displacements", file);
                }
                return QByteArray::fromStdString(field->lattice.text()) + bytesOf(field->lattice.origin_mm) +
                       allOf(field->mm[0]) + allOf(field->mm[1]) + allOf(field->mm[2]);
            });
        for (int i = 0; i < 36; ++i) {
            reader.data += little(0.25F * static_cast<float>(i));
        }
        const auto header = reader.write;
        reader.write = [this, header](const Fields& fields, const QByteArray& data) {
            header(fields, data);
            saveBytes(folder_.filePath("d.raw"), data);
        };
        return reader;
    }

  private slots:
    void theTableIsWhatReadersDo() {
        DamageTable table("value", {"as much again", [](const QByteArray& data, qsizetype start, qsizetype) {
                                        return data + data.mid(start);
                                    }});
        std::vector<DamagedReader> readers = tables();
        for (const DamagedReader& reader : descriptions()) {
            readers.push_back(reader);
        }
        for (const DamagedReader& reader : {sinograms(), histogram(), displacements()}) {
            readers.push_back(reader);
        }
        for (const DamagedReader& reader : readers) {
            QString fault;
            try {
                fault = table.add(reader, folder_.path());
            } catch (const Error& refused) {
                QFAIL(refused.what());
            }
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
        }

        const QString differs = pageFault("foreign.md", table.text(), "damages of others");
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }
};

QTEST_GUILESS_MAIN(TextDamageTest)

}  // namespace text_damage_test
#include "text_damage_test.moc"
