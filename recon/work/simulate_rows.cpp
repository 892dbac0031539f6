// SPDX-License-Identifier: Apache-2.0
#include "recon/work/simulate_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/phantom/panel_phantoms.h"
#include "recon/physics/positron.h"

namespace tof {

namespace {

using namespace row_words;
using OrderRow = RequestRow<SimulationOrder>;

const char* const kBuiltInRings = "ge-ste";

/// What is built in without a file of its own.
constexpr std::pair<const char*, const char*> kComputed[] = {
    {"ge-ste", toTranslate("Word", "GE Discovery STE, 24 rings of 560 crystals; sinograms")},
    {"micro-derenzo", toTranslate("Word", "hot rods of 2.4 to 0.75 mm, for two panels")},
    {"small-derenzo", toTranslate("Word", "the three thickest of them, for the small panels")},
    {"rat", toTranslate("Word", "rat of 200 mm with organs that emit and attenuate")},
    {"rat-head", toTranslate("Word", "the same rat with its head in the middle")},
    {"brain", toTranslate("Word", "head with a folded cortex, 4:1 over white matter, and a skull")}};

/// What "about" begins with, before it goes into details.
std::string aboutIn(const std::string& text) {
    const nlohmann::json root = tryJson(text);
    const auto found = root.is_object() ? root.find("about") : root.end();
    if (found == root.end() || !found->is_string()) {
        return {};
    }
    std::string about = found->get<std::string>();
    for (const char* details : {": ", "; ", ". ", " (", " after "}) {
        about = about.substr(0, about.find(details));
    }
    return about.substr(0, about.find_last_not_of('.') + 1);
}

std::string aboutNamed(const std::string& name, const std::vector<BuiltIn>& builtIn) {
    for (const auto& [computed, about] : kComputed) {
        if (name == computed) {
            return about;
        }
    }
    for (const BuiltIn& one : builtIn) {
        if (name == one.name) {
            return aboutIn(one.text);
        }
    }
    return {};
}

OrderRow orderScannerRow() {
    OrderRow row =
        OrderRow::of(&SimulationOrder::scanner, "scanner", Label{toTranslate("Word", "Scanner")},
                     Help{"Scanner: built-in name or JSON file; of a ring scanner (ge-ste) sinograms are "
                          "made from chords through the phantom with Poisson noise"},
                     Tip{toTranslate("Word", "A scanner of one's own: a JSON description")},
                     Filter{toTranslate("Word", "Scanners (*.json);;All files (*)")}, Group{kObjectGroup},
                     TextRole::File, Need::Required);
    row.choices = namesOf(builtInScanners());
    row.choices.emplace_back(kBuiltInRings);
    for (const std::string& name : row.choices) {
        row.choiceWords.push_back(aboutScanner(name));
    }
    return row;
}

OrderRow orderPhantomRow() {
    OrderRow row = OrderRow::of(
        &SimulationOrder::phantom, "phantom", Label{toTranslate("Word", "Phantom")},
        Help{"Phantom: built-in name, JSON file, or EMISSION,ATTENUATION volume files"},
        Tip{toTranslate("Word",
                        "A phantom of one's own: a JSON description, or an emission and an attenuation "
                        "volume")},
        Filter{toTranslate("Word", "Phantoms and volumes (*.json *.h5 *.nii *.nii.gz *.hv);;All files (*)")},
        Group{kObjectGroup}, TextRole::Files, Need::Required);
    row.choices = namesOf(builtInPhantoms());
    row.choices.insert(row.choices.end(), computedPhantoms().begin(), computedPhantoms().end());
    for (const std::string& name : row.choices) {
        row.choiceWords.push_back(aboutPhantom(name));
    }
    return row;
}

/// The row of one of the settings.
template <typename T, typename... Words>
OrderRow settingRow(T SimulationSettings::*member, std::string key, Words... words) {
    return OrderRow::made(
        [member](const SimulationOrder& order) { return textOf(order.settings.*member, {}); },
        [member](SimulationOrder& order, const std::string& text) {
            order.settings.*member = valueOf<T>(text, {});
        },
        std::move(key), kKindOf<T>, std::move(words)...);
}

std::vector<OrderRow> amountRows() {
    return {
        settingRow(&SimulationSettings::events, "events", Label{toTranslate("Word", "Events")},
                   Limits{1, 4294967296.0}, Help{"Coincidences to record"},
                   Tip{toTranslate("Word", "Coincidences to be detected: 20 M, 2e6, 500 k")},
                   Group{kObjectGroup}, TextRole::Count, Need::Required),
        settingRow(&SimulationSettings::seed, "seed", Label{toTranslate("Word", "First seed")},
                   Limits{0, 18446744073709551616.0},
                   Help{toTranslate("Word", "Seed; the same events whatever the threads")},
                   Group{kObjectGroup}),
        OrderRow::made(
            [](const SimulationOrder& order) { return order.analytic ? "chords" : "events"; },
            [](SimulationOrder& order, const std::string& text) { order.analytic = text == "chords"; }, "way",
            OptionKind::Choice, Label{toTranslate("Word", "Counts")}, Choices{{"events", "chords"}},
            Help{toTranslate("Word", "How counts are made")}, Shown::Window),
        settingRow(&SimulationSettings::activity_MBq, "activity", Label{toTranslate("Word", "Activity")},
                   Unit{"MBq"}, Limits{1e-6, 1e9},
                   Help{"Activity of the phantom in MBq: the list lasts as long as its decays take"},
                   Tip{toTranslate("Word",
                                   "Activity of the whole phantom in MBq: randoms grow as its square, "
                                   "and the scan lasts as long as its decays take")},
                   Refused{toTranslate("Word", "A positive number of MBq")},
                   Title{toTranslate("Word", "Source")}, TextRole::Count),
        settingRow(&SimulationSettings::duration_s, "duration", Limits{0, 1e9},
                   Help{"Duration of the scan in seconds instead; 0 takes the activity's"}, Shown::Command),
        OrderRow::of(&SimulationOrder::motion, "motion",
                     Help{"Move the phantom in steps, by the poses of a file (.tsv, .json); the scan lasts "
                          "as long as they do"},
                     ValueName{"FILE"}, TextRole::File, Shown::Command)};
}

/// What the order asks for so far.
Physics physicsOf(const SimulationOrder& order) {
    return order.settings.physics.value_or(Physics());
}

OrderRow isotopeRow() {
    OrderRow row = OrderRow::made(
        [](const SimulationOrder& order) { return physicsOf(order).isotope; },
        [](SimulationOrder& order, const std::string& text) {
            Physics with = physicsOf(order);
            with.isotope = isotopeNamed(text).name;
            order.settings.physics = with;
        },
        "isotope", Label{toTranslate("Word", "Isotope")},
        Help{"Whose positrons fly: F-18, C-11, N-13, O-15, Ga-68, Rb-82"}, ValueName{"NAME"},
        Tip{toTranslate("Word", "Whose positrons fly, and how many a decay makes")}, Group{kPhysicsGroup});
    for (const Isotope& one : isotopes()) {
        row.choices.push_back(one.name);
        row.choiceWords.push_back(fmt::format("{:.1f} mm", one.range.mean_mm()));
    }
    return row;
}

/// A switch of the physics, by its name on command lines.
OrderRow physicsSwitchRow(const char* name, const char* tick, const char* help, const char* heading) {
    bool Physics::*member = nullptr;
    for (const auto& [known, one] : Physics::switches()) {
        member = std::string(known) == name ? one : member;
    }
    return OrderRow::made(
        [member](const SimulationOrder& order) {
            return order.settings.physics && (*order.settings.physics).*member ? "on" : "off";
        },
        [member](SimulationOrder& order, const std::string& text) {
            Physics with = order.settings.physics.value_or(Physics::none());
            with.*member = text == "on";
            order.settings.physics = with;
        },
        std::string("physics.") + name, OptionKind::Switch, Help{help}, Tick{tick}, Title{heading},
        Group{kPhysicsGroup}, Shown::Window);
}

std::vector<OrderRow> physicsRows() {
    return {
        OrderRow::made(
            [](const SimulationOrder& order) {
                return order.settings.physics ? order.settings.physics->toText() : std::string("all");
            },
            [](SimulationOrder& order, const std::string& text) {
                const std::string isotope = physicsOf(order).isotope;
                order.settings.physics = Physics::fromText(text);
                order.settings.physics->isotope = isotope;
            },
            "physics",
            Help{"Scanners that say how they detect: all, none, some of range, acollinearity, "
                 "scatter, covers, shields, bed, crystals, energy, position, randoms, dead-time, pile-up, "
                 "multiples, "
                 "bandwidth, lutetium (which all leaves out: all,lutetium), or what to leave out: "
                 "no-randoms,no-range"},
            ValueName{"LIST"}, Shown::Command),
        isotopeRow(),
        physicsSwitchRow("range", toTranslate("Word", "Positrons fly before they annihilate"),
                         toTranslate("Word", "Positron range of the isotope in water: blurs what emits"), ""),
        physicsSwitchRow(
            "acollinearity", toTranslate("Word", "Photons are not quite opposite"),
            toTranslate("Word",
                        "Acollinearity of 0.5 degrees: blurs by 2 mm at the centre of a ring of 93 cm"),
            ""),
        physicsSwitchRow(
            "scatter", toTranslate("Word", "Photons scatter in the phantom"),
            toTranslate("Word",
                        "Compton scattering, any number of times; without it what interacts there is "
                        "lost"),
            toTranslate("Word", "Phantom"))};
}

/// What photons meet in a scanner besides crystals.
std::vector<OrderRow> surroundingRows() {
    return {
        physicsSwitchRow(
            "covers", toTranslate("Word", "Photons scatter in covers"),
            toTranslate("Word",
                        "In what lies between the patient and the crystals, where the scanner says so"),
            ""),
        physicsSwitchRow(
            "shields", toTranslate("Word", "End shields"),
            toTranslate("Word", "They keep out what comes from beyond the ends, where the scanner says so"),
            ""),
        physicsSwitchRow(
            "bed", toTranslate("Word", "The phantom lies on the bed"),
            toTranslate(
                "Word",
                "The bed attenuates and scatters, where the scanner says so; not under phantoms of voxels"),
            "")};
}

std::vector<OrderRow> detectorRows() {
    return {physicsSwitchRow(
                "crystals", toTranslate("Word", "Photons scatter from crystal to crystal"),
                toTranslate("Word",
                            "Compton scattering and escape in crystals; without it the first interaction "
                            "takes all"),
                toTranslate("Word", "Detectors")),
            physicsSwitchRow(
                "energy", toTranslate("Word", "Energies are measured"),
                toTranslate("Word", "Energy resolution and window; without it every interaction counts"), ""),
            physicsSwitchRow(
                "position", toTranslate("Word", "Places are measured"),
                toTranslate("Word",
                            "The place as the scanner finds it, with its blur; without it the crystal of "
                            "the first interaction"),
                "")};
}

/// What follows from decays in time.
std::vector<OrderRow> rateRows() {
    return {
        physicsSwitchRow(
            "randoms", toTranslate("Word", "Two decays may coincide: randoms"),
            toTranslate("Word",
                        "Decays in time at the activity, their singles and all coincidences of these"),
            toTranslate("Word", "Time")),
        physicsSwitchRow("dead-time", toTranslate("Word", "Detectors are dead after a photon"),
                         toTranslate("Word", "Dead time of a block; only where decays are followed in time"),
                         ""),
        physicsSwitchRow(
            "pile-up", toTranslate("Word", "Photons pile up"),
            toTranslate("Word",
                        "Energies add up within a block's integration time, where the scanner has one"),
            ""),
        physicsSwitchRow("multiples", toTranslate("Word", "Multiples by the scanner's policy"),
                         toTranslate("Word", "Without it all pairs of a window are coincidences"), ""),
        physicsSwitchRow(
            "bandwidth", toTranslate("Word", "Coincidences are limited"),
            toTranslate("Word", "Coincidences that the system takes per second, where it has a limit"), ""),
        physicsSwitchRow("lutetium", toTranslate("Word", "Decays of the crystals' lutetium"),
                         toTranslate("Word", "Singles and coincidences of Lu-176 in LSO and LYSO"), "")};
}

std::vector<OrderRow> outputRows() {
    return {
        OrderRow::of(&SimulationOrder::delayedsFile, "delayeds",
                     Help{"File to write the coincidences of the delayed window to (.h5)"}, Shown::Command),
        OrderRow::of(&SimulationOrder::singlesFile, "singles",
                     Help{"File to write the crystals' singles to (.h5), for 'correct --singles'"},
                     Shown::Command),
        OrderRow::of(&SimulationOrder::engine, "engine", Label{toTranslate("Word", "Engine")},
                     Choices{{"cpu", "cuda"}},
                     Help{"Where photons of scans in time are followed: this machine's cores, or a device"},
                     Tip{toTranslate("Word", "Where photons are followed")}),
        OrderRow::made(
            [](const SimulationOrder& order) {
                return order.bin ? fmt::format("{}", fmt::join(*order.bin, "x")) : std::string();
            },
            [](SimulationOrder& order, const std::string& text) {
                const std::vector<int> counts = sizesFromText("--bin", text, 2, 1, 4096);
                order.bin = {counts[0], counts[1]};
            },
            "bin",
            Help{"Write histo-images of so many azimuths x tilts instead of a list, as bin "
                 "would make of it"},
            ValueName{"AxT"}, Usual{"a list"}, Shown::Command),
        OrderRow::of(&SimulationOrder::threads, "threads", Limits{0, 1024},
                     Help{"Threads; 0 takes every core"}, Shown::Command)};
}

std::vector<OrderRow> orderImageRows() {
    const auto imageOf = [](const SimulationOrder& order) {
        return order.image.value_or(usualRingLattice());
    };
    return {OrderRow::made(
                [imageOf](const SimulationOrder& order) {
                    return fmt::format("{}", fmt::join(imageOf(order).size, "x"));
                },
                [imageOf](SimulationOrder& order, const std::string& text) {
                    const std::vector<int> sizes = sizesFromText("--grid", text, 3, 1, 65535);
                    order.image = Lattice::centred({sizes[0], sizes[1], sizes[2]}, imageOf(order).spacing_mm);
                },
                "grid", Help{"Voxels along x, y and z"}, ValueName{"XxYxZ"}, Shown::Command),
            OrderRow::made(
                [imageOf](const SimulationOrder& order) { return spacingText(imageOf(order).spacing_mm); },
                [imageOf](SimulationOrder& order, const std::string& text) {
                    order.image = Lattice::centred(imageOf(order).size, spacingFromText("--voxel", text));
                },
                "voxel", Help{"Voxel edge, or edges as 4x4x2, in mm"}, ValueName{"MM"}, Shown::Command)};
}

OrderRow blurRow() {
    return OrderRow::made(
        [](const SimulationOrder& order) {
            return order.blur_mm ? fmt::format("{:g}", *order.blur_mm) : std::string();
        },
        [](SimulationOrder& order, const std::string& text) {
            const std::optional<double> blur = numberFrom<double>(text);
            if (!text.empty() && (!blur || !(*blur >= 0 && *blur <= 100))) {
                throw WrongUse("--blur is '{}'; give a FWHM of 0 to 100 mm", text);
            }
            order.blur_mm = blur;
        },
        "blur", Label{toTranslate("Word", "Blur")}, Unit{"mm"},
        Help{"Ring scanners: FWHM of the detectors' blur across lines of response in mm; 0 switches it "
             "off"},
        ValueName{"MM"}, Usual{"the scanner's"},
        Tip{toTranslate("Word", "FWHM of the detectors' blur across lines of response; 0 switches it off")},
        Empty{toTranslate("Word", "the scanner's")},
        Refused{toTranslate("Word", "A width of 0 to 100 mm, or nothing for the scanner's")});
}

std::vector<OrderRow> expectedRows() {
    return {
        OrderRow::of(&SimulationOrder::attenuate, "attenuate", Label{toTranslate("Word", "Expected")},
                     Help{"Ring scanners: attenuate by the phantom"},
                     Tip{toTranslate("Word", "Lines lose what the phantom attenuates")},
                     Tick{toTranslate("Word", "attenuated by the phantom")}),
        blurRow(),
        OrderRow::of(&SimulationOrder::noiseFree, "noise-free",
                     Help{"Ring scanners and --analytic: counts are those expected, without Poisson noise"},
                     Tip{toTranslate("Word", "Counts are those expected, without Poisson noise")},
                     Tick{toTranslate("Word", "without noise")}),
        OrderRow::of(&SimulationOrder::analytic, "analytic",
                     Help{"Histo-images from chords through the phantom instead of a list: a data file, "
                          "without scatter and randoms but for --background"},
                     Shown::Command),
        OrderRow::of(
            &SimulationOrder::background, "background",
            Help{"With --analytic: scatter, and randoms at --activity, among the counts, and as what "
                 "the data are expected to hold of them"},
            Tip{toTranslate("Word", "What is expected of both at 100 MBq is counted, too, and corrected")},
            Tick{toTranslate("Word", "with scatter and randoms")}),
        OrderRow::made(
            [](const SimulationOrder& order) {
                return fmt::format("{}x{}", order.chords.azimuths, order.chords.tilts);
            },
            [](SimulationOrder& order, const std::string& text) {
                const std::vector<int> counts = sizesFromText("--views", text, 2, 1, 4096);
                order.chords.azimuths = counts[0];
                order.chords.tilts = counts[1];
            },
            "views", Help{"With --analytic: azimuths x tilts"}, ValueName{"AxT"}, Shown::Command),
        OrderRow::made(
            [](const SimulationOrder&) { return std::string(); },
            [](SimulationOrder& order, const std::string& text) {
                order.chords.response = KernelSpec::parse(text);
            },
            "kernel", Help{"With --analytic: what blurs lines and times, a preset or a JSON file, symmetric"},
            ValueName{"K"}, Usual{"the scanner's crystals"}, Shown::Command)};
}

std::vector<OrderRow> makeSimulationRows() {
    std::vector<OrderRow> all{orderScannerRow(), orderPhantomRow()};
    for (auto* rows : {amountRows, physicsRows, surroundingRows, detectorRows, rateRows, outputRows,
                       orderImageRows, expectedRows}) {
        std::vector<OrderRow> more = rows();
        all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return all;
}

}  // namespace

AnalyticSettings SimulationOrder::analyticSettings(const Lattice& usual) const {
    AnalyticSettings all = chords;
    all.lattice = image.value_or(usual);
    all.counts = static_cast<double>(settings.events);
    all.seed = settings.seed;
    all.noiseFree = noiseFree;
    return all;
}

const std::vector<RequestRow<SimulationOrder>>& simulationRows() {
    static const std::vector<OrderRow> rows = makeSimulationRows();
    return rows;
}

std::string aboutScanner(const std::string& name) {
    return aboutNamed(name, builtInScanners());
}

std::string aboutPhantom(const std::string& name) {
    return aboutNamed(name, builtInPhantoms());
}

}  // namespace tof
