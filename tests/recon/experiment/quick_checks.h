// SPDX-License-Identifier: Apache-2.0
// Looks at the report of an experiment, and at every check of the quick size.
#pragma once

#include <QTest>
#include <algorithm>
#include <any>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include "app/engines.h"
#include "recon/experiment/experiment.h"
#include "recon/experiment/registry.h"

namespace tof::test {

/// What is red, and why: a check that is not named here must hold.
struct Red {
    const char* experiment;
    const char* check;
};
inline constexpr Red kRed[] = {
    // A kernel made to sum to one again after a cut at 3 sigma is 3.0 % too high at its peak.
    {"ha-fig5", "largest difference of both, wrapped tails set aside"},
    // exp(-9/2) is 1.11 %.
    {"ha-fig5", "step where the kernel is cut"},
};

inline bool isRed(const std::string& experiment, const std::string& check) {
    return std::any_of(std::begin(kRed), std::end(kRed),
                       [&](const Red& red) { return red.experiment == experiment && red.check == check; });
}

/// Those whose checks in the quick size a test looks at: what the papers have, and what takes a minute.
inline constexpr const char* kOfPapers[] = {"ha-fig1",         "ha-fig5",      "ha-fig6",  "ha-fig7",
                                            "ha-fig8",         "ha-fig9",      "ha-fig10", "cache-fig5",
                                            "belzunce-tables", "belzunce-figs"};
inline constexpr const char* kOfPrograms[] = {"beyond", "map", "petric", "panel-figs"};

inline bool isChecked(const std::string& experiment) {
    const auto in = [&](const auto& names) {
        return std::find(std::begin(names), std::end(names), experiment) != std::end(names);
    };
    return in(kOfPapers) || in(kOfPrograms);
}

inline bool hasContent(const ExperimentPicture& picture) {
    if (const auto* chart = std::get_if<LineChart>(&picture.shown)) {
        return !chart->lines.empty();
    }
    const auto& rows = std::get<SliceMosaic>(picture.shown);
    return !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const auto& row) {
        return !row.empty() &&
               std::all_of(row.begin(), row.end(), [](const SlicePicture& s) { return s.volume != nullptr; });
    });
}

/// Fails the test that calls it unless the report is whole, or was skipped for what is not there.
inline void verifyWhole(const Experiment& experiment, const ExperimentReport& report) {
    const bool fftw =
        std::holds_alternative<std::shared_ptr<const Engine>>(makeEngineRegistry().find("fftw"));
    if (!report.skipped.empty()) {
        QVERIFY2(!experiment.needs.empty() || !fftw, report.skipped.c_str());
        QVERIFY(report.verdict() == Verdict::Skipped && report.data.rows.empty());
        return;
    }
    QVERIFY(!report.conditions.empty() && !report.comparisons.empty());
    for (const auto& row : report.data.rows) {
        QCOMPARE(row.size(), report.data.columns.size());
    }
    if (fftw) {
        QVERIFY(!report.data.rows.empty());
        for (const Comparison& c : report.comparisons) {
            QVERIFY2(std::isfinite(c.ours) || !c.remark.empty(), c.quantity.c_str());  // or why not
        }
    }
    for (const ExperimentPicture& picture : report.pictures) {
        QVERIFY(!picture.caption.empty() && hasContent(picture));
    }
}

using KeptOfExperiments = std::shared_ptr<std::map<std::string, std::any>>;

/// Fails, or skips, the test that calls it.
inline void checkQuick(const std::string& name, const KeptOfExperiments& kept) {
    const EngineRegistry engines = makeEngineRegistry();
    const Experiment& experiment = findExperiment(name);
    ExperimentContext context{engines, ExperimentSize::Quick, "cpu", 0, [](const std::string&, double) {}};
    context.kept = kept;

    const ExperimentReport report = runExperiment(experiment, context);

    verifyWhole(experiment, report);
    if (!report.skipped.empty()) {
        QSKIP(report.skipped.c_str());
    }
    QVERIFY(!report.checks.empty());
    for (const Check& check : report.checks) {
        const QString found = QString("%1: %2 (%3)")
                                  .arg(QString::fromStdString(check.name))
                                  .arg(check.value)
                                  .arg(QString::fromStdString(check.condition()));
        QVERIFY2(!check.name.empty() && !check.source.empty(), qPrintable(found));
        if (isRed(experiment.name, check.name)) {
            QVERIFY2(check.verdict() == Verdict::Failed && !check.remark.empty(), qPrintable(found));
        } else {
            QVERIFY2(check.verdict() != Verdict::Failed, qPrintable(found));
        }
        QVERIFY2(check.verdict() != Verdict::Skipped || !check.missing.empty(), qPrintable(found));
    }
}

}  // namespace tof::test
