// SPDX-License-Identifier: Apache-2.0
#include "recon/io/convert.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/convert_sinograms.h"
#include "recon/io/format/notes.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/io/pet_export.h"
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
    import.read.factor = options.volume.factor;
    if (foreign) {
        if (const auto note = convertSinograms(in.path(), {out, options.heed}, import)) {
            return *note;
        }
    }
    const DataReadResult read =
        foreign ? importSinograms(in.path(), import) : in.readData(options.scannerFile);
    return joinedNotes(read.note, formats.writer(&Format::data, out)->write({out, options.heed}, read.data));
}

std::string convertList(const RecognisedFile& in, const std::string& out, const ConvertOptions& options,
                        const FormatTable& formats) {
    const FileWriter<EventList>* const writer = formats.writer(&Format::events, out);
    if (writer == nullptr) {
        throw WrongUse("'{}': list-mode is written as .h5, .cdh or .petsird only", out);
    }
    const ListReadResult list = in.readEvents({options.partial, options.scannerFile});
    return joinedNotes(list.note, writer->write({out, options.heed}, list.events));
}

/// The image after its filter, where it was asked to lie.
Volume changed(const Volume& volume, const ConvertOptions& options) {
    const ThreadPool pool(0, Priority::Normal, options.heed);
    return moved(options.filter_mm > 0 ? gaussianFiltered(volume, options.filter_mm, pool) : volume,
                 options.move, pool);
}

/// All frames of a dynamic image, with the dose that its file says.
std::string convertFrames(const RecognisedFile& in, const std::string& out, const ConvertOptions& options) {
    if (options.volume.suv) {
        throw WrongUse("{}: --suv is for one image; choose it with --frame, or leave --suv out", in.path());
    }
    if (options.move.straighten == Straighten::Yes) {
        throw WrongUse("{}: --straighten would turn each frame by another angle; choose one with --frame",
                       in.path());
    }
    DynamicReadResult read = in.readDynamicImage(options.volume);
    Lattice lattice;
    for (std::vector<float>& values : read.image.values) {
        Volume one(read.image.lattice);
        one.data = std::move(values);
        one.units = read.image.units;
        one = changed(one, options);
        values = std::move(one.data);
        lattice = one.lattice;
    }
    read.image.lattice = lattice;
    std::optional<Uptake> uptake = options.uptake;
    if (!uptake && keepsDose(out)) {
        VolumeReadOptions first = options.volume;
        first.frame = 1;
        uptake = in.readVolumeResult(first).uptake;
    }
    if (!uptake) {
        return joinedNotes(read.note, writeDynamicImage({out, options.heed}, read.image));
    }
    const DynamicImage& image = read.image;
    return joinedNotes(
        read.note,
        writePetExport({out, options.heed},
                       {{image, [&image](std::size_t frame) { return image.values[frame]; }}, uptake}));
}

/// Where no frame is asked for and the file says the times of several, all of them.
std::string convertVolume(const RecognisedFile& in, const std::string& out, const ConvertOptions& options,
                          const FormatTable& formats) {
    if (options.volume.frame == 0 && in.holdsFrames() &&
        formats.writer(&Format::dynamicImages, out) != nullptr) {
        return convertFrames(in, out, options);
    }
    const VolumeReadResult read = in.readVolumeResult(options.volume);
    const DecayCorrection decay =
        options.uptake && in.holdsFrames() ? in.readDynamicInfo(options.volume).decay : read.decay;
    if (options.uptake && decay == DecayCorrection::None) {
        throw WrongUse(
            "{}: its values are not corrected for decay, so that one image alone takes no dose; "
            "convert all frames, or leave dose and weight out",
            in.path());
    }
    PetExport scan;
    scan.uptake = options.uptake ? options.uptake : keepsDose(out) ? read.uptake : std::nullopt;
    if (scan.uptake && !options.uptake) {
        scan.image.info.decay = DecayCorrection::Applied;  // the file says so, or it had told no dose
    }
    return joinedNotes(read.note,
                       writeImage({out, options.heed}, changed(read.volume, options), scan, formats));
}

/// An iterate; with a dose in Bq/ml at the start of the scan.
std::string convertRun(const RecognisedFile& in, const std::string& out, const ConvertOptions& options,
                       const FormatTable& formats) {
    Volume image =
        options.iteration > 0 ? readIterate(in.path(), options.iteration, options.heed) : in.readVolume();
    PetExport scan;
    const double duration_s = readRunSummary(in.path()).totals.duration_s;
    if (duration_s > 0) {
        scan.image.info.frames = {{0, duration_s}};
    }
    if (options.uptake) {
        const double factor = bqMlPerStored(image.units, image.lattice, duration_s, *options.uptake);
        if (!(factor > 0)) {
            throw BadInput(
                "{}: its values, in '{}', are no activity per ml, or it does not say how long was measured; "
                "make a calibration, or leave dose and weight out",
                in.path(), image.units);
        }
        for (float& value : image.data) {
            value = static_cast<float>(factor * static_cast<double>(value));
        }
        image.units = "Bq/ml";
        scan.uptake = options.uptake;
        scan.image.info.decay = DecayCorrection::Applied;
    }
    return writeImage({out, options.heed}, changed(image, options), scan, formats);
}

}  // namespace

std::string writeImage(const Destination& out, const Volume& volume, const PetExport& scan,
                       const FormatTable& formats) {
    if (!scan.uptake && (scan.image.info.frames.empty() || !out.path.ends_with(".dicom"))) {
        return writeVolume(out, volume, formats);
    }
    PetExport made = scan;
    made.image.info.lattice = volume.lattice;
    made.image.info.units = volume.units;
    made.image.values = [&volume](std::size_t) { return volume.data; };
    return writePetExport(out, made);
}

std::string convertFile(const std::string& in, const std::string& out, const ConvertOptions& options) {
    return convertFile(in, out, options, builtInFormats());
}

std::string convertFile(const std::string& in, const std::string& out, const ConvertOptions& options,
                        const FormatTable& formats) {
    const RecognisedFile file = formats.recognise(in, options.heed);
    const std::string form = file.form();
    const bool holdsImage = file.kind() == FileKind::Volume || file.kind() == FileKind::Run ||
                            file.kind() == FileKind::Checkpoint;
    if (!options.move.isNone() && !holdsImage) {
        throw WrongUse(
            "{}: holds no image; --axes, --straighten, --turn, --shift, --transform and --onto are "
            "for volumes and runs",
            in);
    }
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
        case FileKind::Run: return convertRun(file, out, options, formats);
        case FileKind::List: return convertList(file, out, options, formats);
        case FileKind::Unknown: static_cast<void>(file.infoJson()); break;  // says what it probably is
        case FileKind::Data:
        case FileKind::Study: break;
    }
    throw WrongUse("{}: only volumes, runs, checkpoints, list-mode, sinograms and lines can be converted",
                   in);
}

}  // namespace tof
