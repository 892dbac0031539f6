// SPDX-License-Identifier: Apache-2.0
#include "recon/io/convert_sinograms.h"

#include "recon/io/hdf5/sinogram_rows.h"
#include "recon/io/interfile/sinogram_stream.h"

namespace tof {

std::optional<std::string> convertSinograms(const std::string& path, const Destination& out,
                                            const SinogramImport& import) {
    SinogramReadOptions options = import.read;
    options.choiceBy = ChoiceBy::Options;
    const std::unique_ptr<SinogramStream> stream =
        import.corrects() ? nullptr : SinogramStream::open(path, options);
    if (stream == nullptr) {
        return {};
    }
    InterfileSinograms& file = stream->outline();
    file.data.lattice = importLattice(import, file.data.lattice);
    SinogramRows rows{[&](std::uint64_t first, std::span<float> bins) { stream->counts(first, bins); }};
    rows.narrow = stream->narrow();
    if (stream->weighs()) {
        rows.mult = [&](std::uint64_t first, std::span<float> bins) { stream->mult(first, bins); };
    }
    writeSinogramRows(out, file.data, rows);
    return file.note;
}

}  // namespace tof
