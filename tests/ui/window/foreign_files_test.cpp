// SPDX-License-Identifier: Apache-2.0
// Lists of other programs through the window: opened and answered once, with what was assumed, the scanner's
// picture and a line in it, and on to corrections and an image.
#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTimer>

#include "recon/forms/forms.h"
#include "recon/io/convert.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/simulate/monte_carlo.h"
#include "tests/support/dicom_objects.h"
#include "tests/support/ecat7_writer.h"
#include "tests/support/ecat8_norm.h"
#include "tests/support/foreign_lists.h"
#include "tests/support/gate_lists.h"
#include "tests/support/ge_lists.h"
#include "tests/support/pet_slice.h"
#include "tests/support/petlink_lists.h"
#include "tests/support/small_ecat8.h"
#include "tests/ui/fixture.h"
#include "tests/ui/small_ring.h"
#include "ui/desk/correct_data.h"
#include "ui/pages/data_page.h"
#include "ui/pages/data_scanner.h"

namespace foreign_files_test {

using namespace tof;
using namespace tof::ui;
using tof::test::until;

class ForeignFilesTest : public test::WindowTest {
    Q_OBJECT

  protected:
    void makeFiles() override {
        const Scanner ideal = Scanner::fromJson(test::kSmallRing, "ring");
        writeEvents(path("plain.h5").toStdString(), simulate(ideal, Phantom::find("small-derenzo"),
                                                             {.events = 3000, .seed = 1}, ThreadPool(2), {}));
        test::saveBytes(path("castor.json"), test::smallRingWithPhysics());
        (void)convertFile(path("plain.h5").toStdString(), path("cas#tor.cdh").toStdString());
        makeSafir();
        makeYrt();
        makeInveon();
        test::GeList ge;
        ge.marker(70000);
        ge.point({-60, 35, 12}, 2000);
        ge.marker(72500);
        test::writeRdf9(path("ge.BLF").toStdString(), ge);
        QVERIFY(test::writeSmallEcat8(folder_.path()));
        makePetlink();
        makeMap();
        makeImages();
        makeScanners();
        makePetsird();
        makeExported();
        const Scanner ring = Scanner::fromJson(test::kGateScanner, "ring");
        test::saveBytes(
            path("gate.root"),
            QByteArray::fromStdString(
                test::RootWriter({test::RootPacking::Zlib, 500, 20, false})
                    .file("Coincidences", test::gate9Columns(test::gatePoint(ring, {20, 10, 0}, 2000)))));
    }
    void begin() override { desk_->setListBinning(std::nullopt); }

  private:
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(name); }

    /// Water of 60 mm radius.
    void makeMap() const {
        Volume map(Lattice::centred({24, 24, 12}, {10, 10, 10}));
        map.units = "1/mm";
        for (int k = 0; k < 12; ++k) {
            for (int j = 0; j < 24; ++j) {
                for (int i = 0; i < 24; ++i) {
                    map.at(i, j, k) = std::hypot(i - 11.5, j - 11.5) < 6 ? 0.0096F : 0.0F;
                }
            }
        }
        (void)writeVolume(path("mu.h5").toStdString(), map);
    }
    /// Those that say how their crystals detect.
    void makeScanners() const {
        const QByteArray detects = R"(,"detection":{"material":"LSO","energy_resolution":0.12,)"
                                   R"("window_kev":[435,650],"coincidence_ns":4}})";
        QByteArray gate = test::kGateScanner;
        gate.replace(R"("acceptance_deg": 30)", R"("acceptance_deg": 7)");  // its lines are no steeper
        gate.chop(1);
        test::saveBytes(path("gate.json"), gate + detects);
        const test::SmallRing ring{48, 8, 100, 4};
        QByteArray crystals;
        for (int r = 0; r < ring.rings; ++r) {
            for (int p = 0; p < ring.places; ++p) {
                const Vec3 at = ring.at(r, p);
                crystals += (crystals.isEmpty() ? "[" : ",[") + QByteArray::number(at.x) + "," +
                            QByteArray::number(at.y) + "," + QByteArray::number(at.z) + "," +
                            QByteArray::number(at.x / 100) + "," + QByteArray::number(at.y / 100) + ",0]";
            }
        }
        test::saveBytes(path("yrt.json"), R"({"name":"yrt","crystal_mm":[4,4,10],"acceptance_deg":9,)"
                                          R"("fov_diameter_mm":100,"timing_fwhm_ps":300,"crystals":[)" +
                                              crystals + "]" + detects);
    }
    /// What a console of Siemens exports.
    void makeExported() const {
        QFile words(path("list.l"));
        QFile header(path("list.l.hdr"));
        QVERIFY(words.open(QIODevice::ReadOnly) && header.open(QIODevice::ReadOnly));
        QByteArray text = header.readAll();
        text += QByteArray(text.size() % 2, '\0');
        test::saveBytes(path("exported.ptd"), words.readAll() + QByteArray(128, '\0') + "DICM" +
                                                  QByteArray("\x29\0\x10\x10OB\0\0", 8) +
                                                  test::little(static_cast<quint32>(text.size())) + text);
        test::Ecat8NormTables tables;
        tables.difference = 1;  // one segment of seven planes, as cylinderWords() counts them
        tables.planes = 7;
        tables.fill();
        test::writeEcat8Norm(folder_.path().toStdString(), "cylinder.n", tables);
        const std::vector<std::uint32_t> counted = test::cylinderWords(tables);
        test::saveBytes(path("cylinder.l"), QByteArray(reinterpret_cast<const char*>(counted.data()),
                                                       static_cast<qsizetype>(4 * counted.size())));
        test::saveBytes(path("cylinder.l.hdr"),
                        QByteArray::fromStdString(test::ecat8ListHeader(tables, "cylinder.l")));
    }

    /// 4 rings of 24 places, 11 bins of 12 views, 3 time bins and delayeds.
    void makeE7Sinograms() const {
        test::saveBytes(
            path("y.s.hdr"),
            "!INTERFILE:=\n!originating system:=9999\n%SMS-MI header name space:=sinogram subheader\n"
            "!name of data file:=e7.s\n%compression:=off\nimage data byte order:=LITTLEENDIAN\n"
            "%patient orientation:=HFS\n!PET data type:=emission\nnumber format:=unsigned integer\n"
            "!number of bytes per pixel:=2\nnumber of dimensions:=3\nmatrix axis label[1]:=bin\n"
            "matrix axis label[2]:=projection\nmatrix axis label[3]:=plane\nmatrix size[1]:=11\n"
            "matrix size[2]:=12\nmatrix size[3]:=4\n%axial compression:=1\n"
            "%maximum ring difference:=0\nnumber of rings:=4\nNumber of detectors per ring:=24\n"
            "Inner ring diameter (cm):=20\nDistance between rings (cm):=0.5\n%segment table:={4}\n"
            "applied corrections:=\n%number of TOF time bins:=3\n%TOF mashing factor:=1\n"
            "Size of unmashed TOF time bins (ps):=400\nTOF timing resolution (ps):=500\n"
            "number of scan data types:=4\n!image duration (sec):=60\n");
        test::saveBytes(path("main.mhdr"),
                        "!INTERFILE:=\n!originating system:=9999\n"
                        "%SMS-MI header name space:=sinogram main header\n"
                        "!total number of data sets:=1\n%data set [1]:={30,y.s.hdr,e7.s}\n");
        QByteArray counts;
        for (int i = 0; i < 4 * 4 * 12 * 11; ++i) {
            counts += test::little(static_cast<quint16>(i % 5));
        }
        test::saveBytes(path("e7.s"), counts);
    }

    void makeSafir() const {
        QByteArray map;
        QByteArray records = QByteArray("SAFIR CListModeData").leftJustified(32, '\0');
        for (int ring = 0; ring < 4; ++ring) {
            for (int place = 0; place < 24; ++place) {
                const double psi = 2 * kPi * place / 24;
                map += QByteArray::number(ring) + "," + QByteArray::number(place) + "," +
                       QByteArray::number(100 * std::cos(psi)) + "," +
                       QByteArray::number(100 * std::sin(psi)) + "," + QByteArray::number(4.0 * ring - 6) +
                       "\n";
            }
        }
        for (quint64 i = 0; i < 500; ++i) {
            records += test::little(i % 50 == 0 ? quint64{1} << 63U | i
                                                : i % 4 | (i * 7 % 4) << 8U | (i % 24) << 16U |
                                                      ((i + 12) % 24) << 32U);
        }
        test::saveBytes(path("crystal_map.txt"), map);
        test::saveBytes(path("list.safir"), records);
    }
    void makeYrt() const {
        const test::SmallRing ring{48, 8, 100, 4};
        QDir(folder_.path()).mkpath("yrt");
        test::writeYrtScanner(path("yrt"), ring, 10, {{"timing_fwhm_ps", "300"}});
        QByteArray events;
        quint32 ms = 0;
        for (const test::SeenPair& one : test::pairsOfPoint(
                 8, 48, [&](int r, int p) { return ring.at(r, p); }, {20, 10, 0}, 2000, 8)) {
            events += test::little(ms++) + test::little(quint32(one.ring[0] * 48 + one.place[0])) +
                      test::little(quint32(one.ring[1] * 48 + one.place[1])) +
                      test::little(static_cast<float>(one.dt_ps));
        }
        test::saveBytes(path("yrt/list.lmDat"), events);
    }
    /// Its crystals measure energies.
    void makePetsird() const {
        writeEvents(path("ring.h5").toStdString(),
                    simulate(Scanner::find(path("gate.json").toStdString()), Phantom::find("small-derenzo"),
                             {.events = 3000, .seed = 1}, ThreadPool(2), {}));
        (void)convertFile(path("ring.h5").toStdString(), path("pairs.petsird").toStdString());
    }
    void makeInveon() const {
        test::InveonWords words;
        for (std::uint64_t i = 0; i < 2000; ++i) {
            i % 20 == 0 ? words.tick()
                        : words.prompt(i % 80 * 320 + i % 320, i * 3 % 80 * 320 + (i + 160) % 320);
        }
        test::saveBytes(path("mouse.lst"), words.bytes);
    }
    void makeImages() const {
        QByteArray values;
        for (int i = 0; i < 12; ++i) {
            values += test::little(static_cast<float>(i));
        }
        test::saveBytes(path("i.i33"), values);
        test::saveBytes(path("i.h33"),
                        "!INTERFILE :=\n!imaging modality := nucmed\n!version of keys := 3.3\n"
                        "!name of data file := i.i33\n!type of data := Tomographic\n"
                        "!total number of images := 2\nimagedata byte order := LITTLEENDIAN\n"
                        "!process status := Reconstructed\nnumber of dimensions := 3\n"
                        "!matrix size [1] := 3\n!matrix size [2] := 2\n!number format := short float\n"
                        "!number of bytes per pixel := 4\nscaling factor (mm/pixel) [1] := 4\n"
                        "scaling factor (mm/pixel) [2] := 5\npatient orientation := head_in\n"
                        "patient rotation := supine\n!number of slices := 2\n"
                        "centre-centre slice separation (pixels) := 1\n!END OF INTERFILE :=\n");
        test::saveBytes(path("m.mha"),
                        "ObjectType = Image\nNDims = 3\nDimSize = 3 2 2\nElementSpacing = 2 3 5\n"
                        "Offset = -7 11 13\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n" +
                            values);
        test::EcatFile ecat;
        ecat.frames = 1;
        ecat.make();
        test::saveBytes(path("e.v"), QByteArray::fromStdString(ecat.bytes));
        QDir(folder_.path()).mkdir("enhanced");
        QDir(folder_.path()).mkdir("masks");
        test::saveBytes(path("enhanced/e.dcm"), test::EnhancedPet().file());
        test::saveBytes(path("masks/s.dcm"), test::Segmentation().file());
        test::Structures set;
        set.lines = {{1, test::Structures::rectangle(10.5, 18.5, -20.5, 9.5, -30)},
                     {4, test::Structures::rectangle(10.5, 18.5, -20.5, 9.5, -27)}};
        test::saveBytes(path("masks/rs.dcm"), set.file());
        QDir(folder_.path()).mkdir("series");
        for (int z = 0; z < 3; ++z) {
            const QByteArray pixels(2 * 4 * 3, static_cast<char>(z + 1));
            test::saveBytes(path("series") + QString("/%1.dcm").arg(z),
                            test::fileOf({.uid = "1.2.3.5." + QByteArray::number(z),
                                          .columns = 4,
                                          .rows = 3,
                                          .voxel_mm = 4,
                                          .corner = {-6, -4, 4.0 * z},
                                          .pixels = pixels}));
        }
        (void)convertFile(path("mu.h5").toStdString(), path("mu.nii.gz").toStdString());
    }
    void makePetlink() const {
        test::PetlinkWords words;
        for (unsigned i = 0; i < 2000; ++i) {
            if (i % 20 == 0) {
                words.time(1000 + i);
            } else {
                words.event(true, 1 + i % 133, {i % 40, i % 80}, {i * 3 % 40, i * 7 % 80}, 0);
            }
        }
        test::saveBytes(path("vision.l"), words.bytes);
        test::saveBytes(path("vision.l.hdr"),
                        test::petlinkHeader(test::petlinkFields("1208", "vision.l", 2000)));
    }

    /// Answers the one question that a list asks. Fewer directions and larger voxels only save time.
    void openList(const QString& file, const QStringList& given) {
        QTimer answer;
        int asked = 0;
        offered_ = {};
        connect(&answer, &QTimer::timeout, this, [&] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr || dialog->objectName() != "binning.dialog") {
                return;
            }
            ++asked;
            answer.stop();
            const auto form =
                static_cast<std::size_t>(dialog->findChild<QComboBox*>("binning.to")->currentIndex());
            offered_.form = QString::fromStdString(builtInForms().rows()[form].name);
            offered_.norm = dialog->findChild<QLineEdit*>("binning.norm") != nullptr;
            for (const QLabel* label : dialog->findChildren<QLabel*>()) {
                offered_.words += label->text() + "\n";
            }
            dialog->findChild<QSpinBox*>("binning.azimuths")->setValue(4);
            dialog->findChild<QSpinBox*>("binning.tilts")->setValue(1);
            dialog->findChild<QDoubleSpinBox*>("binning.voxel")->setValue(16);
            for (const QString& one : given) {
                const QString value = one.section('=', 1);
                dialog->findChild<QLineEdit*>("binning." + one.section('=', 0, 0))
                    ->setText(QFileInfo::exists(folder_.filePath(value)) ? folder_.filePath(value) : value);
            }
            QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok),
                              Qt::LeftButton);
        });
        answer.start(20);
        desk_->open({file});
        QVERIFY(until([&] { return asked > 0; }, 10000));
        QVERIFY(until([this] { return !desk_->busy(); }));
        window_->refreshNow();
        QCOMPARE(asked, 1);
    }

    /// What the question was.
    struct Offered {
        QString form{};
        bool norm = false;
        QString words{};
    };
    Offered offered_;

    /// Turns a part by *Make corrections*, to the study that it opens.
    void makeCorrections(const QString& part) {
        const PartName name = partNamed(part.toStdString()).value();
        const QString study = desk_->study().name() + "-corrected";
        const bool was = correctionStates(*desk_).of(name).on;
        QString faults;
        QTimer::singleShot(0, qApp, [&] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            auto* box = dialog->findChild<QCheckBox*>(QString("corrections.%1.on").arg(part));
            if (box == nullptr || !box->isEnabled()) {
                faults = "no " + part;
                dialog->close();
                return;
            }
            box->setChecked(!was);
            if (auto* map = dialog->findChild<QLineEdit*>("corrections.mu"); map != nullptr) {
                map->setText(path("mu.h5"));
            }
            QTest::mouseClick(dialog->findChild<QPushButton*>("corrections.ok"), Qt::LeftButton);
            for (const QLabel* label : dialog->findChildren<QLabel*>()) {
                if (label->objectName().endsWith(".fault") && label->isVisible()) {
                    faults += label->objectName() + ": " + label->text() + "\n";
                }
            }
            dialog->close();
        });
        QVERIFY(window_->commands().trigger("corrections.make"));
        QVERIFY2(faults.isEmpty(), qPrintable(faults));
        QVERIFY(until([this] { return !desk_->busy(); }));
        window_->refreshNow();
        QVERIFY2(desk_->study().name() == study, qPrintable(said()));
        QCOMPARE(correctionStates(*desk_).of(name).on, !was);
    }

    [[nodiscard]] QString said() const {
        QString all;
        for (const auto& message : desk_->messages().all()) {
            all += message.text + "\n";
        }
        return all;
    }

  private Q_SLOTS:
    /// "field=file" of the question and of *Make corrections*, and the part that is ticked there.
    void aListOfOthersBecomesAnImage_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("assumed");
        QTest::addColumn<QStringList>("given");
        QTest::addColumn<QString>("part");
        QTest::addColumn<bool>("small");  // else an image takes minutes, and that it can be run is enough
        const auto row = [](const char* format, const char* name, const char* form, const char* assumed,
                            const QStringList& given, const char* part, bool small = true) {
            QTest::newRow(format) << name << form << assumed << given << part << small;
        };
        row("CASToR", "cas#tor.cdh", "histo", "", {"scanner=castor.json", "mu=mu.h5"}, "scatter");
        row("SAFIR", "list.safir", "lors", "", {}, "attenuation");
        row("YRT-PET", "yrt/list.lmDat", "histo", "", {"scanner=yrt.json", "mu=mu.h5"}, "scatter");
        row("Inveon", "mouse.lst", "lors", "--scanner", {}, "attenuation", false);
        row("GE RDF 9", "ge.BLF", "lors", "head first and supine", {}, "attenuation");
        row("Siemens ECAT8", "list.l.hdr", "sinogram", "", {"mu=mu.h5"}, "attenuation");
        row("Siemens ECAT8 with its normalisation", "cylinder.l.hdr", "sinogram", "",
            {"norm=cylinder.n.hdr", "mu=mu.h5"}, "attenuation");
        row("Siemens .ptd", "exported.ptd", "sinogram", "", {"mu=mu.h5"}, "attenuation");
        row("Siemens PETLINK", "vision.l.hdr", "lors", "degrees from the top", {}, "attenuation", false);
        row("PETSIRD", "pairs.petsird", "histo", "", {"mu=mu.h5"}, "scatter");
        row("GATE", "gate.root", "histo", "", {"scanner=gate.json", "mu=mu.h5"}, "scatter");
    }
    void aListOfOthersBecomesAnImage() {
        QFETCH(QString, name);
        QFETCH(QString, form);
        QFETCH(QString, assumed);
        QFETCH(QStringList, given);
        QFETCH(QString, part);
        QFETCH(bool, small);

        openList(folder_.filePath(name), given);

        QVERIFY2(desk_->study().measurement() != nullptr, qPrintable(said()));
        QCOMPARE(offered_.form, form);
        QCOMPARE(offered_.norm, form == "sinogram");
        QCOMPARE(offered_.words.contains("--scanner"),
                 name == "gate.root");  // what it cannot be read without
        QVERIFY2(said().contains(assumed), qPrintable(said()));

        QVERIFY(window_->commands().trigger("page.data"));
        QVERIFY(until([this] { return !window_->dataPage().model().busy(); }));
        QVERIFY2(window_->commands().trigger("data.scanner"), qPrintable(said()));
        window_->refreshNow();
        auto* const picture = window_->findChild<DataScanner*>();
        QVERIFY(picture->isVisible());
        QVERIFY2(picture->scene().has_value(), qPrintable(picture->toolTip()));
        QVERIFY2(picture->scene()->crystals.size() > 10, qPrintable(said()));
        QVERIFY(picture->line().has_value());

        makeCorrections(part);
        QVERIFY(window_->commands().action("run.start")->isEnabled());
        if (!small && !qEnvironmentVariableIsSet("TOFSCOPE_FULL")) {
            return;
        }
        reconstruct(1);
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        QVERIFY2(desk_->runs().items().front()->volume() != nullptr, qPrintable(said()));
    }

    /// Those of a scanner that is no cylinder lie on lines.
    void sinogramsOfOthersBecomeAnImage_data() {
        QTest::addColumn<QByteArray>("geometry");
        QTest::addColumn<QString>("form");
        QTest::newRow("cylinder") << QByteArray() << "sinogram";
        QTest::newRow("as a histogram of CASToR") << QByteArray() << "lines";
        QTest::newRow("e7 with time bins") << QByteArray("y.s.hdr") << "sinogram";
        QTest::newRow("main header of e7") << QByteArray("main.mhdr") << "sinogram";
        QTest::newRow("blocks")
            << QByteArray(
                   "Scanner geometry (BlocksOnCylindrical/Cylindrical/Generic) := BlocksOnCylindrical\n"
                   "Number of blocks per bucket in transaxial direction := 1\n"
                   "Number of crystals per block in axial direction := 2\n"
                   "Number of crystals per block in transaxial direction := 3\n"
                   "Distance between crystals in axial direction (cm) := 0.5\n"
                   "Distance between crystals in transaxial direction (cm) := 0.8\n"
                   "Distance between blocks in axial direction (cm) := 1.5\n"
                   "Distance between blocks in transaxial direction (cm) := 2.6\n")
            << "lors";
    }
    void sinogramsOfOthersBecomeAnImage() {
        QFETCH(QByteArray, geometry);
        QFETCH(QString, form);
        const bool ofE7 = geometry.endsWith("hdr");
        makeE7Sinograms();
        test::saveBytes(
            path("y.hs"),
            "!INTERFILE :=\nname of data file := y.s\nScanner type := small\nNumber of rings := 4\n"
            "Number of detectors per ring := 24\nInner ring diameter (cm) := 20\n"
            "Distance between rings (cm) := 0.5\n" +
                (ofE7 ? QByteArray() : geometry) +
                "PET data type := Emission\napplied corrections := {None}\nimagedata byte order := "
                "LITTLEENDIAN\n"
                "number format := float\nnumber of bytes per pixel := 4\nnumber of dimensions := 4\n"
                "matrix axis label [4] := segment\nmatrix size [4] := 1\n"
                "matrix axis label [3] := axial coordinate\nmatrix size [3] := {4}\n"
                "matrix axis label [2] := view\nmatrix size [2] := 12\n"
                "matrix axis label [1] := tangential coordinate\nmatrix size [1] := 11\n"
                "minimum ring difference per segment := {0}\nmaximum ring difference per segment := {0}\n"
                "!END OF INTERFILE :=\n");
        QByteArray counts;
        for (int i = 0; i < 4 * 12 * 11; ++i) {
            counts += test::little(static_cast<float>(i % 5));
        }
        test::saveBytes(path("y.s"), counts);

        if (form == "lines") {
            (void)convertFile(path("y.hs").toStdString(), path("y.h5").toStdString());
            (void)convertFile(path("y.h5").toStdString(), path("y.cdh").toStdString());
            open(path("y.cdh"));
        } else {
            openList(path(ofE7 ? geometry.constData() : "y.hs"), {"mu=mu.h5"});
        }

        QVERIFY2(desk_->study().measurement() != nullptr, qPrintable(said()));
        QCOMPARE(desk_->study().measurement()->kind(),
                 std::string(form == "sinogram" ? "sinograms" : "lines"));
        QCOMPARE(said().contains("0, +1, -1"), ofE7);
        // Lines with counts say all that is known of them, and that is told.
        if (form == "sinogram") {
            makeCorrections("attenuation");
        } else {
            QVERIFY(!window_->commands().trigger("corrections.make"));
            QVERIFY(whyNotCorrect(*desk_).contains("No list of events"));
        }
        QVERIFY(window_->commands().action("run.start")->isEnabled());
        reconstruct(1);
        QCOMPARE(desk_->runs().items().size(), std::size_t{1});
        QVERIFY2(desk_->runs().items().front()->volume() != nullptr, qPrintable(said()));
    }

    void anImageOfOthersOpensByItself_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("assumed");
        QTest::newRow("Interfile") << "i.h33"
                                   << "--reverse-slices";
        QTest::newRow("MetaImage") << "m.mha"
                                   << "";
        QTest::newRow("ECAT 7") << "e.v"
                                << "ecat_calibration_factor";
        QTest::newRow("NIfTI") << "mu.nii.gz"
                               << "";
        QTest::newRow("series of DICOM") << "series"
                                         << "";
        QTest::newRow("structure set") << "masks/rs.dcm"
                                       << "not beside it";
        QTest::newRow("enhanced PET") << "enhanced"
                                      << "";
        QTest::newRow("segmentation") << "masks/s.dcm"
                                      << "";
    }
    void anImageOfOthersOpensByItself() {
        QFETCH(QString, name);
        QFETCH(QString, assumed);

        open(folder_.filePath(name));

        QVERIFY2(desk_->runs().items().size() == 1, qPrintable(said()));
        QVERIFY2(desk_->runs().items().front()->volume() != nullptr, qPrintable(said()));
        QVERIFY2(said().contains(assumed), qPrintable(said()));
        const RunItem& image = *desk_->runs().items().front();
        QCOMPARE(image.statedFactor(), name == "e.v" ? 2.5 : 1.0);
        if (name == "e.v") {
            const DisplayUnit taken = desk_->screen().unitOf(image);
            QCOMPARE(taken.name, QString("Bq/ml"));
            QVERIFY(window_->commands().trigger("image.calibrated"));
            QCOMPARE(desk_->screen().unitOf(image), (DisplayUnit{taken.factor / 2.5, {}}));
            QVERIFY(desk_->screen().whyNoActivity(image).contains("switched off"));
            QVERIFY(window_->commands().trigger("image.calibrated"));
            QCOMPARE(desk_->screen().unitOf(image), taken);
        }
    }
};

QTEST_MAIN(ForeignFilesTest)

}  // namespace foreign_files_test
#include "foreign_files_test.moc"
