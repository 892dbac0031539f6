// SPDX-License-Identifier: Apache-2.0
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "app/python/arrays.h"
#include "app/python/program.h"
#include "app/python/values.h"
#include "recon/base/error.h"
#include "recon/io/bytes/named_file.h"
#include "recon/io/format_table.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/work/open.h"
#include "recon/work/read_measurement.h"

namespace tof::python {

namespace py = pybind11;

namespace {

using Triple = std::array<double, 3>;

/// A dynamic image.
struct DynamicValues {
    DynamicImage image;
    std::string note;
};

/// List-mode.
struct Events {
    EventList list;
    std::string note;
};

Triple asTriple(Vec3 p) {
    return {p.x, p.y, p.z};
}

Image imageOf(Volume volume) {
    return {std::make_shared<const Volume>(std::move(volume))};
}

Image imageFrom(const py::object& array, const Triple& spacing_mm, const std::optional<Triple>& origin_mm,
                const std::string& units) {
    const GivenFloats values = floatsToRead(array);
    if (values.shape.size() != 3 || values.device) {
        throw WrongUse("an image is made of an array [z][y][x] in memory of this machine");
    }
    const auto side = [&](std::size_t axis) { return static_cast<int>(values.shape[axis]); };
    Volume volume(Lattice::centred({side(2), side(1), side(0)}, spacing_mm));
    if (origin_mm) {
        volume.lattice.origin_mm = {(*origin_mm)[0], (*origin_mm)[1], (*origin_mm)[2]};
    }
    std::copy_n(values.data, values.size, volume.data.begin());
    volume.units = units;
    return imageOf(std::move(volume));
}

/// The memory of a member of a kept list.
template <typename T, typename Value>
py::object column(const std::shared_ptr<Events>& events, const std::vector<Value>& values, Shape shape) {
    return values.empty() ? py::object(py::none())
                          : py::object(readOnly(reinterpret_cast<const T*>(values.data()), shape, events));
}

py::object timesOf(const std::vector<TimeFrame>& frames, double TimeFrame::*member) {
    std::vector<double> values(frames.size());
    std::transform(frames.begin(), frames.end(), values.begin(),
                   [member](const TimeFrame& frame) { return frame.*member; });
    return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

py::array framesOf(const std::shared_ptr<DynamicValues>& dynamic) {
    const auto& size = dynamic->image.lattice.size;
    const auto voxels = static_cast<py::ssize_t>(dynamic->image.lattice.voxels());
    py::array_t<float> all({static_cast<py::ssize_t>(dynamic->image.values.size()), py::ssize_t{size[2]},
                            py::ssize_t{size[1]}, py::ssize_t{size[0]}});
    float* out = all.mutable_data();
    for (const std::vector<float>& frame : dynamic->image.values) {
        out = std::copy_n(frame.begin(), voxels, out);
    }
    return all;
}

/// What was assumed or done when it was read, a sentence each.
template <typename Read>
std::vector<std::string> notesOf(const Read& read) {
    return read.note.empty() ? std::vector<std::string>() : std::vector<std::string>{read.note};
}

const Lattice& latticeOf(const Image& image) {
    return image.volume->lattice;
}
const Lattice& latticeOf(const DynamicValues& dynamic) {
    return dynamic.image.lattice;
}
const Lattice& latticeOf(const Data& data) {
    return data.measured->lattice();
}

/// Where the voxels of a class lie.
template <typename Placed, typename... Options>
void bindPlace(py::class_<Placed, Options...>& bound) {
    bound
        .def_property_readonly(
            "spacing_mm", [](const Placed& self) { return latticeOf(self).spacing_mm; },
            "Edges of a voxel along x, y, z in mm.")
        .def_property_readonly(
            "origin_mm", [](const Placed& self) { return asTriple(latticeOf(self).origin_mm); },
            "Centre of voxel [0][0][0]: x, y, z in mm.");
}

/// What the settings of a file are read with.
VolumeReadOptions choiceOf(int frame, const std::string& series, const std::string& suv,
                           const std::string& units) {
    VolumeReadOptions options;
    options.frame = frame;
    options.series = series;
    options.suv = !suv.empty();
    options.suvBody = suv.empty() ? SuvBody::Weight : suvBodyFromName(suv);
    options.units = units;
    options.choiceBy = ChoiceBy::Options;
    return options;
}

py::object openVolume(const RecognisedFile& file, const VolumeReadOptions& choice) {
    if (file.holdsFrames() && choice.frame == 0) {
        auto dynamic = std::make_shared<DynamicValues>();
        unlocked([&] {
            DynamicReadResult read = file.readDynamicImage(choice);
            dynamic->image = std::move(read.image);
            dynamic->note = std::move(read.note);
        });
        return py::cast(dynamic);
    }
    return py::cast(unlocked([&] {
        VolumeReadResult read = file.readVolumeResult(choice);
        Image image = imageOf(std::move(read.volume));
        image.name = std::move(read.name);
        if (!read.note.empty()) {
            image.notes.push_back(std::move(read.note));
        }
        return image;
    }));
}

py::object openEvents(const RecognisedFile& file, const std::string& scanner) {
    auto events = std::make_shared<Events>();
    unlocked([&] {
        ListReadOptions options;
        options.scannerFile = scanner;
        ListReadResult read = file.readEvents(options);
        events->list = std::move(read.events);
        events->note = std::move(read.note);
    });
    return py::cast(events);
}

py::object open(const std::string& path, int frame, const std::string& series, const std::string& suv,
                const std::string& units, const std::string& scanner) {
    const RecognisedFile file = unlocked([&] { return recognise(path); });
    const VolumeReadOptions choice = choiceOf(frame, series, suv, units);
    switch (file.kind()) {
        case FileKind::Study: return py::cast(Study::open(path));
        case FileKind::Data: {
            Data data;
            data.measured = unlocked([&] { return readMeasurement(path, data.note, throwIfInterrupted); });
            return py::cast(data);
        }
        case FileKind::List: return openEvents(file, scanner);
        case FileKind::Run: return py::cast(unlocked([&] { return describeRun(path); }));
        case FileKind::Volume: return openVolume(file, choice);
        case FileKind::Checkpoint: {
            return py::cast(Image{readCheckpoint(path).image});
        }
        case FileKind::Unknown: break;
    }
    file.requireKnown();
    throw BadInput("{}: this file is of no known format", path);
}

void bindImages(py::module_& module) {
    py::class_<Image> image(
        module, "Image",
        "A scalar image on a regular lattice. Index order is [z][y][x]; mm are the scanner's: x to "
        "the left of a patient on the back, y to the back, z to the head where a file says how a "
        "patient lies (LPS).");
    bindPlace(image);
    image
        .def(py::init(&imageFrom), py::arg("array"), py::arg("spacing_mm"), py::arg("origin_mm") = py::none(),
             py::arg("units") = "")
        .def_property_readonly(
            "array", [](const Image& self) { return arrayOf(self.volume); },
            "The values, float32 [z][y][x], without a copy; they cannot be written.")
        .def_property_readonly(
            "units", [](const Image& self) { return self.volume->units; },
            "Units of the values, 'Bq/ml' or 'emissions/voxel' say; empty: unknown.")
        .def_property_readonly("name", [](const Image& self) { return self.name; })
        .def_property_readonly(
            "notes", [](const Image& self) { return self.notes; },
            "What was assumed or done when the file was read, a sentence each.")
        .def(
            "save",
            [](const Image& self, const std::string& path) {
                return unlocked([&] { return writeVolume({path, throwIfInterrupted}, *self.volume); });
            },
            py::arg("path"),
            "Writes .h5, .nii, .nii.gz, .hv or .dicom (a folder). Returns what the format cannot keep, a "
            "sentence or ''.");
    py::class_<DynamicValues, std::shared_ptr<DynamicValues>> dynamic(
        module, "DynamicImage", "The frames of one scan, [frame][z][y][x].");
    bindPlace(dynamic);
    dynamic.def_property_readonly("array", &framesOf, "The values, float32 [frame][z][y][x], a copy.")
        .def(
            "frame",
            [](const std::shared_ptr<DynamicValues>& self, std::size_t index) {
                if (index >= self->image.values.size()) {
                    throw py::index_error("frames are numbered from 0");
                }
                const auto& size = self->image.lattice.size;
                return readOnly(self->image.values[index].data(), {size[2], size[1], size[0]}, self);
            },
            py::arg("index"), "One frame from 0, [z][y][x], without a copy.")
        .def_property_readonly(
            "start_s",
            [](const DynamicValues& self) { return timesOf(self.image.frames, &TimeFrame::start_s); },
            "When each frame began, s after the time zero of the file.")
        .def_property_readonly(
            "duration_s",
            [](const DynamicValues& self) { return timesOf(self.image.frames, &TimeFrame::duration_s); })
        .def_property_readonly("units", [](const DynamicValues& self) { return self.image.units; })
        .def_property_readonly(
            "half_life_s", [](const DynamicValues& self) { return self.image.halfLife_s; },
            "Half life of the nuclide; 0: the file does not say.")
        .def_property_readonly(
            "decay_corrected",
            [](const DynamicValues& self) -> std::optional<bool> {
                if (self.image.decay == DecayCorrection::Unknown) {
                    return std::nullopt;
                }
                return self.image.decay == DecayCorrection::Applied;
            },
            "Whether values are corrected for decay; None: the file does not say.")
        .def_property_readonly("notes", &notesOf<DynamicValues>);
}

void bindEvents(py::module_& module) {
    using Kept = const std::shared_ptr<Events>&;
    py::class_<Events, std::shared_ptr<Events>>(
        module, "Events",
        "List-mode: columns of equal length, without a copy. A column "
        "that the file does not have is None.")
        .def("__len__", [](const Events& self) { return self.list.size(); })
        .def_property_readonly(
            "crystals",
            [](Kept self) {
                return column<std::uint32_t>(self, self->list.crystals,
                                             {static_cast<py::ssize_t>(self->list.size()), 2});
            },
            "Numbers of the two crystals, uint32 [event][2].")
        .def_property_readonly(
            "dt_ps",
            [](Kept self) {
                return column<float>(self, self->list.dt_ps,
                                     {static_cast<py::ssize_t>(self->list.dt_ps.size())});
            },
            "t1 - t2 in ps: positive where the emission was nearer crystal 2.")
        .def_property_readonly(
            "time_ms",
            [](Kept self) {
                return column<std::uint32_t>(self, self->list.time_ms,
                                             {static_cast<py::ssize_t>(self->list.time_ms.size())});
            },
            "ms since the start of the scan.")
        .def_property_readonly(
            "kind",
            [](Kept self) {
                return column<std::uint8_t>(self, self->list.kind,
                                            {static_cast<py::ssize_t>(self->list.kind.size())});
            },
            "Of simulations: 0 true, 1 scattered, 2 random.")
        .def_property_readonly(
            "energy_keV",
            [](Kept self) {
                return column<float>(self, self->list.energy_keV,
                                     {static_cast<py::ssize_t>(self->list.energy_keV.size()), 2});
            },
            "Energies measured, [event][2].")
        .def_property_readonly(
            "duration_s", [](const Events& self) { return self.list.duration_s; },
            "How long was measured; 0: the file does not say.")
        .def_property_readonly(
            "scanner", [](const Events& self) { return self.list.scannerJson.json(); },
            "Description of the scanner, JSON.")
        .def_property_readonly("notes", &notesOf<Events>);
}

void bindData(py::module_& module) {
    py::class_<Data> data(module, "Data", "Measured data that can be reconstructed.");
    bindPlace(data);
    data.def_property_readonly(
            "kind", [](const Data& self) { return self.measured->kind(); },
            "'histo-images', 'sinograms', 'lines' or 'panel'.")
        .def_property_readonly("system", [](const Data& self) { return self.measured->system(); })
        .def_property_readonly(
            "image_shape",
            [](const Data& self) {
                const auto& size = self.measured->lattice().size;
                return py::make_tuple(size[2], size[1], size[0]);
            },
            "Shape of the image, [z][y][x].")
        .def_property_readonly(
            "counts", [](const Data& self) { return unlocked([&] { return self.measured->counts(); }); },
            "Counts that the data hold.")
        .def_property_readonly("duration_s", [](const Data& self) { return self.measured->duration_s(); })
        .def_property_readonly(
            "units", [](const Data& self) { return self.measured->units(); },
            "Units of images made from the data.")
        .def_property_readonly("phantom", [](const Data& self) { return self.measured->phantom(); })
        .def_property_readonly("scanner",
                               [](const Data& self) { return self.measured->scannerJson().json(); })
        .def_property_readonly("hash", [](const Data& self) { return self.measured->hash(); })
        .def_property_readonly(
            "views",
            [](const Data& self) {
                std::size_t views = 0;
                for (const auto& view : self.measured->layout().views) {
                    views += view.has_value() ? 1 : 0;
                }
                return views;
            },
            "How many views there are to look at.")
        .def(
            "view",
            [](const Data& self, std::size_t view, const std::string& quantity) {
                Image image =
                    unlocked([&] { return imageOf(self.measured->view(view, quantityFromName(quantity))); });
                return image;
            },
            py::arg("view"), py::arg("quantity") = "counts", "One view: 'counts', 'mult', 'add' or 'att'.")
        .def_property_readonly("notes", &notesOf<Data>);
}

void bindStudies(py::module_& module) {
    py::class_<StoredRun>(module, "StoredRun", "A run on disk.")
        .def_readonly("file", &StoredRun::file)
        .def_property_readonly(
            "settings", [](const StoredRun& self) { return self.made.settings.toJson(); },
            "Its settings, JSON.")
        .def_property_readonly("iterations",
                               [](const StoredRun& self) {
                                   std::vector<int> all;
                                   for (const StoredIterate& iterate : self.summary.iterates) {
                                       all.push_back(iterate.iteration);
                                   }
                                   return all;
                               })
        .def_property_readonly(
            "saved", [](const StoredRun& self) { return self.summary.savedImages; },
            "Iterations whose image is in the file.")
        .def_property_readonly(
            "metrics", [](const StoredRun& self) { return self.summary.metricsJson; },
            "Figures of merit by iteration, JSON as 'analyze' prints it, or ''.")
        .def(
            "image",
            [](const StoredRun& self, int iteration) {
                return unlocked([&] {
                    const int which = iteration > 0                      ? iteration
                                      : self.summary.savedImages.empty() ? 0
                                                                         : self.summary.savedImages.back();
                    if (which == 0) {
                        throw BadInput("{}: the run keeps no image", self.file);
                    }
                    return imageOf(readIterate(self.file, which));
                });
            },
            py::arg("iteration") = 0, "The image of an iteration; 0: the last one kept.");
    py::class_<Study>(module, "Study", "A study folder.")
        .def_property_readonly("name", &Study::name)
        .def_property_readonly("data_file", &Study::dataFile)
        .def_property_readonly("runs", &Study::runs, "Names of the runs that have a file.")
        .def(
            "run", [](const Study& self, const std::string& name) { return describeRun(self, name); },
            py::arg("name"))
        .def("data", [](const Study& self) {
            Data data;
            data.measured =
                unlocked([&] { return readMeasurement(self.dataFile(), data.note, throwIfInterrupted); });
            return data;
        });
}

}  // namespace

void bindFiles(py::module_& module) {
    bindImages(module);
    bindEvents(module);
    bindData(module);
    bindStudies(module);
    module.def("open", &open, py::arg("path"), py::arg("frame") = 0, py::arg("series") = "",
               py::arg("suv") = "", py::arg("units") = "", py::arg("scanner") = "");
    module.def(
        "allow_outside", [](const std::string& header) { allowOutside(header); }, py::arg("header"));
    module.def(
        "info", [](const std::string& path) { return unlocked([&] { return recognise(path).infoJson(); }); },
        py::arg("path"));
}

}  // namespace tof::python
