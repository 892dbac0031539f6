// SPDX-License-Identifier: Apache-2.0
// Penalties and log-likelihoods on a device against the host's.
#include <QTest>
#include <cmath>

#include "recon/base/error.h"
#include "recon/prior/bowsher.h"
#include "recon/prior/prior.h"
#include "recon/seam/host_space.h"
#include "tests/gpu/gpu_fixtures.h"

namespace device_penalty_test {

using namespace tof;
using fixtures::uniformData;

namespace {

/// Images of one lattice in a space.
struct Images {
    Images(Space& of, std::size_t voxels, bool withKappa, const std::vector<float>& choice = {})
        : space(of), chosen(placed(choice)) {
        std::vector<float> values = uniformData(voxels, 1, 0, 5);
        for (std::size_t i = 0; i < voxels; i += 5) {
            values[i] = 0;
        }
        x = placed(values);
        kappa = withKappa ? placed(uniformData(voxels, 2, 0.5F, 1.5F)) : space.allocate(0);
        vector = placed(uniformData(voxels, 3, -1, 1));
        out = placed(uniformData(voxels, 4, -1, 1));
    }
    Array placed(const std::vector<float>& values) {
        Array array = space.allocate(values.size());
        if (!values.empty()) {
            space.upload(values, array.view());
        }
        return array;
    }
    std::vector<float> part(const Penalty& penalty, PenaltyPart what, float factor, Write write) {
        const ConstView strength = kappa.size() > 0 ? ConstView(kappa.view()) : ConstView();
        const ConstView choice = chosen.size() > 0 ? ConstView(chosen.view()) : ConstView();
        space.penalise(penalty, what, {x.view(), strength, vector.view(), factor, write, choice}, out.view());
        std::vector<float> host(out.size());
        space.download(out.view(), host);
        return host;
    }

    Space& space;
    Array chosen;
    Array x;
    Array kappa;
    Array vector;
    Array out;
};

}  // namespace

class DevicePenaltyTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        const auto found = fixtures::cudaOrReason();
        if (found.engine == nullptr) {
            QSKIP(found.whyNot.c_str());
        }
        cuda_ = found.engine;
    }

    void partsEqualTheHosts_data() {
        QTest::addColumn<QString>("prior");
        QTest::addColumn<QList<int>>("size");
        QTest::addColumn<bool>("kappa");
        QTest::addColumn<bool>("anatomy");
        for (const Prior* prior : priors()) {
            const QString name = QString::fromStdString(prior->name);
            const char* text = prior->name.c_str();
            QTest::addRow("%s, 144 x 144 x 48", text) << name << QList<int>{144, 144, 48} << true << false;
            QTest::addRow("%s, odd", text) << name << QList<int>{67, 9, 19} << true << false;
            QTest::addRow("%s, odd, without kappa", text) << name << QList<int>{31, 33, 7} << false << false;
            QTest::addRow("%s, one plane", text) << name << QList<int>{33, 17, 1} << true << false;
            QTest::addRow("%s, one row", text) << name << QList<int>{65, 1, 1} << true << false;
            QTest::addRow("%s, one column", text) << name << QList<int>{1, 1, 21} << true << false;
            if (prior->kind == PriorKind::Objective) {
                QTest::addRow("%s, by anatomy", text) << name << QList<int>{67, 19, 9} << true << true;
                QTest::addRow("%s, by anatomy, without kappa", text)
                    << name << QList<int>{33, 9, 11} << false << true;
            }
        }
    }
    void partsEqualTheHosts() {
        QFETCH(QString, prior);
        QFETCH(QList<int>, size);
        QFETCH(bool, kappa);
        QFETCH(bool, anatomy);
        const Lattice lattice = Lattice::centred({size[0], size[1], size[2]}, {2, 2, 3});
        PriorParameters set;
        set.priorDelta = 1.2;
        const Prior& row = priorNamed(prior.toStdString());
        const Penalty penalty{row.potential(set, 0.9), neighbourhoodOf(lattice)};
        HostSpace host(4);
        const auto device = cuda_->makeSpace(EngineOptions());
        Volume body(lattice);
        body.data = uniformData(lattice.voxels(), 5, 0, 1);
        const std::vector<float> chosen =
            anatomy ? bowsherChoice({&body}, 9, ThreadPool(2)) : std::vector<float>();
        Images onHost(host, lattice.voxels(), kappa, chosen);
        Images onDevice(*device, lattice.voxels(), kappa, chosen);
        std::vector<PenaltyPart> parts{PenaltyPart::Gradient};
        if (row.kind == PriorKind::Objective) {
            parts.insert(parts.end(), {PenaltyPart::Value, PenaltyPart::Curvature, PenaltyPart::Product});
        }
        for (const PenaltyPart part : parts) {
            for (const Write write : {Write::Overwrite, Write::Add}) {  // what is added to is alike, then
                const std::vector<float> expected = onHost.part(penalty, part, -0.7F, write);
                const std::vector<float> found = onDevice.part(penalty, part, -0.7F, write);
                const double off = fixtures::relativeToMaximum(found, expected);
                QVERIFY2(off <= 1e-5,
                         qPrintable(QString("part %1: %2").arg(static_cast<int>(part)).arg(off)));
            }
            QCOMPARE(onDevice.part(penalty, part, 2, Write::Overwrite),
                     onDevice.part(penalty, part, 2, Write::Overwrite));  // the same bits
        }
    }

    void gatheringEqualsTheHosts() {
        const Lattice lattice = Lattice::centred({67, 19, 21}, {2, 2, 3});
        Volume body(lattice);
        body.data = uniformData(lattice.voxels(), 5, 0, 1);
        const std::vector<float> chosen = bowsherChoice({&body}, 9, ThreadPool(2));
        const Neighbourhood around = neighbourhoodOf(lattice);
        HostSpace host(4);
        const auto device = cuda_->makeSpace(EngineOptions());
        Images onHost(host, lattice.voxels(), false, chosen);
        Images onDevice(*device, lattice.voxels(), false, chosen);
        double sums[2] = {};  // x . G y and y . G^T x
        for (const ChosenBy by : {ChosenBy::Itself, ChosenBy::Neighbours}) {
            host.gather(around, onHost.chosen.view(), by, onHost.x.view(), onHost.out.view());
            device->gather(around, onDevice.chosen.view(), by, onDevice.x.view(), onDevice.out.view());
            std::vector<float> expected(lattice.voxels());
            std::vector<float> found(lattice.voxels());
            host.download(onHost.out.view(), expected);
            device->download(onDevice.out.view(), found);
            QVERIFY(fixtures::relativeToMaximum(found, expected) <= 1e-6);
            const bool itself = by == ChosenBy::Itself;
            host.gather(around, onHost.chosen.view(), by, itself ? onHost.x.view() : onHost.vector.view(),
                        onHost.out.view());  // an adjoint pair
            host.multiply(onHost.out.view(), itself ? onHost.vector.view() : onHost.x.view(),
                          onHost.out.view());
            sums[itself ? 0 : 1] = host.sum(onHost.out.view());
        }
        QVERIFY(std::abs(sums[0] - sums[1]) <= 1e-6 * std::abs(sums[0]));
    }

    void logLikelihoodsEqualTheHosts() {
        const std::size_t n = 1'000'003;
        const std::vector<float> y = uniformData(n, 1, 0, 4);
        const std::vector<float> add = uniformData(n, 2, 0, 0.1F);
        std::vector<float> mult = uniformData(n, 3, 0.2F, 1);
        std::vector<float> p = uniformData(n, 4, 0, 5);
        for (std::size_t i = 0; i < n; i += 97) {
            mult[i] = 0;
            p[i] = 0;
        }
        const auto of = [&](Space& space) {
            std::vector<Array> arrays;
            for (const std::vector<float>* values :
                 std::initializer_list<const std::vector<float>*>{&y, &mult, &add, &p}) {
                arrays.push_back(space.allocate(n));
                space.upload(*values, arrays.back().view());
            }
            return space.logLikelihood({arrays[0].view(), arrays[1].view(), arrays[2].view()},
                                       arrays[3].view());
        };
        HostSpace host(4);
        const auto device = cuda_->makeSpace(EngineOptions());

        const double expected = of(host);

        QVERIFY(std::abs(of(*device) / expected - 1) < 1e-6);
        QCOMPARE(of(*device), of(*device));
    }

  private:
    std::shared_ptr<const Engine> cuda_;
};

QTEST_APPLESS_MAIN(DevicePenaltyTest)

}  // namespace device_penalty_test
#include "device_penalty_test.moc"
