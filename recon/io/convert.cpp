// SPDX-License-Identifier: Apache-2.0
#include "recon/io/convert.h"

#include <fmt/format.h>

#include "recon/core/error.h"
#include "recon/io/file_kind.h"
#include "recon/io/list_io.h"
#include "recon/io/ring_io.h"
#include "recon/io/run_io.h"
#include "recon/io/sinogram_interfile.h"
#include "recon/io/volume_io.h"

namespace tof {

namespace {

bool isHdf5Name(const std::string& path) {
    return path.ends_with(".h5") || path.ends_with(".hdf5");
}

/// Sinograms between Interfile and HDF5.
std::string convertSinograms(const std::string& in, const std::string& out) {
    const bool fromInterfile = isInterfileSinograms(in);
    if (fromInterfile ? !isHdf5Name(out) : !out.ends_with(".hs")) {
        throw WrongUse(fmt::format("'{}': sinograms of {} are written as {} only", out,
                                   fromInterfile ? "Interfile" : "HDF5", fromInterfile ? ".h5" : ".hs"));
    }
    if (!fromInterfile) {
        const RingData data = readRingData(in);
        writeInterfileSinograms(out, data);
        return data.mult.empty() && data.add.empty() ? "" : "Interfile takes the counts alone";
    }
    const InterfileSinograms file = readInterfileSinograms(in);
    writeRingData(out, file.data);
    return file.negativeBins == 0 ? ""
                                  : fmt::format("{} bins below zero, {:g} in all, became zero",
                                                file.negativeBins, file.negativeSum);
}

}  // namespace

std::string convertFile(const std::string& in, const std::string& out, const ConvertOptions& options) {
    if (isInterfileSinograms(in) || isRingData(in)) {
        return convertSinograms(in, out);
    }
    const FileKind kind = fileKind(in);
    if (kind != FileKind::Run && options.iteration != 0) {
        throw WrongUse(
            fmt::format("{}: is not a run file, so it has no iteration {}", in, options.iteration));
    }
    switch (kind) {
        case FileKind::Volume:
        case FileKind::Checkpoint: writeVolume(out, readVolume(in)); return "";
        case FileKind::Run:
            writeVolume(out, options.iteration > 0 ? readIterate(in, options.iteration) : readVolume(in));
            return "";
        case FileKind::List: {
            if (!isHdf5Name(out)) {
                throw WrongUse(fmt::format("'{}': list-mode is written as .h5 only", out));
            }
            const ListReadResult list = readEvents(in, {options.partial, options.scannerFile});
            writeEvents(out, list.events);
            return list.note;
        }
        case FileKind::Unknown:
            throw BadInput(fmt::format("{}: holds nothing that can be converted; make or copy it again", in));
        case FileKind::Data:
        case FileKind::Study: break;
    }
    throw WrongUse(fmt::format("{}: only volumes, runs, checkpoints and list-mode can be converted", in));
}

}  // namespace tof
