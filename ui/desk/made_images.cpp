// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/made_images.h"

#include <QFileInfo>
#include <algorithm>
#include <cmath>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "recon/metrics/figures_of_merit.h"
#include "recon/metrics/gaussian_filter.h"
#include "recon/metrics/image_math.h"
#include "recon/metrics/matched_filter.h"
#include "recon/phantom/phantom.h"
#include "recon/work/open.h"
#include "ui/desk/image_kind.h"
#include "ui/desk/task_progress.h"
#include "ui/kit/json.h"
#include "ui/kit/names.h"
#include "ui/kit/undo_step.h"

namespace tof::ui {

namespace {

constexpr std::pair<MadeImages::Kind, const char*> kMadeNames[] = {
    {MadeImages::Kind::Truth, "truth"},  {MadeImages::Kind::Attenuation, "attenuation"},
    {MadeImages::Kind::Bias, "bias"},    {MadeImages::Kind::Mean, "mean"},
    {MadeImages::Kind::Deviation, "sd"}, {MadeImages::Kind::Filtered, "filtered"}};
constexpr double kMmPerCm = 10;

/// Whether an image is beside the runs.
enum class Beside { No, Yes };

/// What an image is of; not of a filtered one, which is of what its origin is.
ImageKind kindOf(MadeImages::Kind kind) {
    constexpr ImageKind kOfMade[] = {ImageKind::Truth, ImageKind::Attenuation, ImageKind::Bias,
                                     ImageKind::Mean, ImageKind::Deviation};
    return kOfMade[static_cast<int>(kind)];
}

Volume madeOf(MadeImages::Kind kind, const std::string& phantom,
              const std::vector<std::shared_ptr<const Volume>>& images) {
    using Kind = MadeImages::Kind;
    switch (kind) {
        case Kind::Mean: return meanOf(images);
        case Kind::Deviation: return deviationOf(images);
        default: break;
    }
    const Volume& image = *images.front();
    const Phantom object = Phantom::fromNameOrText(phantom, "phantom");
    if (kind == Kind::Attenuation) {
        Volume mu = object.attenuationOn(image.lattice);
        for (float& v : mu.data) {
            v = static_cast<float>(v * kMmPerCm);
        }
        mu.units = "1/cm";
        return mu;
    }
    const Volume truth = scaledToTotal(trueActivity(object, image.lattice), image);
    return kind == Kind::Truth ? truth : biasMap(image, truth);
}

}  // namespace

MadeImages::MadeImages(const OpenStudy& study, RunList& runs, ViewModel& view, Screen& screen,
                       TaskQueue& tasks, QUndoStack& undo)
    : study_(study), runs_(runs), view_(view), screen_(screen), tasks_(tasks), undo_(undo) {}

MadeImages::Kind MadeImages::kindFromName(const QString& name) {
    return valueIn(kMadeNames, name, "no image '%1' can be made; there are %2");
}

std::string MadeImages::phantom() const {
    return study_.measurement() != nullptr ? study_.measurement()->phantom() : study_.phantom();
}

/// Whether the item is that volume of that file.
bool MadeImages::isFrom(const RunItem& item, const QString& path, const VolumeReadOptions& choice) const {
    const auto own = choices_.find(item.label());
    const VolumeReadOptions taken = own != choices_.end() ? own->second : VolumeReadOptions();
    return item.file() == path && taken.series == choice.series && taken.frame == choice.frame;
}

QStringList MadeImages::replicates() {
    QStringList letters;
    const RunItem* first = runs_.onScreen();
    for (const auto& item : runs_.items()) {
        if (first != nullptr && !item->isVolume() && item->wholeVolume() != nullptr &&
            item->lattice() == first->lattice()) {
            letters << item->label();
        }
    }
    return letters;
}

QString MadeImages::whyNot(Kind kind) {
    const RunItem* item = runs_.onScreen();
    if (item == nullptr || item->wholeVolume() == nullptr) {
        return tr("There is no image yet");
    }
    if (kind == Kind::Filtered) {
        return {};
    }
    if (kind == Kind::Mean || kind == Kind::Deviation) {
        return replicates().size() < 2 ? tr("Two runs with images on the same lattice are needed")
                                       : QString();
    }
    return phantom().empty() ? tr("The data do not say what was measured: they come from no simulation")
                             : QString();
}

void MadeImages::make(Kind kind, const QStringList& runs) {
    Recipe recipe{kind, {}, 0};
    const RunItem* shown = runs_.onScreen();
    const auto own = shown != nullptr ? made_.find(shown->label()) : made_.end();
    if (runs.isEmpty() && own != made_.end()) {  // what the image on screen was made of
        recipe.of = own->second.of;
        start(recipe, {});
        return;
    }
    const QStringList letters = runs.isEmpty() && shown != nullptr ? QStringList{shown->label()} : runs;
    const RunItem* first = nullptr;
    for (const QString& letter : letters) {
        const RunItem* item = runs_.find(letter.trimmed());
        if (item == nullptr) {
            throw WrongUse(tr("there is no run %1").arg(letter).toStdString());
        }
        first = first == nullptr ? item : first;
        if (item->wholeVolume() != nullptr && item->lattice() == first->lattice()) {
            const bool single = item->isVolume() && item->dynamic() == nullptr;
            recipe.of.push_back({item->label(), single ? 1 : item->shownIterate()});
        }
    }
    start(recipe, {});
}

void MadeImages::filter(const QString& run, double fwhm_mm) {
    constexpr double kLeast_mm = 0.1;
    constexpr double kMost_mm = 100;
    const RunItem* item = runs_.find(run);
    if (item == nullptr) {
        throw WrongUse(tr("there is no run %1").arg(run).toStdString());
    }
    if (!(fwhm_mm >= kLeast_mm && fwhm_mm <= kMost_mm)) {
        throw WrongUse(tr("the width of a filter is between 0.1 and 100 mm").toStdString());
    }
    Recipe recipe{Kind::Filtered, {}, fwhm_mm};
    if (item->dynamic() != nullptr) {
        recipe.of.push_back({item->label(), 0});
    }
    for (const int iterate : item->iterates()) {
        recipe.of.push_back({item->label(), iterate});
    }
    start(recipe, {});
}

void MadeImages::filterToNoiseOf(const QString& run, const QString& other, const RoiSet& rois) {
    const auto noiseOf = [this](const QString& letter) {
        const RunItem* item = runs_.find(letter);
        const Figures* figures = item != nullptr ? item->figuresOf(item->shownIterate()) : nullptr;
        if (figures == nullptr || !std::isfinite(figures->noise)) {
            throw WrongUse(tr("there is no noise of run %1").arg(letter).toStdString());
        }
        return figures->noise;
    };
    const double noise = noiseOf(other);
    if (noiseOf(run) <= noise) {
        throw WrongUse(
            tr("run %1 is no noisier than run %2: there is nothing to filter").arg(run, other).toStdString());
    }
    const RunItem& item = *runs_.find(run);
    const auto fwhm_mm = std::make_shared<double>(0);
    tasks_.add(
        tr("Looking for a filter"),
        [fwhm_mm, noise, rois, image = item.kept(item.shownIterate())](TaskControl& control) {
            const std::shared_ptr<const Volume> volume = image.get();
            const ThreadPool pool(0, Priority::Background, [&control] { control.checkpoint(); });
            *fwhm_mm = filterForNoise(*volume, FigureEvaluator(rois, volume->lattice), noise, pool,
                                      [&control] { control.checkpoint(); });
        },
        [this, fwhm_mm, run, session = session_] {
            if (session == session_ && runs_.find(run) != nullptr && *fwhm_mm > 0) {
                filter(run, *fwhm_mm);
            }
        });
}

void MadeImages::start(const Recipe& recipe, const QString& label) {
    std::vector<KeptImage> sources;
    for (const Operand& operand : recipe.of) {
        const RunItem* item = runs_.find(operand.run);
        if (item == nullptr) {
            continue;  // a session whose run is gone
        }
        const KeptImage image = item->kept(operand.iterate);
        if (image.volume != nullptr || !image.file.empty()) {
            sources.push_back(image);
        }
    }
    if (sources.empty()) {
        coming_.erase(label);
        return;
    }
    const auto made = std::make_shared<Made>();
    const bool filters = recipe.kind == Kind::Filtered;
    tasks_.add(
        filters ? tr("Filtering") : tr("Making an image"),
        [made, sources, recipe, filters, facts = screen_.facts(), phantom = phantom()](TaskControl& control) {
            if (filters) {
                const ThreadPool pool(0, Priority::Background, [&control] { control.checkpoint(); });
                for (const KeptImage& source : sources) {
                    control.checkpoint();
                    control.report(static_cast<double>(made->size()) / static_cast<double>(sources.size()));
                    made->emplace_back(source.iteration, std::make_shared<const Volume>(gaussianFiltered(
                                                             *source.get(), recipe.fwhm_mm, pool)));
                    facts->range(made->back().second);
                }
                return;
            }
            std::vector<std::shared_ptr<const Volume>> images;
            for (const KeptImage& source : sources) {
                images.push_back(source.get());
            }
            made->emplace_back(1, std::make_shared<const Volume>(madeOf(recipe.kind, phantom, images)));
            facts->range(made->back().second);
        },
        [this, made, recipe, label, session = session_] {
            if (session == session_) {
                putBeside(recipe, *made, label);
            }
        });
}

QString MadeImages::nameOf(const Recipe& recipe) {
    QStringList letters;
    for (const Operand& operand : recipe.of) {
        letters << operand.run;
    }
    letters.removeDuplicates();
    const QString names[] = {tr("true activity"),
                             tr("true attenuation"),
                             tr("bias of %1").arg(letters.join(", ")),
                             tr("mean of %1").arg(letters.join(", ")),
                             tr("SD of %1").arg(letters.join(", ")),
                             tr("%1, Gauss %2 mm").arg(letters.join(", ")).arg(recipe.fwhm_mm)};
    return names[static_cast<int>(recipe.kind)];
}

/// What an image is made of need not be there any more when it comes again.
void MadeImages::putBeside(const Recipe& recipe, const Made& made, const QString& label) {
    add(recipe, made, label);
    if (!label.isEmpty()) {
        return;  // a session brought it
    }
    const QString own = runs_.items().back()->label();
    undo_.push(new UndoStep<Beside>(tr("Make %1").arg(nameOf(recipe)), Beside::No, Beside::Yes,
                                    [this, recipe, made, own, session = session_](Beside wanted) {
                                        const RunItem* item = runs_.find(own);
                                        if (session == session_ && wanted == Beside::Yes && item == nullptr) {
                                            add(recipe, made, own);
                                        } else if (session == session_ && wanted == Beside::No &&
                                                   item != nullptr) {
                                            runs_.remove(item->id());
                                        }
                                    }));
}

void MadeImages::add(const Recipe& recipe, const Made& made, const QString& label) {
    const int id = runs_.addVolume(nameOf(recipe), made.back().second, label);
    RunItem& item = *runs_.find(id);
    const RunItem* from = recipe.of.empty() ? nullptr : runs_.find(recipe.of.front().run);
    if (recipe.kind != Kind::Filtered) {
        item.setMadeAs(kindOf(recipe.kind));
    } else if (from != nullptr && from->madeAs()) {
        item.setMadeAs(*from->madeAs());
    }
    if (from != nullptr && from->dynamic() != nullptr && made.front().first == 0) {
        OpenedFrames frames{*from->dynamic(), {}, made.front().second, {}, {}, {}};
        std::transform(made.begin() + 1, made.end(), std::back_inserter(frames.frames),
                       [](const auto& one) { return one.second; });
        item.openFrames(frames, std::nullopt);
    } else if (recipe.kind == Kind::Filtered) {
        item.openIterates(made);
    }
    if (from != nullptr && from->units() == item.units()) {
        item.measuredAs(*from);
    }
    made_[item.label()] = recipe;
    if (!coming_.contains(label)) {
        runs_.select(id);
    }
    coming_.erase(label);
}

void MadeImages::remember(const QString& label, const VolumeReadOptions& choice) {
    if (!choice.series.empty() || choice.frame > 0) {
        choices_[label] = choice;
    }
}

std::pair<VolumeReadOptions, QString> MadeImages::choiceIn(const nlohmann::json& saved, const QString& file) {
    if (saved.is_array()) {
        for (const nlohmann::json& o : saved) {
            if (savedIn(o, "file", QString()) == file) {
                VolumeReadOptions choice;
                choice.series = savedIn(o, "series", std::string());
                choice.frame = savedIn(o, "frame", 0);
                return {choice, choice.series.empty() ? QString() : savedIn(o, "name", QString())};
            }
        }
    }
    return {};
}

void MadeImages::readFile(const QString& path, const VolumeReadOptions& choice, const QString& name,
                          const QString& label, FrameRange frames) {
    const auto read = std::make_shared<Opened>();
    tasks_.add(
        tr("Opening %1").arg(QFileInfo(path).fileName()),
        [read, path, choice, facts = screen_.facts()](TaskControl& control) {
            TaskProgress progress(control, {});
            *read = openPath(path.toStdString(), std::nullopt, ThreadPool(1), progress, choice);
            if (read->volume == nullptr) {
                throw BadInput(tr("%1: holds no image any more").arg(path).toStdString());
            }
            facts->range(read->volume);
        },
        [this, read, path, choice, name, label, frames, session = session_] {
            coming_.erase(label);
            const bool there = std::any_of(runs_.items().begin(), runs_.items().end(),
                                           [&](const auto& item) { return isFrom(*item, path, choice); });
            if (session == session_ && !there) {  // the session may have opened it by itself
                RunItem& item = *runs_.find(runs_.addVolume(name, read->volume, label));
                if (read->frames) {
                    item.openFrames(*read->frames, choice);
                }
                item.setFile(path, item.imagesOnDisk());
                remember(item.label(), choice);
                runs_.showFrames(item.id(), frames);
            }
        });
}

nlohmann::json MadeImages::toJson() const {
    nlohmann::json list = nlohmann::json::array();
    for (const auto& item : runs_.items()) {
        if (!item->isVolume()) {
            continue;
        }
        nlohmann::json o{{"label", item->label()}, {"name", item->name()}};
        if (item->dynamic() != nullptr) {
            o["first_frame"] = item->framesWanted().first;
            o["last_frame"] = item->framesWanted().last;
        }
        if (const auto it = made_.find(item->label()); it != made_.end()) {
            o["kind"] = nameIn(kMadeNames, it->second.kind);
            if (it->second.fwhm_mm > 0) {
                o["fwhm_mm"] = it->second.fwhm_mm;
            }
            o["of"] = nlohmann::json::array();
            for (const Operand& operand : it->second.of) {
                o["of"].push_back({{"run", operand.run}, {"iterate", operand.iterate}});
            }
            list.push_back(std::move(o));
        } else if (!item->file().isEmpty()) {
            o["file"] = item->file();
            if (const auto choice = choices_.find(item->label()); choice != choices_.end()) {
                o["series"] = choice->second.series;
                o["frame"] = choice->second.frame;
            }
            list.push_back(std::move(o));
        }
    }
    return list;
}

void MadeImages::fromJson(const nlohmann::json& saved) {
    if (!saved.is_array()) {
        return;
    }
    for (const nlohmann::json& o : saved) {
        const QString label = savedIn(o, "label", QString());
        const QString path = savedIn(o, "file", QString());
        const VolumeReadOptions choice{savedIn(o, "frame", 0), savedIn(o, "series", std::string())};
        const FrameRange frames{savedIn(o, "first_frame", 0), savedIn(o, "last_frame", 0)};
        const auto there = std::find_if(runs_.items().begin(), runs_.items().end(), [&](const auto& item) {
            return item->label() == label || (!path.isEmpty() && isFrom(*item, path, choice));
        });
        if (there != runs_.items().end() && frames.first > 0) {
            runs_.showFrames((*there)->id(), frames);
        }
        if (label.isEmpty() || there != runs_.items().end() || coming_.contains(label)) {
            continue;
        }
        if (!path.isEmpty()) {
            if (QFileInfo::exists(path)) {
                coming_.insert(label);
                readFile(path, choice, savedIn(o, "name", label), label, frames);
            }
            continue;
        }
        Recipe recipe;
        recipe.fwhm_mm = savedIn(o, "fwhm_mm", 0.0);
        recipe.kind = valueIn(kMadeNames, savedIn<QString>(o, "kind"), recipe.kind);
        for (const nlohmann::json& operand : savedIn(o, "of", nlohmann::json::array())) {
            recipe.of.push_back({savedIn(operand, "run", QString()), savedIn(operand, "iterate", 0)});
        }
        coming_.insert(label);
        // Behind what is being read: the data that say what was measured.
        tasks_.then([this, recipe, label, session = session_] {
            if (session == session_) {
                start(recipe, label);
            }
        });
    }
}

void MadeImages::clear() {
    made_.clear();
    choices_.clear();
    coming_.clear();
    ++session_;
}

}  // namespace tof::ui
