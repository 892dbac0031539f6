// SPDX-License-Identifier: Apache-2.0
// Figures of papers: templates, how panels are put on a page, and the PDF and SVG of it.
#include "recon/figure/figure.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>
#include <cmath>
#include <map>

#include "recon/base/error.h"
#include "recon/figure/big_endian.h"
#include "recon/figure/chart_axis.h"
#include "recon/figure/draw_chart.h"
#include "recon/figure/font.h"
#include "recon/figure/markup.h"

namespace figure_test {

using namespace tof;

namespace {

/// Voxels of 4 x 2 x 3 mm whose values are their places.
Volume numbered() {
    Volume volume(Lattice::centred({30, 20, 10}, {4, 2, 3}));
    for (std::size_t i = 0; i < volume.data.size(); ++i) {
        volume.data[i] = static_cast<float>(i);
    }
    return volume;
}

ShownPanel slicePanel(const std::string& title, double high) {
    const Volume volume = numbered();
    ShownPanel panel;
    panel.title = title;
    panel.cut = cutOf(volume, Plane::Transverse, 0, FigureTemplate::Sides::Radiological);
    panel.range = {0, high};
    panel.object = latticeBox(volume.lattice);
    panel.units = "kBq/ml";
    return panel;
}

FigureTemplate templateOf(std::size_t slices) {
    FigureTemplate figure;
    figure.panels.resize(slices);
    for (FigurePanel& panel : figure.panels) {
        panel.images = {{"A"}};
    }
    return figure;
}

template <class Part>
std::vector<Part> partsOf(const Drawing& drawing) {
    std::vector<Part> found;
    for (const Drawn& part : drawing.parts) {
        if (const auto* one = std::get_if<Part>(&part)) {
            found.push_back(*one);
        }
    }
    return found;
}

Drawing twoSlices() {
    FigureTemplate figure = templateOf(2);
    figure.columns = 2;
    figure.title = "Two <slices> & \u03b1";
    return composeFigure(figure, {slicePanel("OSEM & TOF", 5000), slicePanel("\u03b2 = 0.01", 3000)});
}

/// The field of a panel is changed in a template that is right otherwise.
std::string withField(const char* field, const char* value) {
    return std::string(
               R"({"format": "tofscope-figure", "version": 1, "panels": [{"kind": "slice", "images": [{"run": "A"}], ")") +
           field + "\": " + value + "}]}";
}

}  // namespace

class FigureTest : public QObject {
    Q_OBJECT

  private slots:
    void aTemplateComesBackAsItWas() {
        FigureTemplate figure = templateOf(1);
        figure.title = "Figure 1";
        figure.width_mm = 85;
        figure.columns = 2;
        figure.letters = FigureTemplate::Letters::Upper;
        figure.sides = FigureTemplate::Sides::Neurological;
        figure.between = FigureTemplate::Between::Linear;
        figure.range = DisplayRange{-1, 4.5};
        figure.scaleBar_mm = 20;
        figure.wholeImages = true;
        figure.panels[0].plane = Plane::Sagittal;
        figure.panels[0].minus = FigureImage{"B", 3, "", "", 2.5};
        figure.panels[0].map = "difference-dark";
        figure.panels[0].range = DisplayRange{-2, 2};
        FigurePanel profile;
        profile.kind = FigurePanel::Kind::Profile;
        profile.span = 2;
        profile.images = {{"A", 2, "", "two", 0}, {"", 0, "truth.nii", "", 0}};
        profile.from_mm = {-50, 1, 2};
        profile.to_mm = {50, 1, 2};
        profile.yTitle = "kBq/ml";
        FigurePanel curves;
        curves.kind = FigurePanel::Kind::Curves;
        curves.images = {{"A"}};
        curves.x = "iteration";
        curves.y = "nsr";
        figure.panels.push_back(profile);
        figure.panels.push_back(curves);

        QVERIFY(figureFromJson(figureToJson(figure), "again") == figure);
    }

    void aTemplateThatIsWrongIsRefusedInOneSentence_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& text, const char* says) {
            QTest::newRow(name) << QString::fromStdString(text) << QString(says);
        };
        row("no JSON", "{", "not valid JSON");
        row("a list", "[]", "expected an object");
        row("deep", std::string(100, '[') + std::string(100, ']'), "64 deep");
        row("another format", R"({"format": "x", "version": 1, "panels": []})", "'format'");
        row("newer", R"({"format": "tofscope-figure", "version": 2, "panels": []})", "newer release");
        row("no panels", R"({"format": "tofscope-figure", "version": 1, "panels": []})", "'panels'");
        row("wide", R"({"format": "tofscope-figure", "version": 1, "width_mm": 1e9, "panels": [1]})",
            "'width_mm'");
        row("a number as panel", R"({"format": "tofscope-figure", "version": 1, "panels": [1]})", "panel 1");
        row("unknown field", withField("colour", "1"), "unknown field 'colour'");
        row("unknown plane", withField("plane", R"("axial")"), "transverse, coronal, sagittal");
        row("unknown map", withField("map", R"("jet")"), "'map'");
        row("range", withField("range", "[4, 1]"), "lower end first");
        row("range of words", withField("range", R"(["a", "b"])"), "2 numbers");
        row("span", withField("span", "4"), "'span'");
        row("far", withField("at_mm", "1e300"), "'at_mm'");
        row("not a number", withField("at_mm", "1e999"), "number too large");
        row("both", withField("minus", R"({"run": "A", "file": "b.nii"})"), "one of the two");
        row("long title", withField("title", ("\"" + std::string(400, 'x') + "\"").c_str()), "shorten");
        row("a profile's field", withField("from_mm", "[0, 0, 0]"), "unknown field 'from_mm'");
    }
    void aTemplateThatIsWrongIsRefusedInOneSentence() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        try {
            static_cast<void>(figureFromJson(text.toStdString(), "figure.json"));
            QFAIL("it was read");
        } catch (const BadInput& fault) {
            const QString said = fault.what();
            QVERIFY2(said.startsWith("figure.json") && said.contains(says), fault.what());
        }
    }

    void picturesOfARowHaveOneScaleAndFillTheWidth() {
        const Drawing drawing = twoSlices();
        const auto pictures = partsOf<DrawnPicture>(drawing);

        QCOMPARE(drawing.width_mm, 174.0);
        QCOMPARE(pictures.size(), std::size_t{3});  // two slices and the bar
        const PageBox left = pictures[0].box;
        const PageBox right = pictures[1].box;
        // Slices of 120 x 40 mm, 3 mm apart; behind them are their bar, its marks and its title.
        QVERIFY(std::abs(left.height / left.width - 40.0 / 120.0) < 1e-12);
        QVERIFY(std::abs(left.width - right.width) < 1e-12);
        QVERIFY(std::abs(right.x - left.right() - 3) < 1e-12);
        QVERIFY(right.right() < pictures[2].box.x);
        for (const DrawnText& text : partsOf<DrawnText>(drawing)) {
            const double width = figureFont(text.weight).width_mm(text.text, text.size_pt);
            const double end = text.reading == Reading::Upwards ? text.at.x
                               : text.anchor == Anchor::Start   ? text.at.x + width
                               : text.anchor == Anchor::End     ? text.at.x
                                                                : text.at.x + width / 2;
            QVERIFY2(end <= drawing.width_mm && text.at.y <= drawing.height_mm, text.text.c_str());
        }
    }

    void slicesWithoutARangeOfTheirOwnShareTheLargest() {
        const auto pictures = partsOf<DrawnPicture>(twoSlices());
        const Volume volume = numbered();
        const int zoom = pictures[0].pixels.width / 30;
        const ColourMap& map = ColourMap::find("inverse-grey");

        for (int y = 0; y < 20; ++y) {
            for (int x = 0; x < 30; ++x) {
                const double value = static_cast<double>(volume.at(x, y, 5));
                const auto colour = map.table[static_cast<std::size_t>(std::floor(value * 256 / 5000))];
                QVERIFY(pictures[0].pixels.at(x * zoom + zoom / 2, y * zoom + zoom / 2) == colour);
            }
        }
        QVERIFY(pictures[0].pixels == pictures[1].pixels);
    }

    void aPageWithoutRoomIsRefused() {
        FigureTemplate figure = templateOf(2);
        figure.columns = 12;
        figure.width_mm = 85;
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(composeFigure(figure, {slicePanel("", 1), slicePanel("", 1)})), WrongUse);
    }

    void aSliceIsCutToTheObjectAtWholeVoxels() {
        const SliceCut whole = cutOf(numbered(), Plane::Coronal, 0, FigureTemplate::Sides::Neurological);
        const SliceCut part = whole.within({{-10.1, -100, -4.6}, {6, 100, 100}});

        // Voxel centres of x lie at -58, -54 ... 58 and of z at -13.5, -10.5 ... 13.5; x falls to the right
        // here.
        QCOMPARE(part.across, 5);  // 6, 2, -2, -6, -10
        QCOMPARE(part.left_mm, 8.0);
        QCOMPARE(part.down, 7);  // 13.5 ... -4.5
        QCOMPARE(part.top_mm, 15.0);
        QCOMPARE(part.values.front(), numbered().at(16, 10, 9));
        QCOMPARE(part.values.back(), numbered().at(12, 10, 3));
        QVERIFY_EXCEPTION_THROWN(
            static_cast<void>(cutOf(numbered(), Plane::Coronal, 21, FigureTemplate::Sides::Radiological)),
            WrongUse);
    }

    void aPdfHasItsSizeAndItsFontsInside() {
        const Drawing drawing = twoSlices();
        const QByteArray pdf = QByteArray::fromStdString(pdfBytes(drawing));

        const auto box =
            QRegularExpression(R"(/MediaBox \[0 0 ([\d.]+) ([\d.]+)\])").match(QString::fromLatin1(pdf));
        QVERIFY(box.hasMatch());
        // Sizes are written to a thousandth of a point.
        QVERIFY(std::abs(box.captured(1).toDouble() * 25.4 / 72 - 174) < 5e-4 * 25.4 / 72);
        QVERIFY(std::abs(box.captured(2).toDouble() * 25.4 / 72 - drawing.height_mm) < 5e-4 * 25.4 / 72);
        QCOMPARE(pdf.count("/Type /Font /Subtype /Type0"), 2);  // regular and bold
        QCOMPARE(pdf.count("/FontFile2"), 2);
        QVERIFY(QRegularExpression("/BaseFont /[A-Z]{6}\\+LiberationSans-Bold")
                    .match(QString::fromLatin1(pdf))
                    .hasMatch());
        QVERIFY(pdfBytes(drawing) == pdfBytes(twoSlices()));
        // Every object begins where the table at the end says.
        const qsizetype table = pdf.mid(pdf.indexOf("startxref") + 10).split('\n').front().toLongLong();
        const QList<QByteArray> lines = pdf.mid(table).split('\n');
        const int count = lines[1].split(' ')[1].toInt();
        QVERIFY(count > 10);
        for (int object = 1; object < count; ++object) {
            QVERIFY(pdf.mid(lines[2 + object].left(10).toLongLong())
                        .startsWith(QByteArray::number(object) + " 0 obj"));
        }
    }

    void wordsOfAnSvgAreTextAndItsSizeIsInMm() {
        QXmlStreamReader xml(QString::fromStdString(svgText(twoSlices())));
        QStringList words;
        QString width;
        QString style;
        int pictures = 0;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement) {
                continue;
            }
            const QString name = xml.name().toString();
            if (name == "svg") {
                width = xml.attributes().value("width").toString();
            }
            pictures += name == "image" ? 1 : 0;
            style += name == "style" ? xml.readElementText() : QString();
            words += name == "text" ? xml.readElementText() : QString();
        }
        QVERIFY2(!xml.hasError(), xml.errorString().toUtf8());
        QCOMPARE(width, QString("174mm"));
        QCOMPARE(pictures, 3);
        QCOMPARE(style.count("@font-face"), 2);
        for (const char* word : {"a", "b", "OSEM & TOF", "\u03b2 = 0.01", "50 mm", "kBq/ml", "5000"}) {
            QVERIFY2(words.contains(QString::fromUtf8(word)), word);
        }
    }

    void aFontOfSomeGlyphsKeepsTheirOutlinesAndWidths() {
        const Font& font = figureFont(Weight::Regular);
        Glyphs glyphs;
        font.collect("A\u00e9\u2212\u2074", glyphs);  // e acute is composed of two
        const std::string bytes = font.subset(glyphs);
        const Font part("Part", bytes);

        for (const auto& [character, glyph] : glyphs) {
            QVERIFY(glyph != 0);
            QCOMPARE(part.glyph(character), glyph);
            QCOMPARE(part.advance(glyph), font.advance(glyph));
        }
        QCOMPARE(part.glyph(U'B'), 0U);
        QVERIFY(bytes.size() < fontRoom());
        QVERIFY(part.subset(glyphs) == Font("Part", part.subset(glyphs)).subset(glyphs));
        // The words of the whole file sum up to the number that the specification gives.
        std::uint32_t sum = 0;
        for (std::size_t i = 0; i < bytes.size(); i += 4) {
            sum += bigEndian(bytes, i, 4);
        }
        QCOMPARE(sum, 0xB1B0AFBAU);
    }

    void aFontThatIsCutShortIsRefused() {
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(Font("short", std::string_view("\0\1\0\0\0\x0f", 6))),
                                 BadInput);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(Font("none", std::string_view())), BadInput);
    }

    void scalesHaveRoundMarksThatCoverTheValues() {
        for (const double least : {-3.7, 0.0, 0.2, 17.0, 1e5}) {
            for (const double range : {0.013, 1.0, 8.2, 4e4}) {
                const RoundScale scale = RoundScale::covering(least, least + range, 5);
                const auto marks = scale.marks();
                QVERIFY(scale.low <= least + 1e-9 * scale.step &&
                        scale.high >= least + range - 1e-9 * scale.step);
                QVERIFY(marks.size() >= 2 && marks.size() <= 10);
                QVERIFY(std::abs(marks.back() - scale.high) < 1e-6 * scale.step);
            }
        }
        const RoundScale large = RoundScale::within(0, 37000, 5);
        QCOMPARE(large.titled("counts"), std::string("counts \u00d7 10\u2074"));
        QCOMPARE(large.text(20000), std::string("2"));
        QCOMPARE(RoundScale::within(-1, 1, 5).text(-0.5), std::string("\u22120.5"));
        // One value: half of it about it, 1 to 3, and zero, which is near.
        QCOMPARE(RoundScale::covering(2, 2, 5).place(2), 2.0 / 3);
    }

    void aProfileRunsFromEdgeToEdge() {
        const double nan = std::nan("");
        ShownPanel panel;
        panel.chart.lines = {{"A", {-90, -83, 10, 83.5, 90}, {nan, 1, 5, 2, nan}}};
        Drawing drawing;

        drawChart(panel, {0, 0, 80, 60}, {}, drawing.parts);

        std::map<std::size_t, std::vector<PagePoint>> lines;  // by their number of points
        for (const DrawnLine& line : partsOf<DrawnLine>(drawing)) {
            lines[line.points.size()] = line.points;
        }
        const std::vector<PagePoint>& curve = lines.at(3);
        const std::vector<PagePoint>& frame = lines.at(5);
        QVERIFY(std::abs(curve.front().x - frame[0].x) < 1e-9);
        QVERIFY(std::abs(curve.back().x - frame[1].x) < 1e-9);
    }

    void bytesBecomeBase64AsTheStandardSays() {
        // RFC 4648, section 10.
        QCOMPARE(base64(""), std::string(""));
        QCOMPARE(base64("f"), std::string("Zg=="));
        QCOMPARE(base64("fo"), std::string("Zm8="));
        QCOMPARE(base64("foobar"), std::string("Zm9vYmFy"));
        QCOMPARE(markupText("<a & 'b'>\x01"), std::string("&lt;a &amp; &#39;b&#39;&gt; "));
    }

    void brokenUtf8BecomesTheReplacementCharacter() {
        QVERIFY(charactersOf("a\xff\xc3") == U"a\ufffd\ufffd");
        QVERIFY(charactersOf("\xce\xb1\xf0\x9f\x98\x80") == U"\u03b1\U0001f600");
    }

    /// Colours as people with no red or no green receptors see them: Vienot, Brettel and Mollon 1999.
    void curvesAreToldApartByTheColourBlind() {
        const auto linear = [](std::uint8_t channel) { return std::pow(channel / 255.0, 2.2); };
        const auto seen = [&](Rgb c, bool green) {
            const double r = linear(c.r);
            const double g = linear(c.g);
            const double b = linear(c.b);
            const double l = 17.8824 * r + 43.5161 * g + 4.11935 * b;
            const double m = 3.45565 * r + 27.1554 * g + 3.86714 * b;
            const double s = 0.0299566 * r + 0.184309 * g + 1.46709 * b;
            return green ? std::array{l, 0.494207 * l + 1.24827 * s, s}
                         : std::array{2.02344 * m - 2.52581 * s, m, s};
        };
        const auto& inks = curveInks();
        for (const bool green : {true, false}) {
            for (std::size_t i = 0; i < inks.size(); ++i) {
                for (std::size_t k = 0; k < i; ++k) {
                    const auto a = seen(inks[i].colour, green);
                    const auto b = seen(inks[k].colour, green);
                    double apart = 0;  // a just visible step is about 2 % of a receptor's answer
                    for (std::size_t n = 0; n < 3; ++n) {
                        apart = std::max(apart, std::abs(a[n] - b[n]) / (std::max(a[n], b[n]) + 1));
                    }
                    QVERIFY2(apart > 0.1, qPrintable(QString("%1 and %2").arg(i).arg(k)));
                    QVERIFY(inks[i].dashes_mm != inks[k].dashes_mm);
                }
            }
        }
    }

  private:
    /// A font of four glyphs is a small part of one of 2600.
    static std::size_t fontRoom() { return 40000; }
};

QTEST_GUILESS_MAIN(FigureTest)

}  // namespace figure_test
#include "figure_test.moc"
