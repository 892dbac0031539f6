// SPDX-License-Identifier: Apache-2.0
// Slices of figures against those of the window's pictures, which VTK makes.
#include <QTest>
#include <cmath>
#include <memory>

#include "recon/figure/slice_pixels.h"
#include "viz/slice_pipeline.h"

namespace figure_slice_test {

using namespace tof;

namespace {

std::shared_ptr<const Volume> uneven() {
    Volume volume(Lattice::centred({23, 17, 11}, {2, 3, 4}));
    for (std::size_t i = 0; i < volume.data.size(); ++i) {
        volume.data[i] = static_cast<float>((i * 2654435761U) % 10007) / 1000 - 1;
    }
    return std::make_shared<const Volume>(std::move(volume));
}

}  // namespace

class FigureSliceTest : public QObject {
    Q_OBJECT

  private slots:
    void voxelsHaveTheColoursOfTheWindowsPictures_data() {
        QTest::addColumn<int>("plane");
        QTest::addColumn<int>("sides");
        QTest::addColumn<QString>("map");
        for (int plane = 0; plane < 3; ++plane) {
            for (int sides = 0; sides < 2; ++sides) {
                for (const char* map : {"inverse-grey", "difference-light"}) {
                    QTest::addRow("plane %d, sides %d, %s", plane, sides, map)
                        << plane << sides << QString(map);
                }
            }
        }
    }
    void voxelsHaveTheColoursOfTheWindowsPictures() {
        QFETCH(int, plane);
        QFETCH(int, sides);
        QFETCH(QString, map);
        const auto volume = uneven();
        const double at_mm = 5;
        const SliceCut cut =
            cutOf(*volume, static_cast<Plane>(plane), at_mm, static_cast<FigureTemplate::Sides>(sides));

        const Pixels pixels = slicePixels(cut, {0.5, 7}, ColourMap::find(map.toStdString()), 1,
                                          FigureTemplate::Between::Nearest);

        // The window's picture has a quarter of a mm a pixel; each voxel is looked at in its middle.
        viz::SliceRequest request;
        request.volume = volume;
        request.low = 0.5;
        request.high = 7;
        request.map = ColourMap::find(map.toStdString());
        request.view = {static_cast<Plane>(plane),
                        static_cast<viz::Orientation>(sides),
                        {at_mm, at_mm, at_mm},
                        0.25,
                        400,
                        400,
                        {}};
        viz::SlicePipeline pipeline;
        const viz::PictureView picture = pipeline.render(request);
        for (int y = 0; y < cut.down; ++y) {
            for (int x = 0; x < cut.across; ++x) {
                Vec3 place{at_mm, at_mm, at_mm};
                place[static_cast<std::size_t>(cut.acrossAxis)] = cut.left_mm + (x + 0.5) * cut.stepAcross_mm;
                place[static_cast<std::size_t>(cut.downAxis)] = cut.top_mm + (y + 0.5) * cut.stepDown_mm;
                const auto pixel = request.view.toPixel(place);
                QCOMPARE(pixels.at(x, y).packed(), picture.at(static_cast<int>(std::floor(pixel[0])),
                                                              static_cast<int>(std::floor(pixel[1]))));
            }
        }
    }

    void enlargedVoxelsRepeatAndInterpolatedOnesPassThroughTheirCentres() {
        const SliceCut cut = cutOf(*uneven(), Plane::Transverse, 0, FigureTemplate::Sides::Radiological);
        const ColourMap& map = ColourMap::find("grey");
        const Pixels one = slicePixels(cut, {-1, 9}, map, 1, FigureTemplate::Between::Nearest);
        const Pixels three = slicePixels(cut, {-1, 9}, map, 3, FigureTemplate::Between::Nearest);
        const Pixels smooth = slicePixels(cut, {-1, 9}, map, 3, FigureTemplate::Between::Linear);
        for (int y = 0; y < three.height; ++y) {
            for (int x = 0; x < three.width; ++x) {
                QVERIFY(three.at(x, y) == one.at(x / 3, y / 3));
                if (x % 3 == 1 && y % 3 == 1) {
                    QVERIFY(std::abs(smooth.at(x, y).r - one.at(x / 3, y / 3).r) <= 1);  // rounding
                }
            }
        }
        QVERIFY(!(smooth == three));
    }
};

QTEST_GUILESS_MAIN(FigureSliceTest)

}  // namespace figure_slice_test
#include "figure_slice_test.moc"
