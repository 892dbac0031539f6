// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/part_flow.h"

#include <algorithm>

#include "recon/base/options.h"
#include "recon/base/sum.h"
#include "recon/corrections/correct_inputs.h"
#include "recon/corrections/correct_scatter.h"
#include "recon/corrections/crystal_efficiencies.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/io/format_table.h"
#include "recon/io/rdf9_format.h"
#include "recon/phantom/phantom.h"

namespace tof {

namespace {

/// What to give for a part, in the words of the command.
const char* remedyOf(const PartRow& row) {
    if (row.name == PartName::Scatter) {
        return "--scatter on";
    }
    switch (row.need) {
        case PartNeed::Binning: return "a file of 'bin' with --mu";
        case PartNeed::Normalisation: return "--norm LIST";
        case PartNeed::Delayeds: return "--delayeds LIST";
        case PartNeed::Singles: return "--singles FILE";
        case PartNeed::Attenuation: break;
    }
    return "--mu FILE";
}

/// The switch of a part that has one of its own; randoms are switched together.
std::optional<bool> switchOf(const PartSwitches& switches, PartName name) {
    switch (name) {
        case PartName::Attenuation: return switches.attenuation;
        case PartName::Efficiencies: return switches.efficiencies;
        case PartName::DeadTime: return switches.deadTime;
        case PartName::Scatter: return switches.scatter;
        default: return std::nullopt;
    }
}

}  // namespace

std::optional<RandomsBy> wantedRandoms(const CorrectRequest& request) {
    return request.switches.randoms    ? request.switches.randoms
           : !request.singles.empty()  ? std::optional(RandomsBy::Singles)
           : !request.delayeds.empty() ? std::optional(RandomsBy::Delayeds)
                                       : std::nullopt;
}

const PartRow* FormCorrections::find(PartName name) const {
    const auto found =
        std::find_if(parts.begin(), parts.end(), [name](const PartRow& row) { return row.name == name; });
    return found != parts.end() ? &*found : nullptr;
}

PartFlow::PartFlow(MeasuredData& data, const std::string& source, const CorrectRequest& request,
                   const ThreadPool& pool, WorkProgress& progress, CorrectionParts& parts,
                   const CorrectionParts& found)
    : data_(data),
      source_(source),
      request_(request),
      pool_(pool),
      progress_(progress),
      parts_(source, pool, progress, parts, found) {}

Corrected PartFlow::run(const FormCorrections& form) {
    form_ = &form;
    form.begin(*this);
    find(form, {PartName::Attenuation, PartName::Efficiencies, PartName::DeadTime});
    find(form, {PartName::Delayeds, PartName::Singles});
    if (form.kept == PartsKept::Beside) {
        parts_.turnRandoms(wantedRandoms(request_));
        turn(form, {PartName::Attenuation, PartName::Efficiencies, PartName::DeadTime});
    }
    find(form, {PartName::Scatter});
    if (form.kept == PartsKept::Beside) {
        turn(form, {PartName::Scatter});
        made_.result = parts_.result();
    }
    form.compose(*this);
    return made_;
}

void PartFlow::find(const FormCorrections& form, std::initializer_list<PartName> names) {
    for (const PartName name : names) {
        if (const PartRow* const row = form.find(name); row != nullptr && row->find != nullptr) {
            row->find(*this);
        }
    }
}

void PartFlow::turn(const FormCorrections& form, std::initializer_list<PartName> names) {
    for (const PartName name : names) {
        const PartRow* const row = form.find(name);
        parts_.turn(name, switchOf(request_.switches, name),
                    row != nullptr ? remedyOf(*row) : "data of a form that has it");
    }
}

const CrystalSingles& PartFlow::singles() {
    if (!singles_) {
        singles_ = request_.knownSingles      ? *request_.knownSingles
                   : request_.singles.empty() ? CrystalSingles()
                                              : measuredSingles(request_.singles);
    }
    return *singles_;
}

Volume PartFlow::attenuation(const std::string& phantom, const Lattice& lattice, double spacing_mm) {
    return attenuationOf(request_.mu, request_.muUnits, phantom, lattice, spacing_mm, source_, progress_);
}

bool PartFlow::wantsScatter() const {
    return request_.switches.scatter.value_or(request_.scatter);
}

void PartFlow::findEfficiencies() {
    if (request_.norm.empty()) {
        return;
    }
    progress_.stage("efficiencies");
    if (const auto stored = rdf9Efficiencies(request_.norm)) {
        takeEfficiencies(*stored);
        return;
    }
    const EventList events = readNormalisation(request_.norm, heed());
    const std::string key =
        parts_.key(PartName::Efficiencies).values(events.crystals).text(events.phantom).result();
    parts_.findOrTake(PartName::Efficiencies, key, form_->values(*this), [&](PartFigures& figures) {
        const Phantom phantom = Phantom::fromNameOrText(events.phantom, request_.norm, volumeReader(heed()));
        const std::vector<double> found = crystalEfficiencies(events, scanner(), phantom, pool_);
        figures.from = request_.norm;
        figures.efficiencySd = deviationOf(found);
        return form_->spread(*this, found);
    });
}

void PartFlow::takeEfficiencies(const std::vector<double>& stored) {
    requireNormalisation(request_.norm, scanner());
    progress_.note(Remark::Data, request_.norm +
                                     ": its crystal efficiencies are taken, over their mean; its "
                                     "geometric factors are not applied ('bin LIST --to sinogram --norm' "
                                     "takes them)");
    const std::string key = parts_.key(PartName::Efficiencies).values(stored).result();
    parts_.findOrTake(PartName::Efficiencies, key, form_->values(*this), [&](PartFigures& figures) {
        figures.from = request_.norm;
        figures.efficiencySd = deviationOf(stored);
        return form_->spread(*this, stored);
    });
}

void PartFlow::findDeadTime() {
    if (singles().busy.empty()) {
        return;
    }
    PartKey made = parts_.key(PartName::DeadTime).values(singles().busy).value(singles().duration_s);
    const BlockSpectra& spectra = singles().spectra;
    if (spectra.known()) {
        made.value(spectra.bin_keV).values(spectra.deposits).values(spectra.partners);
    }
    const std::string key = made.result();
    parts_.findOrTake(PartName::DeadTime, key, form_->values(*this), [&](PartFigures& figures) {
        const std::vector<double> alive = aliveShares(singles(), scanner());
        const double sum = sumOf(alive);
        figures.alive = sum / static_cast<double>(alive.size());
        return form_->spread(*this, alive);
    });
}

void findEfficiencies(PartFlow& flow) {
    if (flow.hasScanner()) {
        flow.findEfficiencies();
    }
}

void findDeadTime(PartFlow& flow) {
    if (flow.hasScanner()) {
        flow.findDeadTime();
    }
}

PartFigures figuresOf(const ScatterFound& found) {
    PartFigures figures;
    figures.scatter = found.total;
    figures.singleScatter = found.single;
    figures.scatterScale = found.scale;
    return figures;
}

const char* whyNoScatter(const PartQuestion& about) {
    return about.scanner != nullptr && !about.scanner->detection
               ? toTranslate("Word", "The scanner does not say how it detects")
               : nullptr;
}

const char* whyNoRandoms(const PartQuestion& about) {
    const char* const why = whyNoScatter(about);
    return why == nullptr && about.scanner != nullptr && !(about.scanner->detection->coincidence_ns > 0)
               ? toTranslate("Word", "The scanner states no coincidence window")
               : why;
}

}  // namespace tof
