// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/corrections_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "recon/base/error.h"
#include "recon/corrections/attenuation_map.h"
#include "recon/work/correct_data.h"
#include "recon/work/correct_shared.h"
#include "ui/kit/basic.h"
#include "ui/kit/choice_list.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kStateColumn = 1;
constexpr int kFieldColumn = 2;
constexpr int kBrowseColumn = 3;

QLabel* caption(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setStyleSheet("font-size: 11px;");
    return label;
}

QLabel* grey(const QString& text, const QColor& colour) {
    QLabel* label = caption(text);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
    return label;
}

/// What `ask` throws of a file, in its own words and without its name, which stands above; empty when it does
/// not.
template <class Ask>
QString saidOf(const std::string& file, Ask ask) {
    try {
        ask();
        return {};
    } catch (const Error& fault) {
        return QString(fault.what()).remove(QString::fromStdString(file) + ": ");
    }
}

/// A fault at its field; empty: none.
void mark(QLabel& label, QWidget& field, const QString& sentence) {
    label.setText(sentence);
    label.setVisible(!sentence.isEmpty());
    field.setProperty("bad", !sentence.isEmpty());
    field.style()->unpolish(&field);
    field.style()->polish(&field);
}

QString missing(const std::string& file) {
    return QFileInfo(QString::fromStdString(file)).isFile() ? QString()
                                                            : CorrectionsDialog::tr("There is no such file");
}

}  // namespace

CorrectionsDialog::CorrectionsDialog(CorrectionStates states, const EngineRegistry& engines,
                                     const QString& folder, QWidget* parent)
    : QDialog(parent), states_(std::move(states)), engines_(engines) {
    setObjectName("corrections.dialog");
    setWindowTitle(tr("Make corrections"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 16, 0, 16);
    column->setSpacing(8);
    auto* top = new QWidget;
    auto* body = makeColumn(top, {16, 0, 16, 0});
    body->setSpacing(8);
    body->addWidget(
        caption(tr("The open data with the parts that are ticked become a study of their own. A part that "
                   "the data do not hold is found from its file, in the background.")));
    if (states_.givenAdd) {
        body->addWidget(
            caption(tr("The data came with expected counts of which they do not say what they "
                       "are. Randoms or scatter that are made take their place.")));
    }
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(kFieldColumn, 1);
    grid->setColumnMinimumWidth(kFieldColumn, 300);
    const Theme& theme = Theme::of(*this);
    grid->addWidget(grey(tr("Use"), theme.text2), 0, 0);
    grid->addWidget(grey(tr("In the data"), theme.text2), 0, kStateColumn);
    grid->addWidget(grey(tr("Found from"), theme.text2), 0, kFieldColumn);
    for (const CorrectionState& state : states_.parts) {
        addPart(*grid, state.name);
    }
    if (states_.form == DataForm::Sinograms) {
        addScanner(*grid);
    }
    body->addLayout(grid);
    column->addWidget(top);
    addScatterSettings(*column);
    addFolder(*column, folder);
    join();
    setMinimumWidth(760);
}

void CorrectionsDialog::addPart(QGridLayout& grid, const std::string& part) {
    const CorrectionState& state = states_.of(part);
    const QString name = "corrections." + QString::fromStdString(part);
    const int row = grid.rowCount();
    const QString text =
        part == kDelayeds && states_.form == DataForm::Panel ? tr("Randoms") : correctionName(part);
    auto* use = new QCheckBox(text);
    use->setObjectName(name + ".on");
    use->setChecked(state.on);
    boxes_.emplace_back(part, use);
    grid.addWidget(use, row, 0);
    if (!state.whyNot.isEmpty()) {
        use->setEnabled(false);
        use->setToolTip(state.whyNot);
        auto* why = grey(state.whyNot, Theme::of(*this).disabled);
        why->setObjectName(name + ".why");
        grid.addWidget(why, row, kStateColumn, 1, 3);
        return;
    }
    auto* how = new QLabel(correctionText(state));
    how->setObjectName(name + ".state");
    grid.addWidget(how, row, kStateColumn);
    if (part == kAttenuation) {
        use->setToolTip(tr("What is lost on the way through the object"));
        addWord(grid, states_.form == DataForm::HistoImages ? tr("as the data were binned")
                                                            : tr("by what attenuates, below"));
    } else if (part == kEfficiencies) {
        use->setToolTip(tr("How well each crystal records"));
        norm_ = addFile(grid, "corrections.norm", tr("list of a normalisation scan"),
                        tr("List of a normalisation scan without scatter, of the phantom that it names"));
    } else if (part == kDelayeds) {
        use->setToolTip(tr("Photons of two decays that were taken for one"));
        delayeds_ = addFile(grid, "corrections.delayeds", tr("list of the delayed coincidences"),
                            tr("List of the delayed coincidences of the same scan"));
        if (states_.form == DataForm::Panel) {
            addPanelWays(grid);
        }
    } else if (part == kSingles) {
        use->setToolTip(tr("Photons of two decays that were taken for one"));
        singles_ = addFile(grid, "corrections.singles", tr("singles of the crystals"),
                           tr("Singles of the crystals in the same scan"));
    } else if (part == kDeadTime) {
        use->setToolTip(tr("What blocks miss while they are busy"));
        if (states_.of(kSingles).whyNot.isEmpty()) {
            addWord(grid, tr("by the singles above"));
        } else {
            singles_ = addFile(grid, "corrections.singles", tr("singles of the crystals"),
                               tr("Singles of the crystals in the same scan"));
        }
    } else {
        use->setToolTip(tr("Single scatter simulation with times of flight, of the data's own image"));
        mu_ = addFile(grid, "corrections.mu",
                      states_.namesPhantom ? tr("what attenuates: the phantom of the data")
                                           : tr("what attenuates: a volume in 1/cm"),
                      tr("Attenuation volume"));
    }
}

/// What a part is found from that has no file of its own, in the last row.
void CorrectionsDialog::addWord(QGridLayout& grid, const QString& words) {
    grid.addWidget(grey(words, Theme::of(*this).text2), grid.rowCount() - 1, kFieldColumn);
}

/// A field in the last row, and its fault below.
CorrectionsDialog::FileField CorrectionsDialog::addFile(QGridLayout& grid, const char* name,
                                                        const QString& text, const QString& help) {
    const int row = grid.rowCount() - 1;
    const FileField made{new QLineEdit, grey({}, Theme::of(*this).error)};
    made.file->setObjectName(name);
    made.file->setAccessibleName(help);
    made.file->setToolTip(help);
    made.file->setPlaceholderText(text);
    made.fault->setObjectName(QString(name) + ".fault");
    made.fault->hide();
    auto* browse = new QToolButton;
    browse->setObjectName(QString(name) + ".browse");
    browse->setText(tr("Browse…"));
    browse->setAccessibleName(help);
    browse->setToolTip(help);
    browse->setProperty("kind", "button");
    browse->setFocusPolicy(Qt::TabFocus);
    connect(browse, &QToolButton::clicked, this, [this, field = made.file, help] {
        const QString file = QFileDialog::getOpenFileName(this, help);
        if (!file.isEmpty()) {
            field->setText(file);
        }
    });
    grid.addWidget(made.file, row, kFieldColumn);
    grid.addWidget(browse, row, kBrowseColumn);
    grid.addWidget(made.fault, row + 1, kFieldColumn, 1, 2);
    return made;
}

void CorrectionsDialog::addPanelWays(QGridLayout& grid) {
    auto* way = new ComboBox;
    way->setObjectName("corrections.panel-way");
    way->setAccessibleName(tr("How randoms are taken"));
    way->setToolTip(
        tr("Counts with their mean beside them stay Poisson; what falls below zero becomes zero"));
    way->addItem(tr("their mean is expected beside the counts"), static_cast<int>(PanelRandoms::Add));
    way->addItem(tr("taken from the counts, line by line"), static_cast<int>(PanelRandoms::Subtract));
    grid.addWidget(way, grid.rowCount(), kFieldColumn);
    panelWay_ = way;
}

void CorrectionsDialog::addScanner(QGridLayout& grid) {
    const int row = grid.rowCount();
    scanner_ = new ChoiceList;
    scanner_->setObjectName("corrections.scanner");
    scanner_->setAccessibleName(tr("Scanner"));
    scanner_->setToolTip(tr("Sinograms do not say how their crystals detect: the scanner does"));
    fillScanners();
    auto* browse = new QToolButton;
    browse->setObjectName("corrections.scanner.browse");
    browse->setText(tr("Browse…"));
    browse->setAccessibleName(tr("Description of a scanner"));
    browse->setToolTip(tr("Description of a scanner"));
    browse->setProperty("kind", "button");
    browse->setFocusPolicy(Qt::TabFocus);
    connect(browse, &QToolButton::clicked, this, [this] {
        const QString file = QFileDialog::getOpenFileName(this, tr("Description of a scanner"));
        if (!file.isEmpty()) {
            scanner_->addItem(file, file);
            scanner_->setCurrentIndex(scanner_->count() - 1);
        }
    });
    scannerFault_ = grey({}, Theme::of(*this).error);
    scannerFault_->setObjectName("corrections.scanner.fault");
    scannerFault_->hide();
    grid.addWidget(new QLabel(tr("Scanner")), row, 0);
    grid.addWidget(grey(QString::fromStdString(states_.rings), Theme::of(*this).text2), row, kStateColumn);
    grid.addWidget(scanner_, row, kFieldColumn);
    grid.addWidget(browse, row, kBrowseColumn);
    grid.addWidget(scannerFault_, row + 1, kFieldColumn, 1, 2);
}

/// Those that say how they detect; the one that has as many crystals as the sinograms' rings first.
void CorrectionsDialog::fillScanners() {
    std::vector<ChoiceList::Choice> choices;
    int fits = -1;
    for (const BuiltIn& one : builtInScanners()) {
        const Scanner scanner = Scanner::fromJson(one.text, one.name);
        if (!scanner.detection) {
            continue;
        }
        const QString name = QString::fromStdString(one.name);
        if (fits < 0 && scanner.crystals.size() == states_.crystals) {
            fits = static_cast<int>(choices.size());
        }
        choices.push_back({name, name, tr("%n crystals", "", static_cast<int>(scanner.crystals.size()))});
    }
    scanner_->setChoices(choices);
    scanner_->setCurrentIndex(fits);
}

void CorrectionsDialog::addScatterSettings(QVBoxLayout& column) {
    if (!states_.of(kScatter).whyNot.isEmpty()) {
        return;
    }
    settings_ = new Section(tr("How scatter is found"));
    settings_->setObjectName("corrections.settings");
    settings_->setToolTip(tr("A click or Space opens it"));
    const ScatterCorrection usual;
    auto* form = new QFormLayout;
    form->setVerticalSpacing(6);
    rounds_ = new QSpinBox;
    rounds_->setObjectName("corrections.rounds");
    rounds_->setAccessibleName(tr("Rounds"));
    rounds_->setToolTip(tr("How often image and scatter are found in turn"));
    rounds_->setRange(1, 10);
    rounds_->setValue(usual.rounds);
    rounds_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    rounds_->setAlignment(Qt::AlignRight);
    tails_ = new QCheckBox(tr("scaled to what is measured where nothing emits"));
    tails_->setObjectName("corrections.tails");
    tails_->setToolTip(tr("Takes in what was scattered more than once; else it stays as it is simulated"));
    tails_->setChecked(usual.fitTails);
    units_ = new ComboBox;
    units_->setObjectName("corrections.units");
    units_->setAccessibleName(tr("Attenuation in"));
    units_->setToolTip(tr("What the attenuation volume holds; CT is converted from 120 kVp to 511 keV"));
    for (const auto& [label, units] : {std::pair{tr("1/cm, or as the file says"), MuUnits::AsStated},
                                       {QStringLiteral("1/cm"), MuUnits::PerCm},
                                       {QStringLiteral("1/mm"), MuUnits::PerMm},
                                       {tr("Hounsfield units"), MuUnits::Hounsfield}}) {
        units_->addItem(label, static_cast<int>(units));
    }
    engine_ = new ChoiceList;
    engine_->setObjectName("corrections.engine");
    engine_->setAccessibleName(tr("Engine"));
    engine_->setToolTip(tr("Who adds up over scatter points and lines"));
    const auto choices = [this] {
        std::vector<ChoiceList::Choice> all{{"auto", "auto", tr("the fastest that is there")}};
        for (const std::string& name : engines_.names()) {
            const auto found = engines_.find(name);
            const auto* none = std::get_if<Unsupported>(&found);
            all.push_back({QString::fromStdString(name),
                           QString::fromStdString(name),
                           {},
                           none != nullptr ? QString::fromStdString(none->why) : QString()});
        }
        return all;
    };
    engine_->setChoices({{"auto", "auto", tr("the fastest that is there")}});
    engine_->setSource(choices);
    form->addRow(tr("Rounds"), rounds_);
    form->addRow(QString(), tails_);
    form->addRow(tr("Attenuation in"), units_);
    form->addRow(tr("Engine"), engine_);
    settings_->content()->addLayout(form);
    settings_->setFolded(true);
    column.addWidget(settings_);
}

void CorrectionsDialog::addFolder(QVBoxLayout& column, const QString& folder) {
    auto* bottom = new QWidget;
    auto* body = makeColumn(bottom, {16, 0, 16, 0});
    body->setSpacing(6);
    body->addWidget(new QLabel(tr("Study folder")));
    folder_ = {new QLineEdit(folder), grey({}, Theme::of(*this).error)};
    folder_.file->setObjectName("corrections.folder");
    folder_.file->setAccessibleName(tr("Study folder"));
    folder_.fault->setObjectName("corrections.folder.fault");
    folder_.fault->hide();
    body->addWidget(folder_.file);
    body->addWidget(folder_.fault);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Make"));
    buttons->button(QDialogButtonBox::Ok)->setObjectName("corrections.ok");
    connect(buttons, &QDialogButtonBox::accepted, this, &CorrectionsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    body->addSpacing(4);
    body->addWidget(buttons);
    column.addStretch();
    column.addWidget(bottom);
}

/// Boxes and files that go together.
void CorrectionsDialog::join() {
    // Whoever names a file wants what is found from it.
    const auto wants = [this](const FileField& field, std::vector<std::string> parts) {
        if (field.file == nullptr) {
            return;
        }
        connect(field.file, &QLineEdit::textChanged, this, [this, parts](const QString& file) {
            for (const std::string& part : parts) {
                if (box(part).isEnabled() && !states_.of(part).on) {
                    box(part).setChecked(!file.trimmed().isEmpty());
                }
            }
        });
    };
    wants(norm_, {kEfficiencies});
    wants(delayeds_, {kDelayeds});
    wants(singles_, {kSingles, kDeadTime});
    for (const FileField& field : {norm_, delayeds_, singles_, mu_, folder_}) {
        if (field.file != nullptr) {
            connect(field.file, &QLineEdit::textChanged, this,
                    [field] { mark(*field.fault, *field.file, {}); });
        }
    }
    if (scanner_ != nullptr) {
        connect(scanner_, &QComboBox::currentIndexChanged, this,
                [this] { mark(*scannerFault_, *scanner_, {}); });
    }
    // Randoms are taken once.
    for (const auto& [one, other] : {std::pair{kDelayeds, kSingles}, {kSingles, kDelayeds}}) {
        connect(&box(one), &QCheckBox::toggled, this, [this, other = other](bool on) {
            if (on) {
                box(other).setChecked(false);
            }
        });
    }
}

void CorrectionsDialog::turn(const std::string& part) {
    box(part).toggle();
}

// ---- what was asked for ----

QCheckBox& CorrectionsDialog::box(const std::string& part) const {
    const auto found =
        std::find_if(boxes_.begin(), boxes_.end(), [&](const auto& one) { return one.first == part; });
    if (found == boxes_.end()) {
        throw InternalError("no correction " + part);
    }
    return *found->second;
}

bool CorrectionsDialog::used(const std::string& part) const {
    return box(part).isEnabled() && box(part).isChecked();
}

bool CorrectionsDialog::turned(const std::string& part) const {
    return box(part).isEnabled() && box(part).isChecked() != states_.of(part).on;
}

std::string CorrectionsDialog::textOf(const FileField& field) {
    return field.file != nullptr ? field.file->text().trimmed().toStdString() : std::string();
}

std::string CorrectionsDialog::fileOf(const FileField& field,
                                      std::initializer_list<const char*> parts) const {
    const bool wanted =
        std::any_of(parts.begin(), parts.end(), [this](const char* part) { return used(part); });
    return wanted ? textOf(field) : std::string();
}

/// Scatter that is there stays as it is unless something is found that it depends on.
bool CorrectionsDialog::findsScatter() const {
    if (!used(kScatter)) {
        return false;
    }
    const ScatterCorrection usual;
    const bool otherwise = rounds_->value() != usual.rounds || tails_->isChecked() != usual.fitTails;
    return turned(kScatter) || otherwise || !textOf(mu_).empty() || !fileOf(norm_, {kEfficiencies}).empty() ||
           !fileOf(delayeds_, {kDelayeds}).empty() || !fileOf(singles_, {kSingles, kDeadTime}).empty();
}

void CorrectionsDialog::wishRandoms(CorrectionWish& wish) const {
    if (states_.form == DataForm::Panel) {
        wish.panelRandoms = static_cast<PanelRandoms>(panelWay_->currentData().toInt());
        return;
    }
    // Singles bring randoms with dead time, wanted or not.
    if (turned(kDelayeds) || turned(kSingles) || !wish.delayeds.empty() || !wish.singles.empty()) {
        wish.switches.randoms = used(kSingles)    ? RandomsBy::Singles
                                : used(kDelayeds) ? RandomsBy::Delayeds
                                                  : RandomsBy::Off;
    }
}

CorrectionWish CorrectionsDialog::wish() const {
    CorrectionWish wish;
    wish.norm = fileOf(norm_, {kEfficiencies});
    wish.delayeds = fileOf(delayeds_, {kDelayeds});
    wish.singles = fileOf(singles_, {kSingles, kDeadTime});
    const auto turn = [this](const char* part, bool found) {
        return turned(part) || found ? std::optional(used(part)) : std::nullopt;
    };
    wishRandoms(wish);
    wish.switches.attenuation = turn(kAttenuation, false);
    wish.switches.efficiencies = turn(kEfficiencies, false);
    wish.switches.deadTime = turn(kDeadTime, !wish.singles.empty());
    wish.scatter = findsScatter();
    wish.switches.scatter = turn(kScatter, wish.scatter);
    wish.mu = textOf(mu_);
    if (settings_ != nullptr) {
        wish.muUnits = static_cast<MuUnits>(units_->currentData().toInt());
        wish.scatterSettings.rounds = rounds_->value();
        wish.scatterSettings.fitTails = tails_->isChecked();
        wish.engine = engine_->currentData().toString().toStdString();
    }
    if (scanner_ != nullptr) {
        wish.scanner = scanner_->currentData().toString().toStdString();
    }
    wish.folder = folder_.file->text().trimmed();
    if (!wish.folder.endsWith(".tofstudy")) {
        wish.folder += ".tofstudy";
    }
    return wish;
}

// ---- what cannot be ----

QString CorrectionsDialog::whyNoList(const FileField& field, const std::string& part, const Scanner* scanner,
                                     void (*require)(const std::string&, const Scanner&)) const {
    const std::string file = textOf(field);
    if (field.file == nullptr || !used(part)) {
        return {};
    }
    if (file.empty()) {
        return states_.of(part).kept ? QString() : tr("A file is needed: the data do not hold this part");
    }
    const QString none = missing(file);
    return !none.isEmpty() || scanner == nullptr ? none : saidOf(file, [&] { require(file, *scanner); });
}

QString CorrectionsDialog::whyNoSingles(const Scanner* scanner) const {
    if (singles_.file == nullptr || (!used(kSingles) && !used(kDeadTime))) {
        return {};
    }
    const std::string file = textOf(singles_);
    if (file.empty()) {
        const auto without = [this](const char* part) { return used(part) && !states_.of(part).kept; };
        return without(kSingles) || without(kDeadTime)
                   ? tr("A file is needed: the data do not hold this part")
                   : QString();
    }
    const QString none = missing(file);
    if (!none.isEmpty() || scanner == nullptr) {
        return none;
    }
    bool busy = true;
    const QString fault = saidOf(file, [&] { busy = !singlesOf(file, *scanner).busy.empty(); });
    return fault.isEmpty() && used(kDeadTime) && !busy
               ? tr("These singles do not say what kept blocks busy, which dead time is found from")
               : fault;
}

QString CorrectionsDialog::whyNoVolume() const {
    const std::string file = textOf(mu_);
    const CorrectionState& scatter = states_.of(kScatter);
    // Histo-images take scatter back as it was when nothing says what attenuates.
    const bool back = states_.form == DataForm::HistoImages && scatter.kept;
    const bool needed = (findsScatter() && !back) || (turned(kAttenuation) && !states_.of(kAttenuation).kept);
    if (mu_.file == nullptr || (!needed && file.empty())) {
        return {};
    }
    if (file.empty()) {
        return states_.namesPhantom ? QString() : tr("The data name no phantom; say what attenuates");
    }
    const QString none = missing(file);
    const auto units = static_cast<MuUnits>(units_->currentData().toInt());
    return none.isEmpty() ? saidOf(file, [&] { static_cast<void>(readAttenuationMap(file, units)); }) : none;
}

QString CorrectionsDialog::whyNoScanner(std::shared_ptr<const Scanner>& scanner) const {
    scanner = states_.scanner;
    if (scanner_ == nullptr) {
        return {};
    }
    const std::string name = scanner_->currentData().toString().toStdString();
    if (name.empty()) {
        return tr("Say which scanner the sinograms are of");
    }
    const QString fault =
        saidOf(name, [&] { scanner = std::make_shared<const Scanner>(Scanner::find(name)); });
    if (!fault.isEmpty()) {
        return fault;
    }
    return scanner->crystals.size() == states_.crystals ? QString()
                                                        : tr("%1 has %2 crystals, the sinograms are of %3")
                                                              .arg(QString::fromStdString(scanner->name))
                                                              .arg(scanner->crystals.size())
                                                              .arg(states_.crystals);
}

QString CorrectionsDialog::whyNoFolder() const {
    const CorrectionWish asked = wish();
    const bool found =
        !asked.norm.empty() || !asked.delayeds.empty() || !asked.singles.empty() || asked.scatter;
    // Randoms of panels are found or stay: nothing else is kept of them.
    const bool switched =
        states_.form != DataForm::Panel &&
        std::any_of(boxes_.begin(), boxes_.end(), [this](const auto& one) { return turned(one.first); });
    const QFileInfo made(asked.folder);
    const QFileInfo parent(made.absolutePath());
    return !found && !switched                        ? tr("Nothing is changed: tick a part or untick one")
           : folder_.file->text().trimmed().isEmpty() ? tr("A name is needed")
           : made.exists()        ? tr("%1 exists already; choose another name").arg(made.fileName())
           : !parent.isWritable() ? tr("%1 cannot be written").arg(parent.absoluteFilePath())
                                  : QString();
}

QWidget* CorrectionsDialog::check() {
    QWidget* first = nullptr;
    const auto say = [&first](QLabel* label, QWidget* field, const QString& sentence) {
        if (label == nullptr) {
            return;
        }
        mark(*label, *field, sentence);
        if (!sentence.isEmpty() && first == nullptr) {
            first = field;
        }
    };
    std::shared_ptr<const Scanner> scanner;
    const QString noScanner = whyNoScanner(scanner);
    say(norm_.fault, norm_.file, whyNoList(norm_, kEfficiencies, scanner.get(), requireNormalisation));
    say(delayeds_.fault, delayeds_.file, whyNoList(delayeds_, kDelayeds, scanner.get(), requireDelayeds));
    say(singles_.fault, singles_.file, whyNoSingles(scanner.get()));
    say(mu_.fault, mu_.file, whyNoVolume());
    say(scannerFault_, scanner_, noScanner);
    say(folder_.fault, folder_.file, whyNoFolder());
    return first;
}

/// Sentences of several lines need their room.
void CorrectionsDialog::grow() {
    layout()->activate();
    resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

void CorrectionsDialog::accept() {
    if (QWidget* wrong = check()) {
        wrong->setFocus();
        grow();
        return;
    }
    QDialog::accept();
}

}  // namespace tof::ui
