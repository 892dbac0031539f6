// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/draft_study.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>
#include <map>
#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "recon/base/json_text.h"
#include "recon/base/text_file.h"
#include "recon/io/bytes/atomic_file.h"
#include "ui/kit/json.h"

namespace tof::ui {

namespace {

std::string sourceFile(const QString& folder) {
    return (folder + "/source.json").toStdString();
}

DraftStudy::Source readSource(const QString& folder) {
    const std::string file = sourceFile(folder);
    const nlohmann::json root = parsedJson(readTextFile(file));
    return {savedIn<QString>(root, "path"), binningFromJson(savedIn(root, "binning"))};
}

void writeSource(const QString& folder, const DraftStudy::Source& source) {
    nlohmann::json root{{"path", source.path}};
    if (source.binning) {
        root["binning"] = binningToJson(*source.binning);
    }
    writeTextAside(sourceFile(folder), jsonText(root));
}

}  // namespace

DraftStudy::DraftStudy(const QString& drafts, Source source, AtTheEnd end)
    : source_(std::move(source)),
      end_(end),
      study_(Study::begin(
          (drafts + "/draft-" + QUuid::createUuid().toString(QUuid::WithoutBraces)).toStdString())) {
    QFile::setPermissions(
        QString::fromStdString(study_.folder()),
        QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);  // it may be for all to see
    lock_.emplace(study_.folder(), StudyLock::Use::Writes);
    study_.save();
    writeSource(QString::fromStdString(study_.folder()), source_);  // last: makes it one that others find
}

DraftStudy::DraftStudy(const QString& folder)
    : source_(readSource(folder)),
      end_(AtTheEnd::RunsStay),
      lock_(std::in_place, folder.toStdString(), StudyLock::Use::Writes),
      study_(Study::open(folder.toStdString(), Study::Data::ComeLater)) {}

DraftStudy::~DraftStudy() {
    try {
        for (const std::string& run : saved_) {
            study_.remove(run);
        }
    } catch (const Error&) {
        // What cannot be removed is offered again.
    }
    if (end_ == AtTheEnd::AllGoes || study_.allRuns().empty()) {
        QDir(QString::fromStdString(study_.folder())).removeRecursively();
    }
}

std::vector<QString> draftsLeft(const QString& drafts, std::size_t most) {
    std::multimap<QDateTime, QString, std::greater<>> byTime;
    for (const QFileInfo& folder : QDir(drafts).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        byTime.emplace(QFileInfo(folder.filePath() + "/study.json").lastModified(), folder.filePath());
    }
    std::vector<QString> left;
    for (const auto& [time, folder] : byTime) {
        try {
            DraftStudy draft(folder);
            if (left.size() == most) {
                draft.discard();
            } else if (!draft.study().allRuns().empty()) {
                left.push_back(folder);
            }
        } catch (const Error&) {
            continue;  // a session holds it, or it is none
        }
    }
    return left;
}

}  // namespace tof::ui
