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
#include "tests/support/framed_data.h"
#include "tests/support/small_data.h"

namespace direct_patlak_test {

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
            expected_.emplace_back(expected.begin(), expected.end());
        }
        data_ = withFrames(framed);
    }

    /// Without noise both ways have one answer, the truth of the disk: means over it by frames and a line,
    /// and by the counts of all frames together, agree to 0.5 %.
    void directIsIndirectWithoutNoise() {
        const Parameters direct = byCounts(data_, 20);
        const Parameters indirect = byFrames(data_, 20);

        const std::array<double, 2> truth{tissues_[0].ki_perMin, tissues_[0].vb};
        for (std::size_t k = 0; k < 2; ++k) {
            double counts = 0;
            double frames = 0;
            double voxels = 0;
            for (std::size_t i = 0; i < direct[k].size(); ++i) {
                if (inDisk(data_->lattice, i)) {
                    counts += direct[k][i];
                    frames += indirect[k][i];
                    voxels += 1;
                }
            }
            qInfo("%zu: direct %.5f, by frames %.5f, true %.5f", k, counts / voxels, frames / voxels,
                  truth[k]);
            QVERIFY(std::abs(counts / frames - 1) < 0.005);
            QVERIFY(std::abs(counts / voxels / truth[k] - 1) < 0.02);
        }
    }

    /// Ki of 20 scans with Poisson noise, each stopped at several iterations. Bias is that of the mean over
    /// the blobs, noise the SD over scans, root mean square over disk and blobs. Along iterations bias falls
    /// and noise grows: at the bias that frames have, direct Ki has less noise.
    void directIsQuieterAtTheSameBias_data() {
        QTest::addColumn<double>("dose");
        QTest::newRow("all counts") << 1.0;
        QTest::newRow("a twentieth of the counts") << 0.05;
    }
    void directIsQuieterAtTheSameBias() {
        QFETCH(double, dose);
        if (qEnvironmentVariableIsEmpty("TOFSCOPE_FULL")) {
            QSKIP(
                "20 scans at two doses, each reconstructed eight times, take minutes; TOFSCOPE_FULL=1 makes "
                "them");
        }
        const std::vector<int> iterations{2, 4, 8, 16};
        std::vector<Spread> direct;
        std::vector<Spread> indirect;
        for (const int n : iterations) {
            Spread& counts = direct.emplace_back();
            Spread& frames = indirect.emplace_back();
            for (std::uint64_t seed = 1; seed <= kScans; ++seed) {
                const auto scan = noisy(dose, seed);
                counts.add(byCounts(scan, n)[0], dose);
                frames.add(byFrames(scan, n)[0], dose);
            }
            qInfo("%2d iterations: direct bias %.2f %%, SD %.5f; by frames bias %.2f %%, SD %.5f", n,
                  100 * bias(counts), noise(counts), 100 * bias(frames), noise(frames));
        }
        int compared = 0;
        for (const Spread& frames : indirect) {
            for (std::size_t i = 0; i + 1 < direct.size(); ++i) {
                const double before = bias(direct[i]);
                const double after = bias(direct[i + 1]);
                const double share = (bias(frames) - before) / (after - before);
                if (share >= 0 && share <= 1) {
                    const double same = (1 - share) * noise(direct[i]) + share * noise(direct[i + 1]);
                    qInfo("bias %.2f %%: SD %.5f direct, %.5f by frames", 100 * bias(frames), same,
                          noise(frames));
                    QVERIFY(same < noise(frames));
                    ++compared;
                }
            }
        }
        QVERIFY(compared >= 2);
    }

    void whatHasNoLineIsRefused() {
        JobListener listener;
        ReconstructRequest late = request(data_, "late.h5", 20);
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
    using Parameters = std::array<std::vector<double>, 2>;  // Ki and Vb by voxel
    static constexpr std::uint64_t kScans = 20;

    /// Mean and SD over scans by voxel.
    struct Spread {
        void add(const std::vector<double>& values, double dose) {
            sum.resize(values.size());
            squares.resize(values.size());
            for (std::size_t i = 0; i < values.size(); ++i) {
                sum[i] += values[i] / dose;
                squares[i] += values[i] * values[i] / (dose * dose);
            }
        }
        [[nodiscard]] double variance(std::size_t i) const {
            constexpr auto n = static_cast<double>(kScans);
            return (squares[i] - sum[i] * sum[i] / n) / (n - 1);
        }
        std::vector<double> sum;
        std::vector<double> squares;
    };

    [[nodiscard]] double bias(const Spread& spread) const {
        const Volume image = smallImage();
        double sum = 0;
        double voxels = 0;
        for (std::size_t i = 0; i < image.data.size(); ++i) {
            if (image.data[i] > 10) {
                sum += spread.sum[i] / kScans;
                voxels += 1;
            }
        }
        return sum / voxels / tissues_[1].ki_perMin - 1;
    }
    [[nodiscard]] static double noise(const Spread& spread) {
        const Volume image = smallImage();
        double sum = 0;
        double voxels = 0;
        for (std::size_t i = 0; i < image.data.size(); ++i) {
            if (image.data[i] > 0) {
                sum += spread.variance(i);
                voxels += 1;
            }
        }
        return std::sqrt(sum / voxels);
    }

    [[nodiscard]] std::shared_ptr<HistoData> withFrames(const FramedCounts& framed) const {
        auto data = std::make_shared<HistoData>(*data_);
        std::fill(data->counts.begin(), data->counts.end(), 0.0F);
        for (const FrameCounts& frame : framed.frames) {
            std::vector<float> counts(data->counts.size());
            frame.expandInto(counts, data->voxels());
            std::transform(counts.begin(), counts.end(), data->counts.begin(), data->counts.begin(),
                           std::plus<>());
        }
        data->frames = std::make_shared<const FramedCounts>(framed);
        data->kept = framed.kept();
        data->hash = "patlak";
        return data;
    }
    [[nodiscard]] std::shared_ptr<HistoData> noisy(double dose, std::uint64_t seed) const {
        FramedCounts framed = *data_->frames;
        for (std::size_t m = 0; m < times_.size(); ++m) {
            const auto counts = poissonCounts(expected_[m], dose, 100 * seed + m, ThreadPool(1));
            framed.frames[m] = frameOf(times_[m], counts, data_->voxels());
        }
        return withFrames(framed);
    }
    [[nodiscard]] Parameters byCounts(const std::shared_ptr<HistoData>& data, int iterations) const {
        ReconstructRequest direct = request(data, "direct.h5", iterations);
        direct.frames = FramesAsked();
        direct.frames->direct = DirectPatlak{file("blood.tsv"), 600, 100, file("direct")};
        JobListener listener;
        static_cast<void>(reconstruct(direct, makeEngineRegistry(), listener));
        const Volume ki = readVolume(file("direct") + "/Ki.nii.gz");
        const Volume vb = readVolume(file("direct") + "/Vb.nii.gz");
        return {std::vector<double>(ki.data.begin(), ki.data.end()),
                std::vector<double>(vb.data.begin(), vb.data.end())};
    }
    /// Weights are the inverse variances of decay-corrected means.
    [[nodiscard]] Parameters byFrames(const std::shared_ptr<HistoData>& data, int iterations) const {
        ReconstructRequest frames = request(data, "frames.h5", iterations);
        frames.frames = FramesAsked();
        JobListener listener;
        static_cast<void>(reconstruct(frames, makeEngineRegistry(), listener));
        const h5::Reader run(file("frames.h5"));
        const std::vector<RunFrame> made = readRunFrames(run);
        std::vector<Volume> images;
        std::vector<double> weights;
        for (const RunFrame& frame : made) {
            images.push_back(readRunFrame(run, frame.number));
            weights.push_back(1 / data->frames->perSecond(weights.size()));
        }
        const KineticSetUp setUp{times_, TimeCurve({0, 30, 120, 600, 1800, 3600}, {0, 60, 25, 9, 5, 3}, "p"),
                                 std::nullopt, weights};
        const auto fit = makePatlakFit(setUp);
        Parameters found;
        std::vector<double> means(images.size());
        for (std::size_t i = 0; i < images[0].data.size(); ++i) {
            for (std::size_t m = 0; m < images.size(); ++m) {
                means[m] = made[m].perEmission * static_cast<double>(images[m].data[i]);
            }
            std::array<double, 2> values{};
            static_cast<void>(fit->fit(means.data(), values.data()));
            found[0].push_back(values[0]);
            found[1].push_back(values[1]);
        }
        return found;
    }

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
    [[nodiscard]] ReconstructRequest request(const std::shared_ptr<HistoData>& data, const char* run,
                                             int iterations) const {
        ReconstructRequest made;
        made.data = std::make_shared<const HistoMeasurement>(data);
        for (const auto& [key, value] :
             {std::pair{"engine", "cpu"}, {"kernel", "invariant"}, {"algorithm", "osem"}, {"subsets", "3"}}) {
            made.settings.set(key, value);
        }
        made.settings.set("iterations", std::to_string(iterations));
        made.files.runFile = file(run);
        return made;
    }

    QTemporaryDir folder_;
    std::shared_ptr<HistoData> data_;
    std::vector<TimeFrame> times_;
    std::vector<std::vector<float>> expected_;  ///< by frame
    std::array<Tissue, 2> tissues_{{{0.02, 0.3}, {0.05, 0.4}}};
};

QTEST_GUILESS_MAIN(DirectPatlakTest)

}  // namespace direct_patlak_test
#include "direct_patlak_test.moc"
