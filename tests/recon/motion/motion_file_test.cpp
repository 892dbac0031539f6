// SPDX-License-Identifier: Apache-2.0
// Poses of a tracker: what their files say, and which sentence each fault has.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <fstream>

#include "recon/base/error.h"
#include "recon/motion/motion_file.h"

namespace motion_file_test {

using namespace tof;

namespace {

constexpr const char* kHead = "# frame: scanner\n# units: mm\n# reference: identity\n# end_ms: 3000\n";
constexpr const char* kColumns = "time_ms m00 m01 m02 m03 m10 m11 m12 m13 m20 m21 m22 m23\n";
constexpr const char* kStill = "0 1 0 0 0 0 1 0 0 0 0 1 0\n";
constexpr const char* kQuarter = "1000 0 -1 0 5 1 0 0 6 0 0 1 7\n";  // a quarter turn about z

/// How far apart two places are, mm.
double apart(Vec3 a, Vec3 b) {
    return norm(a - b);
}

}  // namespace

class MotionFileTest : public QObject {
    Q_OBJECT

  private slots:
    void posesHoldUntilTheNext() {
        const RigidMotion motion = read(std::string(kHead) + kColumns + kStill + kQuarter);
        RigidMotion::Walk walk(motion);
        const Vec3 p{10, 20, 30};

        QCOMPARE(walk.back(999.9), Pose());
        // The quarter turn takes (10, 20, 30) to (-20 + 5, 10 + 6, 30 + 7).
        QVERIFY(apart(walk.back(1000).moved({-15, 16, 37}), p) < 1e-12);
        QVERIFY(apart(walk.back(2999).moved({-15, 16, 37}), p) < 1e-12);
        QCOMPARE(walk.back(0), Pose());
    }

    void posesAreInterpolatedWhereThatIsAsked() {
        const RigidMotion motion =
            read(std::string(kHead) + kColumns + kStill + kQuarter, PoseBetween::Interpolate);
        RigidMotion::Walk walk(motion);
        const double third = std::acos(-1.0) / 6;  // a third of the quarter turn
        const Vec3 p{10, 20, 30};
        const Vec3 there{std::cos(third) * p.x - std::sin(third) * p.y + 5.0 / 3,
                         std::sin(third) * p.x + std::cos(third) * p.y + 2, p.z + 7.0 / 3};

        QVERIFY(apart(walk.back(1000.0 / 3).moved(there), p) < 1e-12);
    }

    void aTrackersFrameIsCarriedIntoTheScanners() {
        // Tracker axes: x is the scanner's y, y its z, z its x; its origin lies at (100, 0, 0).
        const std::string calibration = "[[0,0,1,100],[1,0,0,0],[0,1,0,0],[0,0,0,1]]";
        const std::string text =
            R"({"frame": "tracker", "units": "mm", "reference": "first", "end_ms": 3000, )"
            R"("scanner_from_tracker": )" +
            calibration +
            R"(, "poses": [{"time_ms": 0, "matrix": [[0,-1,0,4],[1,0,0,5],[0,0,1,6],[0,0,0,1]]}, )"
            R"({"time_ms": 1000, "matrix": [[0,-1,0,4],[1,0,0,5],[0,0,1,8],[0,0,0,1]]}]})";

        const RigidMotion motion = read(text, PoseBetween::Hold, "poses.json");

        QCOMPARE(motion.poses()[0].pose, Pose());
        // 2 mm along the tracker's z are 2 mm along the scanner's x.
        QVERIFY(apart(motion.poses()[1].pose.moved({1, 2, 3}), {3, 2, 3}) < 1e-12);
    }

    void weightsAreSharesOfTheTime_data() {
        QTest::addColumn<double>("halfLife_s");
        QTest::addColumn<double>("first");
        QTest::newRow("no decay") << 0.0 << 1.0 / 3;
        // 1 - 2^(-1) in the first half life, of 1 - 2^(-3) in three.
        QTest::newRow("half lives of 1 s") << 1.0 << 0.5 / 0.875;
    }
    void weightsAreSharesOfTheTime() {
        QFETCH(double, halfLife_s);
        QFETCH(double, first);
        const RigidMotion motion = read(std::string(kHead) + kColumns + kStill + kQuarter);

        const std::vector<WeighedPose> poses = motion.weighed(3, halfLife_s);

        QCOMPARE(poses.size(), std::size_t{2});
        QVERIFY(std::abs(poses[0].weight - first) < 1e-14);
        QVERIFY(std::abs(poses[0].weight + poses[1].weight - 1) < 1e-14);
    }

    void posesThatAreAlikeAreOne() {
        // A tracker at rest: shifts of 0.1 mm to and fro.
        std::string text = std::string(kHead) + kColumns;
        for (int i = 0; i < 30; ++i) {
            text += std::to_string(100 * i) + " 1 0 0 " + (i % 2 == 0 ? "0" : "0.1") + " 0 1 0 0 0 0 1 0\n";
        }
        const std::vector<WeighedPose> poses = read(text).weighed(3, 0);
        QCOMPARE(poses.size(), std::size_t{1});
        QVERIFY(std::abs(poses[0].weight - 1) < 1e-14);
    }

    void everyFaultIsOneSentence_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        const std::string head = kHead;
        const std::string columns = kColumns;
        const auto row = [](const char* name, const std::string& text, const char* said) {
            QTest::newRow(name) << QString::fromStdString(text) << said;
        };
        row("clock goes back", head + columns + kQuarter + kStill,
            "line 7 is at 0 ms, not after the 1000 ms of line 6; times must ascend");
        row("no rotation", head + columns + "0 1 0 0 0 0 1.002 0 0 0 0 1 0\n",
            "the matrix of line 6 is no rotation: its rows are orthonormal with determinant +1 but for "
            "0.004");
        row("a mirror", head + columns + "0 1 0 0 0 0 1 0 0 0 0 -1 0\n", "is no rotation");
        row("lost sight", head + columns + "0 n/a 0 0 0 0 1 0 0 0 0 1 0\n",
            "'m00' of line 6 is 'n/a', no number; where the tracker lost sight");
        row("a short line", head + columns + "0 1 0 0 0 0 1 0 0 0 0 1\n", "'m23' of line 6 is '', no number");
        row("a gap", head + "# longest_step_ms: 1500\n" + columns + kStill + kQuarter,
            "there is no pose from 1000 ms (line 8) to 3000 ms (end_ms), longer than longest_step_ms 1500");
        row("unknown frame", "# frame: room\n" + head.substr(17) + columns + kStill,
            "field 'frame' is 'room'; it must be scanner, or tracker with scanner_from_tracker");
        row("no frame", head.substr(17) + columns + kStill, "field 'frame' is ''");
        row("a tracker without calibration", "# frame: tracker\n" + head.substr(17) + columns + kStill,
            "field 'scanner_from_tracker' is missing");
        row("other units",
            "# frame: scanner\n# units: cm\n# reference: first\n# end_ms: 9\n" + columns + kStill,
            "field 'units' is 'cm'; shifts must be in mm");
        row("no end", "# frame: scanner\n# units: mm\n# reference: first\n" + columns + kStill,
            "field 'end_ms' is missing; say until when the last pose holds");
        row("unknown field", "# fps: 30\n" + head + columns + kStill, "field 'fps' is unknown");
        row("no column", head + "time_ms m00\n" + kStill, "has no column 'm01'");
        row("no poses", head + columns, "holds no poses; give at least one");
    }
    void everyFaultIsOneSentence() {
        QFETCH(QString, text);
        QFETCH(QString, said);
        std::string sentence;

        try {
            static_cast<void>(read(text.toStdString()));
        } catch (const BadInput& fault) {
            sentence = fault.what();
        }

        QVERIFY2(QString::fromStdString(sentence).contains(said), sentence.c_str());
        QVERIFY(QString::fromStdString(sentence).contains("poses.tsv"));
    }

    void posesCoverTheWholeList_data() {
        QTest::addColumn<double>("duration_s");
        QTest::addColumn<QString>("said");
        QTest::newRow("to its end") << 3.0 << "";
        QTest::newRow("ends early")
            << 3.5 << "its poses end at 3000 ms, and list.h5 lasts until 3500 ms; give poses";
        QTest::newRow("no duration") << 0.0 << "list.h5: does not say how long it is";
    }
    void posesCoverTheWholeList() {
        QFETCH(double, duration_s);
        QFETCH(QString, said);
        const RigidMotion motion = read(std::string(kHead) + kColumns + kStill);
        std::string sentence;

        try {
            motion.requireCover(duration_s, "list.h5");
        } catch (const BadInput& fault) {
            sentence = fault.what();
        }

        QVERIFY2(said.isEmpty() ? sentence.empty() : QString::fromStdString(sentence).contains(said),
                 sentence.c_str());
        RigidMotion::Walk walk(motion);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(walk.back(-1)), BadInput);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(walk.back(3500)), BadInput);
    }

  private:
    RigidMotion read(const std::string& text, PoseBetween between = PoseBetween::Hold,
                     const char* name = "poses.tsv") {
        const std::string path = folder_.filePath(name).toStdString();
        std::ofstream(path) << text;
        return motionFrom({path, between});
    }

    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(MotionFileTest)

}  // namespace motion_file_test
#include "motion_file_test.moc"
