// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/roi_curves.h"

namespace tof::ui {

/// What is measured in one go, and what came of it.
struct RoiCurves::Work {
    struct Run {
        int id = 0;
        std::vector<KeptImage> images;
        bool whole = false;  ///< every iterate that has figures is among the images
        std::vector<Figures> figures;
    };
    RoiSet set;
    std::uint64_t revision = 0;
    std::vector<Run> runs;

    void measure(ImageFacts& facts, const Wish& wish) {
        std::unique_ptr<FigureEvaluator> evaluator;
        for (Run& run : runs) {
            for (const KeptImage& image : run.images) {
                wish();
                const auto volume = image.get(wish);
                if (evaluator == nullptr || !(evaluator->lattice() == volume->lattice)) {
                    if (set.truth != nullptr) {
                        set.activity = facts.activity(set.truth, volume->lattice, wish);
                    }
                    evaluator = std::make_unique<FigureEvaluator>(set, volume->lattice);
                }
                run.figures.push_back(evaluator->evaluate(image.iteration, volume->data.data()));
            }
        }
    }
};

RoiCurves::RoiCurves(RunList& runs, RoiModel& rois, Threading threading, std::shared_ptr<ImageFacts> facts,
                     QObject* parent)
    : QObject(parent), runs_(runs), rois_(rois), facts_(std::move(facts)), worker_(threading) {
    connect(&rois_, &RoiModel::changed, this, &RoiCurves::refresh);
    connect(&runs_, &RunList::changed, this, &RoiCurves::refresh);
}

RoiCurves::~RoiCurves() {
    stop();
}

std::shared_ptr<RoiCurves::Work> RoiCurves::outOfDate() {
    auto work = std::make_shared<Work>();
    work->revision = rois_.revision();
    for (const auto& item : runs_.items()) {
        if (!item->hasIterates() || item->roiRevision() == rois_.revision()) {
            continue;
        }
        Work::Run run;
        run.id = item->id();
        run.whole = true;
        for (const int iteration : item->iterates()) {
            const KeptImage image = item->kept(iteration);
            if (image.volume != nullptr || !rois_.dragging()) {
                run.images.push_back(image);
            } else {
                run.whole = false;
            }
        }
        if (!run.images.empty()) {
            work->runs.push_back(std::move(run));
        }
    }
    return work;
}

void RoiCurves::refresh() {
    if (stopped_) {
        return;
    }
    if (worker_.busy()) {
        if (rois_.revision() != started_) {
            wish_.end();
        }
        return;
    }
    auto work = outOfDate();
    if (work->runs.empty()) {
        return;
    }
    work->set = rois_.set();
    started_ = work->revision;
    wish_ = Wish();
    worker_.start([work, facts = facts_, wish = wish_] { work->measure(*facts, wish); },
                  [this, work](const std::exception_ptr& fault) {
                      if (fault == nullptr) {
                          take(*work);
                      } else if (!isCancelled(fault)) {
                          giveUp(*work);
                          Q_EMIT failed(sentence(fault));
                      }
                      if (!rois_.dragging() || rois_.revision() != work->revision) {
                          refresh();
                      }
                  });
}

void RoiCurves::take(const Work& work) {
    for (const Work::Run& run : work.runs) {
        RunItem* item = runs_.find(run.id);
        if (item == nullptr) {
            continue;
        }
        for (const Figures& figures : run.figures) {
            item->measured(figures, work.revision);
        }
        // An iterate that came meanwhile was measured with the ROIs that its run began with.
        if (run.whole && run.images.size() == item->iterates().size()) {
            item->setRoiRevision(work.revision);
        }
    }
    Q_EMIT changed();
}

void RoiCurves::giveUp(const Work& work) {
    for (const Work::Run& run : work.runs) {
        if (RunItem* item = runs_.find(run.id)) {
            item->setRoiRevision(work.revision);  // not again and again
        }
    }
}

void RoiCurves::stop() {
    stopped_ = true;
    wish_.end();
    worker_.join();
}

}  // namespace tof::ui
