// SPDX-License-Identifier: Apache-2.0
// Analytic DIRECT: filtered back projection of histo-images with their TOF kernels as confidence weights
// (S. Matej, M. E. Daube-Witherspoon, J. S. Karp, Phys. Med. Biol. 61 (2016) 3365-3386,
// doi:10.1088/0031-9155/61/9/3365, section 3). The first iteration is
//
//     x = H [N F^T ((y - add) / max(mult, least) / att)],   H = G (1 - (1 - S / S_0)^steps) / S
//
// in Fourier space: S the transform of F^T F of a point in the middle, S_0 that of frequency 0, G that of a
// Gaussian. So many steps of Landweber's method make as much of a frequency (Vis. Comput. Ind. Biomed.
// Art 2 (2019), doi:10.1186/s42492-019-0035-4). N makes up for data that are missing: it is F^T 1 in the
// middle over F^T (mult / max(mult, least)) at a voxel. It is linear in y. Every further iteration adds what
// the same filter makes of the data that x does not explain: what N and a kernel that varies leave comes
// right, and noise grows. N is 1 there.
#include <algorithm>
#include <cmath>

#include "recon/algorithm/reconstruction.h"
#include "recon/base/options.h"
#include "recon/seam/image_filter.h"

namespace tof {

namespace {

constexpr float kLeastMult = 0.1F;   // of the largest: data of less weigh less, as they are noise
constexpr float kLeastSeen = 0.05F;  // of F^T 1 in the middle: where less is seen, the image is 0
const double kSigmaOfFwhm = 1 / std::sqrt(8 * std::log(2.0));

class AnalyticUpdate : public ImageUpdate {
  public:
    explicit AnalyticUpdate(const UpdateContext& context)
        : context_(context),
          space_(context.space),
          gain_(space_.allocate(context.lattice.voxels())),
          ones_(space_.allocate(largestPart(context.projector))),
          residual_(space_.allocate(ones_.size())) {
        space_.fill(ones_.view(), 1.0F);
    }

    void prepare(const DataScale& /*scale*/) override {
        Array point = space_.allocate(gain_.size());
        const double middle = respond(point.view());
        if (!(middle > 0)) {
            throw BadInput("no line passes the middle of the image; give a --grid that the scanner sees");
        }
        Blur blur{context_.lattice.size, point.view(), static_cast<float>(context_.settings.filterSteps), {}};
        for (std::size_t d = 0; d < blur.sigma.size(); ++d) {
            blur.sigma[d] = static_cast<float>(kSigmaOfFwhm * context_.settings.resolution_mm /
                                               context_.lattice.spacing_mm[d]);
        }
        filter_ = space_.inverseFilter(blur);
        findGain(static_cast<float>(middle), point.view());
    }

    void goOnFrom(std::span<const float> /*coefficients*/) override { refine(); }

    void backPart(const PartTask& task) override {
        const std::size_t size = context_.projector.dataSize(task.part);
        const MutableView residual = residual_.view().part(0, size);
        space_.stage(Stage::Discrepancy);
        space_.copy(task.data.y, residual);
        if (!task.data.add.empty()) {
            space_.addScaled(task.data.add, -1.0F, residual);
        }
        if (!first_) {
            space_.stage(Stage::Forward);
            const MutableView e = task.scratch.part(0, size);
            context_.projector.forward(task.part, task.seen, e);
            space_.multiply(orOnes(task.data.mult, size), e, e);
            space_.addScaled(e, -1.0F, residual);
            space_.stage(Stage::Discrepancy);
        }
        settle();
        space_.update(PerRecorded{least_}, {orOnes(task.data.mult, size), orOnes(task.data.att, size)},
                      residual);
        space_.stage(Stage::Back);
        context_.projector.back(task.part, residual, task.out, task.write);
        space_.stageEnd();
    }

    void apply(const BlockTerms& terms, MutableView x) override {
        space_.multiply(gain_.view(), terms.correction, terms.correction);
        filter_->apply(terms.correction);
        if (first_) {
            space_.copy(terms.correction, x);
            refine();
        } else {
            space_.accumulate(terms.correction, x);
        }
        if (!terms.next.att.empty()) {
            space_.multiply(terms.next.att, x, terms.next.image);
        }
    }

  private:
    [[nodiscard]] ConstView orOnes(ConstView factors, std::size_t size) const {
        return factors.empty() ? ones_.view().part(0, size) : factors;
    }

    /// From now on images are refined. What N adds for missing data would not let that settle, and is not
    /// needed: it comes from the data that there are.
    void refine() {
        first_ = false;
        space_.fillSeen(gain_.view(), 0.0F, 1.0F, gain_.view());
    }

    /// Stands between what is written and its update (Space::update).
    void settle() { space_.fill(ones_.view().part(0, 1), 1.0F); }

    /// `point` becomes F^T F of a 1 in the middle voxel; returns F^T 1 there.
    double respond(MutableView point) {
        const auto& size = context_.lattice.size;
        const std::size_t middle = context_.lattice.index(size[0] / 2, size[1] / 2, size[2] / 2);
        space_.fill(gain_.view(), 0.0F);
        space_.fill(gain_.view().part(middle, 1), 1.0F);
        double sum = 0;
        for (std::size_t part = 0; part < context_.projector.parts(); ++part) {
            const MutableView p = residual_.view().part(0, context_.projector.dataSize(part));
            context_.projector.forward(part, gain_.view(), p);
            sum += space_.sum(p);
            context_.projector.back(part, p, point, part == 0 ? Write::Overwrite : Write::Add);
        }
        return sum;
    }

    void findGain(float middle, MutableView seen) {
        const std::size_t parts = context_.projector.parts();
        float most = 0;
        for (std::size_t part = 0; part < parts; ++part) {
            const ConstView mult = context_.data.sensitivityWeights(part).mult;
            most = std::max(most, mult.empty() ? 1.0F : space_.maximum(mult));
        }
        least_ = kLeastMult * most;
        for (std::size_t part = 0; part < parts; ++part) {
            const std::size_t size = context_.projector.dataSize(part);
            const ConstView mult = orOnes(context_.data.sensitivityWeights(part).mult, size);
            const MutableView share = residual_.view().part(0, size);
            space_.copy(mult, share);
            settle();
            space_.update(PerRecorded{least_}, {mult, ones_.view().part(0, size)}, share);
            context_.projector.back(part, share, seen, part == 0 ? Write::Overwrite : Write::Add);
        }
        space_.fillSeen(seen, kLeastSeen * middle, middle, gain_.view());
        Array ones = space_.allocate(gain_.size());
        space_.fill(ones.view(), 1.0F);
        space_.update(PerRecorded{kLeastSeen * middle}, {seen, ones.view()}, gain_.view());
        space_.finish();
    }

    UpdateContext context_;
    Space& space_;
    Array gain_;
    Array ones_;
    Array residual_;
    std::unique_ptr<ImageFilter> filter_;
    float least_ = 0;
    bool first_ = true;
};

/// The filter's grid is 1.5 times the image along each axis: it, its transform and half as many factors.
constexpr std::size_t kImages = 1 + 9 + 2;

}  // namespace

const Algorithm& analytic() {
    static const Algorithm row{
        .name = "analytic",
        .about = toTranslate("Word", "filtered back projection: one iteration, linear in the data"),
        .settings = {"filter-steps", "resolution"},
        .grouping = Grouping::AllData,
        .discrepancy = Discrepancy::RatioMinusOne,
        .sensitivity = Sensitivity::OfAllData,
        .steps = Steps::Measured,
        .residuals = Residuals::OfUpdate,
        .values = ImageValues::Any,
        .processes = Processes::One,
        .dataArrays = 2,
        .images = kImages,
        .makeUpdate = [](const UpdateContext& context) { return std::make_unique<AnalyticUpdate>(context); },
        .shortName = toTranslate("Word", "Analytic")};
    return row;
}

}  // namespace tof
