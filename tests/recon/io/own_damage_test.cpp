// SPDX-License-Identifier: Apache-2.0
// Our own lists and singles, normalisations of CASToR and tables of gates' fields against 25 damages of one
// generator. The third table of docs/measurements/foreign.md is what this test finds; TOFSCOPE_WRITE_TABLE=1
// writes it.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "recon/base/error.h"
#include "recon/corrections/correct_inputs.h"
#include "recon/data/framed_counts.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/work/read_joined.h"
#include "tests/support/damages.h"
#include "tests/support/foreign_lists.h"
#include "tests/support/gate_lists.h"
#include "tests/support/toy_measurement.h"

namespace own_damage_test {

using namespace tof;
using namespace tof::test;

namespace {

using Fields = std::vector<DamagedField>;

template <typename Value>
QByteArray allOf(const std::vector<Value>& values) {
    QByteArray bytes = QByteArray::number(static_cast<qulonglong>(values.size()));
    for (const Value& value : values) {
        bytes += little(value);
    }
    return bytes;
}

/// By key; what is missing has no entry.
std::map<QByteArray, double> numbersOf(const Fields& fields) {
    std::map<QByteArray, double> numbers;
    for (const DamagedField& field : fields) {
        numbers[field.key] = field.value.toDouble();
    }
    return numbers;
}

void attribute(h5::Writer& out, const std::map<QByteArray, double>& numbers, const char* object,
               const char* name) {
    if (const auto found = numbers.find(name); found != numbers.end()) {
        out.attribute(object, name, found->second);
    }
}

/// What the file must lose where the values of a column end within one.
void chop(const QString& path, qsizetype bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(file.size() - bytes));
}

/// Numbers of one gated scan of two bins on two voxels.
class GatedToy : public ToyMeasurement {
  public:
    GatedToy() : ToyMeasurement({Lattice::centred({2, 1, 1}, {4, 3, 5}), {{1, 0}, {0, 1}}, 1}, {1, 2}) {
        auto counts = std::make_shared<FramedCounts>();
        counts->gates = 2;
        for (int gate = 1; gate <= 2; ++gate) {
            FrameCounts frame;
            frame.time = {0, 10};
            frame.kept = 1;
            frame.gate = gate;
            frame.gated_s = 5;
            counts->frames.push_back(frame);
        }
        frames_ = std::move(counts);
    }
    [[nodiscard]] std::shared_ptr<const FramedCounts> frames() const override { return frames_; }

  private:
    std::shared_ptr<const FramedCounts> frames_;
};

}  // namespace

class OwnDamageTest : public QObject {
    Q_OBJECT

  private:
    QTemporaryDir folder_;
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    /// Pairs of a ring's crystals; the damaged data are the column of their times.
    [[nodiscard]] DamagedReader list() const {
        DamagedReader r{.name = "list of Tofscope"};
        r.fields = {
            {"duration_s", "60", FieldKind::Float},       {"sphere_share", "0.25", FieldKind::Float},
            {"decays", "1000", FieldKind::Float},         {"kind of event 3", "1", FieldKind::Whole},
            {"mult of event 3", "0.5", FieldKind::Float}, {"energy of event 3", "511", FieldKind::Float},
            {"length of times", "30", FieldKind::Whole}};
        for (int i = 0; i < 30; ++i) {
            r.data += little(static_cast<float>(10 * i - 145));
        }
        r.write = [this](const Fields& fields, const QByteArray& data) { writeList(fields, data); };
        r.read = [file = path("d.h5").toStdString()](std::string& note) {
            const ListReadResult read = readEvents(file, {});
            note = read.note;
            const EventList& events = read.events;
            return allOf(events.crystals) + allOf(events.dt_ps) + allOf(events.kind) + allOf(events.mult) +
                   allOf(events.energy_keV) + allOf(events.time_ms) + little(events.duration_s) +
                   little(events.sphereShare) + little(events.decays) +
                   QByteArray::fromStdString(events.scannerJson);
        };
        return r;
    }
    void writeList(const Fields& fields, const QByteArray& data) const {
        constexpr std::size_t kEvents = 30;
        auto numbers = numbersOf(fields);
        const auto whole = [](double value) { return static_cast<std::uint64_t>(std::max(value, 0.0)); };
        std::vector<float> times(static_cast<std::size_t>(data.size()) / sizeof(float));
        std::copy_n(data.data(), times.size() * sizeof(float), reinterpret_cast<char*>(times.data()));
        std::vector<std::uint32_t> crystals;
        std::vector<std::uint8_t> kinds(kEvents, 0);
        std::vector<float> mult(kEvents, 1.0F);
        std::vector<float> energies(2 * kEvents, 500.0F);
        std::vector<std::uint32_t> moments;
        for (std::uint32_t i = 0; i < kEvents; ++i) {
            crystals.insert(crystals.end(), {i, i + 800});
            moments.push_back(1000 * i);
        }
        kinds[3] = static_cast<std::uint8_t>(static_cast<int>(numbers["kind of event 3"]));
        mult[3] = static_cast<float>(numbers["mult of event 3"]);
        energies[6] = static_cast<float>(numbers["energy of event 3"]);
        moments.resize(numbers["length of times"] == 30 ? kEvents : whole(numbers["length of times"]), 30000);
        h5::writeFile(path("d.h5").toStdString(), [&](h5::Writer& out) {
            out.write("/events/crystal", {kEvents, 2}, crystals.data());
            out.write("/events/dt_ps", {times.size()}, times.data());
            out.write("/events/kind", {kEvents}, kinds.data());
            out.write("/events/mult", {kEvents}, mult.data());
            out.write("/events/energy_kev", {kEvents, 2}, energies.data());
            out.write("/events/time_ms", {moments.size()}, moments.data());
            out.attribute("/", "scanner", std::string(kGateScanner));
            for (const char* name : {"duration_s", "sphere_share", "decays"}) {
                attribute(out, numbers, "/", name);
            }
        });
        chop(path("d.h5"), data.size() % static_cast<qsizetype>(sizeof(float)));
    }

    /// What crystals and the first two of their blocks counted; the damaged data are the crystals'.
    [[nodiscard]] DamagedReader singles() const {
        DamagedReader r{.name = "singles"};
        r.fields = {{"duration_s", "60", FieldKind::Float},
                    {"busy block 1", "120", FieldKind::Float},
                    {"bin_kev", "8", FieldKind::Float},
                    {"deposits bin 1", "70", FieldKind::Float}};
        const Scanner scanner = Scanner::fromJson(kGateScanner, "ring");
        for (std::size_t i = 0; i < scanner.crystals.size(); ++i) {
            r.data += little(40.0 + static_cast<double>(i));
        }
        r.record = sizeof(double);
        r.write = [this](const Fields& fields, const QByteArray& data) {
            auto numbers = numbersOf(fields);
            std::vector<double> recorded(static_cast<std::size_t>(data.size()) / sizeof(double));
            std::copy_n(data.data(), recorded.size() * sizeof(double),
                        reinterpret_cast<char*>(recorded.data()));
            const std::vector<double> busy{numbers["busy block 1"], 130};
            h5::writeFile(path("s.h5").toStdString(), [&](h5::Writer& out) {
                out.write("/singles/recorded", {recorded.size()}, recorded.data());
                out.write("/singles/busy", {busy.size()}, busy.data());
                const std::vector<double> deposits{numbers["deposits bin 1"], 20, 10};
                const std::vector<double> partners{1, 2, 9};
                out.write("/singles/deposits", {deposits.size()}, deposits.data());
                out.write("/singles/partners", {partners.size()}, partners.data());
                attribute(out, numbers, "/singles", "duration_s");
                attribute(out, numbers, "/singles", "bin_kev");
                out.attribute("/", "scanner", std::string(kGateScanner));
            });
            chop(path("s.h5"), data.size() % static_cast<qsizetype>(sizeof(double)));
        };
        r.read = [file = path("s.h5").toStdString(), scanner](std::string&) {
            const CrystalSingles read = singlesOf(file, scanner);
            return allOf(read.recorded) + allOf(read.busy) + little(read.duration_s) +
                   little(read.spectra.bin_keV) + allOf(read.spectra.deposits) + allOf(read.spectra.partners);
        };
        return r;
    }

    [[nodiscard]] DamagedReader castorNorm() const {
        DamagedReader r{.name = "normalisation of CASToR"};
        r.fields = {{"Scanner name", "ring", FieldKind::Text, false},
                    {"Data filename", "n.cdf", FieldKind::Text, false},
                    {"Number of events", "12"},
                    {"Data mode", "normalization", FieldKind::Text, false},
                    {"Data type", "PET", FieldKind::Text, false},
                    {"Normalization correction flag", "1"},
                    {"Attenuation correction flag", "1"},
                    {"Maximum number of lines per event", "1"}};
        for (quint32 i = 0; i < 12; ++i) {
            r.data += little(1.5F + 0.1F * static_cast<float>(i)) +
                      little(1.0F + 0.01F * static_cast<float>(i)) + little(i % 6) +
                      little(i % 6 + 6 - i / 6);
        }
        r.record = 16;
        r.write = [this](const Fields& fields, const QByteArray& data) {
            saveBytes(path("ring.geom"),
                      "modality: PET\nscanner name: ring\nnumber of elements: 12\nnumber of layers: 1\n"
                      "scanner radius: 90\nnumber of rsectors: 12\nnumber of crystals transaxial: 1\n"
                      "number of crystals axial: 1\ncrystals size depth: 20\ncrystals size transaxial: 4\n"
                      "crystals size axial: 4\nfield of view transaxial: 150\n");
            QByteArray header;
            for (const DamagedField& field : fields) {
                header += field.key + ": " + field.value + "\n";
            }
            saveBytes(path("n.cdf"), data);
            saveBytes(path("n.cdh"), header);
        };
        r.read = [file = path("n.cdh").toStdString()](std::string& note) {
            const CastorLines read = readCastorLines(file, "");
            note = read.note;
            return allOf(read.data.mult) + allOf(read.data.events->pairs) + allOf(read.crystals);
        };
        return r;
    }

    /// A table of two gates, the second of which has a field of two voxels.
    [[nodiscard]] DamagedReader fieldTable() const {
        DamagedReader r{.name = "fields of gates"};
        r.fields = {{"gate of line 1", "1"}, {"gate of line 2", "2"}};
        for (int i = 0; i < 6; ++i) {
            r.data += little(0.5F + static_cast<float>(i));
        }
        r.write = [this](const Fields& fields, const QByteArray& data) {
            QByteArray table = "gate\tfield\n";
            for (const DamagedField& field : fields) {
                table += field.value + (field.key.endsWith("line 1") ? "\tnone\n" : "\tf.mhd\n");
            }
            saveBytes(path("f.raw"), data);
            saveBytes(path("f.mhd"),
                      "ObjectType = Image\nNDims = 3\nDimSize = 2 1 1\nElementNumberOfChannels = 3\n"
                      "ElementSpacing = 4 3 5\nOffset = -2 0 0\nElementType = MET_FLOAT\n"
                      "ElementDataFile = f.raw\n");
            saveBytes(path("fields.tsv"), table);
        };
        r.read = [file = path("fields.tsv").toStdString()](std::string&) {
            return QByteArray::fromStdString(
                joinGates(std::make_shared<const GatedToy>(), "gates.h5", file)->hash());
        };
        return r;
    }

  private slots:
    void theTableIsWhatReadersDo() {
        DamageTable table("value", {"as much again", [](const QByteArray& data, qsizetype start, qsizetype) {
                                        return data + data.mid(start);
                                    }});
        for (const DamagedReader& reader : {list(), singles(), castorNorm(), fieldTable()}) {
            const QString fault = table.add(reader, folder_.path());
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
        }

        const QString differs = pageFault("foreign.md", table.text(), "damages of our own");
        QVERIFY2(differs.isEmpty(), qPrintable(differs));
    }
};

QTEST_GUILESS_MAIN(OwnDamageTest)

}  // namespace own_damage_test
#include "own_damage_test.moc"
