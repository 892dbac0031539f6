// SPDX-License-Identifier: Apache-2.0
#include "recon/work/correct.h"

#include "recon/corrections/part_flow.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/parts_io.h"

namespace tof {

Corrected correctData(PartedCorrections& data, const std::string& source, const CorrectRequest& request,
                      const ThreadPool& pool, WorkProgress& progress, const CorrectionParts& found,
                      const FormTable& forms) {
    return PartFlow(data.data, source, request, pool, progress, data.parts, found)
        .run(forms.named(data.form).corrections);
}

void sumScatterBy(const Engine& engine, CorrectRequest& request) {
    if (const auto* const theirs = engine.offers<SumsScatter>()) {
        request.scatterSettings.simulation.sum = theirs->scatterSums(0);
    }
}

PartedCorrections readPartedCorrections(const std::string& path) {
    const RecognisedFile file = recognise(path);
    return {file.form(), file.readData().data, partsOfFile(path)};
}

}  // namespace tof
