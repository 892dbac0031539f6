// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/pictures/picture_models.h"

#include "ui/kit/worker.h"

#include <array>

#include "ui/charts/profile_chart.h"
#include "ui/kit/basic.h"
#include "ui/kit/figure_strip.h"
#include "ui/kit/more_button.h"
#include "ui/kit/page.h"
#include "ui/pages/compare_model.h"
#include "ui/pages/viewer_lines.h"
#include "ui/pictures/level_strip.h"
#include "ui/pictures/slice_pane.h"

class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace tof::ui {

class Screen;

/// Columns A, B, A - B by rows transverse, sagittal, coronal, or A and B in one picture by swipe or
/// checkerboard: linked, one window for A and B, a symmetric diverging range for the difference; below, the
/// profiles of both with their widths, and the figures of the difference. While the key ` is held A shows B.
class ComparePage : public Page {
    Q_OBJECT

  public:
    ComparePage(const PictureModels& models, Screen& screen, Threading threading, QWidget* parent = nullptr);
    void addCommands(CommandRegistry& commands) override;
    void build(CommandRegistry& commands) override;
    void refresh() override;
    bool abandonDrag() override;
    [[nodiscard]] QString whyNot() const override { return model_.whyNot(); }
    [[nodiscard]] bool isEmpty() const override { return !whyNot().isEmpty(); }
    [[nodiscard]] QString whyNoPicture() const override;
    [[nodiscard]] QString shownName() override;
    void stepImage(int step) override { model_.step(1, step); }
    [[nodiscard]] QString profileCsv() const override { return profile_->toCsv(); }
    [[nodiscard]] CompareModel& model() { return model_; }
    /// Column 0 = A, 1 = B, 2 = difference.
    [[nodiscard]] SlicePane* pane(int column, Plane plane) const {
        return panes_[static_cast<std::size_t>(column)][static_cast<std::size_t>(plane)];
    }
    [[nodiscard]] ProfileChart* profile() const { return profile_; }
    [[nodiscard]] ProfileChart* differenceProfile() const { return differenceProfile_; }
    [[nodiscard]] bool blinking() const { return blink_; }
    /// The figures as lines "name<TAB>value", with decimal points.
    [[nodiscard]] QString figuresText();
    [[nodiscard]] ProbeLine* probe() const { return probe_; }

  protected:
    void arrange() override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    [[nodiscard]] std::vector<FigureStrip::Figure> figures();
    [[nodiscard]] viz::ColourMap differenceMap() const;
    /// The unit of A and B.
    [[nodiscard]] DisplayUnit unit() const;
    /// The image of an operand in its own range and map: one for both where their values can be compared.
    /// True where nothing says that both images cannot be compared: they have one look, that of the one
    /// that is selected, else of the first.
    [[nodiscard]] bool withoutUnits() const;
    [[nodiscard]] QString keyOf(int operand) const;
    [[nodiscard]] Look lookOf(int operand) const;
    [[nodiscard]] viz::ColourMap mapOf(int operand) const;
    /// The image of an operand, or null.
    [[nodiscard]] std::shared_ptr<const Volume> volumeOf(int operand) const;
    void setRange(int operand, DisplayRange range);
    /// Whether both have one look.
    [[nodiscard]] bool oneLook() const;
    void chooseMap(const QString& id);
    [[nodiscard]] DisplayUnit unitOf(int operand) const;
    [[nodiscard]] RunItem* operand(int which) const { return which == 0 ? model_.a() : model_.b(); }
    [[nodiscard]] PaneSource sourceOf(int column);
    void buildRange(QHBoxLayout& row);
    void buildOperands(CommandRegistry& commands);
    static void fill(ComboBox& box, const std::vector<std::pair<QString, int>>& entries, int chosen);
    static void fillIterates(ComboBox& box, const RunItem* item);
    /// Figures of an operand's image with the ROIs as they are, or the last ones until there are any.
    [[nodiscard]] Figures figuresOf(int operand);
    [[nodiscard]] std::vector<FigureStrip::Figure> roiFigures();
    /// The unit of the difference: theirs, or per cent of the largest value of B.
    [[nodiscard]] DisplayUnit differenceUnit() const;
    [[nodiscard]] PaneMix mix();
    [[nodiscard]] std::vector<SlicePane*> panes() const;
    void fillChoices();
    void arrangeColumns(QRect area);
    void arrangeBeside(QRect area, int columnWidth);
    void arrangeMixed(QRect area);
    /// Puts the profiles into an area; returns what is left for pictures.
    [[nodiscard]] QRect besideProfiles(QRect area);
    void arrangeProfiles(QRect area);
    [[nodiscard]] QString captionOfProfiles();
    void buildProfileBar(CommandRegistry& commands);
    void setBlink(bool on);

    PictureModels models_;
    Screen& screen_;
    CompareModel model_;
    std::array<std::array<SlicePane*, 3>, 3> panes_{};
    QWidget* bar_;
    QWidget* operands_;
    FigureStrip* strip_;
    FigureStrip* roiStrip_;
    QWidget* profileBar_;
    ProfileChart* profile_;
    ProfileChart* differenceProfile_;
    ElidedLabel* profileCaption_ = nullptr;
    ComboBox* chooseA_ = nullptr;
    ComboBox* chooseB_ = nullptr;
    ComboBox* iterateA_ = nullptr;
    ComboBox* iterateB_ = nullptr;
    ComboBox* link_ = nullptr;
    QLabel* limitLabel_ = nullptr;
    QLineEdit* limit_ = nullptr;
    ComboBox* maps_ = nullptr;
    LevelStrip* levels_ = nullptr;
    MoreButton* more_ = nullptr;  ///< what the bar has no room for
    QLineEdit* low_ = nullptr;
    QLineEdit* high_ = nullptr;
    ProbeLine* probe_ = nullptr;
    bool blink_ = false;
    SlicePane* alone_ = nullptr;  ///< maximised by a double-click
};

}  // namespace tof::ui
