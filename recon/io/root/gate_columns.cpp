// SPDX-License-Identifier: Apache-2.0
#include "recon/io/root/gate_columns.h"

#include <fmt/format.h>

#include <algorithm>

namespace tof {

namespace {

constexpr std::array kNames{
    GateNames{"GATE",
              1,
              {"globalPosX", "globalPosY", "globalPosZ", "time", "energy", "eventID", "comptonPhantom",
               "RayleighPhantom"}},
    GateNames{"GATE 10",
              1e-9,
              {"PostPosition_X", "PostPosition_Y", "PostPosition_Z", "GlobalTime", "TotalEnergyDeposit",
               "EventID", nullptr, nullptr}},
};

const char* stemOf(const GateNames& names, GateQuantity quantity) {
    return names.stems.at(static_cast<std::size_t>(quantity));
}

const RootBranch* branchOf(const RootTree& tree, const GateNames& names, GateQuantity quantity,
                           std::size_t photon) {
    const char* const stem = stemOf(names, quantity);
    return stem == nullptr ? nullptr : tree.find(fmt::format("{}{}", stem, photon + 1));
}

/// The names by which a tree holds places of pairs; null where it does not.
const GateNames* namesIn(const RootTree& tree) {
    const auto* const row = std::find_if(kNames.begin(), kNames.end(), [&](const GateNames& names) {
        bool all = true;
        for (const GateQuantity axis : {GateQuantity::X, GateQuantity::Y, GateQuantity::Z}) {
            all =
                all && branchOf(tree, names, axis, 0) != nullptr && branchOf(tree, names, axis, 1) != nullptr;
        }
        return all;
    });
    return row == kNames.end() ? nullptr : &*row;
}

}  // namespace

GateColumns::GateColumns(const RootFile& file) : file_(file) {
    for (const RootTree& tree : file.trees()) {
        const GateNames* const names = namesIn(tree);
        if (names == nullptr) {
            continue;
        }
        if (tree_ == nullptr || tree.name == "Coincidences") {
            if (tree_ != nullptr) {
                others_.push_back(tree_->name);
            }
            tree_ = &tree;
            names_ = names;
        } else {
            others_.push_back(tree.name);
        }
    }
    for (std::size_t q = 0; tree_ != nullptr && q < kGateQuantities; ++q) {
        for (std::size_t photon = 0; photon < 2; ++photon) {
            columns_[q][photon].branch = branchOf(*tree_, *names_, static_cast<GateQuantity>(q), photon);
        }
    }
}

bool GateColumns::has(GateQuantity quantity) const {
    const auto& pair = columns_[static_cast<std::size_t>(quantity)];
    return pair[0].branch != nullptr && pair[1].branch != nullptr;
}

std::string GateColumns::branchName(GateQuantity quantity, std::size_t photon) const {
    const char* const stem = stemOf(*names_, quantity);
    return stem == nullptr ? "" : fmt::format("{}{}", stem, photon + 1);
}

std::uint64_t GateColumns::present() const {
    std::uint64_t least = tree_->entries;
    for (const auto& pair : columns_) {
        for (const Column& column : pair) {
            least = column.branch != nullptr ? std::min(least, column.branch->present()) : least;
        }
    }
    return least;
}

bool GateColumns::kinds() const {
    return has(GateQuantity::Event) && has(GateQuantity::Compton) && has(GateQuantity::Rayleigh);
}

void GateColumns::read(std::initializer_list<GateQuantity> wanted, std::uint64_t first, std::size_t count,
                       const ThreadPool* pool) {
    std::vector<Column*> columns;
    for (const GateQuantity quantity : wanted) {
        for (Column& column : columns_[static_cast<std::size_t>(quantity)]) {
            if (column.branch != nullptr) {
                columns.push_back(&column);
            }
        }
    }
    const auto some = [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            columns[c]->values.resize(count);
            file_.read(*columns[c]->branch, first, columns[c]->values, columns[c]->kept);
        }
    };
    if (pool != nullptr) {
        pool->forRange(columns.size(), 1, some);
    } else {
        some(0, columns.size());
    }
}

double GateColumns::scatters(std::size_t i) const {
    double sum = 0;
    for (const GateQuantity quantity : {GateQuantity::Compton, GateQuantity::Rayleigh}) {
        for (const std::size_t photon : {std::size_t{0}, std::size_t{1}}) {
            const double times = values(quantity, photon)[i];
            if (!(times >= 0)) {
                return -1;
            }
            sum += times;
        }
    }
    return sum;
}

EventKind GateColumns::kind(std::size_t i) const {
    if (values(GateQuantity::Event, 0)[i] != values(GateQuantity::Event, 1)[i]) {
        return EventKind::Random;
    }
    return scatters(i) > 0 ? EventKind::Scattered : EventKind::True;
}

}  // namespace tof
