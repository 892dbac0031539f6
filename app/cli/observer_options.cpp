// SPDX-License-Identifier: Apache-2.0
#include "app/cli/observer_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/arguments.h"
#include "app/cli/interrupt.h"
#include "app/cli/text_table.h"
#include "recon/base/error.h"
#include "recon/base/plain_text.h"

namespace tof {

namespace {

std::vector<std::string> namesOf(const std::string& list) {
    std::vector<std::string> names;
    std::istringstream stream(list);
    for (std::string name; std::getline(stream, name, ',');) {
        if (!name.empty()) {
            names.push_back(name);
        }
    }
    return names;
}

/// Places at which a signal is looked for, in voxels from its own: the first is its own.
struct Places {
    std::vector<std::array<int, 2>> steps{{0, 0}};
    std::vector<char> near{1};
};
/// All within `search_mm`; near enough is within `radius_mm`, or next to the place.
Places placesWithin(const Lattice& lattice, double search_mm, double radius_mm) {
    Places places;
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

SearchedImage searched(const Volume& image, const ChannelBank& bank, const Places& places) {
    SearchedImage channels;
    for (const auto& [x, y] : places.steps) {
        throwIfInterrupted();
        channels.push_back(bank.responses(image, x, y));
    }
    return channels;
}

std::vector<std::string> columns() {
    return {"iteration", "ROI", "AUC", "low", "high", "SNR", "CRC", "noise"};
}

std::vector<std::string> cells(const ObserverRow& row) {
    return {fmt::format("{}", row.iteration),
            row.roi,
            figureText(row.task.area),
            figureText(row.task.low()),
            figureText(row.task.high()),
            figureText(row.task.snr),
            figureText(row.crc),
            figureText(row.noise)};
}

}  // namespace

void ObserverOptions::describe(Arguments& arguments) {
    arguments.choice("observer", observer_, {"none", "cho", "lroc"},
                     "Model observer of replicates: AUC, its 95 % interval and SNR of every sphere. cho: "
                     "channelized Hotelling at the sphere's place; lroc: it searches the place, too");
    arguments.text("replicates", replicates_,
                   "Observer: further runs or images of the same object, joined by commas");
    arguments.text("absent", absent_,
                   "Observer: runs or images without the spheres, joined by commas; empty: patches at the "
                   "uniform ROIs of the same images");
    arguments.choice("channels", channels_, {"laguerre-gauss", "dog"},
                     "Observer: Laguerre-Gauss channels, or ten dense differences of Gaussians");
    arguments.integer("channel-count", count_, 1, 30, "Observer: of Laguerre-Gauss channels");
    arguments.number("channel-width", width_, 0.1, 100,
                     "Observer: width of Laguerre-Gauss channels in diameters of the sphere");
    arguments.number("internal-noise", internalNoise_, 0, 1000,
                     "Observer: variance of internal noise over that of each channel");
    arguments.number("search-mm", search_mm_, 1, 500, "LROC: radius of the region that is searched, mm");
}

std::vector<std::string> ObserverOptions::present(const std::string& first) const {
    std::vector<std::string> names = namesOf(replicates_);
    names.insert(names.begin(), first);
    return names;
}

std::vector<std::string> ObserverOptions::absent() const {
    return namesOf(absent_);
}

std::vector<ObserverRow> ObserverOptions::observe(int iteration, const Images& present, const Images& absent,
                                                  const FigureEvaluator& evaluator) const {
    const Lattice& lattice = evaluator.lattice();
    std::vector<Figures> figures;
    for (const auto& image : present) {
        throwIfInterrupted();
        figures.push_back(evaluator.evaluate(iteration, image->data.data()));
    }
    std::vector<ObserverRow> rows;
    const std::vector<Roi>& rois = evaluator.set().rois;
    for (std::size_t k = 0; k < rois.size(); ++k) {
        if (rois[k].role != Roi::Role::Sphere) {
            continue;
        }
        const ChannelSettings channels{
            channels_ == "dog" ? ChannelKind::DenseDifferences : ChannelKind::LaguerreGauss, count_,
            2 * width_ * rois[k].radius_mm};
        const ChannelBank bank(channels, lattice, rois[k].centre);
        const Places places =
            observer_ == "lroc" ? placesWithin(lattice, search_mm_, rois[k].radius_mm) : Places();
        std::vector<SearchedImage> with;
        for (const auto& image : present) {
            with.push_back(searched(*image, bank, places));
        }
        std::vector<SearchedImage> without;
        for (const auto& image : absent) {
            without.push_back(searched(*image, bank, places));
        }
        for (const Roi& roi : rois) {
            if (absent.empty() && roi.role == Roi::Role::Uniform) {
                const ChannelBank there(channels, lattice, roi.centre);
                for (const auto& image : present) {
                    without.push_back(searched(*image, there, places));
                }
            }
        }
        ObserverRow row{iteration, rois[k].name,
                        taskFigures(rateByOthers(with, without, places.near, internalNoise_))};
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

std::string observerTable(const std::vector<ObserverRow>& rows) {
    std::vector<std::vector<std::string>> table{columns()};
    for (const ObserverRow& row : rows) {
        table.push_back(cells(row));
    }
    return textTable(table);
}

std::string observerCsv(const std::vector<ObserverRow>& rows) {
    std::string text = fmt::format("{}", fmt::join(columns(), ","));
    for (const ObserverRow& row : rows) {
        std::vector<std::string> of = cells(row);
        of[1] = csvCell(row.roi);
        text += fmt::format("\n{}", fmt::join(of, ","));
    }
    return text;
}

nlohmann::ordered_json observerJson(const std::vector<ObserverRow>& rows) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ObserverRow& row : rows) {
        list.push_back({{"iteration", row.iteration},
                        {"roi", row.roi},
                        {"auc", row.task.area},
                        {"auc_sd", row.task.sd},
                        {"auc_low", row.task.low()},
                        {"auc_high", row.task.high()},
                        {"snr", row.task.snr},
                        {"crc", row.crc},
                        {"noise", row.noise}});
    }
    return list;
}

}  // namespace tof
