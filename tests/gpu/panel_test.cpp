// SPDX-License-Identifier: Apache-2.0
// Lines of two panels on the device, against the definition in double, and their matrix against the host's.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "recon/algorithm/reconstruction.h"
#include "recon/engines/cpu/cpu_engine.h"
#include "recon/sources/resident_source.h"
#include "tests/gpu/gpu_fixtures.h"
#include "tests/gpu/panel_fixtures.h"

namespace panel_test {

using namespace tof;
using fixtures::uniformData;

namespace {

double largestDifference(const std::vector<float>& a, const std::vector<double>& b) {
    double largest = 0;
    double scale = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!std::isfinite(a[i])) {
            return 1;
        }
        largest = std::max(largest, std::abs(static_cast<double>(a[i]) - b[i]));
        scale = std::max(scale, std::abs(b[i]));
    }
    return scale > 0 ? largest / scale : 1;
}

/// A model on the device, in a space of its own.
class OnDevice {
  public:
    OnDevice(const Engine& engine, const PanelModel& model, const std::string& strategy)
        : space_(engine.makeSpace({})),
          projector_(requireProjector(engine, model, space_, fixtures::withStrategy(strategy))),
          image_(space_->allocate(projector_->imageSize())),
          data_(space_->allocate(projector_->dataSize(0))) {}

    std::vector<float> forward(int part, const std::vector<float>& image) {
        space_->upload(image, image_.view());
        space_->fill(data_.view(), std::nanf(""));
        projector_->forward(static_cast<std::size_t>(part), image_.view(), data_.view());
        return downloaded(data_);
    }
    std::vector<float> back(int part, const std::vector<float>& data, Write write = Write::Overwrite,
                            float before = std::nanf("")) {
        space_->upload(data, data_.view());
        space_->fill(image_.view(), before);
        projector_->back(static_cast<std::size_t>(part), data_.view(), image_.view(), write);
        return downloaded(image_);
    }

  private:
    std::vector<float> downloaded(Array& from) {
        std::vector<float> to(from.size());
        space_->download(from.view(), to);
        return to;
    }

    std::shared_ptr<Space> space_;
    std::unique_ptr<Projector> projector_;
    Array image_;
    Array data_;
};

double dot(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    }
    return sum;
}

constexpr int kParts = 4;
constexpr int kIterations = 4;  ///< the first directly, the others as recorded

/// What a random image makes expected of each part, a third of it zero.
std::vector<std::vector<float>> countsOf(const PanelModel& model) {
    const auto truth = uniformData(model.lattice.voxels(), 8, 0, 2);
    std::vector<std::vector<float>> data;
    for (int part = 0; part < kParts; ++part) {
        const auto exact = fixtures::panelForwardByDefinition(model, part, truth);
        data.emplace_back(exact.begin(), exact.end());
        for (std::size_t i = 0; i < data.back().size(); i += 3) {
            data.back()[i] = 0;
        }
    }
    return data;
}

struct OsemImages {
    std::vector<float> start;
    std::vector<float> end;
};
OsemImages osemImages(const Engine& engine, const PanelModel& model, const std::string& strategy,
                      const std::vector<std::vector<float>>& data) {
    const EngineOptions options = fixtures::withStrategy(strategy);
    const auto space = engine.makeSpace(options);
    const auto projector = requireProjector(engine, model, space, options);
    std::vector<float> all;
    for (const std::vector<float>& part : data) {
        all.insert(all.end(), part.begin(), part.end());
    }
    PartedData parted;
    parted.counts = all;
    parted.parts = data.size();
    parted.partSize = model.parts->partSize;
    auto place = space;
    const auto source = placedSource(parted, place, std::size_t{1} << 30U);
    AlgorithmSettings settings;
    settings.algorithm = &osem();
    settings.iterations = kIterations;
    settings.subsets = static_cast<int>(data.size());
    std::vector<std::size_t> order(data.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    RunControl control;
    Reconstruction run(*projector, *source, model.lattice, settings, order, control);
    OsemImages images{run.image().data, {}};
    run.run(control);
    images.end = run.image().data;
    return images;
}

/// OSEM by definition, in double, a part a subset; none of several shrinks a voxel below a tenth.
std::vector<double> osemByDefinition(const PanelModel& model, const std::vector<std::vector<float>>& data,
                                     std::vector<double> x, int iterations) {
    const auto size = model.parts->partSize;
    for (int i = 0; i < iterations; ++i) {
        for (std::size_t part = 0; part < data.size(); ++part) {
            std::vector<double> e(size);
            std::vector<double> s(x.size());
            fixtures::eachPanelWeight(model, static_cast<int>(part),
                                      [&](std::size_t d, std::size_t v, double w) {
                                          e[d] += w * x[v];
                                          s[v] += w;
                                      });
            std::vector<double> c(x.size());
            fixtures::eachPanelWeight(
                model, static_cast<int>(part), [&](std::size_t d, std::size_t v, double w) {
                    c[v] += e[d] > 0 ? w * static_cast<double>(data[part][d]) / e[d] : 0;
                });
            const double most = *std::max_element(s.begin(), s.end());
            for (std::size_t v = 0; v < x.size(); ++v) {
                x[v] *= s[v] >= 1e-6 * most ? std::max(c[v] / s[v], 0.1) : 1;
            }
        }
    }
    return x;
}

}  // namespace

class PanelTest : public QObject {
    Q_OBJECT

    [[nodiscard]] PanelKernelMaker maker() const {
        return cuda_->offers<MakesPanelKernels>()->panelKernels({});
    }

    std::shared_ptr<const Engine> cuda_;

    void strategies() {
        QTest::addColumn<QString>("strategy");
        if (cuda_ != nullptr) {
            for (const std::string& name : cuda_->strategyNames(PanelModel::kSystem)) {
                QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
            }
        }
    }

  private slots:
    void initTestCase() {
        const auto found = fixtures::cudaOrReason();
        if (found.engine == nullptr) {
            QSKIP(found.whyNot.c_str());
        }
        cuda_ = found.engine;
    }

    void defaultIsPanel() {
        QCOMPARE(cuda_->strategyNames(PanelModel::kSystem).front(), std::string("panel"));
    }

    void projectionsAreTheDefinition_data() {
        QTest::addColumn<QString>("strategy");
        QTest::addColumn<int>("y");
        QTest::addColumn<int>("z");
        QTest::addColumn<bool>("exchanges");
        QTest::addColumn<int>("layers");
        if (cuda_ == nullptr) {
            return;
        }
        for (const std::string& name : cuda_->strategyNames(PanelModel::kSystem)) {
            const QString strategy = QString::fromStdString(name);
            QTest::addRow("%s, 11 x 7", name.c_str()) << strategy << 11 << 7 << true << 1;
            QTest::addRow("%s, 7 x 11", name.c_str()) << strategy << 7 << 11 << true << 1;
            QTest::addRow("%s, pitches differ", name.c_str()) << strategy << 13 << 9 << false << 1;
            QTest::addRow("%s, 41 x 3", name.c_str()) << strategy << 41 << 3 << true << 1;
            QTest::addRow("%s, 131 x 1", name.c_str()) << strategy << 131 << 1 << true << 1;
            QTest::addRow("%s, two layers", name.c_str()) << strategy << 9 << 6 << true << 2;
        }
    }
    void projectionsAreTheDefinition() {
        QFETCH(QString, strategy);
        QFETCH(int, y);
        QFETCH(int, z);
        QFETCH(bool, exchanges);
        QFETCH(int, layers);
        PanelGeometry g = fixtures::panelGeometry({y, z}, exchanges);
        g.layers = layers;
        const PanelModel model = fixtures::randomPanel(g, 4);
        OnDevice device(*cuda_, model, strategy.toStdString());
        for (int part = 0; part < 2; ++part) {
            const auto image = uniformData(model.lattice.voxels(), 3, 0, 1);
            const auto data = uniformData(model.parts->partSize, 4, -1, 1);

            const auto p = device.forward(part, image);
            const auto x = device.back(part, data);

            QCOMPARE_LT(largestDifference(p, fixtures::panelForwardByDefinition(model, part, image)), 2e-5);
            QCOMPARE_LT(largestDifference(x, fixtures::panelBackByDefinition(model, part, data)), 2e-5);
        }
    }

    void mapsAreAdjoint_data() { strategies(); }
    void mapsAreAdjoint() {
        QFETCH(QString, strategy);
        const PanelModel model = fixtures::randomPanel(fixtures::panelGeometry({21, 14}, true, 31), 3);
        OnDevice device(*cuda_, model, strategy.toStdString());
        const auto image = uniformData(model.lattice.voxels(), 5, 0, 1);
        auto data = uniformData(model.parts->partSize, 6, 0, 1);

        const auto p = device.forward(1, image);
        const auto x = device.back(1, data);

        const double one = dot(p, data);
        QVERIFY(std::abs(one - dot(image, x)) < 1e-5 * one);
    }

    void backAddsToWhatIsThere_data() { strategies(); }
    void backAddsToWhatIsThere() {
        QFETCH(QString, strategy);
        const PanelModel model = fixtures::randomPanel(fixtures::panelGeometry({11, 7}, true), 3);
        OnDevice device(*cuda_, model, strategy.toStdString());
        const auto data = uniformData(model.parts->partSize, 6, 0, 1);

        const auto alone = device.back(0, data);
        const auto added = device.back(0, data, Write::Add, 1.0F);

        // Up to some hundred additions, each rounded to 6e-8 of what is there.
        const float most = *std::max_element(added.begin(), added.end());
        for (std::size_t i = 0; i < alone.size(); ++i) {
            QVERIFY(std::abs(added[i] - alone[i] - 1.0F) < 2e-5F * most);
        }
    }

    void panelRepeatsToTheLastBit() {
        const PanelModel model = fixtures::randomPanel(fixtures::panelGeometry({31, 17}, true), 2);
        const auto image = uniformData(model.lattice.voxels(), 5, 0, 1);
        const auto data = uniformData(model.parts->partSize, 6, 0, 1);
        OnDevice one(*cuda_, model, "panel");
        OnDevice two(*cuda_, model, "panel");
        QVERIFY(one.forward(0, image) == two.forward(0, image));
        const auto first = one.back(0, data);
        QVERIFY(first == two.back(0, data));
        QVERIFY(first == one.back(0, data));
    }

    void osemIsTheDefinition_data() { strategies(); }
    void osemIsTheDefinition() {
        QFETCH(QString, strategy);
        const PanelModel model = fixtures::randomPanel(fixtures::panelGeometry({11, 7}, true), kParts);
        const auto data = countsOf(model);

        const OsemImages images = osemImages(*cuda_, model, strategy.toStdString(), data);

        const auto expected =
            osemByDefinition(model, data, {images.start.begin(), images.start.end()}, kIterations);
        QCOMPARE_LT(largestDifference(images.end, expected), 1e-4);
    }

    void imagesAreThoseOfTheHost_data() { strategies(); }
    void imagesAreThoseOfTheHost() {
        QFETCH(QString, strategy);
        const PanelModel model = fixtures::randomPanel(fixtures::panelGeometry({16, 11}, true), kParts);
        const auto data = countsOf(model);

        const auto ours = osemImages(*cuda_, model, strategy.toStdString(), data).end;
        const auto theirs = osemImages(*makeCpuEngine(), model, "", data).end;

        QCOMPARE_LT(largestDifference(ours, {theirs.begin(), theirs.end()}), 1e-4);
    }

    void otherStrategiesAreRefused() {
        const PanelModel model = fixtures::randomPanel(fixtures::panelGeometry({5, 4}, true), 2);
        const auto made = cuda_->makeProjector(model, cuda_->makeSpace({}), fixtures::withStrategy("column"));
        QVERIFY(std::holds_alternative<Unsupported>(made));
        QVERIFY(std::get<Unsupported>(made).why.find("symmetric-shared") != std::string::npos);
    }

    void matrixIsTheHosts_data() {
        QTest::addColumn<int>("layers");
        QTest::newRow("one layer") << 1;
        QTest::newRow("two layers") << 2;
    }
    void matrixIsTheHosts() {
        QFETCH(int, layers);
        PanelGeometry g;
        g.crystals = {9, 6};
        g.layers = layers;
        const PanelQuadrature quadrature;
        double last = 0;

        const PanelMatrix device = buildPanelMatrix(g, quadrature, maker(), [&](double share) {
            QVERIFY(share >= last && share <= 1);
            last = share;
        });
        const PanelMatrix host = buildPanelMatrix(g, quadrature);

        QCOMPARE(last, 1.0);
        QCOMPARE(device.kernels.size(), host.kernels.size());
        for (int k = 0; k < static_cast<int>(host.kernels.size()); ++k) {
            QVERIFY(
                std::abs(device.sums[static_cast<std::size_t>(k)] - host.sums[static_cast<std::size_t>(k)]) <
                1e-7 * host.sums[static_cast<std::size_t>(k)]);
            // Entries at the very threshold may fall on either side; all others are the same.
            const auto places = device.placesOf(k);
            const auto theirs = host.placesOf(k);
            std::size_t same = 0;
            std::size_t j = 0;
            for (std::size_t i = 0; i < places.size(); ++i) {
                while (j < theirs.size() && theirs[j] < places[i]) {
                    ++j;
                }
                if (j < theirs.size() && theirs[j] == places[i]) {
                    const double value = static_cast<double>(host.valuesOf(k)[j]);
                    QVERIFY(std::abs(static_cast<double>(device.valuesOf(k)[i]) - value) < 1e-6 * value);
                    ++same;
                }
            }
            QVERIFY(same + 8 >= std::max(places.size(), theirs.size()));
        }
    }

    void buildingEndsWhenItIsTold() {
        PanelGeometry g;
        g.crystals = {26, 18};
        int calls = 0;
        QVERIFY_THROWS_EXCEPTION(Cancelled, (void)buildPanelMatrix(g, {}, maker(), [&](double) {
                                     ++calls;
                                     throw Cancelled();
                                 }));
        QCOMPARE(calls, 1);
    }
};

QTEST_GUILESS_MAIN(PanelTest)

}  // namespace panel_test
#include "panel_test.moc"
