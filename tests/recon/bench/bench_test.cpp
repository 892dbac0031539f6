// SPDX-License-Identifier: Apache-2.0
#include "recon/bench/bench.h"

#include <QTest>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/bench/machine.h"
#include "recon/bench/random_events.h"
#include "recon/bench/study_bench.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/systems/lines/line_model.h"

namespace bench_test {

using namespace tof;

namespace {

EngineRegistry cpuAndAnAbsentOne() {
    EngineRegistry engines;
    engines.add("cpu", [] { return makeCpuEngine(); });
    engines.add("absent",
                []() -> std::shared_ptr<const Engine> { throw Unavailable("it was left at home"); });
    return engines;
}

BenchOptions tiny() {
    BenchOptions options;
    options.size = {12, 10, 6};
    options.azimuths = 2;
    options.rounds = 2;
    options.threads = 1;
    return options;
}

}  // namespace

class BenchTest : public QObject {
    Q_OBJECT

  private slots:
    void reportHasThePromisedKeys();
    void onlySelectsCases();
    void nothingToMeasureIsRefused();
    void theCpuTakesNothingRicherThanAsked();
    void tableNamesEveryCase();
    void studySaysWhereListsCostAsMuchAsViews();
    void studyGoesOnWithoutWhatDoesNotFit();
    void randomEventsDoNotDependOnThreads();
};

void BenchTest::reportHasThePromisedKeys() {
    double last = -1;

    const auto report = nlohmann::json::parse(
        runBench(cpuAndAnAbsentOne(), tiny(), [&](const std::string&, double done) { last = done; }));

    QVERIFY(last > 0 && last <= 1);
    QCOMPARE(report.at("machine").at("threads").get<int>(), 1);
    QVERIFY(report.at("machine").at("copy_bytes_per_s").get<double>() > 1e8);
    QVERIFY(report.at("machine").at("fma_peak").at(0).at("mac_per_s").get<double>() > 1e8);
    QCOMPARE(report.at("unavailable").at(0).at("why").get<std::string>(), std::string("it was left at home"));
    const auto& results = report.at("results");
    QCOMPARE(results.size(), std::size_t{4});  // two kernels, untilted and tilted
    for (const auto& result : results) {
        for (const char* key : {"name", "engine", "strategy", "kernel", "tilt", "shape", "median_ms",
                                "min_ms", "runs", "mac_per_s", "fraction_of_peak", "forward_ms", "back_ms",
                                "useful_taps", "issued_mac_per_s", "ratio_to_fftw"}) {
            QVERIFY2(result.contains(key), key);
        }
        QCOMPARE(result.at("runs").get<int>(), 2);
        QVERIFY(result.at("min_ms").get<double>() > 0);
        QVERIFY(result.at("shape") == nlohmann::json({12, 10, 6}));
        // Useful rate = taps x voxels / time.
        const double rate =
            result.at("useful_taps").get<double>() * 720 / (result.at("median_ms").get<double>() * 1e-3);
        QVERIFY(std::abs(rate / result.at("mac_per_s").get<double>() - 1) < 1e-9);
        QVERIFY(result.at("ratio_to_fftw").is_null());
    }
}

void BenchTest::onlySelectsCases() {
    BenchOptions options = tiny();
    options.only = "variant1/tilted";

    const auto report =
        nlohmann::json::parse(runBench(cpuAndAnAbsentOne(), options, [](const auto&, double) {}));

    QCOMPARE(report.at("results").size(), std::size_t{1});
    QCOMPARE(report.at("results").at(0).at("kernel").get<std::string>(), std::string("variant1"));
    QVERIFY(report.at("results").at(0).at("tilt").get<double>() > 6);
}

void BenchTest::nothingToMeasureIsRefused() {
    BenchOptions options = tiny();
    options.only = "no such case";

    QVERIFY_THROWS_EXCEPTION(
        WrongUse, static_cast<void>(runBench(cpuAndAnAbsentOne(), options, [](const auto&, double) {})));
    options.only.clear();
    options.engines = {"cpuu"};
    QVERIFY_THROWS_EXCEPTION(
        WrongUse, static_cast<void>(runBench(cpuAndAnAbsentOne(), options, [](const auto&, double) {})));
}

void BenchTest::theCpuTakesNothingRicherThanAsked() {
    for (const InstructionSet set : availableInstructionSets()) {
        BenchOptions options = tiny();
        options.mostInstructions = set;

        const auto report =
            nlohmann::json::parse(runBench(cpuAndAnAbsentOne(), options, [](const auto&, double) {}));

        QCOMPARE(report.at("machine").at("instruction_set").get<std::string>(), instructionSetName(set));
    }
}

void BenchTest::tableNamesEveryCase() {
    const std::string json = runBench(cpuAndAnAbsentOne(), tiny(), [](const auto&, double) {});

    const QString table = QString::fromStdString(benchTable(json));

    for (const char* word : {"cpu/column/invariant/untilted", "cpu/column/variant1/tilted",
                             "multiply-add peak", "absent: not measured, it was left at home"}) {
        QVERIFY2(table.contains(word), qPrintable(table));
    }
}

void BenchTest::studySaysWhereListsCostAsMuchAsViews() {
    StudyBenchOptions options;
    options.events = 30000;
    options.size = {20, 18, 8};
    options.views = {4, 3};
    options.subsets = 2;
    options.iterations = 3;
    options.threads = 1;

    const nlohmann::ordered_json study =
        runStudyBench(cpuAndAnAbsentOne(), options, [](const auto&, double) {});

    QCOMPARE(study.size(), std::size_t{2});  // nothing is streamed to where it is already
    const auto& list = study.at(0);
    const auto& direct = study.at(1);
    QCOMPARE(list.at("name").get<std::string>(), std::string("cpu/osem/list"));
    QCOMPARE(direct.at("name").get<std::string>(), std::string("cpu/osem/direct"));
    QCOMPARE(direct.at("views").get<int>(), 12);
    QCOMPARE(list.at("subsets").get<int>(), 2);
    const double expected = 30000 * direct.at("seconds").get<double>() / list.at("seconds").get<double>();
    QVERIFY(expected > 0);
    QVERIFY(std::abs(list.at("break_even").get<double>() - expected) < 1e-9 * expected);
    const QString table = QString::fromStdString(studyBenchTable(study));
    QVERIFY2(table.contains("cpu/osem/list ") && table.contains("as long as histo-images at"),
             qPrintable(table));
}

void BenchTest::studyGoesOnWithoutWhatDoesNotFit() {
    /// The host's engine with no room for lists.
    class Small : public Engine {
      public:
        [[nodiscard]] std::string name() const override { return "small"; }
        [[nodiscard]] std::vector<Strategy> strategies(const std::string& system) const override {
            return cpu_->strategies(system);
        }
        [[nodiscard]] DeviceInfo device() const override { return cpu_->device(); }
        [[nodiscard]] std::shared_ptr<Space> makeSpace(const EngineOptions& options) const override {
            return cpu_->makeSpace(options);
        }
        [[nodiscard]] ProjectorOrWhyNot makeProjector(const SystemModel& model, std::shared_ptr<Space> space,
                                                      const EngineOptions& options) const override {
            if (model.as<LineModel>() != nullptr) {
                throw Unavailable("the events need more room");
            }
            return cpu_->makeProjector(model, std::move(space), options);
        }

      private:
        std::shared_ptr<const Engine> cpu_ = makeCpuEngine();
    };
    EngineRegistry engines;
    engines.add("small", [] { return std::make_shared<Small>(); });
    StudyBenchOptions options;
    options.events = 5000;
    options.size = {12, 10, 6};
    options.views = {2, 1};
    options.iterations = 1;
    options.subsets = 1;
    options.threads = 1;

    const nlohmann::ordered_json study = runStudyBench(engines, options, [](const auto&, double) {});

    QCOMPARE(study.size(), std::size_t{2});
    QCOMPARE(study.at(0).at("why").get<std::string>(), std::string("the events need more room"));
    QVERIFY(study.at(1).at("seconds").get<double>() > 0);
    QVERIFY(QString::fromStdString(studyBenchTable(study)).contains("the events need more room"));
}

void BenchTest::randomEventsDoNotDependOnThreads() {
    const RingScanner scanner = MichelogramSpec::find("ge-ste").scanner;
    const std::size_t count = 300000;  // more than one thread takes at a time

    const auto one = randomEvents(scanner, count, ThreadPool(1));
    const auto three = randomEvents(scanner, count, ThreadPool(3));

    QCOMPARE(one->pairs.size(), count);
    QVERIFY(one->pairs == three->pairs);
    QVERIFY(one->dt_ps == three->dt_ps);
    QVERIFY(one->pairs.front() != one->pairs[std::size_t{1} << 18U]);
}

QTEST_APPLESS_MAIN(BenchTest)

}  // namespace bench_test
#include "bench_test.moc"
