// SPDX-License-Identifier: Apache-2.0
#include "recon/io/convert.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/format/notes.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/gaussian_filter.h"

namespace tof {

namespace {

bool isHdf5Name(const std::string& path) {
    return path.ends_with(".h5") || path.ends_with(".hdf5");
}

void requireHdf5(const std::string& out, const std::string& what) {
    if (!isHdf5Name(out)) {
        throw WrongUse("'{}': {} are written as .h5 only", out, what);
    }
}

/// Refuses what has no form under the name `out`. HDF5 is what others are converted to and from.
void requireDataForm(const RecognisedFile& in, const std::string& out) {
    if (!in.isOwn()) {
        const char* const what = in.form() == "sinogram" ? "sinograms" : "histograms";
        return requireHdf5(out, fmt::format("{} of {}", what, in.formatName()));
    }
    if (out.ends_with(".cdh")) {
        return;
    }
    if (in.form() == "panel") {
        throw WrongUse("'{}': lines of two panels of HDF5 are written as .cdh only", out);
    }
    if (in.form() == "lors") {
        throw WrongUse("'{}': lines of response of HDF5 are written as .cdh only", out);
    }
    if (!out.ends_with(".hs")) {
        throw WrongUse("'{}': sinograms of HDF5 are written as .hs or .cdh only", out);
    }
}

std::string convertData(const RecognisedFile& in, const std::string& out, const ConvertOptions& options,
                        const FormatTable& formats) {
    requireDataForm(in, out);
    const bool foreign = in.foreignBins() == ForeignBins::Imported;
    if (!foreign &&
        (options.sinograms.corrects() || options.sinograms.size || options.sinograms.spacing_mm)) {
        throw WrongUse(
            "{}: corrections, --grid and --voxel are for sinograms of Interfile; other data bring their own",
            in.path());
    }
    SinogramImport import = options.sinograms;
    import.read.frame = options.volume.frame;
    const DataReadResult read =
        foreign ? importSinograms(in.path(), import) : in.readData(options.scannerFile);
    return joinedNotes(read.note, formats.writer(&Format::data, out)->write(out, read.data));
}

std::string convertList(const RecognisedFile& in, const std::string& out, const ConvertOptions& options,
                        const FormatTable& formats) {
    const FileWriter<EventList>* const writer = formats.writer(&Format::events, out);
    if (writer == nullptr) {
        throw WrongUse("'{}': list-mode is written as .h5, .cdh or .petsird only", out);
    }
    const ListReadResult list = in.readEvents({options.partial, options.scannerFile});
    return joinedNotes(list.note, writer->write(out, list.events));
}

Volume filtered(const Volume& volume, const ConvertOptions& options) {
    return options.filter_mm > 0 ? gaussianFiltered(volume, options.filter_mm, ThreadPool()) : volume;
}

/// Where no frame is asked for and the file says the times of several, all of them.
std::string convertVolume(const RecognisedFile& in, const std::string& out, const ConvertOptions& options,
                          const FormatTable& formats) {
    if (options.volume.frame == 0 && in.holdsFrames() &&
        formats.writer(&Format::dynamicImages, out) != nullptr) {
        DynamicReadResult read = in.readDynamicImage(options.volume);
        for (std::vector<float>& values : read.image.values) {
            Volume one(read.image.lattice);
            one.data = std::move(values);
            values = filtered(one, options).data;
        }
        return joinedNotes(read.note, writeDynamicImage(out, read.image));
    }
    const VolumeReadResult read = in.readVolumeResult(options.volume);
    return joinedNotes(read.note, writeVolume(out, filtered(read.volume, options), formats));
}

}  // namespace

std::string convertFile(const std::string& in, const std::string& out, const ConvertOptions& options) {
    return convertFile(in, out, options, builtInFormats());
}

std::string convertFile(const std::string& in, const std::string& out, const ConvertOptions& options,
                        const FormatTable& formats) {
    const RecognisedFile file = formats.recognise(in);
    const std::string form = file.form();
    if (!form.empty() && form != "histo") {
        return convertData(file, out, options, formats);
    }
    const FileKind kind = file.kind();
    if (kind == FileKind::List && options.filter_mm > 0) {
        throw WrongUse("{}: is list-mode; --filter-mm is for volumes and runs", in);
    }
    if (kind != FileKind::Run && options.iteration != 0) {
        throw WrongUse("{}: is not a run file, so it has no iteration {}", in, options.iteration);
    }
    switch (kind) {
        case FileKind::Volume:
        case FileKind::Checkpoint: return convertVolume(file, out, options, formats);
        case FileKind::Run:
            return writeVolume(
                out,
                filtered(options.iteration > 0 ? readIterate(in, options.iteration) : file.readVolume(),
                         options),
                formats);
        case FileKind::List: return convertList(file, out, options, formats);
        case FileKind::Unknown: static_cast<void>(file.infoJson()); break;  // says what it probably is
        case FileKind::Data:
        case FileKind::Study: break;
    }
    throw WrongUse("{}: only volumes, runs, checkpoints, list-mode, sinograms and lines can be converted",
                   in);
}

}  // namespace tof
