// SPDX-License-Identifier: Apache-2.0
// Transforms as ITK and trackers write them.
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "recon/base/error.h"
#include "recon/register/rigid_place.h"
#include "recon/register/transform_file.h"

namespace transform_file_test {

using namespace tof;

namespace {

constexpr const char* kHead = "#Insight Transform File V1.0\n#Transform 0\n";

}  // namespace

class TransformFileTest : public QObject {
    Q_OBJECT

  private slots:
    void whatIsWrittenIsReadAgain_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"x.tfm", "x.txt", "x.tsv", "x.json"}) {
            QTest::newRow(name) << name;
        }
    }
    void whatIsWrittenIsReadAgain() {
        QFETCH(QString, name);
        const Pose place = poseOf({{12.5, -3, 7}, {10, -20, 33}}, {1, 2, 3});
        const std::string path = folder_.filePath(name).toStdString();

        writeTransform(path, place);

        // Seventeen digits, and products of matrices of some hundred mm.
        QVERIFY(readTransform(path).distance(place, 200) < 1e-9);
    }

    void itksTextGoesFromTheFixedImageToTheMovingOne() {
        const std::string path = folder_.filePath("way.tfm").toStdString();
        writeTransform(path, Pose{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {5, 6, 7}});

        std::ifstream in(path);
        const std::string text{std::istreambuf_iterator<char>(in), {}};

        QVERIFY(text.find("Parameters: 1 0 0 0 1 0 0 0 1 -5 -6 -7\n") != std::string::npos);
        QVERIFY(text.find("Transform: AffineTransform_double_3_3\n") != std::string::npos);
    }

    void otherRigidKindsAreRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("z");  // where (10, 0, 0) of the fixed image lies in the moving one
        QTest::addColumn<double>("y");
        // A turn by 90 degrees about z takes x to y, about y takes x to -z, about the centre.
        QTest::newRow("euler about z") << "Transform: Euler3DTransform_double_3_3\nParameters: 0 0 "
                                          "1.5707963267948966 0 0 0\nFixedParameters: 0 0 0 0\n"
                                       << 0.0 << 10.0;
        QTest::newRow("euler about y") << "Transform: Euler3DTransform_float_3_3\nParameters: 0 "
                                          "1.5707963267948966 0 0 0 3\nFixedParameters: 0 0 0\n"
                                       << -7.0 << 0.0;
        QTest::newRow("versor about z") << "Transform: VersorRigid3DTransform_double_3_3\nParameters: 0 0 "
                                           "0.70710678118654757 0 0 1\nFixedParameters: 4 0 0\n"
                                        << 1.0 << 6.0;
        // Euler's order is y, then x, then z: x goes to -z by y, which x turns to y.
        QTest::newRow("order") << "Transform: Euler3DTransform_double_3_3\nParameters: 1.5707963267948966 "
                                  "1.5707963267948966 0 0 0 0\nFixedParameters: 0 0 0 0\n"
                               << 0.0 << 10.0;
        // And z, y, x where the file says so: x is left by x, goes to -z by y, which z leaves.
        QTest::newRow("other order")
            << "Transform: Euler3DTransform_double_3_3\nParameters: "
               "1.5707963267948966 1.5707963267948966 0 0 0 0\nFixedParameters: 0 0 0 1\n"
            << -10.0 << 0.0;
    }
    void otherRigidKindsAreRead() {
        QFETCH(QString, text);
        QFETCH(double, z);
        QFETCH(double, y);

        const Vec3 moving = read(kHead + text).inverse().moved({10, 0, 0});

        QVERIFY2(std::abs(moving.z - z) < 1e-9 && std::abs(moving.y - y) < 1e-9,
                 qPrintable(QString("%1 %2 %3").arg(moving.x).arg(moving.y).arg(moving.z)));
    }

    void otherFilesAreRefused_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const QString affine = "Transform: AffineTransform_double_3_3\n";
        QTest::newRow("scaled") << affine + "Parameters: 1.1 0 0 0 1 0 0 0 1 0 0 0\nFixedParameters: 0 0 0\n"
                                << "no rotation";
        QTest::newRow("short") << affine + "Parameters: 1 0 0 0 1 0 0 0 1 0 0\nFixedParameters: 0 0 0\n"
                               << "has 11 'Parameters'";
        QTest::newRow("word") << affine + "Parameters: 1 0 0 0 1 0 0 0 one 0 0 0\nFixedParameters: 0 0 0\n"
                              << "no number";
        QTest::newRow("kind") << "Transform: BSplineTransform_double_3_3\nParameters: 0\nFixedParameters: 0\n"
                              << "BSplineTransform";
        QTest::newRow("two") << affine + affine << "several transforms";
        QTest::newRow("nothing") << "hello\n"
                                 << "no line 'Transform";
        QTest::newRow("not finite") << affine +
                                           "Parameters: nan 0 0 0 1 0 0 0 1 0 0 0\nFixedParameters: 0 0 0\n"
                                    << "x.tfm";
    }
    void otherFilesAreRefused() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        QString said;

        try {
            static_cast<void>(read(text));
        } catch (const BadInput& fault) {
            said = fault.what();
        }

        QVERIFY2(said.contains(says), qPrintable(said));
    }

    void otherEndingsAreRefused() {
        QVERIFY_THROWS_EXCEPTION(WrongUse, writeTransform(folder_.filePath("x.mat").toStdString(), Pose()));
        QVERIFY_THROWS_EXCEPTION(WrongUse, static_cast<void>(readTransform("x.xfm")));
    }

  private:
    Pose read(const QString& text) {
        const std::string path = folder_.filePath("x.tfm").toStdString();
        std::ofstream(path) << text.toStdString();
        return readTransform(path);
    }

    QTemporaryDir folder_;
};

QTEST_APPLESS_MAIN(TransformFileTest)

}  // namespace transform_file_test
#include "transform_file_test.moc"
