// SPDX-License-Identifier: Apache-2.0
// Regions seen through a blur, and given back by the geometric transfer matrix.
#include <QTest>
#include <cmath>
#include <numbers>

#include "recon/base/error.h"
#include "recon/kinetics/partial_volume.h"
#include "recon/metrics/gaussian_filter.h"

namespace partial_volume_test {

using namespace tof;

namespace {

Roi regionOf(const Lattice& lattice, const std::string& name, const std::vector<std::size_t>& indices) {
    Roi roi;
    roi.name = name;
    roi.shape = Roi::Shape::Region;
    roi.region = RoiRegion::ofVoxels(lattice, indices);
    roi.centre = roi.region->home_mm;
    return roi;
}

/// A region of voxels whose distance from the middle lies between two bounds, in mm, on one side of x = 0 or
/// on both.
Roi shell(const Lattice& lattice, const std::string& name, double inner, double outer, int side = 0) {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < lattice.voxels(); ++i) {
        const Vec3 p = lattice.centre(lattice.voxel(i));
        const double radius = std::sqrt(dot(p, p));
        if (radius >= inner && radius < outer && (side == 0 || side * p.x > 0)) {
            indices.push_back(i);
        }
    }
    return regionOf(lattice, name, indices);
}

/// Two frames of uniform regions: the numbers of the regions, and of all else.
DynamicImage painted(const Lattice& lattice, const std::vector<Roi>& rois,
                     const std::vector<std::vector<double>>& values) {
    DynamicImage image;
    image.lattice = lattice;
    for (std::size_t frame = 0; frame < values.size(); ++frame) {
        image.frames.push_back({60.0 * static_cast<double>(frame), 60});
        std::vector<float> all(lattice.voxels(), static_cast<float>(values[frame].back()));
        for (std::size_t i = 0; i < rois.size(); ++i) {
            for (const WeightedVoxel& voxel : roiVoxels(rois[i], lattice)) {
                all[voxel.index] = static_cast<float>(values[frame][i]);
            }
        }
        image.values.push_back(std::move(all));
    }
    return image;
}

DynamicImage blurred(DynamicImage image, double fwhm_mm) {
    for (std::vector<float>& values : image.values) {
        Volume volume(image.lattice);
        volume.data = values;
        values = gaussianFiltered(volume, fwhm_mm).data;
    }
    return image;
}

FrameValues valuesOf(const DynamicImage& image) {
    return [&image](std::size_t frame) -> const std::vector<float>& { return image.values[frame]; };
}

/// Blurs along x alone, by hand: a loop over pairs of voxels.
double shareAlongX(const Lattice& lattice, const std::vector<double>& in, const std::vector<double>& of,
                   double fwhm_mm) {
    const double sigma = fwhm_mm / (2 * std::sqrt(2 * std::numbers::ln2));
    const auto below = [&](double mm) { return 0.5 * std::erfc(-mm / sigma / std::numbers::sqrt2); };
    double sum = 0;
    double weight = 0;
    for (std::size_t i = 0; i < in.size(); ++i) {
        double norm = 0;
        double seen = 0;
        for (std::size_t j = 0; j < of.size(); ++j) {
            const double apart = lattice.spacing_mm[0] * (static_cast<double>(i) - static_cast<double>(j));
            const double share =
                below(apart + 0.5 * lattice.spacing_mm[0]) - below(apart - 0.5 * lattice.spacing_mm[0]);
            norm += share;
            seen += share * of[j];
        }
        sum += in[i] * seen / norm;
        weight += in[i];
    }
    return sum / weight;
}

}  // namespace

class PartialVolumeTest : public QObject {
    Q_OBJECT

    const Lattice lattice_ = Lattice::centred({40, 40, 40}, {4, 4, 4});
    const std::vector<Roi> rois_{shell(lattice_, "white", 0, 44), shell(lattice_, "grey left", 44, 56, -1),
                                 shell(lattice_, "grey right", 44, 56, 1)};
    ThreadPool pool_{2};

  private slots:
    /// Uniform regions in a uniform surrounding come back as they were, which what is measured does not.
    void blurredRegionsComeBack() {
        const std::vector<std::vector<double>> values{{1, 4, 3, 0.25}, {2, 8, 1, 0.5}};
        const DynamicImage image = blurred(painted(lattice_, rois_, values), 8);
        const PartialVolume partial = PartialVolume::ofWidth(lattice_, rois_, 8, pool_);

        const std::vector<RegionCurve> found = partial.curves(image, valuesOf(image), {1.0, 10.0});

        const std::vector<RegionCurve> seen = regionCurves(image, rois_, {1.0, 10.0});
        QCOMPARE(found.size(), rois_.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(found[i].name, rois_[i].name);
            QCOMPARE(found[i].volume_mm3, seen[i].volume_mm3);
            for (std::size_t frame = 0; frame < 2; ++frame) {
                const double truth = values[frame][i] * (frame == 0 ? 1 : 10);
                // Floats that were filtered: 1e-6 of the largest value, over shares of a half.
                QVERIFY(std::abs(found[i].means[frame] - truth) < 2e-4 * truth);
            }
        }
        QVERIFY(std::abs(seen[1].means[0] / 4 - 1) > 0.1);
    }

    /// Slabs across x, where a loop over pairs of voxels says what is seen where.
    void sharesAreThoseOfALoop() {
        const Lattice lattice = Lattice::centred({16, 5, 5}, {3, 4, 4});
        const auto slab = [&](const std::string& name, std::size_t from, std::size_t to) {
            std::vector<std::size_t> indices;
            for (std::size_t i = 0; i < lattice.voxels(); ++i) {
                if (i % 16 >= from && i % 16 < to) {
                    indices.push_back(i);
                }
            }
            return regionOf(lattice, name, indices);
        };
        const PartialVolume partial =
            PartialVolume::ofWidth(lattice, {slab("a", 2, 6), slab("b", 6, 9)}, 7, pool_);
        std::vector<double> a(16, 0.0);
        std::vector<double> b(16, 0.0);
        std::fill(a.begin() + 2, a.begin() + 6, 1.0);
        std::fill(b.begin() + 6, b.begin() + 9, 1.0);

        for (const auto& [in, of, found] :
             {std::tuple(a, a, partial.share(0, 0)), std::tuple(a, b, partial.share(0, 1)),
              std::tuple(b, a, partial.share(1, 0)), std::tuple(b, b, partial.share(1, 1))}) {
            const double expected = shareAlongX(lattice, in, of, 7);
            QVERIFY2(std::abs(found - expected) < 1e-4,  // the filter ends at 4 sigma
                     qPrintable(QString("%1, by a loop %2").arg(found).arg(expected)));
        }
        double all = 0;
        for (std::size_t of = 0; of < partial.size(); ++of) {
            all += partial.share(0, of);
        }
        QVERIFY(std::abs(all - 1) < 1e-6);  // a uniform image stays one
    }

    /// Images of the regions, as a reconstruction makes them, say the same as the width they were made with.
    void imagesOfRegionsSayHowTheyAreSeen() {
        const std::vector<std::vector<double>> values{{1, 4, 3, 0.25}};
        const DynamicImage image = blurred(painted(lattice_, rois_, values), 8);
        const std::vector<std::vector<double>> alone{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
        const DynamicImage regions = blurred(painted(lattice_, rois_, alone), 8);

        const PartialVolume partial = PartialVolume::ofImages(rois_, regions, "regions.h5");

        const std::vector<RegionCurve> found = partial.curves(image, valuesOf(image), {1.0});
        for (std::size_t i = 0; i < found.size(); ++i) {
            QVERIFY(std::abs(found[i].means[0] - values[0][i]) < 2e-3 * values[0][i]);
        }
    }

    /// SDs of independent means go through the inverse as variances do.
    void deviationsAreCarriedAlong() {
        DynamicImage image = painted(lattice_, rois_, {{1, 1, 1, 1}});
        for (std::size_t i = 0; i < image.values[0].size(); i += 2) {
            image.values[0][i] = 1.2F;  // every other voxel: SD 0.1 everywhere
        }
        const PartialVolume partial = PartialVolume::ofWidth(lattice_, rois_, 1e-3, pool_);

        const std::vector<RegionCurve> found = partial.curves(image, valuesOf(image), {2.0});

        for (const RegionCurve& curve : found) {  // nothing is blurred: they are those of the voxels
            QVERIFY(std::abs(curve.means[0] - 2.2) < 0.01);
            QVERIFY(std::abs(curve.sds[0] - 0.2) < 0.002);
        }
    }

    void whatMakesNoMatrixIsRefused_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("said");
        QTest::newRow("width") << 0 << "the width that the image is seen with, in mm above 0";
        QTest::newRow("shared") << 1 << "ROIs 'white' and 'inner' share voxels";
        QTest::newRow("number") << 2 << "regions.h5: has 1 images, but there are 3 regions";
        QTest::newRow("alike") << 3 << "is too small beside the width";
        QTest::newRow("lattice") << 4 << "are not on the same voxels";
    }
    void whatMakesNoMatrixIsRefused() {
        QFETCH(int, what);
        QFETCH(QString, said);
        QString found = "nothing";
        try {
            if (what == 1) {
                static_cast<void>(
                    PartialVolume::ofWidth(lattice_, {rois_[0], shell(lattice_, "inner", 0, 20)}, 8, pool_));
            } else if (what == 2) {
                static_cast<void>(
                    PartialVolume::ofImages(rois_, painted(lattice_, rois_, {{1, 1, 1, 1}}), "regions.h5"));
            } else if (what == 3) {
                static_cast<void>(
                    PartialVolume::ofWidth(lattice_, {shell(lattice_, "dot", 0, 4)}, 60, pool_));
            } else {
                DynamicImage image = painted(Lattice::centred({4, 4, 4}, {4, 4, 4}), {}, {{1}});
                static_cast<void>(PartialVolume::ofWidth(lattice_, rois_, what == 0 ? -1 : 8, pool_)
                                      .curves(image, valuesOf(image), {1.0}));
            }
        } catch (const Error& fault) {
            found = fault.what();
        }
        QVERIFY2(found.contains(said), qPrintable(found));
    }
};

QTEST_GUILESS_MAIN(PartialVolumeTest)

}  // namespace partial_volume_test
#include "partial_volume_test.moc"
