// SPDX-License-Identifier: Apache-2.0
// Parameters from counts, in place of images of frames.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>

#include "app/engines.h"
#include "recon/base/error.h"
#include "recon/data/framed_counts.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/kinetics/kinetic_model.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/support/dithered_frame.h"
#include "tests/support/small_data.h"

using namespace tof;
using namespace tof::test;

namespace {

constexpr double kVoxel_mm3 = 8.0 * 8.0 * 8.0;

struct Tissue {
    double ki_perMin;
    double vb;
    std::vector<double> counts{};  ///< in every voxel of every view, of one emission per voxel of it
};

/// mult F of a disk of ones, or of two blobs in it.
std::vector<double> countsOf(const HistoData& data, bool blobs) {
    std::vector<float> ones = smallImage().data;
    for (float& value : ones) {
        value = (value > 10) == blobs && value > 0 ? 1.0F : 0.0F;
    }
    std::vector<double> counts;
    for (const View& view : data.views) {
        const KernelTables tables = buildKernelTables(KernelSpec::preset("invariant"), data.lattice, view);
        for (const double forward : referenceForward(tables, data.lattice, ones)) {
            counts.push_back(static_cast<double>(data.mult[counts.size()]) * forward);
        }
    }
    return counts;
}

}  // namespace

class DirectPatlakTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        std::ofstream(file("blood.tsv")) << "time\tplasma_radioactivity\n0\t0\n30\t60\n120\t25\n600\t9\n"
                                            "1800\t5\n3600\t3\n";
        std::ofstream(file("blood.json"))
            << R"({"plasma_radioactivity": {"Units": "Bq/mL"}, "time": {"Units": "s"}})";
        const TimeCurve plasma({0, 30, 120, 600, 1800, 3600}, {0, 60, 25, 9, 5, 3}, "plasma");
        data_ = smallData(KernelSpec::preset("invariant"));
        std::fill(data_->counts.begin(), data_->counts.end(), 0.0F);
        std::fill(data_->add.begin(), data_->add.end(), 0.0F);
        FramedCounts framed;
        framed.nuclide = "F-18";
        for (int i = 0; i < 6; ++i) {
            framed.frames.push_back({{600.0 + 500 * i, 500}, 0, 0, 0, {}, {}});
            times_.push_back(framed.frames.back().time);
        }
        const std::vector<double> integral = plasma.convolvedMeans(times_, 0);
        const std::vector<double> means = plasma.means(times_);
        for (Tissue& tissue : tissues_) {
            tissue.counts = countsOf(*data_, &tissue == &tissues_[1]);
        }
        for (std::size_t m = 0; m < times_.size(); ++m) {
            std::vector<double> expected(data_->counts.size(), 0.0);
            for (const Tissue& tissue : tissues_) {
                const double emissions = (tissue.ki_perMin / 60 * integral[m] + tissue.vb * means[m]) /
                                         framed.concentrationPerEmission(m, kVoxel_mm3);
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    expected[i] += emissions * tissue.counts[i];
                }
            }
            framed.frames[m] = ditheredFrame(times_[m], expected, data_->voxels());
            std::vector<float> counts(expected.size());
            framed.frames[m].expandInto(counts, data_->voxels());
            std::transform(counts.begin(), counts.end(), data_->counts.begin(), data_->counts.begin(),
                           std::plus<>());
        }
        data_->frames = std::make_shared<const FramedCounts>(framed);
        data_->kept = framed.kept();
        data_->hash = "patlak";
    }

    /// Without noise both ways have one answer, the truth of the disk: means over it by frames and a line,
    /// and by the counts of all frames together, agree to 0.5 %.
    void directIsIndirectWithoutNoise() {
        ReconstructRequest frames = request("frames.h5");
        frames.frames = FramesAsked();
        JobListener listener;
        static_cast<void>(reconstruct(frames, makeEngineRegistry(), listener));
        const h5::Reader run(file("frames.h5"));
        const std::vector<RunFrame> made = readRunFrames(run);
        std::vector<Volume> images;
        for (const RunFrame& frame : made) {
            images.push_back(readRunFrame(run, frame.number));
        }
        KineticSetUp setUp{times_, TimeCurve({0, 30, 120, 600, 1800, 3600}, {0, 60, 25, 9, 5, 3}, "p"),
                           std::nullopt, std::vector<double>(times_.size(), 1.0)};
        const auto fit = makePatlakFit(setUp);

        ReconstructRequest direct = request("direct.h5");
        direct.frames = FramesAsked();
        direct.frames->direct = DirectPatlak{file("blood.tsv"), 600, 100, file("direct")};
        static_cast<void>(reconstruct(direct, makeEngineRegistry(), listener));
        const Volume ki = readVolume(file("direct") + "/Ki.nii.gz");
        const Volume vb = readVolume(file("direct") + "/Vb.nii.gz");

        std::array<double, 2> byFrames{};
        std::array<double, 2> byCounts{};
        double voxels = 0;
        for (std::size_t i = 0; i < ki.data.size(); ++i) {
            if (!inDisk(ki.lattice, i)) {
                continue;
            }
            std::vector<double> means;
            for (std::size_t m = 0; m < images.size(); ++m) {
                means.push_back(made[m].perEmission * static_cast<double>(images[m].data[i]));
            }
            std::array<double, 2> values{};
            QVERIFY(fit->fit(means.data(), values.data()));
            byFrames[0] += values[0];
            byFrames[1] += values[1];
            byCounts[0] += static_cast<double>(ki.data[i]);
            byCounts[1] += static_cast<double>(vb.data[i]);
            voxels += 1;
        }
        const std::array<double, 2> truth{tissues_[0].ki_perMin, tissues_[0].vb};
        for (std::size_t k = 0; k < 2; ++k) {
            qInfo("%zu: direct %.5f, by frames %.5f, true %.5f", k, byCounts[k] / voxels,
                  byFrames[k] / voxels, truth[k]);
            QVERIFY(std::abs(byCounts[k] / byFrames[k] - 1) < 0.005);
            QVERIFY(std::abs(byCounts[k] / voxels / truth[k] - 1) < 0.02);
        }
    }

    void whatHasNoLineIsRefused() {
        JobListener listener;
        ReconstructRequest late = request("late.h5");
        late.frames = FramesAsked();
        late.frames->direct = DirectPatlak{file("blood.tsv"), 2600, 10, file("late")};
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(reconstruct(late, makeEngineRegistry(), listener)),
                                 WrongUse);
        late.frames->direct->start_s = 600;
        late.settings.set("algorithm", "ramla");
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(reconstruct(late, makeEngineRegistry(), listener)),
                                 WrongUse);
    }

  private:
    [[nodiscard]] std::string file(const char* name) const { return folder_.filePath(name).toStdString(); }
    /// In the disk, away from its edge and the blobs.
    static bool inDisk(const Lattice& lattice, std::size_t i) {
        const auto x = static_cast<int>(i % 20);
        const auto y = static_cast<int>(i / 20 % 18);
        const auto z = static_cast<int>(i / 360);
        const Vec3 p = lattice.centre(x, y, z);
        return (z == 2 || z == 3) && std::hypot(p.x, p.y) < 40 && std::hypot(p.x - 30, p.y) > 24 &&
               std::hypot(p.x + 20, p.y - 20) > 24;
    }
    [[nodiscard]] ReconstructRequest request(const char* run) const {
        ReconstructRequest made;
        made.data = std::make_shared<const HistoMeasurement>(data_);
        for (const auto& [key, value] : {std::pair{"engine", "cpu"},
                                         {"kernel", "invariant"},
                                         {"algorithm", "osem"},
                                         {"subsets", "3"},
                                         {"iterations", "20"}}) {
            made.settings.set(key, value);
        }
        made.files.runFile = file(run);
        return made;
    }

    QTemporaryDir folder_;
    std::shared_ptr<HistoData> data_;
    std::vector<TimeFrame> times_;
    std::array<Tissue, 2> tissues_{{{0.02, 0.3}, {0.05, 0.4}}};
};

QTEST_GUILESS_MAIN(DirectPatlakTest)
#include "direct_patlak_test.moc"
