// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QUndoStack>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "recon/figure/figure.h"
#include "ui/kit/page.h"
#include "ui/kit/wish.h"
#include "ui/kit/worker.h"
#include "ui/pictures/picture_models.h"

class QGridLayout;
class QLineEdit;

namespace tof::ui {

class ComboBox;
class ElidedLabel;
class FigurePreview;
class KeyTable;
class Messages;
class RunItem;

/// A figure for a paper: its panels in a list, and the page as it will be written. The template is part of
/// the session, and templates of the study are written and opened by commands. What is shown is what
/// tofscope-cli figure writes: runs as their files are.
class FigurePage : public Page {
    Q_OBJECT

  public:
    FigurePage(const PictureModels& models, Messages& messages, Threading threading,
               QWidget* parent = nullptr);
    /// Ends a drawing that is being made.
    ~FigurePage() override;
    void addCommands(CommandRegistry& commands) override;
    void build(CommandRegistry& commands) override;
    void refresh() override;
    bool abandonDrag() override { return false; }
    [[nodiscard]] bool busy() const override { return worker_.busy(); }
    [[nodiscard]] QString whyNot() const override;
    [[nodiscard]] QString whyNoPicture() const override { return whyNoFigure(); }
    [[nodiscard]] QString shownName() override;
    [[nodiscard]] QUndoStack* undoStack() override { return &undo_; }

    [[nodiscard]] const FigureTemplate& figure() const { return figure_; }
    /// The number of the panel that is selected, from 0; -1: none.
    [[nodiscard]] int selected() const { return selected_; }
    void select(int panel);
    /// A step of undo. What `change` throws becomes a message, and the figure stays.
    void edit(const QString& text, const std::function<void(FigureTemplate&)>& change);
    /// Writes the template into the folder `figures` of the study. Throws WrongUse, CannotWrite.
    void keepTemplate(const QString& name);
    /// Takes the template of a file, as a step of undo. Throws BadInput.
    void openTemplate(const QString& file);
    /// Writes the figure as .pdf or .svg, once it is drawn. Throws WrongUse where it cannot be drawn, and as
    /// writeDrawing().
    void writeFigureTo(const QString& file);

    [[nodiscard]] nlohmann::json toJson() const;
    void fromJson(const nlohmann::json& saved);

  protected:
    void arrange() override;

  private:
    void addPanel(FigurePanel::Kind kind);
    void editPanel(const QString& text, const std::function<void(FigurePanel&)>& change);
    void move(int by);
    void removePanel();
    void put(const FigureTemplate& figure);
    void draw();
    /// Whether the figure is still the one that a study begins with, which is not known yet.
    [[nodiscard]] bool beginsAnew() const;
    using NumbersShown = std::function<std::optional<QString>(const FigureTemplate&, const FigurePanel*)>;
    using NumbersTaken = std::function<void(const std::vector<double>&, FigureTemplate&, FigurePanel&)>;
    void buildFields();
    void buildChoices(QGridLayout& grid);
    void buildNumbers(QGridLayout& grid);
    void buildPanelFields(QGridLayout& grid);
    QLineEdit* numbersField(const char* id, const QString& name, const QString& help, NumbersShown shown,
                            const NumbersTaken& taken);
    void showFields();
    void showList();
    /// Why there is no figure; the page is there all the same, and says it.
    [[nodiscard]] QString whyNoFigure() const;
    [[nodiscard]] QString whyNoPanel() const;
    [[nodiscard]] QString words(const FigurePanel& panel) const;
    [[nodiscard]] std::optional<Study> study() const;
    void askForTemplateName();
    void askForTemplate();
    void askForFile();

    PictureModels models_;
    Messages& messages_;
    Worker worker_;
    Wish wish_;
    QUndoStack undo_;
    FigureTemplate figure_;
    int selected_ = -1;
    bool stale_ = false;  ///< the drawing that is being made is out of date
    QString fileWanted_;  ///< takes the drawing once it is made
    QWidget* bar_;
    KeyTable* list_;
    QWidget* fields_;
    FigurePreview* preview_;
    ComboBox* widths_ = nullptr;
    ComboBox* columns_ = nullptr;
    ComboBox* runs_ = nullptr;
    ComboBox* planes_ = nullptr;
    QLineEdit* place_ = nullptr;
    QLineEdit* title_ = nullptr;
    ElidedLabel* note_ = nullptr;
};

}  // namespace tof::ui
