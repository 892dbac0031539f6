// SPDX-License-Identifier: Apache-2.0
// Looks at every check of an experiment in the quick size.
#pragma once

#include <QTest>
#include <algorithm>
#include <any>
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

using KeptOfExperiments = std::shared_ptr<std::map<std::string, std::any>>;

/// Fails, or skips, the test that calls it.
inline void checkQuick(const std::string& name, const KeptOfExperiments& kept) {
    const EngineRegistry engines = makeEngineRegistry();
    const Experiment& experiment = findExperiment(name);
    ExperimentContext context{engines, ExperimentSize::Quick, "cpu", 0, [](const std::string&, double) {}};
    context.kept = kept;

    const ExperimentReport report = runExperiment(experiment, context);

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
