// SPDX-License-Identifier: Apache-2.0
#include "recon/forms/form/data_in.h"

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/forms/panel/panel_form.h"
#include "recon/systems/panel/panel_measurement.h"

namespace tof {

namespace {

const PanelData& panelOf(const Measurement& data) {
    return DataIn<PanelData, PanelMeasurement>::of(data);
}

const char* whyNoPanel(const Measurement& data) {
    return data.scannerJson().empty()
               ? toTranslate("Word", "The data do not say which scanner they are of; bin the list again")
               : nullptr;
}

const char* whyNotOfPanels(const PartQuestion& /*about*/) {
    return toTranslate("Word", "Of two panels randoms from delayeds are corrected alone");
}

PartGiven givenDelayeds(const PartQuestion& about) {
    return panelOf(about.data).add.empty() ? PartGiven::Not : PartGiven::Mixed;
}

void beginPanels(PartFlow& flow) {
    const CorrectRequest& request = flow.request();
    const PartSwitches& switches = request.switches;
    const bool other = switches.attenuation || switches.efficiencies || switches.deadTime ||
                       switches.randoms || switches.scatter || !request.singles.empty();
    if (request.delayeds.empty() || other) {
        throw WrongUse(
            "{}: of two panels randoms are corrected by --delayeds LIST, --randoms add or subtract",
            flow.source());
    }
    if (flow.data<PanelData>().frames != nullptr && request.panelRandoms == PanelRandoms::Subtract) {
        throw WrongUse("{}: randoms are not subtracted from counts that are cut by time; give --randoms add",
                       flow.source());
    }
    if (!request.norm.empty() || request.scatter) {
        throw WrongUse("{}: of two panels only randoms are corrected; leave --norm and --scatter out",
                       flow.source());
    }
}

void findPanelDelayeds(PartFlow& flow) {
    flow.progress().stage("randoms");
    const auto list = delayedsOf(flow.request(), flow.pool());
    const EventList& delayeds = *list;
    PanelData& data = flow.data<PanelData>();
    if (flow.request().panelRandoms == PanelRandoms::Add) {
        data.add.clear();
    }
    flow.tell(correctRandoms(data, delayeds, flow.request().panelRandoms));
}

}  // namespace

FormCorrections panelCorrections() {
    FormCorrections form;
    form.kept = PartsKept::Within;
    for (const PartName name : {PartName::Attenuation, PartName::Efficiencies, PartName::Delayeds,
                                PartName::Singles, PartName::DeadTime, PartName::Scatter}) {
        form.parts.push_back({name, PartNeed::Delayeds, whyNotOfPanels, nullptr, nullptr});
    }
    form.parts[2] = {PartName::Delayeds, PartNeed::Delayeds, nullptr, givenDelayeds, findPanelDelayeds};
    form.whyNone = whyNoPanel;
    form.holdsAdd = [](const Measurement& data) { return !panelOf(data).add.empty(); };
    form.scanner = [](const Measurement& data) { return data.scannerJson().scanner("the open data"); };
    form.begin = beginPanels;
    form.compose = [](PartFlow& /*flow*/) {};
    return form;
}

}  // namespace tof
