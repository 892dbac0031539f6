// SPDX-License-Identifier: Apache-2.0
#include "recon/io/convert.h"

#include <fmt/format.h>

#include "recon/core/error.h"
#include "recon/io/file_kind.h"
#include "recon/io/list_io.h"
#include "recon/io/run_io.h"
#include "recon/io/volume_io.h"

namespace tof {

namespace {

bool isHdf5Name(const std::string& path) {
    return path.ends_with(".h5") || path.ends_with(".hdf5");
}

}  // namespace

std::string convertFile(const std::string& in, const std::string& out, const ConvertOptions& options) {
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
