// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/random_rates.h"

#include <cmath>

#include "recon/corrections/correct_inputs.h"
#include "recon/corrections/randoms_of_views.h"
#include "recon/simulate/recorded_share.h"

namespace tof {

namespace {

void scaleRates(RandomRates& found, const Scanner& scanner, const ScanSums& scan, double randoms,
                double busyPerRecorded) {
    const double left =
        partnersLeave(found.rates, scanner, scan.prompts, randoms, found.duration_s, busyPerRecorded);
    for (double& rate : found.rates) {
        rate *= std::sqrt(left);
    }
}

RandomRates ratesBySingles(const CorrectRequest& request, const CrystalSingles& singles,
                           const Scanner& scanner, const ScanSums& scan) {
    RandomRates found{PartName::Singles, ratesOfSingles(singles, scanner),
                      scan.duration_s > 0 ? scan.duration_s : singles.duration_s, request.singles};
    const double randoms = randomsAccepted(found.rates, scanner, found.duration_s);
    scaleRates(found, scanner, scan, randoms, busyPerRecorded(singles));
    return found;
}

RandomRates ratesByDelayeds(const CorrectRequest& request, const Scanner& scanner, const ScanSums& scan,
                            const ThreadPool& pool) {
    const auto list = delayedsOf(request, pool);
    const EventList& delayeds = *list;
    const double took_s = delayeds.duration_s > 0 ? delayeds.duration_s : scan.duration_s;
    RandomRates found{PartName::Delayeds, ratesOfDelayeds(delayeds, scanner, took_s, pool),
                      scan.duration_s > 0 ? scan.duration_s : took_s, request.delayeds};
    const double randoms = static_cast<double>(delayeds.size()) * found.duration_s / took_s;
    scaleRates(found, scanner, scan, randoms, 1 / recordedShare(scanner, Detector(scanner)));
    return found;
}

}  // namespace

std::vector<RandomRates> randomRates(const CorrectRequest& request, const CrystalSingles& singles,
                                     const Scanner& scanner, const ScanSums& scan, const ThreadPool& pool) {
    std::vector<RandomRates> all;
    if (!request.delayeds.empty()) {
        all.push_back(ratesByDelayeds(request, scanner, scan, pool));
    }
    if (!request.singles.empty()) {
        all.push_back(ratesBySingles(request, singles, scanner, scan));
    }
    return all;
}

}  // namespace tof
