// SPDX-License-Identifier: Apache-2.0
// The table of file formats: a file is told by its content, once, and a further format is one row.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <functional>
#include <numeric>

#include "recon/base/error.h"
#include "recon/io/convert.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/scanner/scanner.h"
#include "tests/support/refusal.h"
#include "tests/support/small_ecat8.h"

namespace format_table_test {

using namespace tof;

namespace {

Volume ramp() {
    Volume volume;
    volume.lattice = Lattice::centred({4, 3, 2}, {1, 2, 3});
    volume.data.resize(volume.lattice.voxels());
    std::iota(volume.data.begin(), volume.data.end(), 0.0F);
    return volume;
}

/// A format of nobody: "TOY1", then one byte, which is the value of all voxels.
class ToyFile : public FormatFile {
  public:
    explicit ToyFile(char value) : value_(value) {}
    [[nodiscard]] FileKind kind() const override { return FileKind::Volume; }
    [[nodiscard]] std::optional<VolumeReadResult> volume(const VolumeReadOptions& options) const override {
        requireOnlyVolume("toy", options);
        Volume volume = ramp();
        volume.data.assign(volume.lattice.voxels(), static_cast<float>(value_));
        return VolumeReadResult{volume};
    }

  private:
    char value_;
};

Format toyFormat() {
    return {.name = "Toy",
            .recognise =
                [](const FileStart& start) {
                    const bool toy = start.bytes.size() == 5 && start.bytes.starts_with("TOY1");
                    return toy ? std::make_unique<ToyFile>(start.bytes[4]) : nullptr;
                },
            .volumes = {{".toy"}, {}, [](const Destination& to, const Volume& volume) {
                            QFile file(QString::fromStdString(to.path));
                            if (!file.open(QIODevice::WriteOnly)) {
                                throw CannotWrite(to.path);
                            }
                            file.write("TOY1");
                            file.putChar(static_cast<char>(volume.data.back()));
                            return std::string();
                        }}};
}

/// Several pieces of every writer.
void writeSome(const QString& what, const Destination& to) {
    const FormatTable formats = builtInFormats();
    const auto write = [&]<class What>(FileWriter<What> Format::*kind, const What& written) {
        static_cast<void>(formats.writer(kind, to.path)->write(to, written));
    };
    Volume image(Lattice::centred({128, 128, 80}, {2, 2, 2}));
    image.units = "Bq/ml";
    std::iota(image.data.begin(), image.data.end(), 1.0F);
    if (what == "list") {
        EventList list;
        list.scannerJson = Scanner::find("labr3-ideal").toJson();
        list.duration_s = 1;
        for (std::uint32_t i = 0; i < 200000; ++i) {
            list.crystals.push_back({i % 1000, 5000 + i % 777});
            list.dt_ps.push_back(static_cast<float>(i % 501) - 250);
        }
        return write(&Format::events, list);
    }
    if (what == "image") {
        return write(&Format::volumes, image);
    }
    if (what == "frames") {
        DynamicSource frames;
        frames.info.lattice = image.lattice;
        frames.info.units = image.units;
        frames.info.frames = {{0, 10}, {10, 10}};
        frames.values = [&image](std::size_t) { return image.data; };
        return write(&Format::dynamicImages, frames);
    }
    MichelogramSpec spec;
    spec.scanner = {"test", 6, 48, 90.0, 4.0};
    spec.segments = {{-1, 1}, {2, 2}, {-2, -2}};
    spec.radialBins = 15;
    SinogramData sinograms;
    sinograms.michelogram = std::make_shared<const Michelogram>(spec);
    sinograms.lattice = defaultLattice(*sinograms.michelogram);
    sinograms.counts.assign(sinograms.michelogram->bins(), 3.0F);
    write(&Format::data, MeasuredData(sinograms));
}

}  // namespace

class FormatTableTest : public QObject {
    Q_OBJECT

  private slots:
    /// Every writer of every format asks, and where its file is not wanted nothing is left.
    void writingEndsWhereItIsNotWanted_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("name");
        const auto add = [](const char* what, std::initializer_list<const char*> names) {
            for (const char* name : names) {
                QTest::newRow(qPrintable(QString("%1 as %2").arg(what, name)))
                    << QString(what) << QString(name);
            }
        };
        add("list", {"a.h5", "a.cdh", "a.petsird"});
        add("image", {"a.h5", "a.nii", "a.nii.gz", "a.hv", "a.dicom"});
        add("frames", {"a.h5", "a.nii", "a.nii.gz", "a.dicom"});
        add("data", {"a.h5", "a.cdh", "a.hs"});
        // A format that is new has its row above.
        QCOMPARE(builtInFormats().volumeExtensions(), std::string(".h5, .nii, .nii.gz, .hv or .dicom"));
    }
    void writingEndsWhereItIsNotWanted() {
        QFETCH(const QString, what);
        QFETCH(const QString, name);
        const QTemporaryDir folder;
        const std::string path = folder.filePath(name).toStdString();
        const QTemporaryDir before;
        std::atomic<int> questions = 0;
        writeSome(what, {before.filePath(name).toStdString(), [&] { ++questions; }});
        QVERIFY(questions > 0);
        const int answered = questions / 2;
        std::atomic<int> asked = 0;
        const auto unwanted = [&] {
            if (asked++ >= answered) {
                throw Cancelled();
            }
        };

        QVERIFY_EXCEPTION_THROWN(writeSome(what, {path, unwanted}), Cancelled);

        QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }

    void readingAnImageEndsWhereItIsNotWanted_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("frames");
        for (const char* name : {"a.h5", "a.nii", "a.nii.gz", "a.hv", "a.dicom", "a.mha"}) {
            QTest::newRow(name) << QString(name) << false;
        }
        for (const char* name : {"a.nii", "a.nii.gz", "a.dicom"}) {
            QTest::newRow(qPrintable(QString("frames of %1").arg(name))) << QString(name) << true;
        }
    }
    void readingAnImageEndsWhereItIsNotWanted() {
        QFETCH(const QString, name);
        QFETCH(const bool, frames);
        const QTemporaryDir folder;
        const std::string path = folder.filePath(name).toStdString();
        if (name == "a.mha") {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(
                "ObjectType = Image\nNDims = 3\nBinaryData = True\nDimSize = 128 128 80\n"
                "ElementSpacing = 2 2 2\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n");
            file.write(QByteArray(128 * 128 * 80 * 4, '\0'));
        } else {
            writeSome(frames ? "frames" : "image", path);
        }
        const auto read = [&](const std::function<void()>& heed) {
            const RecognisedFile file = builtInFormats().recognise(path, heed);
            return frames ? file.readDynamicImage().image.values.front() : file.readVolume().data;
        };
        std::atomic<int> questions = 0;
        QVERIFY(!read([&] { ++questions; }).empty());
        QVERIFY(questions > 0);
        const int answered = questions / 2;
        std::atomic<int> asked = 0;

        QVERIFY_EXCEPTION_THROWN((void)read([&] {
                                     if (asked++ >= answered) {
                                         throw Cancelled();
                                     }
                                 }),
                                 Cancelled);
    }

    void aFormatIsAddedByItsRowAlone() {
        FormatTable formats = builtInFormats();
        formats.add(toyFormat());
        writeVolume(file("a.h5"), ramp());

        QCOMPARE(convertFile(file("a.h5"), file("a.toy"), {}, formats), std::string());
        QCOMPARE(convertFile(file("a.toy"), file("b.nii"), {}, formats), std::string());

        const RecognisedFile toy = formats.recognise(file("a.toy"));
        QCOMPARE(toy.formatName(), std::string("Toy"));
        QVERIFY(toy.kind() == FileKind::Volume);
        QVERIFY(QByteArray::fromStdString(toy.infoJson()).contains("\"format\": \"Toy\""));
        QCOMPARE(readVolume(file("b.nii")).data, std::vector<float>(24, 23.0F));
        QVERIFY_EXCEPTION_THROWN((void)toy.readEvents(), BadInput);
        QVERIFY_EXCEPTION_THROWN((void)readVolume(file("a.toy")), BadInput);
        QVERIFY(formats.volumeExtensions().ends_with("or .toy"));
    }

    void volumesAreOfferedInTheirOrder() {
        QCOMPARE(builtInFormats().volumeExtensions(), std::string(".h5, .nii, .nii.gz, .hv or .dicom"));
    }

    void aFileIsToldByItsContentNotItsName_data() {
        QTest::addColumn<QString>("written");
        QTest::addColumn<QString>("format");
        QTest::newRow("HDF5") << "v.h5"
                              << "HDF5";
        QTest::newRow("NIfTI") << "v.nii"
                               << "NIfTI";
        QTest::newRow("packed NIfTI") << "v.nii.gz"
                                      << "NIfTI";
        QTest::newRow("Interfile") << "v.hv"
                                   << "Interfile";
    }
    void aFileIsToldByItsContentNotItsName() {
        QFETCH(QString, written);
        QFETCH(QString, format);
        writeVolume(file(written), ramp());
        QVERIFY(QFile::rename(QString::fromStdString(file(written)), QString::fromStdString(file("name"))));

        const RecognisedFile found = recognise(file("name"));

        QCOMPARE(QString::fromStdString(found.formatName()), format);
        QVERIFY(found.kind() == FileKind::Volume);
        QCOMPARE(found.readVolume().data, ramp().data);
        QVERIFY(QFile::remove(QString::fromStdString(file("name"))));
    }

    void kindsThatAreNotReadAreNamed_data() {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("kind");
        QTest::newRow("gzip") << QByteArray("\x1F\x8B\x08\0\0\0\0\0", 8) << "a.v.gz"
                              << "packed by gzip (unpack it first)";
        QTest::newRow("NRRD") << QByteArray("NRRD0004\ntype: float\n") << "a.nrrd"
                              << "NRRD";
        QTest::newRow("MINC 1") << QByteArray("CDF\001") << "a.mnc"
                                << "MINC";
        QTest::newRow("MGH") << QByteArray("\0\0\0\1", 4) << "a.mgh"
                             << "MGH";
    }
    void kindsThatAreNotReadAreNamed() {
        QFETCH(QByteArray, start);
        QFETCH(QString, name);
        QFETCH(QString, kind);
        QFile out(folder_.filePath(name));
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(start) == start.size());
        out.close();
        const std::string path = file(name);
        for (const std::function<void()>& use :
             {std::function<void()>([&] { (void)recognise(path).infoJson(); }),
              std::function<void()>([&] { (void)convertFile(path, file("o.nii")); }),
              std::function<void()>([&] { (void)readVolume(path); })}) {
            try {
                use();
                QFAIL("accepted");
            } catch (const BadInput& refused) {
                QVERIFY2(QString(refused.what()).contains("is " + kind), refused.what());
            }
        }
    }

    void addressesSayWhatTheyAreFor() {
        QVERIFY(test::writeSmallEcat8(folder_.path()));
        const QString said = test::refusal([&] { (void)convertFile(file("list.l.hdr"), file("o.h5")); });
        QVERIFY2(said.contains("'bin' it --to sinogram or --to lors"), qPrintable(said));
    }

    /// What was recognised is read, even when another file takes its name meanwhile.
    void anOpenHdf5FileIsHandedOn() {
        writeVolume(file("open.h5"), ramp());
        const RecognisedFile open = recognise(file("open.h5"));
        QVERIFY(QFile::remove(QString::fromStdString(file("open.h5"))));

        QCOMPARE(open.readVolume().data, ramp().data);
        QVERIFY(open.form().empty());
    }

    void foldersAreStudiesOrNothing() {
        QVERIFY(QDir(folder_.path()).mkpath("study"));
        QVERIFY(recognise(file("study")).kind() == FileKind::Unknown);
        QFile list(QString::fromStdString(file("study/study.json")));
        QVERIFY(list.open(QIODevice::WriteOnly));

        QVERIFY(recognise(file("study")).kind() == FileKind::Study);
        QVERIFY_EXCEPTION_THROWN((void)recognise(file("nowhere")), BadInput);
    }

  private:
    [[nodiscard]] std::string file(const QString& name) const { return folder_.filePath(name).toStdString(); }
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(FormatTableTest)

}  // namespace format_table_test
#include "format_table_test.moc"
