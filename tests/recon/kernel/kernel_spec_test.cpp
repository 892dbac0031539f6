// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "recon/base/error.h"
#include "recon/kernel/kernel_spec.h"

namespace kernel_spec_test {

using namespace tof;

class KernelSpecTest : public QObject {
    Q_OBJECT

  private slots:
    void presetsHaveTheContractsWidths_data();
    void presetsHaveTheContractsWidths();
    void jsonRoundTripKeepsEveryPreset_data();
    void jsonRoundTripKeepsEveryPreset();
    void jsonRoundTripKeepsEveryFormOfWidth_data();
    void jsonRoundTripKeepsEveryFormOfWidth();
    void jsonRoundTripKeepsMeasuredProfiles();
    void samplingFollowsTheKindUnlessItIsSaid();
    void everyFieldOfTwoGaussiansAndOfProfilesIsKept();
    void contractsExampleIsRead();
    void badJsonIsRefusedWithFileAndField_data();
    void badJsonIsRefusedWithFileAndField();
    void unknownPresetSuggestsAName();
    void aNameAFileAndTheirTextAreTheSameKernel();
    void kernelsThatDifferAnywhereAreNotEqual();
    void sigmasAreFwhmOver2_3548();
};

void KernelSpecTest::presetsHaveTheContractsWidths_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("tof");
    QTest::addColumn<double>("axial");
    QTest::addColumn<double>("s");
    QTest::addColumn<double>("fwhm");
    QTest::newRow("invariant") << "invariant" << 400.0 << 5.8 << 200.0 << 5.8;
    QTest::newRow("variant1 centre") << "variant1" << 400.0 << 5.8 << 0.0 << 4.8;
    QTest::newRow("variant1 knot") << "variant1" << 400.0 << 5.8 << 75.0 << 5.8;
    QTest::newRow("variant1 between") << "variant1" << 400.0 << 5.8 << 181.5 << 7.9;
    QTest::newRow("variant1 beyond") << "variant1" << 400.0 << 5.8 << 400.0 << 10.0;
    QTest::newRow("variant1-line") << "variant1-line" << 400.0 << 5.8 << 300.0 << 4.85 + 0.01264 * 300;
    QTest::newRow("variant2") << "variant2" << 400.0 << 5.8 << 144.0 << 8.9;
    QTest::newRow("variant3") << "variant3" << 400.0 << 5.8 << 144.0 << 5.8 + 5.37 / 4;
    QTest::newRow("ha-test") << "ha-test" << 900.0 << 10.0 << 288.0 << 100.0;
    QTest::newRow("ha-fig5") << "ha-fig5" << 900.0 << 10.0 << 100.0 << 50.0;
    QTest::newRow("ha-fig7") << "ha-fig7" << 600.0 << 10.0 << 100.0 << 50.0;
    QTest::newRow("ha-fig7-variant") << "ha-fig7-variant" << 600.0 << 10.0 << 144.0 << 45.0;
    QTest::newRow("ha-fig7-variant-asymmetric")
        << "ha-fig7-variant-asymmetric" << 600.0 << 10.0 << 144.0 << 45.0;
    QTest::newRow("cache") << "cache" << 300.0 << 5.0 << 144.0 << 5.5;
}

void KernelSpecTest::presetsHaveTheContractsWidths() {
    QFETCH(QString, name);
    QFETCH(double, tof);
    QFETCH(double, axial);
    QFETCH(double, s);
    QFETCH(double, fwhm);

    const KernelSpec spec = KernelSpec::preset(name.toStdString());

    QCOMPARE(spec.tof_ps, tof);
    QCOMPARE(spec.axial_mm, axial);
    QVERIFY(std::abs(spec.radial.at(s) - fwhm) < 1e-12);
    QVERIFY(std::abs(spec.radial.at(-s) - fwhm) < 1e-12);
    QCOMPARE(spec.cutoff, 3.0);
    QCOMPARE(spec.id_step_mm, 2.0);
    QCOMPARE(spec.asymmetry.has_value(), name.endsWith("asymmetric"));
}

void KernelSpecTest::jsonRoundTripKeepsEveryPreset_data() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : KernelSpec::presetNames()) {
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
}

void KernelSpecTest::jsonRoundTripKeepsEveryPreset() {
    QFETCH(QString, name);
    const KernelSpec spec = KernelSpec::preset(name.toStdString());

    const KernelSpec again = KernelSpec::fromJson(spec.toJson(), "round trip");

    QCOMPARE(again.toJson(), spec.toJson());
    QCOMPARE(again.invariant(), spec.invariant());
    QCOMPARE(again.sided(), spec.sided());
    for (const double s : {0.0, 60.0, 300.0}) {
        QCOMPARE(again.radial.at(s), spec.radial.at(s));
    }
}

void KernelSpecTest::jsonRoundTripKeepsEveryFormOfWidth_data() {
    QTest::addColumn<QString>("radial");
    QTest::addColumn<double>("at100");
    QTest::newRow("a number") << "7" << 7.0;
    QTest::newRow("points") << "[[0,4],[50,5],[150,9]]" << 7.0;
    QTest::newRow("a slope") << R"({"centre":4,"slope":0.02})" << 6.0;
    QTest::newRow("a slope and a square")
        << R"({"centre":4,"slope":0.02,"quadratic":8,"quadratic_radius":200})" << 8.0;
    QTest::newRow("a formula that is flat") << R"({"centre":4})" << 4.0;
}

void KernelSpecTest::jsonRoundTripKeepsEveryFormOfWidth() {
    QFETCH(QString, radial);
    QFETCH(double, at100);
    const std::string text = R"({"tof_ps":400,"axial_mm":5,"radial_mm":)" + radial.toStdString() + "}";

    const KernelSpec spec = KernelSpec::fromJson(text, "k.json");
    const KernelSpec again = KernelSpec::fromJson(spec.toJson(), "round trip");

    QVERIFY(std::abs(spec.radial.at(100) - at100) < 1e-12);
    for (const double s : {0.0, 20.0, 100.0, 149.0, 400.0}) {
        QCOMPARE(again.radial.at(s), spec.radial.at(s));
    }
    QCOMPARE(again.radial.form.index(), spec.radial.form.index());
}

void KernelSpecTest::jsonRoundTripKeepsMeasuredProfiles() {
    KernelSpec spec = KernelSpec::preset("invariant");
    spec.measured = {{0, {-3, 0.1, 3}, {0, 1, 0.25}}, {50, {-2, 5}, {1, 0}}};

    const KernelSpec again = KernelSpec::fromJson(spec.toJson(), "round trip");

    QCOMPARE(again.measured.size(), std::size_t{2});
    QCOMPARE(again.measured[0].q_mm, spec.measured[0].q_mm);
    QCOMPARE(again.measured[1].w, spec.measured[1].w);
    QCOMPARE(again.measured[1].s_mm, 50.0);
}

void KernelSpecTest::samplingFollowsTheKindUnlessItIsSaid() {
    const auto read = [](const std::string& rest) {
        return KernelSpec::fromJson(R"({"tof_ps":400,"axial_mm":5,)" + rest + "}", "k.json").sampling;
    };
    const std::string profile = R"("measured":[{"s":0,"q_mm":[-1,0,1],"w":[0,1,0]}])";

    QVERIFY(read(R"("radial_mm":5)") == KernelSampling::Centre);
    QVERIFY(read(R"("radial_mm":5,"sampling":"voxel")") == KernelSampling::Voxel);
    QVERIFY(read(profile) == KernelSampling::Voxel);
    QVERIFY(read(profile + R"(,"sampling":"centre")") == KernelSampling::Centre);
    for (const std::string& name : KernelSpec::presetNames()) {
        QVERIFY(KernelSpec::preset(name).sampling == KernelSampling::Centre);
    }
}

void KernelSpecTest::everyFieldOfTwoGaussiansAndOfProfilesIsKept() {
    KernelSpec spec = KernelSpec::preset("invariant");
    spec.sampling = KernelSampling::Voxel;
    spec.asymmetry = Asymmetry{1.5, -0.5, 0.25, 0.001, -0.002, -0.75, 0.01};
    spec.measured = {{0, {-3, 0, 3}, {0, 1, 0.25}, {0.1, 0.2, 0.3}}};

    const KernelSpec again = KernelSpec::fromJson(spec.toJson(), "round trip");

    QVERIFY(again == spec);
}

void KernelSpecTest::contractsExampleIsRead() {
    const KernelSpec spec =
        KernelSpec::fromJson(R"({"tof_ps":400,"axial_mm":5.8,"radial_mm":[[0,4.8],[75,5.8]],)"
                             R"("asymmetry":{"ratio":2,"shift":1,"weight":0.5},"cutoff":3,"id_step_mm":2})",
                             "k.json");

    QVERIFY(spec.sided());
    QVERIFY(!spec.invariant());
    QCOMPARE(spec.radial.at(37.5), 5.3);
}

void KernelSpecTest::badJsonIsRefusedWithFileAndField_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("field");
    QTest::newRow("not JSON") << "{\"tof_ps\":"
                              << "JSON";
    QTest::newRow("not an object") << "[1]"
                                   << "object";
    QTest::newRow("misspelt field") << R"({"tof_p":400,"axial_mm":5,"radial_mm":5})"
                                    << "'tof_ps'";
    QTest::newRow("missing field") << R"({"axial_mm":5,"radial_mm":5})"
                                   << "'tof_ps'";
    QTest::newRow("text for a number") << R"({"tof_ps":"fast","axial_mm":5,"radial_mm":5})"
                                       << "'tof_ps'";
    QTest::newRow("zero width") << R"({"tof_ps":400,"axial_mm":0,"radial_mm":5})"
                                << "'axial_mm'";
    QTest::newRow("overflowing number") << R"({"tof_ps":1e999,"axial_mm":5,"radial_mm":5})"
                                        << "k.json";
    QTest::newRow("descending knots") << R"({"tof_ps":400,"axial_mm":5,"radial_mm":[[0,5],[9,5],[3,5]]})"
                                      << "'radial_mm'";
    QTest::newRow("knots not from zero") << R"({"tof_ps":400,"axial_mm":5,"radial_mm":[[1,5]]})"
                                         << "'radial_mm'";
    QTest::newRow("no knots") << R"({"tof_ps":400,"axial_mm":5,"radial_mm":[]})"
                              << "'radial_mm'";
    QTest::newRow("huge knot") << R"({"tof_ps":400,"axial_mm":5,"radial_mm":[[0,5],[1e300,6]]})"
                               << "'radial_mm'";
    QTest::newRow("cutoff too wide") << R"({"tof_ps":400,"axial_mm":5,"radial_mm":5,"cutoff":100})"
                                     << "'cutoff'";
    QTest::newRow("asymmetry not an object") << R"({"tof_ps":400,"axial_mm":5,"radial_mm":5,"asymmetry":2})"
                                             << "asymmetry";
    QTest::newRow("unknown sampling") << R"({"tof_ps":400,"axial_mm":5,"radial_mm":5,"sampling":"corner"})"
                                      << "'sampling' is \"corner\"";
    QTest::newRow("sampling that is a number") << R"({"tof_ps":400,"axial_mm":5,"radial_mm":5,"sampling":1})"
                                               << "'sampling'";
    QTest::newRow("shift far away")
        << R"({"tof_ps":400,"axial_mm":5,"radial_mm":5,"asymmetry":{"shift":-11}})"
        << "'shift'";
    QTest::newRow("errors of some knots")
        << R"({"tof_ps":400,"axial_mm":5,"measured":[{"s":0,"q_mm":[-1,0,1],"w":[0,1,0],"sd":[1]}]})"
        << "'sd'";
    QTest::newRow("a negative error")
        << R"({"tof_ps":400,"axial_mm":5,"measured":[{"s":0,"q_mm":[-1,1],"w":[0,1],"sd":[1,-1]}]})"
        << "'sd'";
    QTest::newRow("profiles of unequal length")
        << R"({"tof_ps":400,"axial_mm":5,"measured":[{"s":0,"q_mm":[-1,0,1],"w":[0,1]}]})"
        << "'measured'";
    QTest::newRow("profile without weight")
        << R"({"tof_ps":400,"axial_mm":5,"measured":[{"s":0,"q_mm":[-1,1],"w":[0,0]}]})"
        << "'measured'";
    QTest::newRow("widths neither number nor list") << R"({"tof_ps":400,"axial_mm":5,"radial_mm":"wide"})"
                                                    << "'radial_mm' must be a number";
    QTest::newRow("points and a slope at once")
        << R"({"tof_ps":400,"axial_mm":5,"radial_mm":{"centre":[[0,5],[9,6]],"slope":0.1}})"
        << "'centre' must be a number";
    QTest::newRow("negative width of a formula")
        << R"({"tof_ps":400,"axial_mm":5,"radial_mm":{"centre":-1,"slope":0.1}})"
        << "'centre' is -1";
    QTest::newRow("profiles out of order")
        << R"({"tof_ps":400,"axial_mm":5,"measured":[{"s":9,"q_mm":[-1,1],"w":[1,1]},)"
           R"({"s":3,"q_mm":[-1,1],"w":[1,1]}]})"
        << "ascending order of 's'";
    QTest::newRow("no profile at all") << R"({"tof_ps":400,"axial_mm":5,"measured":[]})"
                                       << "'measured'";
    QTest::newRow("a profile that is a number") << R"({"tof_ps":400,"axial_mm":5,"measured":[3]})"
                                                << "measured: expected an object";
    QTest::newRow("a profile with text")
        << R"({"tof_ps":400,"axial_mm":5,"measured":[{"s":0,"q_mm":["a"],"w":[1]}]})"
        << "'q_mm' must be a list of numbers";
    QTest::newRow("profile too wide")
        << R"({"tof_ps":400,"axial_mm":5,"measured":[{"s":0,"q_mm":[-1e9,1],"w":[1,1]}]})"
        << "'measured.q_mm'";
}

void KernelSpecTest::badJsonIsRefusedWithFileAndField() {
    QFETCH(QString, text);
    QFETCH(QString, field);
    QString sentence;

    try {
        static_cast<void>(KernelSpec::fromJson(text.toStdString(), "k.json"));
    } catch (const BadInput& fault) {
        sentence = fault.what();
    }

    QVERIFY2(sentence.contains(field), qPrintable(sentence));
    QVERIFY2(sentence.startsWith("k.json"), qPrintable(sentence));
    QVERIFY2(!sentence.contains('\n'), qPrintable(sentence));
}

void KernelSpecTest::unknownPresetSuggestsAName() {
    QString sentence;

    try {
        static_cast<void>(KernelSpec::parse("varient1"));
    } catch (const WrongUse& fault) {
        sentence = fault.what();
    }

    QVERIFY2(sentence.contains("did you mean 'variant1'"), qPrintable(sentence));
}

void KernelSpecTest::aNameAFileAndTheirTextAreTheSameKernel() {
    const KernelSpec preset = KernelSpec::preset("variant1");
    QTemporaryDir folder;
    const std::string file = folder.filePath("k.json").toStdString();
    std::ofstream(file) << preset.toJson();

    QVERIFY(KernelSpec::parse("variant1") == preset);
    QVERIFY(KernelSpec::parse(preset.toJson()) == preset);
    QVERIFY(KernelSpec::parse(file) == preset);
}

void KernelSpecTest::kernelsThatDifferAnywhereAreNotEqual() {
    const KernelSpec kernel = KernelSpec::preset("ha-test-asymmetric");
    std::vector<KernelSpec> others(7, kernel);
    others[0].name = "other";
    others[1].axial_mm += 1e-9;
    others[2].asymmetry->weight = 0.25;
    others[3].radial = RadialWidth{WidthFormula{}};
    others[4].measured.push_back(MeasuredProfile{0, {-1, 1}, {1, 1}});
    others[5].asymmetry.reset();
    others[6].sampling = KernelSampling::Voxel;

    for (const KernelSpec& other : others) {
        QVERIFY(other != kernel);
    }
}

void KernelSpecTest::sigmasAreFwhmOver2_3548() {
    const KernelSpec spec = KernelSpec::preset("invariant");

    QVERIFY(std::abs(spec.sigmaTof_mm() - 400 * 0.149896229 / 2.354820045) < 1e-12);
    QVERIFY(std::abs(spec.sigmaAxial_mm() - 5.8 / 2.354820045) < 1e-12);
}

QTEST_APPLESS_MAIN(KernelSpecTest)

}  // namespace kernel_spec_test
#include "kernel_spec_test.moc"
