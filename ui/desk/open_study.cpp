// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/open_study.h"

namespace tof::ui {

void OpenStudy::setSource(const QString& path, const std::optional<ListBinning>& binning) {
    path_ = path;
    binning_ = binning;
}

void OpenStudy::lock() {
    lock_ = std::make_unique<StudyLock>(study_->folder(), StudyLock::Use::Writes);
}

void OpenStudy::setMeasurement(std::shared_ptr<const Measurement> measurement) {
    measurement_ = std::move(measurement);
    phantom_ = measurement_->phantom();
}

void OpenStudy::addFile(const QString& path) {
    files_.removeAll(path);
    files_ << path;
}

void OpenStudy::clear() {
    name_.clear();
    measurement_.reset();
    phantom_.clear();
    path_.clear();
    binning_.reset();
    files_.clear();
    study_.reset();
    lock_.reset();
}

}  // namespace tof::ui
