// SPDX-License-Identifier: Apache-2.0
#include "recon/io/hdf5/parts_io.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "recon/base/error.h"
#include "recon/base/first_where.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/io/hdf5/data_io.h"
#include "recon/io/hdf5/hdf5_file.h"
#include "recon/io/hdf5/measured_io.h"
#include "recon/io/hdf5/volume_hdf5.h"

namespace tof {

namespace {

constexpr const char* kParts = "/corrections/parts";
constexpr std::size_t kMostParts = 32;

std::string datasetOf(PartName name) {
    return std::string(kParts) + "/" + partText(name);
}

/// Where the factors of crystals are that a part is made of.
std::string crystalsOf(PartName name) {
    return datasetOf(name) + "_crystals";
}

/// What names the file of a part among its figures.
const char* fromKey(PartName name) {
    switch (name) {
        case PartName::Attenuation: return "mu";
        case PartName::Efficiencies: return "norm";
        case PartName::Delayeds: return "delayeds";
        case PartName::Singles: return "singles";
        default: return "from";
    }
}

/// The numbers among a part's figures, in the order in which files have them.
using Figure = std::optional<double> PartFigures::*;
constexpr std::pair<const char*, Figure> kFigures[] = {{"efficiency_sd", &PartFigures::efficiencySd},
                                                       {"alive", &PartFigures::alive},
                                                       {"randoms", &PartFigures::randoms},
                                                       {"scatter", &PartFigures::scatter},
                                                       {"single_scatter", &PartFigures::singleScatter},
                                                       {"scatter_scale", &PartFigures::scatterScale}};

/// Nothing of a text that is none of ours.
PartFigures figuresOf(PartName name, const std::string& text) {
    const auto json = tryOrderedJson(text);
    PartFigures figures;
    if (!json.is_object()) {
        return figures;
    }
    if (const auto from = json.find(fromKey(name)); from != json.end() && from->is_string()) {
        figures.from = from->get<std::string>();
    }
    for (const auto& [key, figure] : kFigures) {
        if (const auto value = json.find(key); value != json.end() && value->is_number()) {
            figures.*figure = value->get<double>();
        }
    }
    return figures;
}

/// The lattice of a part that is a volume.
std::optional<Lattice> latticeOf(const h5::Reader& file, const std::string& dataset) {
    if (!file.numbers(dataset, "spacing_mm", 3)) {
        return std::nullopt;
    }
    if (file.shape(dataset).size() != 3) {
        throw BadInput("{}: '{}' must be [z][y][x]; make the file again", file.path(), dataset);
    }
    return readLattice(file, dataset);
}

/// Empty where the file has none.
std::vector<float> readCrystals(const h5::Reader& file, PartName name) {
    const std::string dataset = crystalsOf(name);
    if (!file.has(dataset)) {
        return {};
    }
    std::vector<float> crystals = file.read<float>(dataset, file.shape(dataset));
    requireWeights(file, dataset.c_str(), crystals, "make the file again");
    return crystals;
}

CorrectionParts read(const h5::Reader& file, bool values) {
    CorrectionParts parts;
    if (!file.has(kParts)) {
        return parts;
    }
    for (const std::string& child : file.children(kParts, kMostParts)) {
        const std::optional<PartName> name = partNamed(child);
        if (!name) {
            continue;
        }
        const std::string dataset = datasetOf(*name);
        CorrectionPart part;
        part.name = *name;
        part.key = file.textAttribute(dataset, "key").value_or("");
        part.on = file.whole(dataset, "on").value_or(0) != 0;
        part.figures = figuresOf(*name, file.textAttribute(dataset, "figures").value_or(""));
        part.lattice = latticeOf(file, dataset);
        if (values) {
            part.values = readPart(file, *name);
            part.crystals = readCrystals(file, *name);
        }
        parts.list.push_back(std::move(part));
    }
    return parts;
}

/// Arrays of the file that a part may be equal to: it becomes a second name of theirs.
using Written = std::vector<std::pair<const char*, const std::vector<float>*>>;

/// Whether two arrays hold the same values; those of histo-images are hundreds of MB.
bool same(const std::vector<float>& one, const std::vector<float>& other, const ThreadPool& pool) {
    return one.size() == other.size() &&
           firstWhere(pool, one.size(), [&](std::size_t i) { return one[i] != other[i]; }) == one.size();
}

/// Parts of `shape`; those of lists, without one, are columns of their own lengths.
void write(h5::Writer& file, const CorrectionParts& parts, const h5::Shape& shape, const Written& written) {
    if (parts.list.empty()) {
        return;
    }
    file.group(kParts);
    const ThreadPool pool = file.pool();
    for (const CorrectionPart& part : parts.list) {
        const std::string dataset = datasetOf(part.name);
        const auto known = std::find_if(written.begin(), written.end(), [&](const auto& array) {
            return same(*array.second, part.values, pool);
        });
        if (known != written.end()) {
            file.link(known->first, dataset);
        } else if (part.lattice) {
            writeVolumeDataset(file, dataset, *part.lattice, part.values, "1/mm");
        } else {
            const h5::Shape own = shape.empty() ? h5::Shape{part.values.size()} : shape;
            writeArrays(file, own, {{dataset.c_str(), &part.values}});
        }
        if (!part.crystals.empty()) {
            file.write(crystalsOf(part.name), {part.crystals.size()}, part.crystals.data());
        }
        file.attribute(dataset, "key", part.key);
        file.attribute(dataset, "on", static_cast<std::uint64_t>(part.on));
        file.attribute(dataset, "figures", jsonText(figuresJson(part)));
    }
}

}  // namespace

nlohmann::ordered_json figuresJson(const CorrectionPart& part) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    if (!part.figures.from.empty()) {
        json[fromKey(part.name)] = part.figures.from;
    }
    for (const auto& [key, figure] : kFigures) {
        if (const std::optional<double>& value = part.figures.*figure) {
            json[key] = *value;
        }
    }
    return json;
}

std::vector<float> readPart(const h5::Reader& file, PartName name) {
    const std::string dataset = datasetOf(name);
    std::vector<float> values = file.read<float>(dataset, file.shape(dataset));
    requireWeights(file, dataset.c_str(), values, "make the file again");
    return values;
}

CorrectionParts readParts(const h5::Reader& file) {
    return read(file, true);
}

CorrectionParts outlineOfParts(const h5::Reader& file) {
    return read(file, false);
}

CorrectionParts partsOfFile(const std::string& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        return {};
    }
    try {
        return readParts(h5::Reader(path));
    } catch (const BadInput&) {
        return {};
    }
}

void writeMeasured(const Destination& to, const MeasuredData& data, const CorrectionParts& parts) {
    struct WriteMeasured {
        const Destination& to;
        const CorrectionParts& parts;
        void operator()(const HistoData& histo) const {
            const Lattice& lattice = histo.lattice;
            h5::Shape shape{histo.views.size()};
            for (const std::size_t k : {2U, 1U, 0U}) {
                shape.push_back(static_cast<std::uint64_t>(lattice.size[k]));
            }
            writeData(to, histo, [&](h5::Writer& file) {
                write(file, parts, shape,
                      {{"/corrections/eff", &histo.mult}, {"/corrections/att", &histo.att}});
            });
        }
        void operator()(const SinogramData& sinograms) const {
            const Michelogram& m = *sinograms.michelogram;
            writeSinogramData(to, sinograms, [&](h5::Writer& file) {
                write(file, parts,
                      {static_cast<std::uint64_t>(m.angles()), m.sinograms().size(),
                       static_cast<std::uint64_t>(m.radialBins()), static_cast<std::uint64_t>(m.timeBins())},
                      {});
            });
        }
        void operator()(const LineData& lines) const {
            const CorrectionPart* const mu = parts.find(PartName::Attenuation);
            const bool same = mu != nullptr && lines.attenuation && mu->lattice == lines.attenuation->lattice;
            const Written written =
                same ? Written{{"/corrections/attenuation", &lines.attenuation->data}} : Written();
            writeLineData(to, lines, [&](h5::Writer& file) { write(file, parts, {}, written); });
        }
        void operator()(const PanelData& panel) const { writePanelData(to, panel); }
        void operator()(const OtherData& /*other*/) const {
            throw CannotWrite(to.path + ": data of this form have no place in files");
        }
    };
    std::visit(WriteMeasured{to, parts}, data);
}

}  // namespace tof
