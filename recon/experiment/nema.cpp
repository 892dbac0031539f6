// SPDX-License-Identifier: Apache-2.0
#include "recon/experiment/nema.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/words.h"
#include "recon/experiment/nema_run.h"
#include "recon/experiment/papers.h"
#include "recon/io/bytes/text_header.h"
#include "recon/io/format_table.h"
#include "recon/nema/sensitivity.h"
#include "recon/scanner/panel_geometry.h"

namespace tof {

namespace {

enum class Done { Usually, OnRequest };

/// A test, and the share of the whole's progress at which it begins and ends.
struct NemaTest {
    const char* name;
    void (*run)(NemaRun& run);
    double from;
    double to;
    Done done = Done::Usually;
};

constexpr NemaTest kTests[] = {{"resolution", nemaResolution, 0, 0.15},
                               {"sensitivity", nemaSensitivity, 0.15, 0.4},
                               {"scatter", nemaScatterFraction, 0.4, 0.45},
                               {"rates", nemaCountRates, 0.45, 1},
                               {"image-quality", nemaImageQuality, 0, 1, Done::OnRequest},
                               {"accuracy", nemaAccuracy, 0, 1, Done::OnRequest},
                               {"nu4-resolution", smallResolution, 0, 0.1, Done::OnRequest},
                               {"nu4-sensitivity", smallSensitivity, 0.1, 0.2, Done::OnRequest},
                               {"nu4-mouse", mouseRates, 0.2, 0.6, Done::OnRequest},
                               {"nu4-rat", ratRates, 0.6, 1, Done::OnRequest}};

constexpr const char* kUsualScanner = "ge-ste-blocks";
constexpr const char* kUsualSmallScanner = "inveon";

Scanner scannerOf(const ExperimentContext& context, const char* usual) {
    return Scanner::find(context.dataFile.empty() ? usual : context.dataFile);
}

/// Whether NU 2's scatter phantom, 203 mm wide, lies in the field.
enum class Field { HoldsThePhantom, Smaller };

std::vector<std::string> scannersOf(const std::string& usual, Field field) {
    constexpr double kPhantomRadius_mm = 101.5;
    std::vector<std::string> names{usual};
    for (const BuiltIn& one : builtInScanners()) {
        const Scanner scanner = Scanner::find(one.name);
        const Field of = scanner.fovRadius_mm < kPhantomRadius_mm ? Field::Smaller : Field::HoldsThePhantom;
        if (one.name != usual && scanner.detection && of == field && !PanelGeometry::of(scanner)) {
            names.push_back(one.name);
        }
    }
    return names;
}

}  // namespace

std::vector<std::string> nemaTests() {
    return namesOf(kTests, &NemaTest::name);
}

std::vector<std::string> usualNemaTests() {
    std::vector<std::string> names;
    for (const NemaTest& test : kTests) {
        if (test.done == Done::Usually) {
            names.emplace_back(test.name);
        }
    }
    return names;
}

std::vector<double> concentrationsFrom(const std::string& text) {
    std::vector<double> all;
    for (const std::string& word : parts(text, ',')) {
        const std::optional<double> number = parseNumber(word);
        if (!number || !(*number > (all.empty() ? 0 : all.back()) && *number < 1e6)) {
            throw WrongUse("activities '{}': give ascending numbers of kBq/ml above 0, as 5,10,20", text);
        }
        all.push_back(*number);
    }
    return all;
}

Experiment nemaExperiment(const Scanner& scanner) {
    return {"nema",
            kNemaStandard,
            fmt::format("Resolution, sensitivity, scatter fraction, count rates and image quality of {}",
                        scanner.name),
            "",
            "",
            nullptr};
}

NemaRequest measuredSensitivity(const std::vector<std::string>& files, double activity_MBq,
                                const std::function<void()>& heed) {
    if (files.size() < 2 || files.size() > kNemaSleeves_mm.size()) {
        throw WrongUse("{} lists of the line source: give those in 1, 2, ... sleeves in this order, 2 to {}",
                       files.size(), kNemaSleeves_mm.size());
    }
    if (!(activity_MBq > 0)) {
        throw WrongUse("lists of the line source need its activity; give --activity MBQ");
    }
    NemaRequest request;
    request.tests = {"sensitivity"};
    SensitivityLists& lists = request.sensitivity;
    lists.files = files;
    lists.activity_MBq = activity_MBq;
    ScannerText scanner;
    for (const std::string& file : files) {
        const EventList events = recognise(file, heed).readEvents().events;
        if (events.size() == 0 || !(events.duration_s > 0)) {
            throw BadInput("{}: has {} events in {:g} s; a list with events and a duration is needed", file,
                           events.size(), events.duration_s);
        }
        if (!scanner.empty() && !(events.scannerJson == scanner)) {
            throw WrongUse("{} is of another scanner than {}; lists of one scanner are needed", file,
                           files.front());
        }
        if (scanner.empty()) {
            scanner = events.scannerJson;
            request.scanner = *scanner.scanner(files.front());
        }
        lists.counts.emplace_back(request.scanner, sensitivitySlices(request.scanner)).add(events);
        lists.duration_s.push_back(events.duration_s);
    }
    return request;
}

ExperimentReport nemaReport(const NemaRequest& request, const ExperimentContext& context) {
    if (request.sensitivity.files.empty() && !request.scanner.detection) {
        throw WrongUse("scanner '{}' does not say how it detects; add 'detection' to its description",
                       request.scanner.name);
    }
    NemaRun run(request, context);
    for (const NemaTest& test : kTests) {
        const auto& wanted = request.tests;
        const bool usual = wanted.empty() && test.done == Done::Usually;
        if (usual || std::find(wanted.begin(), wanted.end(), test.name) != wanted.end()) {
            run.within(test.from, test.to);
            test.run(run);
        }
    }
    return run.finish();
}

std::vector<std::string> nemaScanners() {
    static const std::vector<std::string> kNames = scannersOf(kUsualScanner, Field::HoldsThePhantom);
    return kNames;
}

std::vector<std::string> smallScanners() {
    static const std::vector<std::string> kNames = scannersOf(kUsualSmallScanner, Field::Smaller);
    return kNames;
}

ExperimentReport runNema(const ExperimentContext& context) {
    return nemaReport({scannerOf(context, kUsualScanner)}, context);
}

ExperimentReport runNemaImages(const ExperimentContext& context) {
    ExperimentContext counted = context;
    if (counted.events == 0) {
        counted.events = context.pick<std::uint64_t>(200, 4'000, 400'000);
    }
    NemaRequest request{scannerOf(context, kUsualScanner), {"image-quality"}};
    if (context.size == ExperimentSize::Full) {
        request.tests.emplace_back("accuracy");
    }
    return nemaReport(request, counted);
}

ExperimentReport runNemaSmall(const ExperimentContext& context) {
    return nemaReport({scannerOf(context, kUsualSmallScanner),
                       {"nu4-resolution", "nu4-sensitivity", "nu4-mouse", "nu4-rat"}},
                      context);
}

}  // namespace tof
