// SPDX-License-Identifier: Apache-2.0
#include "app/cli/sweep_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "app/cli/interrupt.h"
#include "app/pictures/pictures.h"
#include "recon/figure/markup.h"
#include "recon/figure/png.h"
#include "recon/io/hdf5/run_io.h"
#include "recon/metrics/robust_range.h"

namespace tof {

namespace {

constexpr const char* kStyle =
    "body{font:15px/1.45 sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#222;background:#fff}"
    "table{border-collapse:collapse;margin:1em 0}th,td{padding:.25em .7em;border-bottom:1px solid #ddd;"
    "text-align:right}th:first-child,td:first-child{text-align:left}figure{display:inline-block;margin:.5em}"
    "figcaption{font-size:13px;max-width:18em}svg{max-width:100%}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}th,td{border-color:#444}"
    "svg{background:#fff}}";

std::string number(double value) {
    return std::isfinite(value) ? fmt::format("{:.4g}", value) : std::string("-");
}

std::string table(const Sweep& sweep, const std::vector<SweepRow>& rows) {
    std::string out = "<table><tr><th>run</th>";
    for (const std::string& key : sweep.keys) {
        out += "<th>" + markupText(key) + "</th>";
    }
    out +=
        "<th>replicate</th><th>iteration</th><th>CRC</th><th>noise</th><th>NSR</th><th>seconds</th></tr>\n";
    for (const SweepRow& row : rows) {
        const SweepRun& run = sweep.runs[row.run];
        out += "<tr><td>" + markupText(run.name) + "</td>";
        for (const std::string& key : sweep.keys) {
            const auto found = std::find_if(run.varied.begin(), run.varied.end(),
                                            [&](const auto& pair) { return pair.first == key; });
            out +=
                "<td>" + (found != run.varied.end() ? markupText(found->second) : std::string("-")) + "</td>";
        }
        out += fmt::format("<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                           run.replicate > 0 ? std::to_string(run.replicate) : "-", row.iteration,
                           number(row.crc), number(row.noise), number(row.nsr), number(row.seconds));
    }
    return out + "</table>\n";
}

struct Spread {
    std::vector<double> crc;
    std::vector<double> noise;
};

/// Mean and standard deviation over replicates; empty where there are none.
std::string spreads(const Sweep& sweep, const std::vector<SweepRow>& rows) {
    std::map<std::pair<std::string, int>, Spread> found;  // by run without its replicate, and iteration
    for (const SweepRow& row : rows) {
        const SweepRun& run = sweep.runs[row.run];
        if (run.replicate > 0) {
            Spread& spread = found[{run.name.substr(0, run.name.find("-r")), row.iteration}];
            spread.crc.push_back(row.crc);
            spread.noise.push_back(row.noise);
        }
    }
    if (found.empty()) {
        return {};
    }
    const auto text = [](const std::vector<double>& values) {
        double mean = 0;
        double squares = 0;
        for (const double value : values) {
            mean += value / static_cast<double>(values.size());
        }
        for (const double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return values.size() < 2
                   ? number(mean)
                   : fmt::format("{} &plusmn; {}", number(mean),
                                 number(std::sqrt(squares / static_cast<double>(values.size() - 1))));
    };
    std::string out =
        "<h2>Over replicates</h2><p>Mean and standard deviation.</p><table><tr><th>run</th><th>iteration</th>"
        "<th>CRC</th><th>noise</th></tr>\n";
    for (const auto& [key, spread] : found) {
        out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", markupText(key.first),
                           key.second, text(spread.crc), text(spread.noise));
    }
    return out + "</table>\n";
}

/// Contrast against noise, a line per run that has figures.
std::string chart(const Sweep& sweep, const std::vector<SweepRow>& rows) {
    LineChart chart{"noise", "CRC", {}};
    for (const SweepRow& row : rows) {
        const SweepRun& run = sweep.runs[row.run];
        if (!std::isfinite(row.crc) || !std::isfinite(row.noise) || run.replicate > 0) {
            continue;
        }
        if (chart.lines.empty() || chart.lines.back().name != run.label) {
            chart.lines.push_back({run.label});
        }
        chart.lines.back().add(row.noise, row.crc);
    }
    const bool drawn = std::any_of(chart.lines.begin(), chart.lines.end(),
                                   [](const ChartLine& line) { return line.x.size() > 1; });
    return drawn ? "<h2>Contrast against noise</h2>\n" + chartSvg(chart) : std::string();
}

std::string pictures(const Sweep& sweep, const Study& study, const std::vector<SweepRow>& rows) {
    std::vector<std::pair<std::size_t, std::shared_ptr<const Volume>>> images;
    double high = 0;
    for (const SweepRow& row : rows) {
        if (!images.empty() && images.back().first == row.run) {
            continue;
        }
        const SweepRun& run = sweep.runs[row.run];
        const RunSummary summary = readRunSummary(study.runFile(run.name));
        images.emplace_back(row.run,
                            std::make_shared<const Volume>(readIterate(
                                study.runFile(run.name), summary.savedImages.back(), throwIfInterrupted)));
        high = std::max(high, robustRange(*images.back().second).high);
    }
    std::string out = "<h2>Last iterates</h2><p>The central plane, all in one tone.</p>\n";
    for (const auto& [index, image] : images) {
        const Lattice& lattice = image->lattice;
        const Vec3 centre =
            lattice.centre(VoxelIndex{lattice.size[0] / 2, lattice.size[1] / 2, lattice.size[2] / 2});
        SlicePicture slice{image, Plane::Transverse, centre, {}, std::max(1, 200 / lattice.size[0])};
        slice.tone.high = high;
        const SweepRun& run = sweep.runs[index];
        out += fmt::format(
            "<figure><img alt=\"run {0}\" src=\"data:image/png;base64,{1}\"><figcaption>{0}: "
            "{2}</figcaption></figure>\n",
            markupText(run.name), base64(pngFile(pixelsOf(slice))), markupText(run.label));
    }
    return out;
}

}  // namespace

std::string sweepPage(const Sweep& sweep, const Study& study, const std::vector<SweepRow>& rows) {
    const std::string title = markupText(std::filesystem::path(sweep.folder).stem().string());
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
        "charset=\"utf-8\"><title>{0}</title><style>{1}</style>"
        "</head><body>\n<h1>{0}</h1>\n<p>{2} of {3} runs.</p>\n{4}{5}{6}{7}</body></html>\n",
        title, kStyle,
        std::count_if(sweep.runs.begin(), sweep.runs.end(),
                      [&](const SweepRun& run) { return isDone(study, run, {}, throwIfInterrupted); }),
        sweep.runs.size(), table(sweep, rows), spreads(sweep, rows), chart(sweep, rows),
        pictures(sweep, study, rows));
}

}  // namespace tof
