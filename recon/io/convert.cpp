// SPDX-License-Identifier: Apache-2.0
#include "recon/io/convert.h"

#include <fmt/format.h>

#include "recon/base/error.h"
#include "recon/io/castor/castor_lines.h"
#include "recon/io/file_kind.h"
#include "recon/io/hdf5/line_data_io.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/io/interfile/sinogram_interfile.h"
#include "recon/io/list_io.h"
#include "recon/io/volume_io.h"

namespace tof {

namespace {

bool isHdf5Name(const std::string& path) {
    return path.ends_with(".h5") || path.ends_with(".hdf5");
}

bool isCastorName(const std::string& path) {
    return path.ends_with(".cdh");
}

void requireHdf5(const std::string& out, const char* what) {
    if (!isHdf5Name(out)) {
        throw WrongUse(fmt::format("'{}': {} are written as .h5 only", out, what));
    }
}

std::string convertInterfile(const std::string& in, const std::string& out) {
    requireHdf5(out, "sinograms of Interfile");
    const InterfileSinograms file = readInterfileSinograms(in);
    writeSinogramData(out, file.data);
    return file.negativeBins == 0 ? ""
                                  : fmt::format("{} bins below zero, {:g} in all, became zero",
                                                file.negativeBins, file.negativeSum);
}

/// Sinograms and lines of HDF5 to the formats of others.
std::string convertSinograms(const std::string& in, const std::string& out) {
    const bool sinograms = isSinogramData(in);
    if (isCastorName(out)) {
        return sinograms ? writeCastor(out, readSinogramData(in)) : writeCastor(out, readLineData(in));
    }
    if (!sinograms) {
        throw WrongUse(fmt::format("'{}': lines of response of HDF5 are written as .cdh only", out));
    }
    if (!out.ends_with(".hs")) {
        throw WrongUse(fmt::format("'{}': sinograms of HDF5 are written as .hs or .cdh only", out));
    }
    const SinogramData data = readSinogramData(in);
    writeInterfileSinograms(out, data);
    return data.mult.empty() && data.add.empty() ? "" : "Interfile takes the counts alone";
}

std::string convertList(const std::string& in, const std::string& out, const ConvertOptions& options) {
    if (!isHdf5Name(out) && !isCastorName(out)) {
        throw WrongUse(fmt::format("'{}': list-mode is written as .h5 or .cdh only", out));
    }
    const ListReadResult list = readEvents(in, {options.partial, options.scannerFile});
    if (isHdf5Name(out)) {
        writeEvents(out, list.events);
        return list.note;
    }
    const std::string note = writeCastor(out, list.events);
    return list.note.empty() || note.empty() ? list.note + note : list.note + "; " + note;
}

}  // namespace

std::string convertFile(const std::string& in, const std::string& out, const ConvertOptions& options) {
    if (isInterfileSinograms(in)) {
        return convertInterfile(in, out);
    }
    if (isSinogramData(in) || isLineData(in)) {
        return convertSinograms(in, out);
    }
    if (isCastorHistogram(in)) {
        requireHdf5(out, "histograms of CASToR");
        const CastorLines lines = readCastorLines(in, options.scannerFile);
        writeLineData(out, lines.data);
        return lines.note;
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
        case FileKind::List: return convertList(in, out, options);
        case FileKind::Unknown:
            throw BadInput(fmt::format("{}: holds nothing that can be converted; make or copy it again", in));
        case FileKind::Data:
        case FileKind::Study: break;
    }
    throw WrongUse(fmt::format(
        "{}: only volumes, runs, checkpoints, list-mode, sinograms and lines can be converted", in));
}

}  // namespace tof
