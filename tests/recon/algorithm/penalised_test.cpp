// SPDX-License-Identifier: Apache-2.0
// Algorithms with a prior against a converged reference in double, which knows nothing of them.
#include <QTest>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>

#include "recon/prior/bowsher.h"
#include "tests/support/double_penalty.h"
#include "tests/support/toy_system.h"

namespace penalised_test {

using namespace tof;
using namespace tof::test;

namespace {

const Lattice kLattice = Lattice::centred({6, 5, 3}, {2, 2, 3});
constexpr std::size_t kParts = 12;
constexpr std::size_t kRowsPerPart = 10;
constexpr std::size_t kRows = kParts * kRowsPerPart;

using Values = std::vector<double>;

double noise(std::size_t i) {
    const double x = std::sin(12.9898 * static_cast<double>(i + 1)) * 43758.5453;
    return x - std::floor(x);
}

/// Every row a blurred line through the box, in one of 12 directions.
std::vector<Values> lines() {
    std::vector<Values> matrix(kRows, Values(kLattice.voxels(), 0.0));
    for (std::size_t r = 0; r < kRows; ++r) {
        const double angle = 3.14159265 * static_cast<double>(r / kRowsPerPart) / kParts;
        const double s = -5 + static_cast<double>(r % 5) * 2.5;
        const double z0 = r % kRowsPerPart < 5 ? -3.0 : 3.0;
        kLattice.forEachVoxel([&](int x, int y, int z) {
            const Vec3 c = kLattice.centre(x, y, z);
            const double across = c.x * std::cos(angle) + c.y * std::sin(angle) - s;
            const double up = c.z - z0;
            matrix[r][kLattice.index(x, y, z)] = 0.1 * std::exp(-across * across / 4 - up * up / 12);
        });
    }
    return matrix;
}

/// What was measured of a hot spot on a warm ground, with noise, gaps and background.
struct Data {
    Values y = Values(kRows);
    Values mult = Values(kRows);
    Values add = Values(kRows);
};
Data measured(const std::vector<Values>& matrix, double counts) {
    Values truth(kLattice.voxels());
    kLattice.forEachVoxel([&](int x, int y, int z) {
        const bool body = x > 0 && y > 0;
        truth[kLattice.index(x, y, z)] = !body ? 0 : x == 3 && y == 3 ? 8 : 2;
    });
    Data data;
    double total = 0;
    for (std::size_t r = 0; r < kRows; ++r) {
        data.mult[r] = r % 37 == 5 ? 0 : 0.5 + 0.5 * noise(r);
        data.y[r] = data.mult[r] * std::inner_product(truth.begin(), truth.end(), matrix[r].begin(), 0.0);
        total += data.y[r];
    }
    for (std::size_t r = 0; r < kRows; ++r) {
        const double mean = data.y[r] * counts / total;
        data.add[r] = 0.05 * counts / kRows;
        const double sum = mean + data.add[r];
        data.y[r] = std::max(0.0, std::round(sum + std::sqrt(3 * sum) * (2 * noise(r + 500) - 1)));
    }
    return data;
}

std::vector<float> floats(const Values& values) {
    return {values.begin(), values.end()};
}

/// The objective as docs/model.md section 3 has it, and its largest value by slow steps uphill.
class Reference {
  public:
    Reference(std::vector<Values> matrix, Data data, const std::string& prior, const PriorParameters& set)
        : matrix_(std::move(matrix)), data_(std::move(data)), sensitivity_(kLattice.voxels(), 0.0) {
        double counts = 0;
        for (std::size_t r = 0; r < kRows; ++r) {
            counts += data_.y[r] - data_.add[r];
            for (std::size_t v = 0; v < sensitivity_.size(); ++v) {
                sensitivity_[v] += data_.mult[r] * matrix_[r][v];
            }
        }
        const double s = std::accumulate(sensitivity_.begin(), sensitivity_.end(), 0.0);
        const double mean = s / static_cast<double>(sensitivity_.size());
        unit_ = counts / s;
        beta_ = set.beta * mean;
        Values kappa(sensitivity_.size(), 1.0);
        for (std::size_t v = 0; set.kappa == Kappa::On && v < kappa.size(); ++v) {
            kappa[v] = std::sqrt(sensitivity_[v] / mean);
        }
        penalty_.emplace(prior, set, unit_, kLattice, kappa);
    }

    [[nodiscard]] double unit() const { return unit_; }
    [[nodiscard]] double logLikelihood(const Values& x) const {
        double sum = 0;
        for (std::size_t r = 0; r < kRows; ++r) {
            const double e = expected(r, x);
            sum += e > 0 ? data_.y[r] * std::log(e) - e : 0;
        }
        return sum;
    }
    [[nodiscard]] double penalty(const Values& x) const { return beta_ * (*penalty_)(x); }
    [[nodiscard]] double objective(const Values& x) const { return logLikelihood(x) - penalty(x); }
    [[nodiscard]] Values gradient(const Values& x) const {
        Values g = penalty_->gradient(x, 1e-5 * unit_);
        for (double& value : g) {
            value *= -beta_;
        }
        for (std::size_t r = 0; r < kRows; ++r) {
            const double e = expected(r, x);
            const double q = data_.mult[r] * ((data_.mult[r] > 0 && e > 0 ? data_.y[r] / e : 0) - 1);
            for (std::size_t v = 0; v < x.size(); ++v) {
                g[v] += matrix_[r][v] * q;
            }
        }
        return g;
    }
    /// Preconditioned gradient steps with a search along each, never downhill.
    [[nodiscard]] Values converged() const {
        Values x(kLattice.voxels(), unit_);
        double best = objective(x);
        double step = 1;
        for (int k = 0; k < 2000; ++k) {
            const Values g = gradient(x);
            step *= 2;
            for (int tries = 0; tries < 40; ++tries, step /= 2) {
                Values next(x.size());
                for (std::size_t v = 0; v < x.size(); ++v) {
                    next[v] = std::max(0.0, x[v] + step * (x[v] + 1e-4 * unit_) / sensitivity_[v] * g[v]);
                }
                if (const double found = objective(next); found > best) {
                    best = found;
                    x = next;
                    break;
                }
            }
        }
        return x;
    }

  private:
    [[nodiscard]] double expected(std::size_t r, const Values& x) const {
        return data_.mult[r] * std::inner_product(x.begin(), x.end(), matrix_[r].begin(), 0.0) + data_.add[r];
    }

    std::vector<Values> matrix_;
    Data data_;
    Values sensitivity_;
    double unit_ = 1;
    double beta_ = 0;
    std::optional<DoublePenalty> penalty_;
};

AlgorithmSettings settingsOf(const std::string& algorithm, const std::string& prior, int iterations) {
    AlgorithmSettings settings;
    settings.algorithm = &algorithmNamed(algorithm);
    settings.prior = &priorNamed(prior);
    settings.iterations = iterations;
    settings.subsets = 4;
    settings.beta = 0.02;
    return settings;
}

/// KEM by an anatomy of two halves.
AlgorithmSettings kernelised(int iterations) {
    AlgorithmSettings settings = settingsOf("kem", "quadratic", iterations);
    Volume body(kLattice);
    kLattice.forEachVoxel([&](int x, int y, int z) { body.at(x, y, z) = x < 3 ? 0.0F : 1.0F; });
    settings.chosen = std::make_shared<const std::vector<float>>(bowsherChoice({&body}, 9, ThreadPool(1)));
    return settings;
}

struct Bench {
    Bench(const AlgorithmSettings& settings, const std::vector<Values>& matrix, const Data& data)
        : space(std::make_shared<CountingSpace>(2)),
          projector(matrix, kRowsPerPart, space),
          source(floats(data.y), floats(data.mult), floats(data.add), kRowsPerPart),
          reconstruction(projector, source, kLattice, settings, order(), control) {}

    static std::vector<std::size_t> order() {
        std::vector<std::size_t> all(kParts);
        std::iota(all.begin(), all.end(), std::size_t{0});
        return all;
    }
    Values run() {
        reconstruction.run(control);
        const std::vector<float>& image = control.iterates.back().image->data;
        return {image.begin(), image.end()};
    }

    std::shared_ptr<CountingSpace> space;
    ToyProjector projector;
    ToySource source;
    RecordingControl control;
    Reconstruction reconstruction;
};

}  // namespace

class PenalisedTest : public QObject {
    Q_OBJECT

  private slots:
    void algorithmsReachTheConvergedObjective_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<QString>("prior");
        QTest::addColumn<int>("kappa");
        QTest::addColumn<int>("iterations");
        for (const Prior* prior : priors()) {
            if (prior->kind == PriorKind::Objective) {
                const QString name = QString::fromStdString(prior->name);
                QTest::addRow("bsrem, %s", prior->name.c_str()) << "bsrem" << name << 1 << 250;
                QTest::addRow("svrg, %s", prior->name.c_str()) << "svrg" << name << 1 << 60;
                QTest::addRow("lbfgsb, %s", prior->name.c_str()) << "lbfgsb" << name << 1 << 10;
            }
        }
        QTest::newRow("bsrem, without kappa") << "bsrem"
                                              << "relative-difference" << 0 << 250;
        QTest::newRow("svrg, without kappa") << "svrg"
                                             << "relative-difference" << 0 << 60;
    }
    void algorithmsReachTheConvergedObjective() {
        QFETCH(QString, algorithm);
        QFETCH(QString, prior);
        QFETCH(int, kappa);
        QFETCH(int, iterations);
        AlgorithmSettings settings = settingsOf(algorithm.toStdString(), prior.toStdString(), iterations);
        settings.kappa = kappa == 1 ? Kappa::On : Kappa::Off;
        settings.objective = TellsObjective::On;
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        const Reference reference(matrix, data, prior.toStdString(), settings);
        Bench bench(settings, matrix, data);

        const Values found = bench.run();

        Values& best = converged_[prior.toStdString() + (kappa == 1 ? "" : ", no kappa")];
        if (best.empty()) {
            best = reference.converged();
        }
        const double start = reference.objective(Values(kLattice.voxels(), reference.unit()));
        const double most = reference.objective(best);
        const double lacking = (most - reference.objective(found)) / (most - start);
        QVERIFY2(lacking < 1e-4, qPrintable(QString::number(lacking)));
        QVERIFY2(std::abs(most - reference.objective(found)) < 1e-5 * std::abs(most),
                 qPrintable(QString("%1 of %2").arg(reference.objective(found)).arg(most)));
        const ObjectiveValue told = bench.control.iterates.back().objective.value();
        QVERIFY(std::abs(told.logLikelihood - reference.logLikelihood(found)) <
                1e-6 * std::abs(reference.logLikelihood(found)));
        QVERIFY(std::abs(told.penalty - reference.penalty(found)) < 1e-5 * reference.penalty(found));
        QVERIFY(std::all_of(found.begin(), found.end(), [](double v) { return v >= 0; }));
    }

    void subsetsEndWhereAllDataDo_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("iterations");
        QTest::newRow("bsrem") << "bsrem" << 250;
        QTest::newRow("svrg") << "svrg" << 60;
    }
    void subsetsEndWhereAllDataDo() {
        QFETCH(QString, algorithm);
        QFETCH(int, iterations);
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        const auto objectiveOf = [&](const std::string& name, int n) {
            AlgorithmSettings settings = settingsOf(name, "relative-difference", n);
            settings.objective = TellsObjective::On;
            Bench bench(settings, matrix, data);
            bench.run();
            return bench.control.iterates.back().objective.value().total();
        };
        const double best = objectiveOf("lbfgsb", 12);
        const double found = objectiveOf(algorithm.toStdString(), iterations);
        QVERIFY2(std::abs(found - best) < 1e-5 * std::abs(best),
                 qPrintable(QString("%1 of %2").arg(found, 0, 'g', 12).arg(best, 0, 'g', 12)));
    }

    void allDataNeverStepDownhill() {
        const auto matrix = lines();
        for (const double beta : {0.0, 0.02, 10.0}) {
            AlgorithmSettings settings = settingsOf("lbfgsb", "relative-difference", 8);
            settings.beta = beta;
            settings.objective = TellsObjective::On;
            Bench bench(settings, matrix, measured(matrix, 5000));
            double before = bench.reconstruction.objective().total();
            bench.run();
            for (const Iterate& iterate : bench.control.iterates) {
                QVERIFY(iterate.objective.value().total() >= before);
                before = iterate.objective->total();
            }
        }
    }

    void aRunStopsWhereItsImageHasSettled() {
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        AlgorithmSettings settings = settingsOf("svrg", "quadratic", 100);
        settings.stop = 1e-3;
        Bench bench(settings, matrix, data);
        std::vector<float> before = bench.reconstruction.image().data;

        bench.run();

        QVERIFY(bench.control.iterates.size() > 2 && bench.control.iterates.size() < 100);
        for (const Iterate& iterate : bench.control.iterates) {
            const std::vector<float>& now = iterate.image->data;
            float most = 0;
            for (std::size_t i = 0; i < now.size(); ++i) {
                most = std::max(most, std::abs(now[i] - before[i]));
            }
            const double expected = static_cast<double>(most / *std::max_element(now.begin(), now.end()));
            QVERIFY(std::abs(iterate.change.value() - expected) <= 1e-6 * expected);
            const bool last = &iterate == &bench.control.iterates.back();
            QCOMPARE(iterate.change.value() <= settings.stop, last);
            before = now;
        }
    }

    void priorsShowWhereTheyPull() {
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        const AlgorithmSettings settings = settingsOf("lbfgsb", "relative-difference", 2);
        const Reference reference(matrix, data, "relative-difference", settings);
        PriorParameters none = settings;
        none.beta = 0;
        const Reference counts(matrix, data, "relative-difference", none);
        Bench bench(settings, matrix, data);
        const Values found = bench.run();
        const std::vector<float> pull = bench.reconstruction.image(PriorImage::Pull).value().data;
        const std::vector<float> kappa = bench.reconstruction.image(PriorImage::Kappa).value().data;
        const std::vector<float> s = bench.reconstruction.sensitivity();
        const float mean = std::accumulate(s.begin(), s.end(), 0.0F) / static_cast<float>(s.size());
        const Values both = reference.gradient(found);
        const Values one = counts.gradient(found);
        double largest = 0;
        for (const float v : pull) {
            largest = std::max(largest, std::abs(static_cast<double>(v)));
        }
        for (std::size_t v = 0; v < found.size(); ++v) {
            QVERIFY(std::abs(static_cast<double>(pull[v]) - (both[v] - one[v])) < 1e-5 * largest);
            QVERIFY(std::abs(kappa[v] * kappa[v] - s[v] / mean) < 1e-5F * s[v] / mean);
        }
        AlgorithmSettings without = settings;
        without.beta = 0;
        Bench plain(without, matrix, data);
        QVERIFY(!plain.reconstruction.image(PriorImage::Pull));
    }

    void kernelisedFollowsItsFormula() {
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        AlgorithmSettings settings = kernelised(3);
        settings.subsets = 1;
        Bench bench(settings, matrix, data);
        const std::vector<float> start = bench.reconstruction.image().data;

        const Values found = bench.run();

        // W: means over a voxel and those that it has chosen; K = W W W.
        const std::size_t n = kLattice.voxels();
        const auto applied = [&](Values v, bool transposed) {
            for (int k = 0; k < 3; ++k) {
                Values next(n, 0.0);
                kLattice.forEachVoxel([&](int x, int y, int z) {
                    const std::size_t own = kLattice.index(x, y, z);
                    std::vector<std::size_t> all{own};
                    const auto bits = std::bit_cast<NeighbourBits>((*settings.chosen)[own]);
                    for (int b = 0; b < 27; ++b) {
                        if ((bits >> b & 1U) != 0) {
                            all.push_back(kLattice.index(x + b % 3 - 1, y + b / 3 % 3 - 1, z + b / 9 - 1));
                        }
                    }
                    for (const std::size_t other : all) {
                        const double share = 1.0 / static_cast<double>(all.size());
                        (transposed ? next[other] : next[own]) += share * v[transposed ? own : other];
                    }
                });
                v = next;
            }
            return v;
        };
        Values coefficients(start.begin(), start.end());
        Values image = coefficients;
        for (int iteration = 0; iteration < 3; ++iteration) {
            Values back(n, 0.0);
            Values s(n, 0.0);
            for (std::size_t r = 0; r < kRows; ++r) {
                const double e =
                    data.mult[r] * std::inner_product(image.begin(), image.end(), matrix[r].begin(), 0.0) +
                    data.add[r];
                for (std::size_t v = 0; v < n; ++v) {
                    back[v] += data.mult[r] > 0 ? matrix[r][v] * data.mult[r] * data.y[r] / e : 0;
                    s[v] += matrix[r][v] * data.mult[r];
                }
            }
            back = applied(back, true);
            s = applied(s, true);
            for (std::size_t v = 0; v < n; ++v) {
                coefficients[v] *= back[v] / s[v];
            }
            image = applied(coefficients, false);
        }
        for (std::size_t v = 0; v < n; ++v) {
            QVERIFY(std::abs(found[v] / image[v] - 1) < 2e-5);
        }
    }

    void kernelisedGoesOnToTheSameBits() {
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        Bench whole(kernelised(6), matrix, data);
        const Values expected = whole.run();
        Bench first(kernelised(2), matrix, data);
        first.run();
        const Iterate& last = first.control.iterates.back();
        Bench second(kernelised(6), matrix, data);
        second.reconstruction.startFrom(last.image->data, 2, last.coefficients->data);

        QCOMPARE(second.run(), expected);
        AlgorithmSettings none = kernelised(1);
        none.chosen = nullptr;
        QVERIFY_EXCEPTION_THROWN(Bench(none, matrix, data), WrongUse);
    }

    void withoutBetaThePriorIsNothing_data() {
        QTest::addColumn<QString>("algorithm");
        for (const char* name : {"bsrem", "svrg", "osl", "lbfgsb"}) {
            QTest::newRow(name) << name;
        }
    }
    void withoutBetaThePriorIsNothing() {
        QFETCH(QString, algorithm);
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        AlgorithmSettings settings = settingsOf(algorithm.toStdString(), "quadratic", 3);
        settings.beta = 0;
        Bench one(settings, matrix, data);
        settings.prior = &priorNamed("relative-difference");
        Bench other(settings, matrix, data);
        QCOMPARE(one.run(), other.run());
    }

    void oneStepLateWithoutAPriorIsOsem() {
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        AlgorithmSettings settings = settingsOf("osl", "quadratic", 3);
        settings.beta = 0;
        Bench late(settings, matrix, data);
        settings.algorithm = &osem();
        Bench plain(settings, matrix, data);
        QCOMPARE(late.run(), plain.run());
    }

    void oneStepLateFollowsItsFormula_data() {
        QTest::addColumn<QString>("prior");
        QTest::newRow("relative difference") << "relative-difference";
        QTest::newRow("huber") << "huber";
    }
    void oneStepLateFollowsItsFormula() {
        QFETCH(QString, prior);
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        AlgorithmSettings settings = settingsOf("osl", prior.toStdString(), 1);
        settings.subsets = 1;
        const Reference reference(matrix, data, prior.toStdString(), settings);
        PriorParameters none = settings;
        none.beta = 0;
        const Reference counts(matrix, data, prior.toStdString(), none);
        Bench bench(settings, matrix, data);
        Values start(kLattice.voxels());
        for (std::size_t v = 0; v < start.size(); ++v) {
            start[v] = reference.unit() * (1 + 0.5 * noise(v));
        }
        bench.reconstruction.startFrom(floats(start), 0);

        const Values found = bench.run();

        const std::vector<float> s = bench.reconstruction.sensitivity();
        const Values data1 = counts.gradient(start);
        const Values both = reference.gradient(start);
        for (std::size_t v = 0; v < start.size(); ++v) {
            const auto sensitivity = static_cast<double>(s[v]);
            const double expected = start[v] * (data1[v] + sensitivity) / (sensitivity + data1[v] - both[v]);
            QVERIFY(std::abs(found[v] / expected - 1) < 2e-5);
        }
    }

    void theMedianRootRunsOneStepLateAlone() {
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        for (const char* name : {"bsrem", "svrg", "lbfgsb"}) {
            try {
                Bench bench(settingsOf(name, "median-root", 1), matrix, data);
                QFAIL("accepted");
            } catch (const WrongUse& fault) {
                QVERIFY2(QString(fault.what()).contains("no objective"), fault.what());
            }
        }
        AlgorithmSettings settings = settingsOf("osl", "median-root", 5);
        settings.beta = 0.3;
        Bench bench(settings, matrix, data);
        for (const double v : bench.run()) {
            QVERIFY(std::isfinite(v) && v >= 0);
        }
    }

    void goingOnEqualsOneLongRun_data() { withoutBetaThePriorIsNothing_data(); }
    void goingOnEqualsOneLongRun() {
        QFETCH(QString, algorithm);
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        const auto settings = [&](int n) {
            return settingsOf(algorithm.toStdString(), "relative-difference", n);
        };
        Bench whole(settings(6), matrix, data);
        const Values expected = whole.run();
        Bench first(settings(2), matrix, data);
        first.run();
        Bench second(settings(6), matrix, data);
        second.reconstruction.startFrom(first.control.iterates.back().image->data, 2);

        QCOMPARE(second.run(), expected);  // every bit
    }

    void nothingIsAllocatedOrBroughtInsideAnIteration_data() { withoutBetaThePriorIsNothing_data(); }
    void nothingIsAllocatedOrBroughtInsideAnIteration() {
        QFETCH(QString, algorithm);
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        Bench bench(settingsOf(algorithm.toStdString(), "relative-difference", 3), matrix, data);
        const int allocated = bench.space->allocations;

        bench.run();

        QCOMPARE(bench.space->allocations, allocated);
    }

    void anImageOfZerosIsNoEnd_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::newRow("bsrem") << "bsrem";
        QTest::newRow("svrg") << "svrg";
        QTest::newRow("lbfgsb") << "lbfgsb";
    }
    void anImageOfZerosIsNoEnd() {
        QFETCH(QString, algorithm);
        const auto matrix = lines();
        const Data data = measured(matrix, 5000);
        const AlgorithmSettings settings = settingsOf(algorithm.toStdString(), "relative-difference", 100);
        const Reference reference(matrix, data, "relative-difference", settings);
        Bench bench(settings, matrix, data);
        bench.reconstruction.startFrom(std::vector<float>(kLattice.voxels(), 0.0F), 0);

        const Values found = bench.run();

        const double start = reference.objective(Values(kLattice.voxels(), reference.unit()));
        const double most = reference.objective(reference.converged());
        QVERIFY((most - reference.objective(found)) / (most - start) < 1e-3);
    }

    void voxelsThatNothingSeesPullAtNobody() {
        auto matrix = lines();
        for (Values& row : matrix) {
            kLattice.forEachVoxel([&](int x, int y, int z) {
                if (x == 0) {
                    row[kLattice.index(x, y, z)] = 0;
                }
            });
        }
        const Data data = measured(matrix, 5000);
        for (const Kappa kappa : {Kappa::Off, Kappa::On}) {
            AlgorithmSettings settings = settingsOf("bsrem", "relative-difference", 3);
            settings.kappa = kappa;
            Bench bench(settings, matrix, data);
            std::vector<float> start(kLattice.voxels(), 1.0F);
            bench.reconstruction.startFrom(start, 0);
            const Values one = bench.run();
            kLattice.forEachVoxel(
                [&](int x, int y, int z) { start[kLattice.index(x, y, z)] = x == 0 ? 100.0F : 1.0F; });
            bench.reconstruction.startFrom(start, 0);
            const Values other = bench.run();
            kLattice.forEachVoxel([&](int x, int y, int z) {
                const std::size_t at = kLattice.index(x, y, z);
                QCOMPARE(other[at], x == 0 ? 100.0 : one[at]);
            });
        }
    }

    void anyBetaAndFewCountsStayFinite_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<double>("beta");
        QTest::addColumn<double>("counts");
        for (const char* name : {"bsrem", "svrg", "osl", "lbfgsb"}) {
            for (const double beta : {0.0, 0.02, 10.0, 1e6}) {
                for (const double counts : {3.0, 300.0}) {
                    QTest::addRow("%s, beta %g, %g counts", name, beta, counts) << name << beta << counts;
                }
            }
        }
    }
    void anyBetaAndFewCountsStayFinite() {
        QFETCH(QString, algorithm);
        QFETCH(double, beta);
        QFETCH(double, counts);
        const auto matrix = lines();
        Data data = measured(matrix, 5000);
        for (std::size_t r = 0; r < kRows; ++r) {
            data.add[r] = 0;
            data.y[r] = counts > 10 ? static_cast<double>(r % 3) : r == 17 || r == 60 || r == 110 ? 1 : 0;
        }
        AlgorithmSettings settings = settingsOf(algorithm.toStdString(), "relative-difference", 20);
        settings.beta = beta;
        Bench bench(settings, matrix, data);
        const Values found = bench.run();
        double total = 0;
        for (const double v : found) {
            QVERIFY(std::isfinite(v) && v >= 0);
            total += v;
        }
        QVERIFY(total > 0);
    }

    void subsetsFollowFromCounts_data() {
        QTest::addColumn<double>("counts");
        QTest::addColumn<int>("voxels");
        QTest::addColumn<int>("parts");
        QTest::addColumn<int>("subsets");
        QTest::newRow("20,000 counts") << 2e4 << 72 * 72 * 24 << 120 << 1;
        QTest::newRow("200,000 counts") << 2e5 << 72 * 72 * 24 << 120 << 15;
        QTest::newRow("one count") << 1.0 << 72 * 72 * 24 << 120 << 1;
        QTest::newRow("none") << 0.0 << 72 * 72 * 24 << 120 << 1;
        QTest::newRow("a divisor of the parts") << 1e9 << 1000 << 70 << 10;
        QTest::newRow("few parts") << 1e9 << 1000 << 3 << 1;
    }
    void subsetsFollowFromCounts() {
        QFETCH(double, counts);
        QFETCH(int, voxels);
        QFETCH(int, parts);
        QFETCH(int, subsets);
        QCOMPARE(subsetsByCounts(counts, kVoxelsPerCount, static_cast<std::size_t>(voxels),
                                 static_cast<std::size_t>(parts)),
                 subsets);
    }

    void aViewWithoutCountsIsNotTheEnd_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::newRow("osem") << "osem";
        QTest::newRow("osl") << "osl";
    }
    void aViewWithoutCountsIsNotTheEnd() {
        QFETCH(QString, algorithm);
        class Told : public RecordingControl {
          public:
            void notice(const std::string& sentence) override { said = QString::fromStdString(sentence); }
            QString said;
        };
        const auto matrix = lines();
        Data data = measured(matrix, 5000);
        std::fill(data.add.begin(), data.add.end(), 0.0);
        std::fill_n(data.y.begin() + 3 * kRowsPerPart, kRowsPerPart, 0.0);
        AlgorithmSettings settings = settingsOf(algorithm.toStdString(), "relative-difference", 10);
        settings.subsets = static_cast<int>(kParts);
        const auto space = std::make_shared<CountingSpace>(2);
        ToyProjector projector(matrix, kRowsPerPart, space);
        ToySource source(floats(data.y), floats(data.mult), {}, kRowsPerPart);
        Told control;
        Reconstruction reconstruction(projector, source, kLattice, settings, Bench::order(), control);

        reconstruction.run(control);

        QVERIFY2(control.said.contains("1 of 12 subsets have few counts"), qPrintable(control.said));
        double expected = 0;
        const std::vector<float>& image = control.iterates.back().image->data;
        for (std::size_t r = 0; r < kRows; ++r) {
            for (std::size_t v = 0; v < image.size(); ++v) {
                expected += data.mult[r] * matrix[r][v] * static_cast<double>(image[v]);
            }
        }
        const double counts = std::accumulate(data.y.begin(), data.y.end(), 0.0);
        QVERIFY2(expected > 0.8 * counts && expected < 1.2 * counts,
                 qPrintable(QString("%1 of %2").arg(expected).arg(counts)));
    }

  private:
    std::map<std::string, Values> converged_;  ///< by objective: it takes a while
};

QTEST_APPLESS_MAIN(PenalisedTest)

}  // namespace penalised_test
#include "penalised_test.moc"
