// SPDX-License-Identifier: Apache-2.0
#include "recon/metrics/observer_task.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "recon/base/error.h"

namespace tof {

namespace {

/// SearchPlaces at which a signal is looked for, in voxels from its own: the first is its own.
struct SearchPlaces {
    std::vector<std::array<int, 2>> steps{{0, 0}};
    std::vector<char> near{1};
};
/// All within `search_mm`; near enough is within `radius_mm`, or next to the place.
SearchPlaces placesWithin(const Lattice& lattice, double search_mm, double radius_mm) {
    SearchPlaces places;
    const double enough = std::max(radius_mm, std::max(lattice.spacing_mm[0], lattice.spacing_mm[1]));
    const int reachX = static_cast<int>(search_mm / lattice.spacing_mm[0]);
    const int reachY = static_cast<int>(search_mm / lattice.spacing_mm[1]);
    for (int y = -reachY; y <= reachY; ++y) {
        for (int x = -reachX; x <= reachX; ++x) {
            const double r_mm = std::hypot(x * lattice.spacing_mm[0], y * lattice.spacing_mm[1]);
            if ((x != 0 || y != 0) && r_mm <= search_mm) {
                places.steps.push_back({x, y});
                places.near.push_back(r_mm <= enough ? 1 : 0);
            }
        }
    }
    return places;
}

/// One signal, and the images in which it is looked for.
class SignalTask {
  public:
    SignalTask(const ObserverRequest& request, const Roi& sphere, const Lattice& lattice,
               const std::function<void()>& goOn)
        : channels_{request.channels == "dog" ? ChannelKind::DenseDifferences : ChannelKind::LaguerreGauss,
                    request.channelCount, 2 * request.channelWidth * sphere.radius_mm},
          lattice_(lattice),
          places_(request.observer == "lroc" ? placesWithin(lattice, request.search_mm, sphere.radius_mm)
                                             : SearchPlaces()),
          goOn_(goOn) {}

    [[nodiscard]] const SearchPlaces& places() const { return places_; }
    void add(const ReplicateImages& images, Vec3 centre, std::vector<SearchedImage>& to) const {
        const ChannelBank bank(channels_, lattice_, centre);
        for (const auto& image : images) {
            SearchedImage& channels = to.emplace_back();
            for (const auto& [x, y] : places_.steps) {
                goOn_();
                channels.push_back(bank.responses(*image, x, y));
            }
        }
    }

  private:
    ChannelSettings channels_;
    const Lattice& lattice_;
    SearchPlaces places_;
    const std::function<void()>& goOn_;
};

}  // namespace

const std::vector<RequestRow<ObserverRequest>>& observerRows() {
    using namespace row_words;
    using Row = RequestRow<ObserverRequest>;
    const auto gaussian = [](const ObserverRequest& request) { return request.channels != "dog"; };
    static const std::vector<Row> rows{
        Row::of(&ObserverRequest::observer, "observer", Label{toTranslate("Word", "Observer")},
                Choices{{"cho", "lroc"}},
                ChoiceWords{{toTranslate("Word", "at the sphere's place"),
                             toTranslate("Word", "searches the place")}},
                Help{toTranslate("Word",
                                 "Channelized Hotelling observer, which knows the place, or searches it "
                                 "(LROC)")},
                Shown::Window),
        Row::of(&ObserverRequest::channels, "channels", Label{toTranslate("Word", "Channels")},
                Choices{{"laguerre-gauss", "dog"}},
                ChoiceWords{{"Laguerre-Gauss", toTranslate("Word", "differences of Gaussians")}},
                Help{"Observer: Laguerre-Gauss channels, or ten dense differences of Gaussians"},
                Tip{toTranslate("Word", "What the observer sees of an image")}),
        Row::of(&ObserverRequest::channelCount, "channel-count",
                Label{toTranslate("Word", "Number of channels")}, Limits{1, 30},
                Help{"Observer: of Laguerre-Gauss channels"},
                Tip{toTranslate("Word", "Laguerre-Gauss has so many channels")}, Row::Applies(gaussian)),
        Row::of(&ObserverRequest::channelWidth, "channel-width",
                Label{toTranslate("Word", "Width of channels")}, Limits{0.1, 100},
                Help{"Observer: width of Laguerre-Gauss channels in diameters of the sphere"},
                Tip{toTranslate("Word", "Width of Laguerre-Gauss channels in diameters of the sphere")},
                Row::Applies(gaussian)),
        Row::of(&ObserverRequest::internalNoise, "internal-noise",
                Label{toTranslate("Word", "Internal noise")}, Limits{0, 1000},
                Help{"Observer: variance of internal noise over that of each channel"},
                Tip{toTranslate("Word", "Variance of internal noise over that of each channel")}),
        Row::of(&ObserverRequest::search_mm, "search-mm", Label{toTranslate("Word", "Searched radius")},
                Unit{"mm"}, Limits{1, 500}, Help{"LROC: radius of the region that is searched, mm"},
                Tip{toTranslate("Word", "Radius of the region in which the place is searched")},
                Row::Applies([](const ObserverRequest& request) { return request.observer == "lroc"; }))};
    return rows;
}

std::vector<ObserverRow> observeReplicates(const ObserverRequest& request, int iteration,
                                           const ReplicateImages& present, const ReplicateImages& absent,
                                           const FigureEvaluator& evaluator,
                                           const std::function<void()>& goOn) {
    std::vector<Figures> figures;
    for (const auto& image : present) {
        goOn();
        figures.push_back(evaluator.evaluate(iteration, image->data.data()));
    }
    std::vector<ObserverRow> rows;
    const std::vector<Roi>& rois = evaluator.set().rois;
    for (std::size_t k = 0; k < rois.size(); ++k) {
        if (rois[k].role != Roi::Role::Sphere) {
            continue;
        }
        const SignalTask task(request, rois[k], evaluator.lattice(), goOn);
        std::vector<SearchedImage> with;
        std::vector<SearchedImage> without;
        task.add(present, rois[k].centre, with);
        task.add(absent, rois[k].centre, without);
        for (const Roi& roi : rois) {
            if (absent.empty() && roi.role == Roi::Role::Uniform) {
                task.add(present, roi.centre, without);
            }
        }
        ObserverRow row{iteration, rois[k].name,
                        taskFigures(rateByOthers(with, without, task.places().near, request.internalNoise))};
        for (const Figures& of : figures) {
            row.crc += of.rois[k].crc / static_cast<double>(figures.size());
            row.noise += of.noise / static_cast<double>(figures.size());
        }
        rows.push_back(row);
    }
    if (rows.empty()) {
        throw BadInput(
            "no ROI has the role sphere, so there is no signal to observe; give --rois with spheres");
    }
    return rows;
}

}  // namespace tof
