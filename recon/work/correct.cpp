// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "recon/corrections/frame_shares.h"
#include "recon/corrections/part_flow.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/parts_io.h"

namespace tof {

namespace {

const CorrectionPart* takenRandoms(const CorrectionParts& parts) {
    for (const PartName name : {PartName::Delayeds, PartName::Singles}) {
        if (const CorrectionPart* const part = parts.find(name); part != nullptr && part->on) {
            return part;
        }
    }
    return nullptr;
}

/// When the delayeds of a request were, by the frames; empty where it names none, or they have no times.
std::vector<double> delayedsAsked(const FramedCounts& frames, const CorrectRequest& request,
                                  WorkProgress& progress) {
    if (request.delayeds.empty()) {
        return {};
    }
    const std::vector<std::uint32_t> time_ms = momentsOfDelayeds(request, [&progress] { progress.heed(); });
    std::vector<double> counts =
        time_ms.empty() ? std::vector<double>() : delayedsOfFrames(frames, time_ms, request.delayeds);
    constexpr double kFew = 100;  // known to a tenth
    if (const auto thin = std::find_if(counts.begin(), counts.end(), [](double n) { return n < kFew; });
        thin != counts.end()) {
        progress.note(Remark::Data,
                      fmt::format("{}: {:.0f} delayeds are in frame {}, whose randoms are known to no better "
                                  "than a tenth; all frames take the pattern of the whole scan",
                                  request.delayeds, *thin, thin - counts.begin() + 1));
    }
    return counts;
}

/// Frames get their shares of what was found for all of them.
void shareToFrames(PartedCorrections& data, const Corrected& found, const CorrectRequest& request,
                   WorkProgress& progress) {
    const auto share = [&](auto& of) {
        if constexpr (requires { of.frames; }) {
            if (of.frames == nullptr) {
                return;
            }
            CorrectionsOfScan scan;
            scan.randoms = found.result.randoms;
            scan.scatter = found.result.scatter;
            const CorrectionPart* const randoms = takenRandoms(data.parts);
            if (randoms != nullptr) {
                scan.values = std::make_shared<const std::vector<float>>(randoms->values);
            }
            if (randoms == nullptr || randoms->name == PartName::Delayeds) {
                scan.delayeds = delayedsAsked(*of.frames, request, progress);
            }
            if (const CorrectionPart* const dead = data.parts.find(PartName::DeadTime);
                dead != nullptr && dead->on) {
                scan.alive = dead->figures.alive;
            }
            of.frames = withCorrections(*of.frames, scan);
        }
    };
    std::visit(share, data.data);
}

}  // namespace

Corrected correctData(PartedCorrections& data, const std::string& source, const CorrectRequest& request,
                      const ThreadPool& pool, WorkProgress& progress, const CorrectionParts& found,
                      const FormTable& forms) {
    const Corrected corrected = PartFlow(data.data, source, request, pool, progress, data.parts, found)
                                    .run(forms.named(data.form).corrections);
    shareToFrames(data, corrected, request, progress);
    return corrected;
}

void sumScatterBy(const Engine& engine, CorrectRequest& request) {
    if (const auto* const theirs = engine.offers<SumsScatter>()) {
        request.scatterSettings.simulation.sum = theirs->scatterSums(0);
    }
}

PartedCorrections readPartedCorrections(const std::string& path, std::function<void()> heed) {
    const RecognisedFile file = recognise(path, std::move(heed));
    return {file.form(), file.readData().data, partsOfFile(path)};
}

}  // namespace tof
