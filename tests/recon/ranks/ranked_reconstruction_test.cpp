// SPDX-License-Identifier: Apache-2.0
// A reconstruction by several ranks is that of one: every system, every algorithm.
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <random>

#include "recon/base/error.h"
#include "recon/binning/line_binning.h"
#include "recon/binning/panel_binning.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/phantom/phantom.h"
#include "recon/scanner/scanner.h"
#include "recon/simulate/monte_carlo.h"
#include "recon/systems/histo/histo_measurement.h"
#include "recon/systems/lines/line_measurement.h"
#include "recon/systems/lines/sinogram_measurement.h"
#include "recon/systems/panel/panel_measurement.h"
#include "recon/work/reconstruct.h"
#include "tests/recon/projector_fixtures.h"
#include "tests/support/message_peers.h"
#include "tests/support/rings.h"
#include "tests/support/small_data.h"
#include "tests/support/thread_ranks.h"

namespace ranked_reconstruction_test {

using namespace tof;
using namespace tof::fixtures;
using namespace tof::test;

namespace {

EventList randomPairs(std::uint32_t crystals, int count, unsigned seed) {
    EventList events;
    std::mt19937 random(seed);
    for (int i = 0; i < count; ++i) {
        events.crystals.push_back({static_cast<std::uint32_t>(random() % crystals),
                                   static_cast<std::uint32_t>(random() % crystals)});
        events.dt_ps.push_back(static_cast<float>(random() % 801) - 400.0F);
    }
    return events;
}

std::shared_ptr<const Measurement> histoImages() {
    auto data = smallData(KernelSpec::preset("variant1"));
    data->att = uniformData(data->counts.size(), 8, 0.2F, 1.0F);
    data->hash = "histo";
    return std::make_shared<HistoMeasurement>(data);
}

SinogramData ringData() {
    const auto michelogram = std::make_shared<const Michelogram>(fiveRings(1, 5));
    SinogramData data = binEvents(randomPairs(480, 20000, 3), nullptr, michelogram, kInFiveRings);
    data.add = uniformData(data.counts.size(), 5, 0.01F, 0.05F);
    data.hash = "sinograms";
    return data;
}

LineData listData() {
    const SinogramData sinograms = ringData();
    LineData data =
        listLines(randomPairs(480, 20000, 3), nullptr, sinograms.michelogram, kInFiveRings, &sinograms);
    data.hash = "list";
    return data;
}

LineData countedLines() {
    LineData data = listData();
    data.counts = uniformData(data.events->pairs.size(), 9, 0.5F, 3.0F);
    data.hash = "counted";
    return data;
}

/// The cpu engine, whose loops all ask.
class EagerEngine : public Engine {
  public:
    [[nodiscard]] std::string name() const override { return cpu_->name(); }
    [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
        return cpu_->strategies(system);
    }
    [[nodiscard]] DeviceInfo device() const override { return cpu_->device(); }
    [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
        return std::make_shared<EagerSpace>(options.threads);
    }
    [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                  const EngineOptions& options) const override {
        return cpu_->makeProjector(model, std::move(space), options);
    }

  private:
    class EagerSpace : public HostSpace {
      public:
        using HostSpace::HostSpace;
        Heed exchangeHeed(Heed heed) override {
            heed.between = std::chrono::milliseconds(0);
            return HostSpace::exchangeHeed(std::move(heed));
        }
    };

    std::shared_ptr<const Engine> cpu_ = makeCpuEngine();
};

PanelData panelData() {
    const Scanner scanner = Scanner::fromJson(
        R"({"name":"tiny","modules":{"count":2,"face_to_face_mm":12,"crystals":[10,8],"pitch_mm":[2.4,2.4]},)"
        R"("crystal_mm":[2.1,2.1,10],"attenuation_per_mm":0.0819,"acceptance_deg":85,"fov_diameter_mm":80})",
        "test");
    Phantom phantom;
    phantom.name = "box";
    PhantomShape shape;
    shape.kind = PhantomShape::Kind::Box;
    shape.size_mm = {4, 4.8, 3.6};
    shape.activity = 1;
    phantom.shapes.push_back(shape);
    SimulationSettings settings;
    settings.events = 1000;
    PanelData data = binPanel(simulate(scanner, phantom, settings, ThreadPool(1), {}), scanner);
    data.counts = uniformData(data.counts.size(), 10, 0.5F, 3.0F);  // no voxel that a few counts decide
    data.hash = "panel";
    return data;
}

}  // namespace

class RankedReconstructionTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    EngineRegistry engines_;
    std::map<QString, std::shared_ptr<const Measurement>> systems_;

    std::shared_ptr<const Measurement> system(const QString& name) {
        std::shared_ptr<const Measurement>& data = systems_[name];
        if (data == nullptr) {
            data = name == "histo"      ? histoImages()
                   : name == "sinogram" ? std::make_shared<SinogramMeasurement>(ringData())
                   : name == "list"     ? std::make_shared<LineMeasurement>(listData())
                   : name == "counted"
                       ? std::make_shared<LineMeasurement>(countedLines())
                       : std::shared_ptr<const Measurement>(std::make_shared<PanelMeasurement>(panelData()));
        }
        return data;
    }

    ReconstructRequest request(const QString& system, const QString& algorithm, int subsets, int iterations) {
        ReconstructRequest request;
        request.data = this->system(system);
        request.settings.set("engine", "cpu");
        request.settings.set("threads", "1");
        request.settings.set("kernel", "variant1");
        request.settings.set("algorithm", algorithm.toStdString());
        request.settings.set("subsets", std::to_string(subsets));
        request.settings.set("iterations", std::to_string(iterations));
        request.settings.set("relaxation", "0.3");
        return request;
    }

    Volume alone(const ReconstructRequest& request) {
        JobListener listener;
        return *reconstruct(request, engines_, listener).image;
    }

    enum class Spaces { ThroughTheHost, Peers };

    /// The image of the first rank.
    Volume together(const ReconstructRequest& request, int ranks, Spaces spaces = Spaces::ThroughTheHost) {
        Volume image;
        const auto ends = onRanks(ranks, [&](const std::shared_ptr<Communicator>& all) {
            ReconstructRequest mine = request;
            mine.ranks = all;
            JobListener listener;
            EngineRegistry peered;
            peered.add("cpu", [&] { return std::make_shared<const PeeredEngine>(all); });
            const ReconstructResult result =
                reconstruct(mine, spaces == Spaces::Peers ? peered : engines_, listener);
            if (all->first()) {
                image = *result.image;
            }
        });
        for (const RankEnd& end : ends) {
            if (end.spoke) {
                throw InternalError(end.said);
            }
        }
        return image;
    }

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        qputenv("XDG_CACHE_HOME", folder_.path().toUtf8());
        engines_.add("cpu", makeCpuEngine, 1);
    }

    void partsThatAreLeftAreSharedEvenly_data() {
        QTest::addColumn<int>("parts");
        QTest::addColumn<int>("subsets");
        QTest::addColumn<int>("ranks");
        QTest::newRow("8 and 9 parts, two ranks") << 103 << 12 << 2;
        QTest::newRow("8 and 9 parts, five ranks") << 103 << 12 << 5;
        QTest::newRow("a part for each update") << 7 << 7 << 3;
        QTest::newRow("fewer parts than ranks") << 5 << 2 << 8;
    }
    void partsThatAreLeftAreSharedEvenly() {
        QFETCH(int, parts);
        QFETCH(int, subsets);
        QFETCH(int, ranks);
        const auto n = static_cast<std::size_t>(ranks);
        std::vector<std::size_t> sizes(static_cast<std::size_t>(parts), 1000);
        sizes.back() = 517;
        std::vector<std::vector<std::size_t>> blocks(static_cast<std::size_t>(subsets));
        for (std::size_t part = 0; part < sizes.size(); ++part) {
            blocks[part % blocks.size()].push_back(part);
        }
        const RunSettings settings;
        std::vector<std::vector<PartStretch>> byRank;
        for (int rank = 0; rank < ranks; ++rank) {
            byRank.push_back(evenStretches({rank, ranks, blocks, settings}, sizes));
        }

        for (std::size_t part = 0; part < sizes.size(); ++part) {
            std::size_t reached = 0;
            std::size_t with = 0;
            for (const std::vector<PartStretch>& mine : byRank) {
                QCOMPARE(mine[part].whole, byRank.front()[part].whole);
                if (mine[part].size() > 0) {
                    QCOMPARE(mine[part].begin, reached);
                    reached = mine[part].end;
                    ++with;
                }
            }
            QCOMPARE(reached, sizes[part]);
            QVERIFY(!byRank.front()[part].whole || with == 1);
        }
        for (const std::vector<std::size_t>& block : blocks) {
            std::vector<std::size_t> data;
            for (const std::vector<PartStretch>& mine : byRank) {
                data.push_back(0);
                std::size_t whole = 0;
                for (const std::size_t part : block) {
                    data.back() += mine[part].size();
                    whole += mine[part].whole && mine[part].size() > 0 ? 1 : 0;
                }
                const bool hasLast = block.back() + 1 == sizes.size();
                QCOMPARE(whole, (block.size() - (hasLast ? 1 : 0)) / n);
            }
            const auto [least, most] = std::minmax_element(data.begin(), data.end());
            QVERIFY(*most - *least <= 1);
        }
    }

    void subsetsOfListsHaveAsManyPartsForEachOfTwoRanks_data() {
        QTest::addColumn<qulonglong>("events");
        QTest::addColumn<int>("subsets");
        QTest::addColumn<int>("parts");
        QTest::newRow("few") << 9000ULL << 2 << 4;
        QTest::newRow("some") << 60000ULL << 4 << 16;
        QTest::newRow("many") << 80000000ULL << 8 << 16;
        QTest::newRow("more") << 100000000ULL << 12 << 24;
        QTest::newRow("a study") << 430000000ULL << 12 << 96;
    }
    void subsetsOfListsHaveAsManyPartsForEachOfTwoRanks() {
        QFETCH(qulonglong, events);
        QFETCH(int, subsets);
        QFETCH(int, parts);

        const qulonglong size = usualPartSize(events);

        QVERIFY(size <= 5ULL << 20U);
        QCOMPARE((events + size - 1) / size, static_cast<qulonglong>(parts));
        QCOMPARE(parts % (2 * subsets), 0);
        QVERIFY(events - static_cast<qulonglong>(parts - 1) * size >= size - size / 16);
    }

    void severalRanksMakeTheImageOfOne_data() {
        QTest::addColumn<QString>("system");
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("subsets");
        QTest::addColumn<int>("sameBits");  // up to so many ranks
        // Slabs: every voxel's sums have one order, whoever takes them.
        QTest::newRow("histo, ramla, a view per block") << "histo"
                                                        << "ramla" << 0 << 4;
        QTest::newRow("histo, osem, a view per block") << "histo"
                                                       << "osem" << 18 << 4;
        // Whole parts: one process adds up two shares, as two ranks do.
        QTest::newRow("histo, ramla, subsets") << "histo"
                                               << "ramla" << 3 << 2;
        QTest::newRow("histo, osem") << "histo"
                                     << "osem" << 4 << 2;
        QTest::newRow("histo, mlem") << "histo"
                                     << "mlem" << 0 << 2;
        QTest::newRow("panel, ramla") << "panel"
                                      << "ramla" << 0 << 2;
        for (const char* const lines : {"sinogram", "list", "counted"}) {
            QTest::addRow("%s, ramla", lines) << lines << "ramla" << 0 << 0;
        }
        for (const char* const lines : {"sinogram", "list", "counted", "panel"}) {
            QTest::addRow("%s, osem", lines) << lines << "osem" << 2 << 2;
            QTest::addRow("%s, mlem", lines) << lines << "mlem" << 0 << 2;
        }
        for (const char* const signedValues : {"negml", "aml"}) {
            QTest::addRow("histo, %s, a view per block", signedValues) << "histo" << signedValues << 18 << 4;
            QTest::addRow("histo, %s", signedValues) << "histo" << signedValues << 4 << 2;
            for (const char* const bins : {"sinogram", "counted"}) {
                QTest::addRow("%s, %s", bins, signedValues) << bins << signedValues << 2 << 2;
            }
            QTest::addRow("panel, %s", signedValues) << "panel" << signedValues << 2 << 0;
            QTest::addRow("sinogram, %s, parts cut", signedValues) << "sinogram" << signedValues << 1 << 0;
        }
    }
    void severalRanksMakeTheImageOfOne() {
        QFETCH(QString, system);
        QFETCH(QString, algorithm);
        QFETCH(int, subsets);
        QFETCH(int, sameBits);
        const ReconstructRequest asked = request(system, algorithm, subsets, 3);
        const Volume one = alone(asked);
        for (const int ranks : {2, 4}) {
            const Volume several = together(asked, ranks);

            QVERIFY(several.lattice == one.lattice);
            QCOMPARE(several.units, one.units);
            const double off = relativeToMaximum(several.data, one.data);
            qInfo("%d ranks: %.2g of the maximum%s", ranks, off, off == 0 ? ", the same bits" : "");
            if (ranks <= sameBits) {
                QCOMPARE(several.data, one.data);
            }
            QVERIFY2(off < 1e-6, qPrintable(QString::number(off)));
        }
    }

    void priorsAreThoseOfOneProcess_data() {
        QTest::addColumn<QString>("system");
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("subsets");  // 0: a part for each
        for (const char* const algorithm : {"bsrem", "svrg", "osl", "kem"}) {
            QTest::addRow("histo, slabs, %s", algorithm) << "histo" << algorithm << 0;
            for (const char* const system : {"histo", "sinogram", "list", "counted", "panel"}) {
                QTest::addRow("%s, %s", system, algorithm) << system << algorithm << 2;
            }
        }
        QTest::newRow("histo, lbfgsb") << "histo"
                                       << "lbfgsb" << 1;  // lines would take a minute
    }
    void priorsAreThoseOfOneProcess() {
        QFETCH(QString, system);
        QFETCH(QString, algorithm);
        QFETCH(int, subsets);
        class Told : public JobListener {
          public:
            void iterateDone(Iterate iterate) override { iterates.push_back(std::move(iterate)); }
            std::vector<Iterate> iterates;
        };
        const auto parts = static_cast<int>(this->system(system)->order(1).size());
        ReconstructRequest asked =
            request(system, algorithm, subsets > 0 ? subsets : parts, algorithm == "lbfgsb" ? 1 : 2);
        auto body = std::make_shared<Volume>(asked.data->lattice());
        body->data = uniformData(body->data.size(), 12, 0, 1);
        asked.settings.anatomy = "body.nii";
        asked.settings.keptAnatomy = {"body.nii", {body}};
        asked.settings.set("objective", "on");
        Told one;
        static_cast<void>(reconstruct(asked, engines_, one));

        Told several;
        const auto ends = onRanks(2, [&](const std::shared_ptr<Communicator>& all) {
            ReconstructRequest mine = asked;
            mine.ranks = all;
            JobListener nobody;
            static_cast<void>(reconstruct(mine, engines_, all->first() ? several : nobody));
        });

        QVERIFY2(!ends[0].spoke && !ends[1].spoke, ends[0].said.c_str());
        QCOMPARE(several.iterates.size(), one.iterates.size());
        // The line search of lbfgsb compares sums, which it may find otherwise in their last digit.
        const double alike = algorithm == "lbfgsb" ? 1e-4 : 1e-6;
        for (std::size_t i = 0; i < one.iterates.size(); ++i) {
            const Iterate& a = one.iterates[i];
            const Iterate& b = several.iterates[i];
            const double off = relativeToMaximum(b.image->data, a.image->data);
            QVERIFY2(off < alike, qPrintable(QString::number(off)));
            QCOMPARE(b.coefficients != nullptr, a.coefficients != nullptr);
            QVERIFY(a.coefficients == nullptr ||
                    relativeToMaximum(b.coefficients->data, a.coefficients->data) < alike);
            const double size = std::abs(a.objective->logLikelihood) + a.objective->penalty;
            QVERIFY(std::abs(b.objective->logLikelihood - a.objective->logLikelihood) < 1e-6 * size);
            QVERIFY(std::abs(b.objective->penalty - a.objective->penalty) < alike * size);
            QVERIFY(std::abs(*b.change - *a.change) < 10 * alike);
        }
    }

    void spacesThatArePeersMakeTheSameBits_data() {
        QTest::addColumn<QString>("system");
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("subsets");
        QTest::newRow("slabs") << "histo"
                               << "ramla" << 0;
        QTest::newRow("views") << "histo"
                               << "osem" << 4;
        QTest::newRow("pieces of parts") << "list"
                                         << "ramla" << 0;
        QTest::newRow("slabs of negml") << "histo"
                                        << "negml" << 18;
    }
    void spacesThatArePeersMakeTheSameBits() {
        QFETCH(QString, system);
        QFETCH(QString, algorithm);
        QFETCH(int, subsets);
        const ReconstructRequest asked = request(system, algorithm, subsets, 3);
        QCOMPARE(together(asked, 2, Spaces::Peers).data, together(asked, 2).data);
    }

    void theSameRanksMakeTheSameBits() {
        const ReconstructRequest asked = request("list", "osem", 2, 2);
        QCOMPARE(together(asked, 3).data, together(asked, 3).data);
    }

    void anInterruptedRunGoesOnOnAnotherNumberOfRanks_data() {
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("subsets");
        QTest::newRow("slabs") << "ramla" << 0;
        QTest::newRow("views") << "osem" << 3;
    }
    void anInterruptedRunGoesOnOnAnotherNumberOfRanks() {
        QFETCH(QString, algorithm);
        QFETCH(int, subsets);
        class Stopper : public JobListener {
          public:
            void checkpoint() override {
                if (iterates >= 2) {
                    throw Cancelled();
                }
            }
            void iterateDone(Iterate) override { ++iterates; }
            int iterates = 0;
        };
        ReconstructRequest asked = request("histo", algorithm, subsets, 5);
        const Volume whole = alone(asked);
        asked.files.runFile = folder_.filePath("run.h5").toStdString();
        asked.files.checkpointFile = folder_.filePath("run.ckpt").toStdString();

        const auto ends = onRanks(2, [&](const std::shared_ptr<Communicator>& all) {
            ReconstructRequest mine = asked;
            mine.ranks = all;
            Stopper stopper;
            static_cast<void>(reconstruct(mine, engines_, stopper));
        });
        QVERIFY(ends[0].spoke && ends[0].kind == ErrorKind::Cancelled);
        QVERIFY(ends[1].kind == ErrorKind::Cancelled);

        asked.from = asked.files.checkpointFile;
        const Volume resumed = together(asked, 3);
        QVERIFY(relativeToMaximum(resumed.data, whole.data) < 1e-6);
        QCOMPARE(readRunSummary(asked.files.runFile).savedImages.size(), std::size_t{5});
        // One process alone goes on where several have stopped, too.
        QVERIFY(!QFile::exists(folder_.filePath("run.ckpt")));
    }

    void aRankThatIsToldWithinABlockEndsWithTheOthers_data() {
        QTest::addColumn<QString>("system");
        QTest::addColumn<QString>("algorithm");
        QTest::addColumn<int>("subsets");
        QTest::newRow("slabs") << "histo"
                               << "ramla" << 0;
        QTest::newRow("views") << "histo"
                               << "osem" << 3;
        QTest::newRow("a list") << "list"
                                << "osem" << 2;
    }
    /// One rank is told at one of its questions, most of which come while it projects. All end, no sentence
    /// but that is said, and what was whole stays.
    void aRankThatIsToldWithinABlockEndsWithTheOthers() {
        QFETCH(const QString, system);
        QFETCH(const QString, algorithm);
        QFETCH(const int, subsets);
        class Told : public JobListener {
          public:
            explicit Told(int wantedFor) : wantedFor_(wantedFor) {}
            int questions = 0;
            std::shared_ptr<const Volume> image;
            std::vector<ObjectiveValue> objectives;
            void checkpoint() override {
                if (questions++ >= wantedFor_) {
                    throw Cancelled();
                }
            }
            void iterateDone(Iterate iterate) override {
                image = iterate.image;
                objectives.push_back(iterate.objective.value());
            }

          private:
            int wantedFor_;
        };
        ReconstructRequest asked = request(system, algorithm, subsets, 3);
        asked.settings.set("objective", "on");
        const auto together = [&](int wantedFor) {
            std::vector<Told> told(2, Told(1 << 30));
            told[1] = Told(wantedFor);
            std::vector<RankEnd> ends = onRanks(2, [&](const std::shared_ptr<Communicator>& all) {
                ReconstructRequest mine = asked;
                mine.ranks = all;
                EngineRegistry eager;
                eager.add("cpu", [] { return std::make_shared<const EagerEngine>(); });
                static_cast<void>(reconstruct(mine, eager, told[static_cast<std::size_t>(all->rank())]));
            });
            return std::pair(std::move(told), std::move(ends));
        };
        const auto [whole, wholeEnds] = together(1 << 30);
        QVERIFY(!wholeEnds[0].spoke && !wholeEnds[1].spoke);
        const int questions = whole[1].questions;
        QVERIFY2(questions > 100, qPrintable(QString::number(questions)));
        for (int last = 1; last < questions; last += std::max(1, questions / 40)) {
            const auto [told, ends] = together(last);
            QVERIFY2(ends[0].kind == ErrorKind::Cancelled && ends[1].kind == ErrorKind::Cancelled,
                     qPrintable(QString("told at question %1: %2").arg(last).arg(ends[1].said.c_str())));
            const std::size_t made = told[0].objectives.size();
            QVERIFY(made <= whole[0].objectives.size());
            for (std::size_t i = 0; i < made; ++i) {
                QCOMPARE(told[0].objectives[i].total(), whole[0].objectives[i].total());
            }
        }
    }

    void whatCannotBeDividedIsSaidByOneRank() {
        ReconstructRequest tooThin = request("histo", "ramla", 0, 1);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(together(tooThin, 7)), InternalError);
        ReconstructRequest replicates = request("histo", "osem", 3, 1);
        replicates.replicates = 2;
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(together(replicates, 2)), InternalError);
    }

    void otherDataOnARankAreRefused() {
        const auto ends = onRanks(2, [&](const std::shared_ptr<Communicator>& all) {
            ReconstructRequest mine = request(all->first() ? "histo" : "sinogram", "osem", 2, 1);
            mine.ranks = all;
            JobListener listener;
            static_cast<void>(reconstruct(mine, engines_, listener));
        });
        QVERIFY(ends[1].spoke && !ends[0].spoke);
        QVERIFY(QString::fromStdString(ends[1].said).startsWith("rank 1 has another data set than rank 0"));
    }
};

QTEST_GUILESS_MAIN(RankedReconstructionTest)

}  // namespace ranked_reconstruction_test
#include "ranked_reconstruction_test.moc"
