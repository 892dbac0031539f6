// SPDX-License-Identifier: Apache-2.0
#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "ui/charts/chart.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/json.h"
#include "ui/kit/text.h"
#include "ui/kit/theme.h"

namespace models_test {

using namespace tof;
using namespace tof::ui;

namespace {

/// The contrast of two colours by WCAG 2.2.
double contrast(const QColor& a, const QColor& b) {
    const auto luminance = [](const QColor& c) {
        const auto linear = [](double v) {
            return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    };
    const double la = luminance(a) + 0.05;
    const double lb = luminance(b) + 0.05;
    return std::max(la, lb) / std::min(la, lb);
}

}  // namespace

class ModelsTest : public QObject {
    Q_OBJECT

  private slots:
    void smallAndLargeNumbersAreWrittenShort() {
        const QChar minus(0x2212);
        QCOMPARE(compactNumber(0.00012), QString("1.20e") + minus + "4");
        QCOMPARE(compactNumber(-0.00099996), minus + QString("1.00e") + minus + "3");
        QCOMPARE(compactNumber(0.0015), QString("0.00150"));
        QCOMPARE(compactNumber(0.5), QString("0.500"));
        QCOMPARE(compactNumber(12.3456), QString("12.35"));
        QCOMPARE(compactNumber(83627.4), QString("83627"));
        QCOMPARE(compactNumber(2.5e8), QString("2.50e8"));
    }

    void cursorStaysInsideTheLattice() {
        ViewModel view;
        view.setLattice(Lattice::centred({10, 8, 6}, {2, 3, 4}));

        view.setCursor({1000, -1000, 3});

        QVERIFY(view.cursor().x < 10.0 && view.cursor().x > 9.9);
        QCOMPARE(view.cursor().y, -12.0);
        QCOMPARE(view.cursor().z, 3.0);
        QCOMPARE(view.sliceIndex(Plane::Sagittal), 9);
        QCOMPARE(view.sliceIndex(Plane::Coronal), 0);
    }

    void stepsLandOnSliceCentresAndStopAtTheEnds() {
        ViewModel view;
        view.setLattice(Lattice::centred({10, 8, 6}, {2, 3, 4}));
        view.setCursor({0, 0, 1.3});

        view.stepSlice(Plane::Transverse, 1);
        QCOMPARE(view.cursor().z, 6.0);  // slice centres are -10, -6, -2, 2, 6, 10
        view.stepSlice(Plane::Transverse, 10);
        QCOMPARE(view.cursor().z, 10.0);
        view.stepSlice(Plane::Transverse, -3);

        QCOMPARE(view.cursor().z, -2.0);
    }

    void manyChangesInOneTurnAreAnnouncedOnce() {
        ViewModel view;
        QSignalSpy changed(&view, &ViewModel::changed);
        view.setLattice(Lattice::centred({10, 8, 6}, {2, 3, 4}));
        view.setCursor({1, 1, 1});
        view.setLayout(Layout::Row);

        QCoreApplication::processEvents();

        QCOMPARE(changed.count(), 1);
    }

    void autoIsLitOnlyForTheImageItWasTakenFrom() {
        ViewModel view;
        view.setRangeSource({"A", 0});
        view.setAutomaticRange({0, 10});
        view.setRangeOfShown({0, 10});
        QVERIFY(view.autoRange());

        view.setRangeOfShown({0, 20});  // another run

        QVERIFY(!view.autoRange());
        QCOMPARE(view.range(), (DisplayRange{0, 10}));
        view.setRange({1, 5});
        view.setAutomaticRange({0, 20});
        QCOMPARE(view.range(), (DisplayRange{1, 5}));
        view.resetRange();
        QVERIFY(view.followsSource() && !view.rangeSource());
    }

    void looksAreKeptByKey() {
        ViewModel view;
        view.useLook("runs", view.usualLook());
        view.setRange({0, 100});
        view.setColourMap("inferno");

        view.useLook("mu", view.usualLook());

        QVERIFY(view.followsSource());
        QCOMPARE(view.colourMapId(), QString("grey"));
        view.setRange({0, 0.15});
        view.useLook("runs", view.usualLook());
        QCOMPARE(view.range(), (DisplayRange{0, 100}));
        QCOMPARE(view.colourMapId(), QString("inferno"));
        QCOMPARE(view.lookOf("mu").range, (DisplayRange{0, 0.15}));
    }

    void theCursorOfASessionWaitsForTheFirstLattice() {
        const Lattice lattice = Lattice::centred({10, 10, 10}, {4, 4, 4});
        ViewModel before;
        before.setLattice(lattice);
        before.setCursor({10, -6, 2});
        before.zoomAbout({10, -6, 2}, 2);

        ViewModel view;
        view.fromJson(before.toJson());
        view.setLattice(lattice);

        QCOMPARE(norm(view.cursor() - Vec3{10, -6, 2}), 0.0);
        QCOMPARE(view.zoom(), 2.0);
        QVERIFY(norm(view.middle() - before.middle()) < 1e-12);
    }

    void anotherLatticeKeepsTheCursor() {
        ViewModel view;
        view.setLattice(Lattice::centred({10, 10, 10}, {4, 4, 4}));
        view.setCursor({7, -9, 3});
        view.zoomAbout({0, 0, 0}, 2);

        view.setLattice(Lattice::centred({8, 8, 8}, {6, 6, 6}));

        QCOMPARE(view.cursor().x, 7.0);
        QCOMPARE(view.cursor().y, -9.0);
        QCOMPARE(view.zoom(), 2.0);
        view.setLattice(Lattice::centred({4, 4, 4}, {2, 2, 2}));  // the cursor lies outside
        const Box whole = latticeBox(view.lattice());
        QVERIFY(view.cursor().x <= whole.high.x && view.cursor().y >= whole.low.y);
    }

    void zoomKeepsThePointUnderThePointer() {
        ViewModel view;
        view.setLattice(Lattice::centred({100, 100, 100}, {1, 1, 1}));
        const Vec3 fixed{10, -20, 5};

        view.zoomAbout(fixed, 2);

        // On screen a point lies at (p - middle) * zoom.
        QCOMPARE((fixed.x - view.middle().x) * view.zoom(), fixed.x);
        QCOMPARE((fixed.y - view.middle().y) * view.zoom(), fixed.y);
        QCOMPARE(view.zoom(), 2.0);
    }

    void everyPropertySurvivesTheJsonRoundTrip() {
        ViewModel a;
        a.setLattice(Lattice::centred({20, 20, 20}, {2, 2, 2}));
        a.setCursor({3, -5, 7});
        a.setRange({2, 90});
        a.setColourMap("inferno");
        a.setInverted(true);
        a.setLayout(Layout::Grid);
        a.setActivePlane(Plane::Sagittal);
        a.setOrientation(viz::Orientation::Neurological);
        a.zoomAbout({1, 1, 1}, 3);
        a.pan({2, 0, 1});
        a.selectRoi(4);
        for (int i = 0; i < 8; ++i) {
            a.setFlag(static_cast<ViewModel::Flag>(i), i % 3 == 0);
        }
        ViewModel b;
        b.setLattice(Lattice::centred({20, 20, 20}, {2, 2, 2}));

        const nlohmann::json saved = a.toJson();
        b.fromJson(saved);

        QVERIFY2(b.toJson() == saved, (b.toJson().dump() + "\n" + saved.dump()).c_str());
        QCOMPARE(b.cursor().y, -5.0);
        QCOMPARE(b.zoom(), 3.0);
        QCOMPARE(b.middle().x, a.middle().x);
    }

    void brokenViewTextChangesNothing() {
        ViewModel view;
        view.setLattice(Lattice::centred({20, 20, 20}, {2, 2, 2}));
        const nlohmann::json before = view.toJson();

        for (const char* text :
             {"{\"cursor_mm\":[1],\"colour_map\":\"no such map\",\"range\":[5,1]}", "not json"}) {
            const nlohmann::json broken = parsedJson(text);
            view.fromJson(broken);
        }

        QVERIFY(view.toJson() == before);
    }

    /// Qt's writer gave whole numbers no decimal point.
    void aViewOfAnEarlierVersionIsRead() {
        ViewModel view;
        view.setLattice(Lattice::centred({20, 20, 20}, {2, 2, 2}));

        view.fromJson(parsedJson(
            R"({"active_plane":1,"cursor_mm":[3,-5,7],"moved":true,"range":[0,4],"slab_mm":"all","zoom":2})"));

        QCOMPARE(view.cursor().y, -5.0);
        QCOMPARE(view.range().high, 4.0);
        QCOMPARE(view.zoom(), 2.0);
        QVERIFY(view.activePlane() == Plane::Coronal && std::isinf(view.slab().thickness_mm));
    }

    void aPickedColourMapSurvivesAChangeOfTheme() {
        ViewModel view;
        view.proposeColourMap("inverse-grey");
        QCOMPARE(view.colourMapId(), QString("inverse-grey"));
        view.setColourMap("viridis");

        view.proposeColourMap("grey");

        QCOMPARE(view.colourMapId(), QString("viridis"));
        QVERIFY_EXCEPTION_THROWN(view.setColourMap("rainbow of doom"), WrongUse);
    }

    void runsAreLabelledAndSteppedThrough() {
        RunList runs;
        RunItem& a = runs.add(RunKind::Reconstruction, "first");
        RunItem& b = runs.add(RunKind::Reconstruction, "second");
        const Lattice lattice = Lattice::centred({2, 2, 2}, {1, 1, 1});
        for (int i = 1; i <= 3; ++i) {
            a.addImage(i, std::make_shared<const Volume>(lattice, static_cast<float>(i)));
        }
        QCOMPARE(a.label() + b.label(), QString("AB"));
        QCOMPARE(runs.selectedId(), a.id());

        runs.stepIterate(-1);
        QCOMPARE(a.shownIterate(), 2);
        QCOMPARE(a.volume()->data[0], 2.0F);
        runs.stepIterate(-5);
        QCOMPARE(a.shownIterate(), 1);
        runs.stepIterate(1);

        QCOMPARE(a.shownIterate(), 2);
    }

    void oldIteratesGiveWayToTheMemoryBudget() {
        RunList runs;
        RunItem& a = runs.add(RunKind::Reconstruction, "first");
        const Lattice lattice = Lattice::centred({10, 10, 10}, {1, 1, 1});
        for (int i = 1; i <= 10; ++i) {
            a.addImage(i, std::make_shared<const Volume>(lattice));
        }
        a.show(2);

        runs.trim(3 * 1000 * sizeof(float));

        QCOMPARE(a.images().size(), std::size_t{3});
        QVERIFY(a.images().contains(2));   // on screen
        QVERIFY(a.images().contains(10));  // the last
    }

    void timesAreRoundedToWhatTheyAreWorth() {
        const QString nbsp(QChar(0x00a0));
        QCOMPARE(etaText(std::nullopt), QString(QChar(0x2013)));
        QCOMPARE(etaText(33.0), "about 35" + nbsp + "s left");
        QCOMPARE(etaText(128.0), "about 2" + nbsp + "min left");
        QCOMPARE(etaText(7200.0), "about 2" + nbsp + "h left");
    }

    void numbersCarryATrueMinusAndNoNegativeZero() {
        QCOMPARE(numberText(-12.34, 1), QChar(0x2212) + QString("12.3"));
        QCOMPARE(numberText(-0.04, 1), QString("0.0"));
        QCOMPARE(numberText(std::nan(""), 1), QString(QChar(0x2013)));
        QCOMPARE(compactNumber(0, 4), QString("0"));
        QCOMPARE(compactNumber(3000, 3), QString("3000"));
        QCOMPARE(millionsText(19.7e6), "19.7" + QString(QChar(0x00a0)) + "M");
    }

    void axesHaveRoundNumbersThatCoverTheValues() {
        const Axis axis = niceAxis(0, 47.3, 6, "x");
        QCOMPARE(axis.low, 0.0);
        QCOMPARE(axis.high, 50.0);
        QCOMPARE(axis.ticks.size(), std::size_t{6});
        QCOMPARE(axis.share(25), 0.5);

        const Axis log = logAxis(3, 70, "x");

        QCOMPARE(log.low, 2.0);
        QCOMPARE(log.high, 100.0);
        QVERIFY(std::abs(log.value(log.share(30)) - 30) < 1e-9);
    }

    void themesReachTheContrastTheyPromise() {
        for (const Theme* theme : {&Theme::dark(), &Theme::light(), &Theme::contrast()}) {
            // Every colour that words are written in, on every ground that they are written on.
            const std::pair<QColor, std::vector<QColor>> pairs[] = {
                {theme->text,
                 {theme->win, theme->ctl, theme->hover, theme->down, theme->sel, theme->input, theme->plot,
                  theme->alternate}},
                {theme->text2, {theme->win, theme->ctl, theme->plot, theme->alternate}},
                {theme->text3, {theme->win, theme->input, theme->plot}},
                {theme->onPrimary, {theme->primary}},
                {theme->error, {theme->win, theme->ctl, theme->input}},
                {theme->warning, {theme->win, theme->ctl}},
                {theme->runs[0], {theme->plot, theme->win}},
                {theme->runs[1], {theme->plot, theme->win}},
                {theme->runs[2], {theme->plot, theme->win}},
                {theme->runs[3], {theme->plot, theme->win}},
                {theme->runs[4], {theme->plot, theme->win}},
                {theme->runs[5], {theme->plot, theme->win}},
                {theme->runs[6], {theme->plot, theme->win}},
                {theme->runs[7], {theme->plot, theme->win}}};
            for (const auto& [ink, grounds] : pairs) {
                for (const QColor& ground : grounds) {
                    QVERIFY2(contrast(ink, ground) >= 4.5, qPrintable(QString("%1 on %2: %3")
                                                                          .arg(ink.name(), ground.name())
                                                                          .arg(contrast(ink, ground))));
                }
            }
            // Borders of fields and what has the keyboard, as for graphics.
            QVERIFY(contrast(theme->ctlBorder, theme->win) >= 3);
            QVERIFY(contrast(theme->focus, theme->win) >= 3);
        }
    }

    /// WCAG 2.2, 1.4.6: texts at 7 to 1, whatever the ground; 1.4.11 asks 3 to 1 of borders.
    void highContrastIsHigh() {
        const Theme& theme = Theme::contrast();
        const QColor everywhere[] = {theme.text,    theme.text2, theme.text3,    theme.error,
                                     theme.warning, theme.focus, theme.ctlBorder};
        std::vector<std::pair<QColor, QColor>> pairs{{theme.onPrimary, theme.primary}};
        for (const QColor& ink : everywhere) {
            for (const QColor& ground : {theme.win, theme.ctl, theme.hover, theme.down, theme.sel,
                                         theme.input, theme.plot, theme.alternate}) {
                pairs.emplace_back(ink, ground);
            }
        }
        for (const QColor& run : theme.runs) {
            for (const QColor& ground : {theme.win, theme.plot, theme.alternate}) {
                pairs.emplace_back(run, ground);
            }
        }
        for (const QColor& ground : {theme.win, theme.ctl, theme.input}) {
            pairs.emplace_back(theme.disabled, ground);
        }
        for (const auto& [ink, ground] : pairs) {
            QVERIFY2(contrast(ink, ground) >= 7,
                     qPrintable(
                         QString("%1 on %2: %3").arg(ink.name(), ground.name()).arg(contrast(ink, ground))));
        }
        QVERIFY(contrast(theme.selBorder, theme.ctl) >= 3 && contrast(theme.line, theme.win) >= 3);
        for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::Light, ThemeKind::Contrast}) {
            QCOMPARE(themeFromName(themeName(kind)), kind);
        }
    }

    /// By the deuteranopia of Machado, Oliveira and Fernandes, IEEE Trans. Vis. Comput. Graph. 15 (2009)
    /// 1291-1298, doi:10.1109/TVCG.2009.113, at full severity; differences are those of CIE 1976 Lab.
    void runsOfOneSymbolAreToldApartByAColourBlindEye() {
        using Three = std::array<double, 3>;
        const auto times = [](const double(&m)[3][3], const Three& v) {
            Three out{};
            for (std::size_t i = 0; i < 3; ++i) {
                out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
            }
            return out;
        };
        const auto seen = [&](const QColor& c) {
            constexpr double kBlind[3][3] = {{0.367322, 0.860646, -0.227968},
                                             {0.280085, 0.672501, 0.047413},
                                             {-0.011820, 0.042940, 0.968881}};
            constexpr double kXyz[3][3] = {{0.4338908, 0.3762345, 0.1898601},
                                           {0.2126729, 0.7151522, 0.0721750},
                                           {0.0177566, 0.1094680, 0.8727755}};
            const auto linear = [](double v) {
                return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
            };
            Three colour = times(kBlind, {linear(c.redF()), linear(c.greenF()), linear(c.blueF())});
            for (double& v : colour) {
                v = std::clamp(v, 0.0, 1.0);
            }
            colour = times(kXyz, colour);
            for (double& v : colour) {
                v = v > 0.008856 ? std::cbrt(v) : 7.787 * v + 16.0 / 116;
            }
            const auto [x, y, z] = colour;
            return Three{116 * y - 16, 500 * (x - y), 200 * (y - z)};
        };
        constexpr double kClearly = 15;  // one is the least that an eye sees side by side
        constexpr std::size_t kSymbols = 4;
        for (const Theme* theme : {&Theme::dark(), &Theme::light(), &Theme::contrast()}) {
            for (std::size_t i = 0; i + kSymbols < theme->runs.size(); ++i) {
                const Three a = seen(theme->runs[i]);
                const Three b = seen(theme->runs[i + kSymbols]);
                const double apart = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                QVERIFY2(apart > kClearly, qPrintable(QString("%1: %2").arg(i).arg(apart)));
            }
        }
    }

    void aRunHasItsMarkForLife() {
        RunList runs;
        std::map<int, int> marks;
        for (int i = 0; i < 30; ++i) {
            const RunItem& run = runs.add(RunKind::Reconstruction, "variant1");
            marks[run.id()] = run.mark();
            QCOMPARE(run.mark(), i);
        }
        runs.remove(runs.items()[1]->id());
        for (const auto& run : runs.items()) {
            QCOMPARE(run->mark(), marks[run->id()]);
        }
        QVERIFY(runs.add(RunKind::Volume, "ct").mark() < 0);
        QCOMPARE(Theme::dark().run(-1), Theme::dark().text2);
    }
};

QTEST_GUILESS_MAIN(ModelsTest)

}  // namespace models_test
#include "models_test.moc"
