// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/open_study.h"

#include <QDir>
#include <QFileInfo>

#include "recon/base/error.h"

namespace tof::ui {

void OpenStudy::setSource(const QString& path, const std::optional<ListBinning>& binning) {
    path_ = path;
    binning_ = binning;
}

void OpenStudy::setLock(std::unique_ptr<StudyLock> lock) {
    lock_ = std::move(lock);
}

void OpenStudy::setMeasurement(std::shared_ptr<const Measurement> measurement) {
    measurement_ = std::move(measurement);
    phantom_ = measurement_->phantom();
}

void OpenStudy::addFile(const QString& path) {
    files_.removeAll(path);
    files_ << path;
}

Study& OpenStudy::store() {
    if (Study* const there = storeNow()) {
        return *there;
    }
    const DraftStudy::Source source{path_, binning_};
    if (!drafts_.isEmpty()) {
        try {
            draft_ = std::make_unique<DraftStudy>(drafts_, source, draftEnds_);
            return draft_->study();
        } catch (const CannotWrite& fault) {
            Q_EMIT draftsFailed(fault.what());
        }
    }
    draft_ = std::make_unique<DraftStudy>(QDir::tempPath(), source, DraftStudy::AtTheEnd::AllGoes);
    return draft_->study();
}

Study* OpenStudy::storeNow() {
    return writes() ? &*study_ : draft_ != nullptr ? &draft_->study() : nullptr;
}

bool OpenStudy::isInDraft(const QString& file) const {
    return draft_ != nullptr && file.startsWith(QString::fromStdString(draft_->study().folder()));
}

std::string OpenStudy::checkpointOf(const QString& run) const {
    const Study* const draft = draft_ != nullptr ? &draft_->study() : nullptr;
    for (const Study* place : {draft, folder()}) {
        std::string file = place != nullptr ? place->checkpointFile(run.toStdString()) : std::string();
        if (!file.empty() && QFileInfo::exists(QString::fromStdString(file))) {
            return file;
        }
    }
    return {};
}

void OpenStudy::draftSaved(const std::vector<std::string>& runs) {
    if (draft_ != nullptr) {
        draft_->saved(runs);
    }
}

OpenStudy::Left OpenStudy::clear() {
    const QString draft = draft_ != nullptr ? QString::fromStdString(draft_->study().folder()) : QString();
    draft_.reset();
    draftEnds_ = DraftStudy::AtTheEnd::RunsStay;
    name_.clear();
    measurement_.reset();
    phantom_.clear();
    path_.clear();
    binning_.reset();
    files_.clear();
    study_.reset();
    lock_.reset();
    return !draft.isEmpty() && QFileInfo::exists(draft) ? Left::Runs : Left::Nothing;
}

}  // namespace tof::ui
