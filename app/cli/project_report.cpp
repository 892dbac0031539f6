// SPDX-License-Identifier: Apache-2.0
#include "app/cli/project_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/interrupt.h"
#include "app/cli/text_table.h"
#include "recon/base/json_text.h"
#include "recon/io/bytes/atomic_file.h"
#include "recon/io/format_table.h"

namespace tof {

namespace {

using Json = nlohmann::ordered_json;

const char* kindName(ProjectionKind kind) {
    return kind == ProjectionKind::Forward ? "forward" : "back";
}

bool isJson(const std::string& name) {
    return std::filesystem::path(name).extension() == ".json";
}

/// "image.nii.gz" and "back" give "image-back.nii.gz".
std::string labelled(const std::string& name, const std::string& label) {
    if (label.empty()) {
        return name;
    }
    const std::filesystem::path path(name);
    std::string stem = path.stem().string();
    std::string extension = path.extension().string();
    const std::filesystem::path inner(stem);
    if (extension == ".gz" && inner.extension() == ".nii") {
        extension = ".nii.gz";
        stem = inner.stem().string();
    }
    return (path.parent_path() / (stem + "-" + label + extension)).string();
}

/// Voxels that are not zero, as [x, y, z, value]: point sources leave most of a lattice empty.
Json volumeForm(const Volume& volume) {
    const Lattice& l = volume.lattice;
    Json voxels = Json::array();
    for (int z = 0; z < l.size[2]; ++z) {
        for (int y = 0; y < l.size[1]; ++y) {
            for (int x = 0; x < l.size[0]; ++x) {
                const float value = volume.at(x, y, z);
                if (value != 0) {
                    voxels.push_back({x, y, z, value});
                }
            }
        }
    }
    return Json{{"grid", l.size},
                {"spacing_mm", l.spacing_mm},
                {"origin_mm", {l.origin_mm.x, l.origin_mm.y, l.origin_mm.z}},
                {"voxels", voxels}};
}

Json timingForm(const StrategyTiming& t) {
    Json form{{"engine", t.engine}, {"strategy", t.strategy}, {"operation", kindName(t.kind)}};
    if (t.whyNot.empty()) {
        form.update({{"median_ms", t.median_ms}, {"min_ms", t.min_ms}, {"runs", t.runs}});
        if (!t.note.empty()) {
            form["note"] = t.note;
        }
    } else {
        form["why_not"] = t.whyNot;
    }
    return form;
}

/// `where` is "cpu, column", or an engine without strategies.
std::pair<std::string, std::string> engineAndStrategy(const std::string& where) {
    const std::size_t comma = where.find(", ");
    return comma == std::string::npos ? std::pair(where, std::string())
                                      : std::pair(where.substr(0, comma), where.substr(comma + 2));
}

Json projectionItem(const MadeProjection& p) {
    const auto [engine, strategy] = engineAndStrategy(p.made.where);
    Json form{{"operation", kindName(p.kind)},
              {"engine", engine},
              {"strategy", strategy},
              {"device", p.device},
              {"projection_ms", p.project_ms()},
              {"prepare_ms", p.made.prepare_ms}};
    if (!p.label.empty()) {
        form["label"] = p.label;
    }
    if (!p.made.note.empty()) {
        form["note"] = p.made.note;
    }
    if (p.timing) {
        form.update({{"min_ms", p.timing->min_ms}, {"runs", p.timing->runs}});
    }
    return form;
}

Json differenceItem(const MadeDifference& d, const ProjectionReport& report) {
    const DifferenceFigures& f = d.figures;
    return Json{{"label", d.label},
                {"first", report.projections[d.first].label},
                {"second", report.projections[d.second].label},
                {"identical", f.identical},
                {"largest", f.largest},
                {"where_mm", {f.where_mm.x, f.where_mm.y, f.where_mm.z}},
                {"rms", f.rms},
                {"relative_rms", f.relativeRms},
                {"mean", f.mean},
                {"percentile_999", f.percentile999},
                {"peak", d.peak}};
}

Json itemsOf(const ProjectionReport& report, bool withVolumes) {
    Json projections = Json::array();
    for (const MadeProjection& p : report.projections) {
        projections.push_back(projectionItem(p));
        if (withVolumes) {
            projections.back()["volume"] = volumeForm(*p.made.volume);
        }
    }
    Json differences = Json::array();
    for (const MadeDifference& d : report.differences) {
        differences.push_back(differenceItem(d, report));
        if (withVolumes) {
            differences.back()["volume"] = volumeForm(*d.volume);
        }
    }
    return Json{{"projections", projections}, {"differences", differences}};
}

std::string differenceText(const MadeDifference& d, const ProjectionReport& report) {
    const DifferenceFigures& f = d.figures;
    const std::string head =
        fmt::format("{} - {}: ", report.projections[d.first].label, report.projections[d.second].label);
    if (f.identical) {
        return head + "bit-identical";
    }
    const double share = d.peak > 0 ? 100 / d.peak : 0;
    return head +
           fmt::format(
               "largest |difference| {:.4g} ({:.3g} % of the peak) at ({:g}, {:g}, {:g}) mm, RMS {:.4g} "
               "({:.3g} % of the peak), relative RMS {:.3g} %",
               f.largest, share * f.largest, f.where_mm.x, f.where_mm.y, f.where_mm.z, f.rms, share * f.rms,
               100 * f.relativeRms);
}

std::string strategiesText(const std::vector<StrategyTiming>& strategies) {
    std::vector<std::vector<std::string>> rows{{"strategy", "operation", "median ms", "least ms", "runs"}};
    std::string reasons;
    for (const StrategyTiming& t : strategies) {
        const std::string name = t.strategy.empty() ? t.engine : t.engine + ", " + t.strategy;
        if (!t.note.empty() && t.kind == ProjectionKind::Forward) {
            reasons += fmt::format("\n{}: {}", name, t.note);
        }
        if (t.whyNot.empty()) {
            rows.push_back({name, kindName(t.kind), fmt::format("{:.3f}", t.median_ms),
                            fmt::format("{:.3f}", t.min_ms), fmt::format("{}", t.runs)});
        } else if (t.kind == ProjectionKind::Forward) {
            reasons += fmt::format("\n{}: {}", name, t.whyNot);
        }
    }
    return textTable(rows) + reasons;
}

}  // namespace

std::vector<std::string> projectionFiles(const ProjectionReport& report) {
    if (report.output.empty() || isJson(report.output)) {
        return report.output.empty() ? std::vector<std::string>{} : std::vector<std::string>{report.output};
    }
    std::vector<std::string> names;
    for (const MadeProjection& p : report.projections) {
        names.push_back(labelled(report.output, p.label));
    }
    for (const MadeDifference& d : report.differences) {
        names.push_back(labelled(report.output, d.label));
    }
    return names;
}

void writeProjections(ProjectionReport& report) {
    report.files = projectionFiles(report);
    if (report.files.empty()) {
        return;
    }
    if (isJson(report.output)) {
        writeTextAside(report.output, jsonText(itemsOf(report, true)) + "\n");
        return;
    }
    std::size_t file = 0;
    for (const MadeProjection& p : report.projections) {
        writeVolume({report.files[file++], throwIfInterrupted}, *p.made.volume);
    }
    for (const MadeDifference& d : report.differences) {
        writeVolume({report.files[file++], throwIfInterrupted}, *d.volume);
    }
}

Json projectionForm(const ProjectionReport& report) {
    // What a single projection has always said comes first, at the top.
    Json form{{"output", report.output}};
    form.update(projectionItem(report.projections.front()));
    form.erase("label");
    form["files"] = report.files;
    form.update(itemsOf(report, false));
    if (!report.strategies.empty()) {
        Json rows = Json::array();
        for (const StrategyTiming& t : report.strategies) {
            rows.push_back(timingForm(t));
        }
        form["strategies"] = rows;
    }
    if (report.adjointError) {
        form["adjoint_error"] = *report.adjointError;
    }
    return form;
}

std::string projectionText(const ProjectionReport& report) {
    std::string text;
    for (const MadeProjection& p : report.projections) {
        text += fmt::format("{}{}{} projection by {} ({}) in {:.2f} ms", text.empty() ? "" : "\n",
                            p.label.empty() ? "" : p.label + ": ", kindName(p.kind), p.made.where, p.device,
                            p.project_ms());
        if (p.timing) {
            text += fmt::format(", median of {}", p.timing->runs);
        }
        text += fmt::format("; tables and plans {:.2f} ms", p.made.prepare_ms);
        if (!p.made.note.empty()) {
            text += "; " + p.made.note;
        }
    }
    for (const MadeDifference& d : report.differences) {
        text += "\n" + differenceText(d, report);
    }
    for (const std::string& file : report.files) {
        text += "\nwrote " + file;
    }
    if (!report.strategies.empty()) {
        text += "\n\n" + strategiesText(report.strategies);
    }
    if (report.adjointError) {
        text +=
            fmt::format("\nadjoint test |<F x, y> - <x, F'y>| / |<F x, y>|: {:.1e}", *report.adjointError);
    }
    return text;
}

}  // namespace tof
