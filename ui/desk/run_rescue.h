// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <string>
#include <vector>

#include "ui/desk/draft_study.h"
#include "ui/kit/messages.h"

namespace tof::ui {

class Desk;

/// Offers runs that earlier sessions, or what was open before, have left in the recovery folder.
class RunRescue : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t kDrafts = 20;  ///< older ones are dropped

    /// Runs of the desk are kept in `folder` from now on; empty: nothing is kept and nothing found. Says in
    /// the messages what it has found.
    RunRescue(Desk& desk, const QString& folder, QObject* parent = nullptr);

    /// False when it keeps nothing.
    [[nodiscard]] bool keeps() const { return !folder_.isEmpty(); }
    /// Empty when there is something to recover, else the reason.
    [[nodiscard]] QString whyNot() const;
    /// What recover() would bring back, as a sentence; empty when there is nothing.
    [[nodiscard]] QString summary() const;
    /// Deletes what recover() would bring back.
    void discard();
    /// Opens the data of the runs kept last and puts the runs beside what is there; returns at once.
    void recover();

  private:
    /// What was left of the runs of one data file.
    struct Group {
        DraftStudy::Source source;
        std::vector<QString> drafts;  ///< their folders
        int runs = 0;
    };
    struct Read;
    void find();
    void announce(Severity severity);
    [[nodiscard]] static QString sentenceOf(const Group& group);
    void read(const Group& group);
    void adopt(const Group& group, Read& left);
    void adoptQueue(Study& draft, const std::map<std::string, QString>& letters);

    Desk& desk_;
    QString folder_;
    std::vector<Group> found_;
};

}  // namespace tof::ui
