// SPDX-License-Identifier: Apache-2.0
// Histo-images read one view at a time are those that are read at once.
#include <QTemporaryDir>
#include <QTest>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/hdf5/data_io.h"
#include "tests/support/small_data.h"

using namespace tof;
using namespace tof::test;

class HistoViewsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

  private slots:
    void everyArrayIsThatOfTheWholeFile_data() {
        QTest::addColumn<bool>("whole");
        QTest::newRow("counts that are whole numbers") << true;
        QTest::newRow("counts that are not") << false;
    }
    void everyArrayIsThatOfTheWholeFile() {
        QFETCH(bool, whole);
        auto data = smallData(KernelSpec::preset("variant1"));
        data->att.assign(data->counts.size(), 0.25F);
        data->add.clear();
        for (float& count : data->counts) {
            count = whole ? std::round(count) : count;
        }
        const std::string file = folder_.filePath("data.h5").toStdString();
        writeData(file, *data);
        const HistoData expected = readData(file);

        const HistoViews views(file);

        QVERIFY(views.outline().lattice == expected.lattice);
        QCOMPARE(views.outline().views.size(), expected.views.size());
        QVERIFY(views.outline().counts.empty());
        QVERIFY(views.has(HistoArray::Counts) && views.has(HistoArray::Mult) && views.has(HistoArray::Att));
        QVERIFY(!views.has(HistoArray::Add));
        std::vector<float> view(expected.voxels());
        for (std::size_t v = 0; v < expected.views.size(); ++v) {
            const auto same = [&](const std::vector<float>& all) {
                return std::equal(view.begin(), view.end(),
                                  all.begin() + static_cast<std::ptrdiff_t>(v * expected.voxels()));
            };
            views.read(HistoArray::Counts, v, view);
            QVERIFY(same(expected.counts));
            views.read(HistoArray::Mult, v, view);
            QVERIFY(same(expected.mult));
            views.read(HistoArray::Att, v, view);
            QVERIFY(same(expected.att));
        }
        QVERIFY_EXCEPTION_THROWN(HistoViews(folder_.filePath("none.h5").toStdString()), BadInput);
    }
};

QTEST_GUILESS_MAIN(HistoViewsTest)
#include "histo_views_test.moc"
