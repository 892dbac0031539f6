// SPDX-License-Identifier: Apache-2.0
// Label maps with their table of names: what is written is whole numbers, and names come back.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format_table.h"
#include "recon/metrics/roi_place.h"
#include "recon/study/label_map.h"

namespace label_map_test {

using namespace tof;

namespace {

const Lattice kGrid = Lattice::centred({20, 18, 10}, {3, 4, 5});

Roi box(const std::string& name, Vec3 centre) {
    Roi roi;
    roi.name = name;
    roi.shape = Roi::Shape::Box;
    roi.centre = centre;
    roi.size_mm = {9, 12, 15};
    return roi;
}

}  // namespace

class LabelMapTest : public QObject {
    Q_OBJECT

  private slots:
    void theTableLiesBesideTheVolume() {
        QCOMPARE(labelTablePath("a/b.nii.gz"), std::string("a/b.tsv"));
        QCOMPARE(labelTablePath("a/b.nii"), std::string("a/b.tsv"));
        QCOMPARE(labelTablePath("b.c.h5"), std::string("b.c.tsv"));
    }

    void namesRolesAndLooksComeBack_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"map.nii", "map.nii.gz", "map.h5", "map.hv"}) {
            QTest::newRow(name) << QString(name);
        }
    }

    void namesRolesAndLooksComeBack() {
        QFETCH(QString, name);
        Roi target = box("hot sphere", {-10, -10, 0});
        target.role = Roi::Role::Sphere;
        target.group = 4;
        target.trueRatio = 8.5;
        target.colour = "#62b4f0";
        Roi around = box("tab\there", {12, 10, 5});
        around.role = Roi::Role::Background;
        const std::string path = folder_.filePath(name).toStdString();

        writeLabelMap(path, {target, around}, kGrid);
        const std::vector<Roi> back = readLabelMap(path);

        QCOMPARE(back.size(), std::size_t{2});
        QCOMPARE(back[0].name, std::string("hot sphere"));
        QCOMPARE(back[1].name, std::string("tab here"));
        QVERIFY(back[0].role == Roi::Role::Sphere && back[1].role == Roi::Role::Background);
        QCOMPARE(back[0].group, 4);
        QCOMPARE(back[1].group, -1);
        QVERIFY(back[0].trueRatio == 8.5 && !back[1].trueRatio);
        QCOMPARE(back[0].colour, std::string("#62b4f0"));
        QCOMPARE(labelsOfRois(back, kGrid).data, labelsOfRois({target, around}, kGrid).data);
    }

    void niftiHolds16BitWholeNumbers() {
        const QString path = folder_.filePath("whole.nii");
        writeLabelMap(path.toStdString(), {box("a", {0, 0, 0})}, kGrid);

        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();

        // nifti1.h: datatype at 70 (4 is int16), bitpix at 72, intent at 68 (1002 are labels); data from 352.
        QCOMPARE(bytes.size(), qsizetype{352 + 2 * 20 * 18 * 10});
        QCOMPARE(static_cast<int>(bytes[70]), 4);
        QCOMPARE(static_cast<int>(bytes[72]), 16);
        QCOMPARE(static_cast<int>(static_cast<unsigned char>(bytes[68])) + 256 * static_cast<int>(bytes[69]),
                 1002);
        const Volume labels = labelsOfRois({box("a", {0, 0, 0})}, kGrid);
        for (std::size_t i = 0; i < labels.data.size(); ++i) {
            const auto at = static_cast<qsizetype>(352 + 2 * i);
            QCOMPARE(static_cast<float>(bytes[at]), labels.data[i]);
            QCOMPARE(static_cast<int>(bytes[at + 1]), 0);
        }
    }

    void withoutATableRegionsAreNumbered() {
        const QString path = folder_.filePath("plain.nii");
        writeLabelMap(path.toStdString(), {box("a", {0, 0, 0})}, kGrid);
        QVERIFY(QFile::remove(folder_.filePath("plain.tsv")));
        QCOMPARE(readLabelMap(path.toStdString())[0].name, std::string("label 1"));
    }

    void aTableOfAnotherProgramGivesNames() {
        const QString path = folder_.filePath("bids.nii");
        writeLabelMap(path.toStdString(), {box("a", {-10, 0, 0}), box("b", {10, 0, 0})}, kGrid);
        writeTextAside(folder_.filePath("bids.tsv").toStdString(),
                       "index\tname\tabbreviation\n2\tliver\tLIV\n7\tx\ty\n");

        const auto back = readLabelMap(path.toStdString());

        QCOMPARE(back[0].name, std::string("label 1"));
        QCOMPARE(back[1].name, std::string("liver"));
    }

    void aBrokenTableIsRefusedWithItsLine() {
        const QString path = folder_.filePath("broken.nii");
        writeLabelMap(path.toStdString(), {box("a", {0, 0, 0})}, kGrid);
        writeTextAside(folder_.filePath("broken.tsv").toStdString(), "index\tname\none\tliver\n");
        try {
            static_cast<void>(readLabelMap(path.toStdString()));
            QFAIL("accepted");
        } catch (const BadInput& fault) {
            QVERIFY2(QString(fault.what()).contains("broken.tsv: line 2"), fault.what());
        }
    }

  private:
    QTemporaryDir folder_;
};

QTEST_APPLESS_MAIN(LabelMapTest)

}  // namespace label_map_test
#include "label_map_test.moc"
