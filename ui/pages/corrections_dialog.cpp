// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/corrections_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "recon/base/error.h"
#include "recon/corrections/correct_inputs.h"
#include "recon/io/format_table.h"
#include "recon/work/correct_rows.h"
#include "ui/kit/basic.h"
#include "ui/kit/choice_list.h"
#include "ui/kit/request_form.h"
#include "ui/kit/theme.h"

namespace tof::ui {

namespace {

constexpr int kPartWidth = 190;   ///< px; the longest part has room
constexpr int kStateWidth = 150;  ///< px

/// A part's name and how it stands in the data, side by side.
QWidget* nameAndState(QWidget* name, QWidget* state) {
    auto* both = new QWidget;
    auto* row = makeRow(both, {});
    name->setMinimumWidth(kPartWidth);
    state->setMinimumWidth(kStateWidth);
    row->addWidget(name);
    row->addWidget(state, 1);
    return both;
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

/// Its values are judged by the task that reads them: a large map takes seconds.
void requireImage(const std::string& file) {
    const RecognisedFile recognised = recognise(file);
    recognised.requireKnown();
    if (recognised.kind() != FileKind::Volume && recognised.kind() != FileKind::Run) {
        throw BadInput(CorrectionsDialog::tr("This file holds no image").toStdString());
    }
}

QString missingFile(const std::string& file) {
    return QFileInfo(QString::fromStdString(file)).isFile() ? QString()
                                                            : CorrectionsDialog::tr("There is no such file");
}

/// Where the study goes.
std::vector<RequestRow<CorrectionWish>> folderRows() {
    using namespace row_words;
    using Row = RequestRow<CorrectionWish>;
    return {Row::made(
        [](const CorrectionWish& wish) { return wish.folder.toStdString(); },
        [](CorrectionWish& wish, const std::string& text) { wish.folder = QString::fromStdString(text); },
        "folder", Label{toTranslate("Word", "Study folder")},
        Help{toTranslate("Word", "The study that is made, NAME.tofstudy")})};
}

}  // namespace

CorrectionsDialog::CorrectionsDialog(CorrectionStates states, const EngineRegistry& engines,
                                     const QString& folder, QWidget* parent)
    : QDialog(parent), states_(std::move(states)), engines_(engines) {
    setObjectName("corrections.dialog");
    setWindowTitle(tr("Make corrections"));
    typed_.folder = folder;
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 16, 0, 16);
    column->setSpacing(8);
    auto* top = new QWidget;
    auto* body = makeColumn(top, {16, 0, 16, 0});
    body->setSpacing(8);
    body->addWidget(makeSmallText(
        tr("The open data with the parts that are ticked become a study of their own. A part that "
           "the data do not hold is found from its file, in the background.")));
    if (states_.givenAdd) {
        body->addWidget(makeSmallText(
            tr("The data came with expected counts of which they do not say what they are. Randoms "
               "or scatter that are made take their place.")));
    }
    addParts(*body);
    column->addWidget(top);
    addScatterSettings(*column);
    auto* bottom = new QWidget;
    body = makeColumn(bottom, {16, 0, 16, 0});
    body->setSpacing(10);
    study_ = new RequestForm("corrections", boundRows(folderRows(), typed_));
    body->addWidget(study_);
    body->addWidget(makeAnswers(*this, tr("Make"), [this] {
        QWidget* const wrong = check();
        if (wrong != nullptr) {  // sentences of several lines need their room
            layout()->activate();
            resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
        }
        return wrong;
    }));
    column->addStretch();
    column->addWidget(bottom);
    join();
    setMinimumWidth(820);
}

/// The rows of the request, worded for these data.
std::vector<BoundRow> CorrectionsDialog::rowsOfData() {
    std::vector<BoundRow> rows;
    bindRows(rows, correctRows(), typed_);
    for (BoundRow& row : rows) {
        if (row.key == "mu" && states_.namesPhantom) {
            row.empty = toTranslate("Word", "what attenuates: the phantom of the data");
        }
    }
    return rows;
}

void CorrectionsDialog::addParts(QVBoxLayout& column) {
    files_ = new RequestForm("corrections");
    const Theme& theme = Theme::of(*this);
    files_->addLine(
        nameAndState(makeSmallText(tr("Use"), theme.text2), makeSmallText(tr("In the data"), theme.text2)),
        makeSmallText(tr("Found from"), theme.text2));
    for (const CorrectionState& state : states_.parts) {
        addPart(state);
    }
    for (const BoundRow& row : rowsOfData()) {
        if (row.group == kRingsGroup && states_.scanner == nullptr && states_.form->rings != nullptr) {
            files_->add(row);
            files_->setLabel(row.key, nameAndState(new QLabel(tr("Scanner")),
                                                   makeSmallText(QString::fromStdString(states_.rings.name),
                                                                 theme.text2)));
            fillScanners();
        }
    }
    column.addWidget(files_);
}

/// The part whose row says what attenuates.
PartName CorrectionsDialog::attenuated() const {
    const CorrectionState& survival = states_.of(PartName::Attenuation);
    const bool alone = !states_.of(PartName::Scatter).whyNot.isEmpty() && survival.whyNot.isEmpty() &&
                       states_.form->find(PartName::Attenuation)->need == PartNeed::Attenuation;
    return alone ? PartName::Attenuation : PartName::Scatter;
}

/// The row that says what a part is found from; empty: it has no file of its own.
std::string CorrectionsDialog::fileRowOf(PartName part) const {
    const bool singles = part == PartName::Singles ||
                         (part == PartName::DeadTime && !states_.of(PartName::Singles).whyNot.isEmpty());
    return singles                          ? "singles"
           : part == PartName::Efficiencies ? "norm"
           : part == PartName::Delayeds     ? "delayeds"
           : part == attenuated()           ? "mu"
                                            : "";
}

/// The box of a part and how it stands in the data.
QWidget* CorrectionsDialog::makePart(const CorrectionState& state) {
    const QString name = QString("corrections.") + partText(state.name);
    const std::pair<PartName, QString> helps[] = {
        {PartName::Attenuation, tr("What is lost on the way through the object")},
        {PartName::Efficiencies, tr("How well each crystal records")},
        {PartName::Delayeds, tr("Photons of two decays that were taken for one")},
        {PartName::Singles, tr("Photons of two decays that were taken for one")},
        {PartName::DeadTime, tr("What blocks miss while they are busy")},
        {PartName::Scatter, tr("Single scatter simulation with times of flight, of the data's own image")}};
    auto* use = new QCheckBox(state.name == PartName::Delayeds && !keepsParts() ? tr("Randoms")
                                                                                : correctionName(state.name));
    use->setObjectName(name + ".on");
    use->setChecked(state.on);
    use->setEnabled(state.whyNot.isEmpty());
    use->setToolTip(state.whyNot);
    for (const auto& [part, help] : helps) {
        if (state.name == part && state.whyNot.isEmpty()) {
            use->setToolTip(help);
        }
    }
    boxes_.emplace_back(state.name, use);
    auto* how = new QLabel(state.whyNot.isEmpty() ? correctionText(state) : QString());
    how->setObjectName(name + ".state");
    return nameAndState(use, how);
}

void CorrectionsDialog::addPart(const CorrectionState& state) {
    QWidget* const part = makePart(state);
    const Theme& theme = Theme::of(*this);
    if (!state.whyNot.isEmpty()) {
        QLabel* const why = makeSmallText(state.whyNot, theme.disabled);
        why->setObjectName(QString("corrections.") + partText(state.name) + ".why");
        files_->addLine(part, why);
        return;
    }
    const std::string file = fileRowOf(state.name);
    if (file.empty()) {
        files_->addLine(part, makeSmallText(state.name == PartName::DeadTime ? tr("by the singles above")
                                            : states_.form->find(state.name)->need == PartNeed::Binning
                                                ? tr("as the data were binned")
                                                : tr("by what attenuates, below"),
                                            theme.text2));
        return;
    }
    for (const BoundRow& row : rowsOfData()) {
        if (row.key == file) {
            files_->add(row);
            files_->setLabel(file, part);
        } else if (row.key == "mu-units" && state.name == PartName::Attenuation) {
            files_->add(row);
        } else if (row.group == kPanelGroup && state.name == PartName::Delayeds && !keepsParts()) {
            files_->add(row);
        }
    }
}

/// Those that say how they detect; the one that has as many crystals as the sinograms' rings first.
void CorrectionsDialog::fillScanners() {
    auto* list = qobject_cast<ChoiceList*>(files_->field("scanner"));
    std::vector<ChoiceList::Choice> choices;
    int fits = -1;
    for (int i = 0; i < list->count(); ++i) {
        const QString name = list->itemText(i);
        const Scanner scanner = Scanner::find(name.toStdString());
        if (fits < 0 && scanner.crystals.size() == states_.rings.crystals) {
            fits = i;
        }
        choices.push_back({name, name, tr("%n crystals", "", static_cast<int>(scanner.crystals.size()))});
    }
    list->setChoices(choices);
    list->setCurrentIndex(fits);
    typed_.scanner = list->currentData().toString().toStdString();
}

void CorrectionsDialog::addScatterSettings(QVBoxLayout& column) {
    if (!states_.of(PartName::Scatter).whyNot.isEmpty()) {
        return;
    }
    std::vector<BoundRow> rows = rowsOfData();
    std::erase_if(rows, [](const BoundRow& row) { return row.group != kScatterGroup; });
    settings_ = new RequestForm("corrections", rows);
    fillEngines();
    auto* section = new Section(tr("How scatter is found"));
    section->setObjectName("corrections.settings");
    section->setToolTip(tr("A click or Space opens it"));
    section->content()->addWidget(settings_);
    section->setFolded(true);
    column.addWidget(section);
}

/// Which engines are there takes a moment to find out: only the open list says so.
void CorrectionsDialog::fillEngines() {
    auto* list = qobject_cast<ChoiceList*>(settings_->field("engine"));
    const ChoiceList::Choice automatic{"auto", "auto", tr("the fastest that is there")};
    list->setChoices({automatic});
    list->setSource([this, automatic] {
        std::vector<ChoiceList::Choice> all{automatic};
        for (const std::string& name : engines_.names()) {
            const auto found = engines_.find(name);
            const auto* none = std::get_if<Unsupported>(&found);
            all.push_back({QString::fromStdString(name),
                           QString::fromStdString(name),
                           {},
                           none != nullptr ? QString::fromStdString(none->why) : QString()});
        }
        return all;
    });
}

/// Boxes and files that go together.
void CorrectionsDialog::join() {
    // Whoever names a file wants what is found from it.
    connect(files_, &RequestForm::changed, this, [this](const std::string& key) {
        const std::string& file = key == "norm"       ? typed_.norm
                                  : key == "delayeds" ? typed_.delayeds
                                                      : typed_.singles;
        for (const CorrectionState& state : states_.parts) {
            const bool found =
                (key == "norm" && state.name == PartName::Efficiencies) ||
                (key == "delayeds" && state.name == PartName::Delayeds) ||
                (key == "singles" && (state.name == PartName::Singles || state.name == PartName::DeadTime));
            if (found && box(state.name)->isEnabled() && !state.on) {
                box(state.name)->setChecked(!file.empty());
            }
        }
    });
    // Randoms are taken once.
    QCheckBox* const delayeds = box(PartName::Delayeds);
    QCheckBox* const singles = box(PartName::Singles);
    if (delayeds != nullptr && singles != nullptr) {
        for (const auto& [one, other] : {std::pair{delayeds, singles}, {singles, delayeds}}) {
            connect(one, &QCheckBox::toggled, other, [other = other](bool on) {
                if (on) {
                    other->setChecked(false);
                }
            });
        }
    }
}

void CorrectionsDialog::turn(PartName part) {
    if (QCheckBox* const use = box(part)) {
        use->toggle();
    }
}

// ---- what was asked for ----

/// Null where the data's form has no such part.
QCheckBox* CorrectionsDialog::box(PartName part) const {
    const auto found =
        std::find_if(boxes_.begin(), boxes_.end(), [part](const auto& one) { return one.first == part; });
    return found != boxes_.end() ? found->second : nullptr;
}

bool CorrectionsDialog::used(PartName part) const {
    const QCheckBox* const use = box(part);
    return use != nullptr && use->isEnabled() && use->isChecked();
}

bool CorrectionsDialog::turned(PartName part) const {
    const QCheckBox* const use = box(part);
    return use != nullptr && use->isEnabled() && use->isChecked() != states_.of(part).on;
}

std::string CorrectionsDialog::fileOf(const std::string& file, std::initializer_list<PartName> parts) const {
    const bool wanted = std::any_of(parts.begin(), parts.end(), [this](PartName part) { return used(part); });
    return wanted ? file : std::string();
}

/// Whether a list or singles are named that something is found from.
bool CorrectionsDialog::namesMeasurement() const {
    return !fileOf(typed_.norm, {PartName::Efficiencies}).empty() ||
           !fileOf(typed_.delayeds, {PartName::Delayeds}).empty() ||
           !fileOf(typed_.singles, {PartName::Singles, PartName::DeadTime}).empty();
}

/// Scatter that is there stays as it is unless something is found that it depends on.
bool CorrectionsDialog::findsScatter() const {
    if (!used(PartName::Scatter)) {
        return false;
    }
    const ScatterCorrection usual;
    const ScatterCorrection& asked = typed_.scatterSettings;
    const bool otherwise = asked.rounds != usual.rounds || asked.fitTails != usual.fitTails;
    return turned(PartName::Scatter) || otherwise || !typed_.mu.empty() || namesMeasurement();
}

void CorrectionsDialog::wishRandoms(CorrectionWish& wish) const {
    // Singles bring randoms with dead time, wanted or not.
    if (turned(PartName::Delayeds) || turned(PartName::Singles) || !wish.delayeds.empty() ||
        !wish.singles.empty()) {
        wish.switches.randoms = used(PartName::Singles)    ? RandomsBy::Singles
                                : used(PartName::Delayeds) ? RandomsBy::Delayeds
                                                           : RandomsBy::Off;
    }
}

CorrectionWish CorrectionsDialog::wish() const {
    CorrectionWish wish = typed_;
    wish.detecting = chosen_;
    wish.norm = fileOf(typed_.norm, {PartName::Efficiencies});
    wish.delayeds = fileOf(typed_.delayeds, {PartName::Delayeds});
    wish.singles = fileOf(typed_.singles, {PartName::Singles, PartName::DeadTime});
    const auto turn = [this](PartName part, bool found) {
        return turned(part) || found ? std::optional(used(part)) : std::nullopt;
    };
    if (keepsParts()) {
        wishRandoms(wish);
    }
    wish.switches.attenuation = turn(PartName::Attenuation, false);
    wish.switches.efficiencies = turn(PartName::Efficiencies, false);
    wish.switches.deadTime = turn(PartName::DeadTime, !wish.singles.empty());
    wish.scatter = findsScatter();
    if (!findsByScanner()) {
        wish.scanner.clear();
    }
    wish.switches.scatter = turn(PartName::Scatter, wish.scatter);
    if (!wish.folder.endsWith(".tofstudy")) {
        wish.folder += ".tofstudy";
    }
    return wish;
}

// ---- what cannot be ----

QString CorrectionsDialog::whyNoList(const std::string& file, std::initializer_list<PartName> parts,
                                     const Scanner* scanner, const Require& require) const {
    const auto any = [parts](const auto& holds) { return std::any_of(parts.begin(), parts.end(), holds); };
    if (!any([this](PartName part) { return used(part); })) {
        return {};
    }
    if (file.empty()) {
        return any([this](PartName part) { return used(part) && !states_.of(part).kept; })
                   ? tr("A file is needed: the data do not hold this part")
                   : QString();
    }
    const QString none = missingFile(file);
    return !none.isEmpty() || scanner == nullptr ? none : saidOf(file, [&] { require(file, *scanner); });
}

QString CorrectionsDialog::whyNoSingles(const Scanner* scanner) const {
    bool busy = true;
    const QString fault = whyNoList(
        typed_.singles, {PartName::Singles, PartName::DeadTime}, scanner,
        [&busy](const std::string& file, const Scanner& of) { busy = !singlesOf(file, of).busy.empty(); });
    return fault.isEmpty() && used(PartName::DeadTime) && !busy
               ? tr("These singles do not say what kept blocks busy, which dead time is found from")
               : fault;
}

QString CorrectionsDialog::whyNoVolume() const {
    const std::string& file = typed_.mu;
    const CorrectionState& scatter = states_.of(PartName::Scatter);
    const PartRow* const row = states_.form->find(PartName::Scatter);
    const bool back = row != nullptr && row->again == PartAgain::AsItWas && scatter.kept;
    const bool needed = (findsScatter() && !back) ||
                        (turned(PartName::Attenuation) && !states_.of(PartName::Attenuation).kept);
    if (!files_->has("mu") || (!needed && file.empty())) {
        return {};
    }
    if (file.empty()) {
        return states_.namesPhantom ? QString() : tr("The data name no phantom; say what attenuates");
    }
    const QString none = missingFile(file);
    return none.isEmpty() ? saidOf(file, [&] { requireImage(file); }) : none;
}

/// Whether something is found that takes a scanner whose crystals detect; survival does not.
bool CorrectionsDialog::findsByScanner() const {
    return findsScatter() || namesMeasurement();
}

QString CorrectionsDialog::whyNoScanner(std::shared_ptr<const Scanner>& scanner) const {
    scanner = states_.scanner;
    if (!files_->has("scanner") || !findsByScanner()) {
        return {};
    }
    const std::string& name = typed_.scanner;
    if (name.empty()) {
        return tr("Say which scanner the sinograms are of");
    }
    const QString fault =
        saidOf(name, [&] { scanner = std::make_shared<const Scanner>(Scanner::find(name)); });
    if (!fault.isEmpty()) {
        return fault;
    }
    return scanner->crystals.size() == states_.rings.crystals
               ? QString()
               : tr("%1 has %2 crystals, the sinograms are of %3")
                     .arg(QString::fromStdString(scanner->name))
                     .arg(scanner->crystals.size())
                     .arg(states_.rings.crystals);
}

QString CorrectionsDialog::whyNoFolder() const {
    const CorrectionWish asked = wish();
    const bool found =
        !asked.norm.empty() || !asked.delayeds.empty() || !asked.singles.empty() || asked.scatter;
    const bool switched = keepsParts() && std::any_of(boxes_.begin(), boxes_.end(),
                                                      [this](const auto& one) { return turned(one.first); });
    const QFileInfo made(asked.folder);
    const QFileInfo parent(made.absolutePath());
    return !found && !switched       ? tr("Nothing is changed: tick a part or untick one")
           : typed_.folder.isEmpty() ? tr("A name is needed")
           : made.exists()           ? tr("%1 exists already; choose another name").arg(made.fileName())
           : !parent.isWritable()    ? tr("%1 cannot be written").arg(parent.absoluteFilePath())
                                     : QString();
}

QWidget* CorrectionsDialog::check() {
    QWidget* first = settings_ != nullptr ? settings_->check() : nullptr;
    const auto say = [&first](RequestForm* form, const char* key, const QString& sentence) {
        if (!form->has(key)) {
            return;
        }
        form->setFault(key, sentence);
        if (!sentence.isEmpty() && first == nullptr) {
            first = form->field(key);
        }
    };
    std::shared_ptr<const Scanner> scanner;
    const QString noScanner = whyNoScanner(scanner);
    chosen_ = files_->has("scanner") && noScanner.isEmpty() ? scanner : nullptr;
    say(files_, "norm",
        whyNoList(typed_.norm, {PartName::Efficiencies}, scanner.get(), requireNormalisation));
    say(files_, "delayeds", whyNoList(typed_.delayeds, {PartName::Delayeds}, scanner.get(), requireDelayeds));
    say(files_, "singles", whyNoSingles(scanner.get()));
    say(files_, "mu", whyNoVolume());
    say(files_, "scanner", noScanner);
    say(study_, "folder", whyNoFolder());
    return first;
}

}  // namespace tof::ui
