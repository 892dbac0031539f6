// SPDX-License-Identifier: Apache-2.0
#include "recon/joined/joined_measurement.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "recon/base/error.h"
#include "recon/data/content_hash.h"
#include "recon/data/framed_counts.h"
#include "recon/joined/joined_projector.h"
#include "recon/seam/composed_model.h"
#include "recon/systems/histo/histo_measurement.h"

namespace tof {

namespace {

std::span<const float> attOf(const Measurement& data) {
    const std::shared_ptr<const HistoData> histo = histoData(&data);
    return histo != nullptr ? std::span<const float>(histo->att) : std::span<const float>();
}

std::string hashOf(const std::vector<JoinedMember>& members, const JoinedNames& names) {
    ContentHash hash;
    hash.add(names.hash.data(), names.hash.size());
    for (const JoinedMember& member : members) {
        hash.add(member.data->hash().data(), member.data->hash().size());
    }
    return hash.text();
}

}  // namespace

JoinedMeasurement::JoinedMeasurement(const Lattice& lattice, std::vector<JoinedMember> members,
                                     JoinedNames names)
    : lattice_(lattice), members_(std::move(members)), names_(std::move(names)) {
    for (const JoinedMember& member : members_) {
        if (member.data->kind() != kind() || member.data->units() != units()) {
            throw BadInput("{}: joins {} in {} and {} in {}; give data of one kind", names_.what, kind(),
                           units(), member.data->kind(), member.data->units());
        }
        if (member.data->system() != system()) {
            throw BadInput("{}: joins data of the systems {} and {}; give data of one system", names_.what,
                           system(), member.data->system());
        }
        if (member.warp->fromSize() != lattice_.voxels() ||
            member.warp->toSize() != member.data->lattice().voxels()) {
            throw InternalError("a warp does not fit the lattices that it joins");
        }
    }
    hash_ = hashOf(members_, names_);
}

EventTally JoinedMeasurement::events() const {
    EventTally all;
    for (const JoinedMember& member : members_) {
        const EventTally one = member.data->events();
        all.kept +=
            member.frame ? static_cast<double>(member.data->frames()->frames[*member.frame].kept) : one.kept;
        all.recorded += member.frame ? 0 : one.recorded;
    }
    return all;
}

std::size_t JoinedMeasurement::memoryBytes() const {
    std::size_t bytes = 0;
    std::map<const Measurement*, std::size_t> each;
    for (const JoinedMember& member : members_) {
        each[member.data.get()] = member.data->memoryBytes();
        bytes += member.warp->memoryBytes();
    }
    return std::accumulate(each.begin(), each.end(), bytes,
                           [](std::size_t sum, const auto& one) { return sum + one.second; });
}

std::vector<std::size_t> JoinedMeasurement::order(std::uint64_t seed) const {
    std::vector<std::size_t> order;
    for (const JoinedMember& member : members_) {
        const std::size_t first = order.size();
        for (const std::size_t part : member.data->order(seed)) {
            order.push_back(first + part);
        }
    }
    return order;
}

void JoinedMeasurement::prepare(const RunSettings& settings, const SetUp& setUp) const {
    for (const JoinedMember& member : members_) {
        member.data->prepare(settings, setUp);
    }
}

SystemModel JoinedMeasurement::model(const RunSettings& settings) const {
    const auto owner = std::make_shared<const std::vector<JoinedMember>>(members_);
    std::map<const Measurement*, std::shared_ptr<const SystemModel>> models;
    for (const JoinedMember& member : members_) {
        models.try_emplace(member.data.get(), nullptr);
    }
    for (auto& [data, model] : models) {
        model = std::make_shared<const SystemModel>(data->model(settings));
    }
    return ComposedModel{lattice_,
                         [owner, models](const Engine& engine, const std::shared_ptr<Space>& space,
                                         const EngineOptions& options) -> std::unique_ptr<Projector> {
                             std::map<const Measurement*, std::shared_ptr<Projector>> made;
                             std::vector<JoinedPiece> pieces;
                             for (const JoinedMember& member : *owner) {
                                 std::shared_ptr<Projector>& one = made[member.data.get()];
                                 if (one == nullptr) {
                                     one = requireProjector(engine, *models.at(member.data.get()), space,
                                                            options);
                                 }
                                 pieces.push_back({one, member.warp, attOf(*member.data)});
                             }
                             return std::make_unique<JoinedProjector>(std::move(pieces), engine, space,
                                                                      options.threads, owner);
                         }};
}

nlohmann::ordered_json JoinedMeasurement::describe(const RunSettings& settings) const {
    nlohmann::ordered_json json = first().describe(settings);
    json[names_.key] = {{"file", names_.what}, {"hash", names_.hash}, {"members", members_.size()}};
    return json;
}

std::shared_ptr<DataSource> JoinedMeasurement::source(const RunSettings& settings,
                                                      const SourcePlace& place) const {
    return sourceThat(TotalsAre::Here, settings, place);
}

std::shared_ptr<DataSource> JoinedMeasurement::sourceThat(TotalsAre totals, const RunSettings& settings,
                                                          const SourcePlace& place) const {
    std::map<const Measurement*, std::shared_ptr<DataSource>> made;
    const auto cache =
        place.sensitivities != nullptr ? place.sensitivities : std::make_shared<SensitivityCache>();
    std::vector<SourcePiece> pieces;
    for (const JoinedMember& member : members_) {
        std::shared_ptr<DataSource>& one = made[member.data.get()];
        if (one == nullptr) {
            PlacedData own{place.placed.space, place.placed.bytesFree, nullptr};
            one = member.data->source(
                settings, {place.engine, place.options, own, place.reserveBytes, cache, place.ranks});
        }
        pieces.push_back(
            {one, member.warp, member.frame ? member.data->frames() : nullptr, member.frame.value_or(0)});
    }
    return std::make_shared<JoinedSource>(std::move(pieces), place.engine, place.placed.space,
                                          place.options.threads, totals);
}

RankShare JoinedMeasurement::share(const RankRequest& request) const {
    if (!everyRankHasParts(request)) {
        throw WrongUse(
            "{}: ranks share the parts of each update, of which there are fewer than {} here; start fewer "
            "ranks, or choose --algorithm osem with fewer --subsets",
            names_.what, request.size);
    }
    RankDivision division;
    const std::vector<int> owners = ownersOfParts(request);
    for (std::size_t part = 0; part < owners.size(); ++part) {
        division.pieces.push_back(owners[part] == request.rank ? RankPiece{{part}, part, true}
                                                               : RankPiece{{}, std::nullopt, true});
    }
    const TotalsAre totals = request.rank == 0 ? TotalsAre::Here : TotalsAre::Elsewhere;
    return {std::move(division), [this](const RunSettings& settings) { return model(settings); },
            [this, totals](const RunSettings& settings, const SourcePlace& place) {
                return sourceThat(totals, settings, place);
            }};
}

Volume JoinedMeasurement::view(std::size_t /*view*/, DataQuantity /*quantity*/) const {
    throw WrongUse("joined data have no views; look at each of them");
}

Volume JoinedMeasurement::expected(std::size_t /*view*/, const Volume& /*image*/,
                                   const RunSettings& /*settings*/, const EngineRegistry& /*engines*/) const {
    throw WrongUse("joined data have no views; look at each of them");
}

std::vector<double> JoinedMeasurement::viewTotals() const {
    std::vector<double> totals;
    for (const JoinedMember& member : members_) {
        totals.push_back(member.frame ? static_cast<double>(member.data->frames()->frames[*member.frame].kept)
                                      : member.data->counts());
    }
    return totals;
}

}  // namespace tof
