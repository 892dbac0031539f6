// SPDX-License-Identifier: Apache-2.0
#include "ui/window/binning_dialog.h"

#include <QCheckBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSpinBox>
#include <QVBoxLayout>

#include "recon/base/error.h"
#include "recon/io/format_table.h"
#include "ui/kit/basic.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

/// The fields of the dialog, and what was typed into them.
class BinningForm {
  public:
    explicit BinningForm(const QString& file);
    BinningForm(const BinningForm&) = delete;
    BinningForm& operator=(const BinningForm&) = delete;

    [[nodiscard]] QFormLayout* layout() { return layout_; }
    [[nodiscard]] ListBinning binning() const;

  private:
    void addSinogramFields();
    void takeSinogramFields(ListBinning& binning) const;
    void recogniseForm(const QString& file);
    QSpinBox* whole(const char* name, int low, int high, int value, const QString& help);
    QLineEdit* text(const char* name, const QString& placeholder, const QString& help);
    QCheckBox* check(const char* name, const QString& label);
    [[nodiscard]] std::string form() const { return form_->currentData().toString().toStdString(); }
    /// Fields that the form has no use for cannot be filled in.
    void enableFields();

    QFormLayout* layout_ = new QFormLayout;
    ComboBox* form_ = new ComboBox;
    QSpinBox* azimuths_;
    QSpinBox* tilts_;
    QDoubleSpinBox* voxel_ = new QDoubleSpinBox;
    QLineEdit* grid_;
    QCheckBox* trilinear_;
    QCheckBox* spread_;
    QSpinBox* segments_;
    QLineEdit* scanner_;
    QLineEdit* mu_;
    ComboBox* muUnits_ = new ComboBox;
    QLineEdit* corrections_;
    ComboBox* multiplicity_ = new ComboBox;
    std::array<QLineEdit*, 4> factors_{};  ///< mult, acf, norm, add
    QSpinBox* frame_ = nullptr;
    bool foreign_ = false;  ///< sinograms of STIR
    QCheckBox* randoms_;
    QCheckBox* reversed_;
    QCheckBox* partial_;
};

BinningForm::BinningForm(const QString& file) {
    const ListBinning usual;
    form_->setObjectName("binning.form");
    form_->addItem(Text::tr("histo-images"), "histo");
    form_->addItem(Text::tr("sinograms"), "sinogram");
    form_->addItem(Text::tr("lines of response"), "lors");
    form_->setToolTip(Text::tr("What the events become, and with it which reconstruction they are for"));
    azimuths_ = whole("binning.azimuths", 1, 4096, usual.azimuths, Text::tr("Views over 180 degrees"));
    tilts_ = whole("binning.tilts", 1, 255, usual.tilts, Text::tr("Equal intervals of the axial acceptance"));
    voxel_->setObjectName("binning.voxel");
    voxel_->setRange(1, 32);
    voxel_->setDecimals(2);
    voxel_->setValue(usual.voxel_mm);
    voxel_->setSuffix(" mm");
    voxel_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    voxel_->setAlignment(Qt::AlignRight);
    voxel_->setToolTip(Text::tr("Edge of a voxel; the lattice keeps 576 x 576 x 192 mm"));
    grid_ = text("binning.grid", Text::tr("what the size asks for"),
                 Text::tr("Voxels along x, y and z, as 144x144x48, for a lattice of another size"));
    grid_->setValidator(new QRegularExpressionValidator(
        QRegularExpression("([1-9]\\d{0,4}x[1-9]\\d{0,4}x[1-9]\\d{0,4})?"), grid_));
    trilinear_ = check("binning.trilinear", Text::tr("spread over eight voxels"));
    trilinear_->setToolTip(Text::tr("Spread events over eight voxels instead of the nearest one"));
    spread_ = check("binning.spread", Text::tr("spread over the crystals' faces"));
    spread_->setChecked(usual.endPoints == EndPoints::Face);
    spread_->setToolTip(
        Text::tr("Events end evenly spread over their crystals' faces; else at their centres, on a "
                 "comb of lines that beats with the voxels"));
    segments_ = whole("binning.segments", 0, 4096, usual.segments,
                      Text::tr("Of Siemens list-mode: only the first segments"));
    segments_->setSpecialValueText(Text::tr("all"));
    scanner_ =
        text("binning.scanner", Text::tr("the list's own"),
             Text::tr("Scanner where the list only names it: a built-in name, a geometry file or a crystal "
                      "map; or the rings that sinograms and lines are for"));
    mu_ = text("binning.mu", Text::tr("the list's phantom"), Text::tr("Attenuation volume in 1/cm, or none"));
    muUnits_->setObjectName("binning.muUnits");
    for (const auto& [label, units] : {std::pair{Text::tr("1/cm, or as the file says"), MuUnits::AsStated},
                                       {QStringLiteral("1/cm"), MuUnits::PerCm},
                                       {QStringLiteral("1/mm"), MuUnits::PerMm},
                                       {Text::tr("Hounsfield units"), MuUnits::Hounsfield}}) {
        muUnits_->addItem(label, static_cast<int>(units));
    }
    muUnits_->setToolTip(
        Text::tr("What the attenuation volume holds; CT is converted from 120 kVp to 511 keV"));
    corrections_ =
        text("binning.corrections", Text::tr("none"),
             Text::tr("Sinograms that lines take their corrections from, or a CASToR normalisation"));
    randoms_ = check("binning.randoms", Text::tr("estimate them from delayed coincidences"));
    randoms_->setChecked(true);
    randoms_->setToolTip(Text::tr("Of Siemens list-mode, which has delayed coincidences"));
    reversed_ = check("binning.reversed", Text::tr("turn them round"));
    reversed_->setToolTip(Text::tr("Take times of flight as t2 - t1"));
    partial_ = check("binning.partial", Text::tr("take it as far as it goes when it ends too early"));

    layout_->setVerticalSpacing(8);
    layout_->addRow(Text::tr("File"), new QLabel(QFileInfo(file).fileName()));
    layout_->addRow(Text::tr("Form"), form_);
    layout_->addRow(Text::tr("Azimuths"), azimuths_);
    layout_->addRow(Text::tr("Tilts"), tilts_);
    layout_->addRow(Text::tr("Voxel"), voxel_);
    layout_->addRow(Text::tr("Lattice"), grid_);
    layout_->addRow(Text::tr("Events"), trilinear_);
    layout_->addRow(Text::tr("End points"), spread_);
    layout_->addRow(Text::tr("Segments"), segments_);
    layout_->addRow(Text::tr("Scanner"), scanner_);
    layout_->addRow(Text::tr("Attenuation"), mu_);
    layout_->addRow(Text::tr("Attenuation in"), muUnits_);
    layout_->addRow(Text::tr("Corrections"), corrections_);
    layout_->addRow(Text::tr("Randoms"), randoms_);
    layout_->addRow(Text::tr("Times of flight"), reversed_);
    layout_->addRow(Text::tr("Damaged file"), partial_);
    QObject::connect(form_, &QComboBox::currentIndexChanged, form_, [this] { enableFields(); });
    recogniseForm(file);
    if (foreign_) {
        addSinogramFields();
    }
    enableFields();
}

void BinningForm::recogniseForm(const QString& file) {
    try {
        const RecognisedFile known = recognise(file.toStdString());
        foreign_ = known.foreignBins() == ForeignBins::Imported;
        if (known.foreignBins() == ForeignBins::Addresses || known.form() == "sinogram") {
            form_->setCurrentIndex(1);  // bins have no places in histo-images
        } else if (known.form() == "lors") {
            form_->setCurrentIndex(2);
        }
    } catch (const Error&) {
        // told when it is opened
    }
    form_->setEnabled(!foreign_);
}

/// Corrections that STIR keeps in sinograms.
void BinningForm::addSinogramFields() {
    multiplicity_->setObjectName("binning.multiplicity");
    multiplicity_->addItem(Text::tr("where counts are whole numbers"), static_cast<int>(Multiplicity::Auto));
    multiplicity_->addItem(Text::tr("part of the efficiency"), static_cast<int>(Multiplicity::Yes));
    multiplicity_->addItem(Text::tr("left out"), static_cast<int>(Multiplicity::No));
    multiplicity_->setToolTip(Text::tr("Number of crystal pairs that span and mashing add up in a bin"));
    layout_->addRow(Text::tr("Multiplicity"), multiplicity_);
    frame_ = whole("binning.frame", 0, 100000, 0, Text::tr("Which of several frames"));
    frame_->setSpecialValueText(Text::tr("the only one"));
    layout_->addRow(Text::tr("Frame"), frame_);
    const std::array<std::pair<const char*, QString>, 4> kinds{
        {{"binning.mult", Text::tr("Survival, efficiency")},
         {"binning.acf", Text::tr("Attenuation correction factors")},
         {"binning.norm", Text::tr("Normalisation factors")},
         {"binning.add", Text::tr("Scatter and randoms")}}};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        factors_[i] = text(kinds[i].first, Text::tr("none"),
                           Text::tr("Sinograms of the same bins (.hs or .h5), several with commas"));
        layout_->addRow(kinds[i].second, factors_[i]);
    }
}

void BinningForm::takeSinogramFields(ListBinning& binning) const {
    const auto files = [this](std::size_t i) {
        return fileList(factors_[i]->text().trimmed().toStdString());
    };
    binning.sinograms.read.multiplicity = static_cast<Multiplicity>(multiplicity_->currentData().toInt());
    binning.sinograms.read.frame = frame_->value();
    binning.sinograms.mult = files(0);
    binning.sinograms.acf = files(1);
    binning.sinograms.norm = files(2);
    binning.sinograms.add = files(3);
}

QSpinBox* BinningForm::whole(const char* name, int low, int high, int value, const QString& help) {
    auto* box = new QSpinBox;
    box->setObjectName(name);
    box->setRange(low, high);
    box->setValue(value);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setAlignment(Qt::AlignRight);
    box->setToolTip(help);
    return box;
}

QLineEdit* BinningForm::text(const char* name, const QString& placeholder, const QString& help) {
    auto* edit = new QLineEdit;
    edit->setObjectName(name);
    edit->setPlaceholderText(placeholder);
    edit->setToolTip(help);
    return edit;
}

QCheckBox* BinningForm::check(const char* name, const QString& label) {
    auto* box = new QCheckBox(label);
    box->setObjectName(name);
    return box;
}

void BinningForm::enableFields() {
    const bool histo = form() == "histo";
    azimuths_->setEnabled(histo);
    tilts_->setEnabled(histo);
    trilinear_->setEnabled(histo);
    spread_->setEnabled(histo);
    segments_->setEnabled(!histo);
    corrections_->setEnabled(form() == "lors" || foreign_);
    randoms_->setEnabled(!histo && !foreign_);
    for (QWidget* field : std::initializer_list<QWidget*>{segments_, scanner_, reversed_, partial_}) {
        field->setEnabled(field->isEnabled() && !foreign_);
    }
}

ListBinning BinningForm::binning() const {
    const auto typed = [](const QLineEdit* edit) {
        return edit->isEnabled() ? edit->text().trimmed().toStdString() : std::string();
    };
    ListBinning binning;
    binning.form = form();
    binning.azimuths = azimuths_->value();
    binning.tilts = tilts_->value();
    binning.voxel_mm = voxel_->value();
    if (const QStringList sizes = grid_->text().split('x'); sizes.size() == 3) {
        binning.grid = {sizes[0].toInt(), sizes[1].toInt(), sizes[2].toInt()};
    }
    binning.trilinear = trilinear_->isEnabled() && trilinear_->isChecked();
    binning.endPoints = spread_->isChecked() ? EndPoints::Face : EndPoints::Centre;
    binning.segments = segments_->isEnabled() ? segments_->value() : 0;
    binning.scanner = typed(scanner_);
    binning.mu = typed(mu_);
    binning.muUnits = static_cast<MuUnits>(muUnits_->currentData().toInt());
    binning.corrections = typed(corrections_);
    if (foreign_) {
        takeSinogramFields(binning);
    }
    binning.randoms = randoms_->isChecked() ? Randoms::Estimate : Randoms::None;
    binning.times = reversed_->isChecked() ? Times::Reversed : Times::AsStated;
    binning.partial = partial_->isChecked();
    return binning;
}

}  // namespace

std::optional<ListBinning> askForBinning(QWidget* parent, const QString& file) {
    QDialog dialog(parent);
    dialog.setWindowTitle(Text::tr("Open list-mode"));
    dialog.setObjectName("binning.dialog");
    BinningForm form(file);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(Text::tr("Open"));
    QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    auto* column = new QVBoxLayout(&dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addLayout(form.layout());
    column->addWidget(buttons);
    return dialog.exec() == QDialog::Accepted ? std::optional(form.binning()) : std::nullopt;
}

}  // namespace tof::ui
