// SPDX-License-Identifier: Apache-2.0
// Model observers through the real program.
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <random>

#include "recon/io/format_table.h"
#include "tests/cli/cli_process.h"

namespace observer_test {

using namespace tof;
using namespace tof::test;

namespace {

constexpr int kImages = 40;
constexpr double kSnr = 2;

}  // namespace

class ObserverCliTest : public QObject {
    Q_OBJECT

  private slots:
    /// White noise of SD 1 about 100, and a disc whose prewhitening SNR is kSnr: height^2 times its voxels.
    void initTestCase() {
        std::mt19937 random(1);
        std::normal_distribution<double> normal;
        const Lattice lattice = Lattice::centred({64, 64, 3}, {4, 4, 4});
        for (int i = 0; i < 2 * kImages; ++i) {
            const bool present = i < kImages;
            Volume volume(lattice);
            lattice.forEachVoxel([&](int x, int y, int z) {
                const Vec3 at = lattice.centre(x, y, z);
                // 52 voxels of the slice lie within 16.5 mm.
                const bool inside = std::hypot(at.x, at.y) < 16.5;
                const double signal = present && inside ? kSnr / std::sqrt(52) : 0;
                volume.at(x, y, z) = static_cast<float>(100 + normal(random) + signal);
            });
            const QString name = path(QString("%1-%2.h5").arg(present ? "with" : "without").arg(i));
            (present ? present_ : absent_) << name;
            writeVolume(name.toStdString(), volume);
        }
        QFile rois(path("rois.json"));
        QVERIFY(rois.open(QIODevice::WriteOnly));
        rois.write(R"({"true_ratio": 2, "rois": [
            {"name": "disc", "role": "sphere", "shape": "circle", "centre_mm": [0, 0, 0], "radius_mm": 16},
            {"name": "b", "role": "background", "shape": "circle", "centre_mm": [40, 0, 0], "radius_mm": 12},
            {"name": "u", "role": "uniform", "shape": "circle", "centre_mm": [-64, 0, 0], "radius_mm": 12}]})");
    }

    void aKnownSignalInWhiteNoiseHasItsAuc_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("images without it") << QStringList{"--absent", absent_.join(',')};
        // These end before the disc and the edge of the image.
        QTest::newRow("patches beside it") << QStringList{"--channel-width", "0.8"};
        QTest::newRow("differences of Gaussians")
            << QStringList{"--absent", absent_.join(','), "--channels", "dog"};
    }

    /// AUC of kSnr is 0.921. Channels and learning take from it: of 80 images and six to ten channels some
    /// 0.05; four standard deviations are allowed beside that.
    void aKnownSignalInWhiteNoiseHasItsAuc() {
        QFETCH(QStringList, options);
        const QJsonObject row = observed(QStringList{"--observer", "cho"} + options);
        const double auc = row["auc"].toDouble();
        const double expected = 0.5 * std::erfc(-kSnr / 2);
        const double sd = row["auc_sd"].toDouble();
        QVERIFY2(sd > 0.01 && sd < 0.06, qPrintable(QString::number(sd)));
        QVERIFY2(auc < expected + 4 * sd && auc > expected - 0.05 - 4 * sd, qPrintable(QString::number(auc)));
        QVERIFY(row["auc_low"].toDouble() < auc && row["auc_high"].toDouble() > auc);
    }

    void searchingAndInternalNoiseAreHarder() {
        const QStringList absent{"--absent", absent_.join(',')};
        const double known = observed(QStringList{"--observer", "cho"} + absent)["auc"].toDouble();
        const double noisy =
            observed(QStringList{"--observer", "cho", "--internal-noise", "5"} + absent)["auc"].toDouble();
        const double searched =
            observed(QStringList{"--observer", "lroc", "--search-mm", "30"} + absent)["auc"].toDouble();
        QVERIFY2(noisy < known, qPrintable(QString("%1 %2").arg(noisy).arg(known)));
        QVERIFY2(searched < known, qPrintable(QString("%1 %2").arg(searched).arg(known)));
        QVERIFY(searched > 0.1);
    }

    void theTableStandsBesideCrcAndNoise() {
        const Said table = cli(command({"--observer", "cho", "--absent", absent_.join(',')}));
        QVERIFY2(table.code == 0, table.all());
        for (const char* word : {"AUC", "low", "high", "SNR", "CRC", "noise", "disc"}) {
            QVERIFY2(table.out.contains(word), table.all());
        }
    }

    void whatCannotBeObservedIsOneSentence() {
        const Said few = cli({"analyze", present_[0], "--rois", path("rois.json"), "--observer", "cho",
                              "--replicates", present_[1], "--absent", absent_[0]});
        QVERIFY2(few.code == 3 && isOneSentence(few) && few.err.contains("cannot learn"), few.all());
        writeVolume(path("other.h5").toStdString(), Volume(Lattice::centred({16, 16, 3}, {4, 4, 4}), 1.0F));
        const Said other = cli({"analyze", present_[0], "--rois", path("rois.json"), "--observer", "cho",
                                "--replicates", path("other.h5")});
        QVERIFY2(other.code == 3 && isOneSentence(other) && other.err.contains("16 x 16 x 3"), other.all());
        const Said suv = cli(command({"--observer", "cho", "--suv"}));
        QVERIFY2(suv.code == 2 && isOneSentence(suv), suv.all());
    }

  private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] QStringList command(const QStringList& options) const {
        return QStringList{"analyze",         present_.first(), "--rois",
                           path("rois.json"), "--replicates",   present_.mid(1).join(',')} +
               options;
    }
    [[nodiscard]] QJsonObject observed(const QStringList& options) const {
        const Said said = cli(command(options + QStringList{"--json"}));
        if (said.code != 0) {
            qWarning("%s", said.all().constData());
        }
        return QJsonDocument::fromJson(said.out.toUtf8()).array().first().toObject();
    }

    QTemporaryDir folder_;
    QStringList present_;
    QStringList absent_;
};

QTEST_GUILESS_MAIN(ObserverCliTest)

}  // namespace observer_test
#include "observer_test.moc"
