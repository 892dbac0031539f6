// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <QtCore/QTemporaryDir>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/settings/image_grid.h"
#include "recon/settings/settings.h"
#include "recon/study/study.h"

namespace settings_test {

using namespace tof;

class SettingsTest : public QObject {
    Q_OBJECT

  private slots:
    void everyRowIsComplete() {
        std::set<std::string> keys;
        for (const SettingInfo& info : settingsTable()) {
            QVERIFY2(keys.insert(info.key).second, info.key.c_str());
            QVERIFY2(!info.label.empty() && info.help.ends_with('.'), info.key.c_str());
            QCOMPARE(info.kind == OptionKind::Choice, !info.choices.empty());
            RunSettings settings;
            settings.set(info.key, info.fallback);  // a default is a valid value
            QVERIFY(settings.isDefault(info.key));
        }
    }

    void settingsAreUsedByWhoLooksAtThem() {
        RunSettings settings;
        const auto used = [&](const char* key) { return isUsed(settingInfo(key), settings); };
        QVERIFY(used("relaxation") && used("subsets") && used("kernel") && used("objective"));
        QVERIFY(!used("prior") && !used("beta") && !used("step"));
        settings.set("algorithm", "svrg");
        QVERIFY(!used("relaxation") && used("prior") && used("beta") && used("step"));
        QVERIFY(used("prior-gamma") && used("prior-epsilon") && !used("prior-delta"));
        QVERIFY(used("anatomy") && !used("bowsher"));
        settings.set("prior", "huber");
        settings.set("anatomy", "ct.nii");
        QVERIFY(!used("prior-gamma") && !used("prior-epsilon") && used("prior-delta") && used("bowsher"));
        settings.set("algorithm", "lbfgsb");
        QVERIFY(!used("subsets") && !used("step") && used("prior"));
    }

    void enginesToChooseAreThoseOfTheProgram() {
        std::vector<std::string> names = makeEngineRegistry().names();
        names.insert(names.begin(), "auto");

        QCOMPARE(settingInfo("engine").choices, names);
    }

    void anImagesGridAndVoxelsAreNumbers() {
        RunSettings settings;
        const Lattice own = Lattice::centred({20, 20, 9}, {4, 4, 5});
        QVERIFY(imageLattice(settings.grid, settings.voxel, own) == own);
        settings.set("voxel", "2x2x5");
        QVERIFY(imageLattice(settings.grid, settings.voxel, own) == Lattice::centred({40, 40, 9}, {2, 2, 5}));
        settings.set("grid", "10x10x3");
        QVERIFY(imageLattice(settings.grid, settings.voxel, own) == Lattice::centred({10, 10, 3}, {2, 2, 5}));
        settings.set("voxel", "");
        QVERIFY(imageLattice(settings.grid, settings.voxel, own) ==
                Lattice::centred({10, 10, 3}, {8, 8, 15}));
        for (const char* grid : {"10", "10x10", "0x1x1", "10x10x3x", "axbxc", "10x10x5000"}) {
            QVERIFY_EXCEPTION_THROWN(settings.set("grid", grid), WrongUse);
        }
        QVERIFY_EXCEPTION_THROWN(settings.set("voxel", "0"), WrongUse);
        QCOMPARE(settings.get("grid"), std::string("10x10x3"));
    }

    void settingsOnEveryFieldSurviveAsText() {
        RunSettings changed;
        for (const SettingInfo& info : settingsTable()) {
            const bool number = info.kind == OptionKind::Integer || info.kind == OptionKind::Number;
            changed.set(info.key, number ? std::to_string(static_cast<int>(info.high))
                                  : info.kind == OptionKind::Choice ? info.choices.back()
                                  : info.key == "pad"               ? "1,2,3"
                                  : info.key == "grid"              ? "10x12x14"
                                  : info.key == "voxel"             ? "2x2x3"
                                                                    : "other");
            QVERIFY2(!changed.isDefault(info.key), info.key.c_str());
        }

        RunSettings again;
        for (const SettingInfo& info : settingsTable()) {
            again.set(info.key, changed.get(info.key));
        }

        QVERIFY(again == changed);
    }

    void defaultsAreThoseOfTheDesign() {
        const AlgorithmSettings defaults = RunSettings().algorithm();
        QCOMPARE(defaults.relaxation, 0.03);
        QCOMPARE(defaults.gamma, 0.0);
        QCOMPARE(defaults.subsets, 0);
        QVERIFY(defaults.algorithm == &ramla());
    }

    void badValuesAreRefusedBySentence_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("says");
        QTest::newRow("word") << "iterations"
                              << "many"
                              << "whole number";
        QTest::newRow("fraction") << "iterations"
                                  << "2.5"
                                  << "whole number";
        QTest::newRow("range") << "iterations"
                               << "0"
                               << "between 1 and";
        QTest::newRow("choice") << "algorithm"
                                << "ramla2"
                                << "did you mean 'ramla'";
        QTest::newRow("key") << "iteration"
                             << "2"
                             << "did you mean 'iterations'";
        QTest::newRow("pad") << "pad"
                             << "1,2"
                             << "16,16,8";
        QTest::newRow("nan") << "relaxation"
                             << "nan"
                             << "number";
        QTest::newRow("trailing") << "relaxation"
                                  << "0.1x"
                                  << "number";
    }
    void badValuesAreRefusedBySentence() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, says);
        RunSettings settings;
        try {
            settings.set(key.toStdString(), value.toStdString());
            QFAIL("accepted");
        } catch (const WrongUse& fault) {
            QVERIFY2(QString(fault.what()).contains(says), fault.what());
        }
        QVERIFY(settings == RunSettings());
    }

    void settingsSurviveJson() {
        RunSettings settings;
        settings.set("kernel", R"({"tof_ps":300,"axial_mm":5,"radial_mm":[[0,5],[288,6]]})");
        settings.set("relaxation", "0.125");
        settings.set("pad", "16,0,8");
        QVERIFY(RunSettings::fromJson(settings.json(), "test") == settings);
        QCOMPARE(settings.kernel().tof_ps, 300.0);
        QCOMPARE(settings.engineOptions().padding.voxels[2], 8);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(RunSettings::fromJson({{"iteration", 3}}, "f.json")),
                                 BadInput);
    }

    void aKernelThatIsKeptStaysWhatItsFileWas() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("kernel.json").toStdString();
        std::ofstream(path) << R"({"tof_ps":300,"axial_mm":5,"radial_mm":[[0,5],[288,6]]})";
        RunSettings settings;
        settings.set("kernel", path);

        settings.keepKernel("histo");

        QVERIFY(folder.remove());
        QCOMPARE(RunSettings(settings).kernel().tof_ps, 300.0);
        settings.set("kernel", "variant1");
        QCOMPARE(settings.kernel().name, std::string("variant1"));
    }

    void studyRemembersEverything() {
        QTemporaryDir folder;
        const std::string data = folder.filePath("some.h5").toStdString();
        std::ofstream(data) << "content";
        const std::string path = folder.filePath("test.tofstudy").toStdString();
        Study study = Study::create(path, data);
        QCOMPARE(study.name(), std::string("test"));
        QCOMPARE(study.nextRunName(), std::string("A"));
        std::ofstream(study.runFile("A")) << "x";
        std::ofstream(study.checkpointFile("B")) << "x";
        study.settings.set("iterations", "7");
        study.viewJson = R"({"cursor":[1,2,3]})";
        Roi roi;
        roi.name = "one";
        roi.radius_mm = 4;
        study.rois = {{roi}, 6};
        study.save();

        const Study again = Study::open(path);

        QCOMPARE(again.runs(), std::vector<std::string>{"A"});
        QCOMPARE(again.interruptedRuns(), std::vector<std::string>{"B"});
        QCOMPARE(again.nextRunName(), std::string("C"));
        QVERIFY(again.settings == study.settings);
        QCOMPARE(again.viewJson, study.viewJson);
        QCOMPARE(again.rois.trueRatio, 6.0);
        QCOMPARE(again.rois.rois.front().radius_mm, 4.0);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(Study::create(path, data)), BadInput);
    }
};

QTEST_APPLESS_MAIN(SettingsTest)

}  // namespace settings_test
#include "settings_test.moc"
