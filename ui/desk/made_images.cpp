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
#include "recon/register/rigid_fit.h"
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
    {MadeImages::Kind::Deviation, "sd"}, {MadeImages::Kind::Filtered, "filtered"},
    {MadeImages::Kind::Moved, "moved"}};
constexpr double kMmPerCm = 10;

/// Whether an image is beside the runs.
enum class Beside { No, Yes };

/// What an image is of that is made of several things.
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

/// Those of a session, which somebody may have written into.
TrueAxes axesIn(const nlohmann::json& saved) try {
    return TrueAxes::fromText("axes", savedIn(saved, "axes", TrueAxes().text()));
} catch (const WrongUse&) {
    return {};
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
    if (kind == Kind::Filtered || kind == Kind::Moved) {
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
        recipe.from = own->second.from;
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
            recipe.from.push_back({item->label(), single ? 1 : item->shownIterate()});
        }
    }
    start(recipe, {});
}

void MadeImages::filter(const QString& run, double fwhm_mm) {
    constexpr double kLeast_mm = 0.1;
    constexpr double kMost_mm = 100;
    const RunItem& item = itemOf(run);
    if (!(fwhm_mm >= kLeast_mm && fwhm_mm <= kMost_mm)) {
        throw WrongUse(tr("the width of a filter is between 0.1 and 100 mm").toStdString());
    }
    start({Kind::Filtered, everyIterateOf(item), fwhm_mm}, {});
}

RunItem& MadeImages::itemOf(const QString& label) {
    RunItem* item = runs_.find(label);
    if (item == nullptr) {
        throw WrongUse(tr("there is no run %1").arg(label).toStdString());
    }
    return *item;
}

std::vector<MadeImages::Operand> MadeImages::everyIterateOf(const RunItem& item) {
    std::vector<Operand> operands;
    if (item.dynamic() != nullptr) {
        operands.push_back({item.label(), 0});
    }
    for (const int iterate : item.iterates()) {
        operands.push_back({item.label(), iterate});
    }
    return operands;
}

std::optional<MadeImages::Moved> MadeImages::movedAs(const QString& label) const {
    const auto own = made_.find(label);
    if (own == made_.end() || own->second.kind != Kind::Moved || own->second.from.empty()) {
        return std::nullopt;
    }
    return Moved{own->second.from.front().run, own->second.onto, own->second.move};
}

QString MadeImages::movesFrom(const QString& label) const {
    const auto as = movedAs(label);
    const bool byHand = as && as->move.axes.areAsTold() && as->move.straighten == Straighten::No;
    return byHand && runs_.find(as->of) != nullptr ? as->of : label;
}

void MadeImages::move(const Moved& wish, const QString& label) {
    const RunItem& item = itemOf(wish.of);
    if (!wish.onto.isEmpty()) {
        static_cast<void>(itemOf(wish.onto));
    }
    start({Kind::Moved, everyIterateOf(item), 0, wish.move, wish.onto}, label);
}

void MadeImages::fit(const Moved& wish, const QString& fixed, const QString& label) {
    const RunItem& from = itemOf(wish.of);
    const RunItem& to = itemOf(fixed);
    const auto made = std::make_shared<Made>();
    const auto place = std::make_shared<RigidPlace>(wish.move.by);
    moving_ = made;
    tasks_.add(
        tr("Laying %1 onto %2").arg(wish.of, fixed),
        [made, place, from = from.kept(from.shownIterate()),
         to = to.kept(to.shownIterate())](TaskControl& control) {
            const auto heed = [&control] { control.checkpoint(); };
            const ThreadPool pool(0, Priority::Background, heed);
            const std::shared_ptr<const Volume> image = from.get(heed);
            const Vec3 middle = middleOf(image->lattice);
            const RigidFit fit =
                fitRigid(*image, *to.get(heed), poseOf(*place, middle), pool, [&control](double share) {
                    control.checkpoint();
                    control.report(share);
                });
            *place = placeOf(fit.place, middle);
        },
        [this, place, wish, label, session = session_] {
            if (session == session_ && runs_.find(wish.of) != nullptr) {
                Moved found = wish;
                found.move.by = *place;
                move(found, label);
            }
        });
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
            const auto heed = [&control] { control.checkpoint(); };
            const std::shared_ptr<const Volume> volume = image.get(heed);
            const ThreadPool pool(0, Priority::Background, heed);
            *fwhm_mm =
                filterForNoise(*volume, FigureEvaluator(rois, volume->lattice, pool), noise, pool, heed);
        },
        [this, fwhm_mm, run, session = session_] {
            if (session == session_ && runs_.find(run) != nullptr && *fwhm_mm > 0) {
                filter(run, *fwhm_mm);
            }
        });
}

void MadeImages::start(const Recipe& recipe, const QString& label) {
    std::vector<KeptImage> sources;
    for (const Operand& operand : recipe.from) {
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
    if (recipe.kind == Kind::Moved) {
        moving_ = made;
    }
    tasks_.add(recipe.kind == Kind::Filtered ? tr("Filtering") : tr("Making an image"),
               workOn(recipe, sources, made), [this, made, recipe, label, session = session_] {
                   if (session == session_) {
                       putBeside(recipe, *made, label);
                   }
               });
}

Volume MadeImages::Recipe::of(const Volume& one, const std::optional<Lattice>& lattice,
                              const ThreadPool& pool) const {
    if (kind == Kind::Filtered) {
        return gaussianFiltered(one, fwhm_mm, pool);
    }
    ImageMove whole = move;
    whole.onto = lattice;
    return moved(one, whole, pool);
}

MadeImages::Work MadeImages::workOn(const Recipe& recipe, const std::vector<KeptImage>& sources,
                                    const std::shared_ptr<Made>& made) {
    const RunItem* onto = runs_.find(recipe.onto);
    const auto lattice = onto != nullptr ? std::optional(onto->lattice()) : std::nullopt;
    return [made, sources, recipe, lattice, facts = screen_.facts(),
            phantom = phantom()](TaskControl& control) {
        std::vector<std::shared_ptr<const Volume>> images;
        const auto heed = [&control] { control.checkpoint(); };
        const ThreadPool pool(0, Priority::Background, heed);
        for (const KeptImage& source : sources) {
            heed();
            images.push_back(source.get(heed));
            if (recipe.ofEach()) {
                control.report(static_cast<double>(made->size()) / static_cast<double>(sources.size()));
                made->emplace_back(source.iteration,
                                   std::make_shared<const Volume>(recipe.of(*images.back(), lattice, pool)));
                facts->range(made->back().second);
                images.clear();
            }
        }
        if (!recipe.ofEach()) {
            made->emplace_back(1, std::make_shared<const Volume>(madeOf(recipe.kind, phantom, images)));
            facts->range(made->back().second);
        }
    };
}

QString MadeImages::nameOf(const Recipe& recipe) {
    QStringList letters;
    for (const Operand& operand : recipe.from) {
        letters << operand.run;
    }
    letters.removeDuplicates();
    const QString names[] = {
        tr("true activity"),
        tr("true attenuation"),
        tr("bias of %1").arg(letters.join(", ")),
        tr("mean of %1").arg(letters.join(", ")),
        tr("SD of %1").arg(letters.join(", ")),
        tr("%1, Gauss %2 mm").arg(letters.join(", ")).arg(recipe.fwhm_mm),
        recipe.move.axes.areAsTold()
            ? tr("%1 moved").arg(letters.join(", "))
            : tr("%1 as %2").arg(letters.join(", "), QString::fromStdString(recipe.move.axes.text()))};
    return names[static_cast<int>(recipe.kind)];
}

/// What an image is made of need not be there any more when it comes again.
void MadeImages::putBeside(const Recipe& recipe, const Made& made, const QString& label) {
    if (const auto before = moved_.find(label); before != moved_.end() && runs_.find(label) != nullptr) {
        const Result was{made_.at(label), before->second};
        undo_.push(new UndoStep<Result>(tr("Move %1").arg(label), was, {recipe, made},
                                        [this, label, session = session_](const Result& wanted) {
                                            if (session == session_ && runs_.find(label) != nullptr) {
                                                putInPlace(wanted, label);
                                            }
                                        }));
        return;
    }
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

/// The image of a letter becomes another one.
void MadeImages::putInPlace(const Result& result, const QString& label) {
    RunItem& item = *runs_.find(label);
    item.open(result.made.back().second);
    fill(item, result.recipe, result.made);
    runs_.touch();
}

void MadeImages::fill(RunItem& item, const Recipe& recipe, const Made& made) {
    const RunItem* from = recipe.from.empty() ? nullptr : runs_.find(recipe.from.front().run);
    if (from != nullptr && from->dynamic() != nullptr && made.front().first == 0) {
        OpenedFrames frames{*from->dynamic(), {}, made.front().second, {}, {}, {}};
        std::transform(made.begin() + 1, made.end(), std::back_inserter(frames.frames),
                       [](const auto& one) { return one.second; });
        item.openFrames(frames, std::nullopt);
    } else if (recipe.kind == Kind::Filtered ||
               (recipe.kind == Kind::Moved && from != nullptr && from->hasIterates())) {
        item.openIterates(made);
    }
    if (from != nullptr && from->units() == item.units()) {
        item.measuredAs(*from);
    }
    made_[item.label()] = recipe;
    if (recipe.kind == Kind::Moved) {
        moved_[item.label()] = made;
        Q_EMIT movedAway(item.label());
    }
}

void MadeImages::add(const Recipe& recipe, const Made& made, const QString& label) {
    const int id = runs_.addVolume(nameOf(recipe), made.back().second, label);
    RunItem& item = *runs_.find(id);
    const RunItem* from = recipe.from.empty() ? nullptr : runs_.find(recipe.from.front().run);
    if (!recipe.ofEach()) {
        item.setMadeAs(kindOf(recipe.kind));
    } else if (from != nullptr && from->madeAs()) {
        item.setMadeAs(*from->madeAs());
    }
    fill(item, recipe, made);
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
                item.setStatedFactor(read->statedFactor);
                remember(item.label(), choice);
                runs_.showFrames(item.id(), frames);
            }
        });
}

nlohmann::json MadeImages::saved(const Recipe& recipe) {
    nlohmann::json o{{"kind", nameIn(kMadeNames, recipe.kind)}};
    if (recipe.fwhm_mm > 0) {
        o["fwhm_mm"] = recipe.fwhm_mm;
    }
    if (recipe.kind == Kind::Moved) {
        const RigidPlace& by = recipe.move.by;
        o["axes"] = recipe.move.axes.text();
        o["straighten"] = recipe.move.straighten == Straighten::Yes;
        o["shift_mm"] = std::array{by.shift_mm.x, by.shift_mm.y, by.shift_mm.z};
        o["turn_deg"] = std::array{by.turn_deg.x, by.turn_deg.y, by.turn_deg.z};
        o["onto"] = recipe.onto;
    }
    o["of"] = nlohmann::json::array();
    for (const Operand& operand : recipe.from) {
        o["of"].push_back({{"run", operand.run}, {"iterate", operand.iterate}});
    }
    return o;
}

MadeImages::Recipe MadeImages::recipeIn(const nlohmann::json& saved) {
    const auto vector = [&](const char* key) {
        const auto v = savedIn(saved, key, std::array<double, 3>{});
        return Vec3{v[0], v[1], v[2]};
    };
    Recipe recipe;
    recipe.fwhm_mm = savedIn(saved, "fwhm_mm", 0.0);
    recipe.kind = valueIn(kMadeNames, savedIn<QString>(saved, "kind"), recipe.kind);
    recipe.move.axes = axesIn(saved);
    recipe.move.straighten = savedIn(saved, "straighten", false) ? Straighten::Yes : Straighten::No;
    recipe.move.by = {vector("shift_mm"), vector("turn_deg")};
    recipe.onto = savedIn(saved, "onto", QString());
    for (const nlohmann::json& operand : savedIn(saved, "of", nlohmann::json::array())) {
        recipe.from.push_back({savedIn(operand, "run", QString()), savedIn(operand, "iterate", 0)});
    }
    return recipe;
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
            o.update(saved(it->second));
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
        const Recipe recipe = recipeIn(o);
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
    moved_.clear();
    choices_.clear();
    coming_.clear();
    ++session_;
}

}  // namespace tof::ui
