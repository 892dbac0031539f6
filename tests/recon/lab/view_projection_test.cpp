// SPDX-License-Identifier: Apache-2.0
#include "recon/lab/view_projection.h"

#include <QTest>
#include <algorithm>
#include <cmath>

#include "app/engines.h"
#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace view_projection_test {

using namespace tof;

class ViewProjectionTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        input_.lattice = Lattice::centred({40, 36, 12}, {4, 4, 4});
        input_.points = {{20, 18, 6}, {5, 30, 2}};
    }

    void theEngineGivesWhatTheDefinitionSays_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("forward") << static_cast<int>(ProjectionKind::Forward);
        QTest::newRow("back") << static_cast<int>(ProjectionKind::Back);
    }

    void theEngineGivesWhatTheDefinitionSays() {
        QFETCH(int, kind);
        const auto which = static_cast<ProjectionKind>(kind);
        const KernelSpec kernel = KernelSpec::preset("variant2");

        const Projection engine = project({which, "cpu", "", kernel});
        const Projection definition = project({which, kDefinition, "", kernel});

        QCOMPARE(QString::fromStdString(definition.where), QString("definition"));
        const float peak = *std::max_element(definition.volume.data.begin(), definition.volume.data.end());
        for (std::size_t i = 0; i < engine.volume.data.size(); ++i) {
            // At most some ten roundings of float on the way, each 6e-8 of a value below the peak.
            QVERIFY(std::abs(engine.volume.data[i] - definition.volume.data[i]) <= 1e-6F * peak);
        }
    }

    void aProjectorIsKeptForTheSameKernel() {
        const KernelSpec kernel = KernelSpec::preset("variant1");

        const Projection first = project({ProjectionKind::Forward, "cpu", "", kernel});
        const Projection second = project({ProjectionKind::Back, "cpu", "", kernel});

        QVERIFY(first.prepare_ms > 0);
        QCOMPARE(second.prepare_ms, 0.0);
    }

    void whatCannotBeProjectedSaysWhy() {
        ProjectionInput image = input_;
        image.image = std::make_shared<const Volume>(input_.lattice, 1.0F);

        const auto fft =
            projections_.project({ProjectionKind::Forward, "fftw", "no-such", KernelSpec::preset("variant1")},
                                 input_, view_, [] {});
        const auto definition = projections_.project(
            {ProjectionKind::Forward, kDefinition, "", KernelSpec::preset("variant1")}, image, view_, [] {});

        QVERIFY(std::holds_alternative<Unsupported>(fft));
        QVERIFY(std::holds_alternative<Unsupported>(definition));
    }

    void aKernelThatIsASumOfOthersSaysSo() {
        const auto made = projections_.project(
            {ProjectionKind::Forward, "fftw", "", KernelSpec::preset("variant1")}, input_, view_, [] {});
        if (std::holds_alternative<Unsupported>(made)) {
            QSKIP(std::get<Unsupported>(made).why.c_str());
        }
        const auto& fftw = std::get<Projection>(made);
        const Projection cpu = project({ProjectionKind::Forward, "cpu", "", KernelSpec::preset("variant1")});

        QVERIFY2(QString::fromStdString(fftw.note).startsWith("rank "), fftw.note.c_str());
        QVERIFY(cpu.note.empty());
        const float peak = *std::max_element(cpu.volume.data.begin(), cpu.volume.data.end());
        for (std::size_t i = 0; i < cpu.volume.data.size(); ++i) {
            QVERIFY(std::abs(fftw.volume.data[i] - cpu.volume.data[i]) <= 2.5e-5F * peak);
        }
    }

    void aCheckpointEndsIt() {
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(projections_.project(
                                     {ProjectionKind::Forward, "cpu", "", KernelSpec::preset("variant3")},
                                     input_, view_, [] { throw Cancelled(); })),
                                 Cancelled);
    }

    void everyStrategyHasATimeOrAReason() {
        const auto rows = projections_.timeAll(KernelSpec::preset("invariant"), input_, view_, 3, [] {});

        QVERIFY(rows.size() >= 2 * engines_.names().size());
        for (const StrategyTiming& row : rows) {
            QCOMPARE(row.runs, row.whyNot.empty() ? 3 : 0);
            QCOMPARE(row.median_ms > 0, row.whyNot.empty());
            QCOMPARE(row.min_ms > 0, row.whyNot.empty());
        }
    }

    void forwardAndBackAreAdjoint() {
        const auto error =
            projections_.adjointError({ProjectionKind::Forward, "cpu", "", KernelSpec::preset("variant2")},
                                      input_.lattice, view_, 1, [] {});

        // 17,280 outputs of some hundred roundings each; random signs leave far less than 1e-5 of the sum.
        QVERIFY(std::get<double>(error) < 1e-5);
    }

  private:
    Projection project(const Projecting& how) {
        return std::get<Projection>(projections_.project(how, input_, view_, [] {}));
    }

    EngineRegistry engines_ = makeEngineRegistry();
    ViewProjections projections_{engines_, {}};
    ProjectionInput input_;
    View view_{31.5 * kRadPerDeg, 6.67 * kRadPerDeg};
};

QTEST_APPLESS_MAIN(ViewProjectionTest)

}  // namespace view_projection_test
#include "view_projection_test.moc"
