// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringList>
#include <map>
#include <nlohmann/json_fwd.hpp>

#include "ui/kit/page.h"
#include "ui/pages/run_table.h"
#include "ui/pictures/picture_models.h"

class QLineEdit;

namespace tof::ui {

class ElidedLabel;
class KeyTable;
class Messages;
class RoiCurves;
class RunItem;
class Screen;

/// The runs as a table: sorted by a click on a title, filtered by words, the pinned ones on top, with
/// comments of one's own, written as CSV or for LaTeX. A click on a row selects its run.
class RunsPage : public Page {
    Q_OBJECT

  public:
    RunsPage(const PictureModels& models, Screen& screen, const RoiCurves& curves, Messages& messages,
             QWidget* parent = nullptr);
    void addCommands(CommandRegistry& commands) override;
    void build(CommandRegistry& commands) override;
    void refresh() override;
    bool abandonDrag() override { return false; }
    [[nodiscard]] QString whyNot() const override;
    [[nodiscard]] QString whyNoPicture() const override { return whyNot(); }
    [[nodiscard]] QString shownName() override;
    void stepImage(int step) override;

    /// What is shown: the rows that have every word of the filter, pinned ones first, then sorted.
    [[nodiscard]] RunTable shown() const;
    void setFilter(const QString& words);
    /// By the column of this id; an empty one: in the order of the list of runs.
    void sortBy(const QString& column, Qt::SortOrder order);
    void setPinned(const QString& run, bool pinned);
    /// An empty text takes the comment away.
    void setComment(const QString& run, const QString& text);
    /// shown() as a file, .csv or .tex (runTableText). Throws WrongUse for other endings, CannotWrite.
    void writeTable(const QString& file) const;

    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);

  protected:
    void arrange() override;

  private:
    [[nodiscard]] QString whyNoRun() const;
    void nextSorting(int column);
    void askForComment();
    void exportTable();

    PictureModels models_;
    Screen& screen_;
    Messages& messages_;
    QWidget* bar_;
    KeyTable* table_;
    QLineEdit* filter_ = nullptr;
    ElidedLabel* note_ = nullptr;
    QString words_;
    QString sortedBy_;
    Qt::SortOrder order_ = Qt::AscendingOrder;
    QStringList pinned_;                   ///< letters
    std::map<QString, QString> comments_;  ///< by letter
};

}  // namespace tof::ui
