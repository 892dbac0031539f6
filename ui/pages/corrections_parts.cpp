// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/corrections_parts.h"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "recon/base/error.h"

namespace tof::ui {

CorrectionsParts::CorrectionsParts(QWidget* parent) : QWidget(parent) {
    setObjectName("corrections.parts");
    static_cast<void>(makeColumn(this));
}

void CorrectionsParts::addRow(PartName part) {
    auto* line = new QWidget(this);
    line->setFixedHeight(kRow);
    auto* across = makeRow(line, {});
    const Row made{part, line, new Switch(correctionName(part)),
                   new ElidedLabel(ElidedLabel::Role::Caption, Qt::AlignRight)};
    made.on->setObjectName(QString("corrections.part.") + partText(part));
    made.on->setAccessibleName(correctionName(part));
    made.on->setCheckable(true);
    // What it shows is how the data are; only other data change that.
    connect(made.on, &Switch::clicked, this, [this, part, on = made.on] {
        on->setChecked(states_.of(part).on || states_.of(part).mixed);
        Q_EMIT turned(part);
    });
    across->addWidget(made.on);
    across->addWidget(made.text, 1);
    layout()->addWidget(line);
    rows_.push_back(made);
}

void CorrectionsParts::follow(const CorrectionStates& states, const QString& why) {
    states_ = states;
    for (const CorrectionState& state : states_.parts) {
        if (std::none_of(rows_.begin(), rows_.end(),
                         [&](const Row& one) { return one.part == state.name; })) {
            addRow(state.name);
        }
        const Row& shown = row(state.name);
        const QString cannot = why.isEmpty() ? state.whyNot : why;
        shown.on->setChecked(state.on || state.mixed);
        shown.on->setEnabled(cannot.isEmpty());
        shown.on->setToolTip(!cannot.isEmpty() ? cannot
                             : state.mixed
                                 ? tr("It is within what the data came with, which a reconstruction "
                                      "takes; make a study with this part apart...")
                             : state.on ? tr("Make a study without this part...")
                                        : tr("Make a study with this part..."));
        shown.text->setText(cannot.isEmpty() || state.there || state.mixed || state.byGeometry
                                ? correctionText(state)
                                : QString());
    }
    for (const Row& one : rows_) {
        one.line->setVisible(states_.has(one.part));
    }
}

const CorrectionsParts::Row& CorrectionsParts::row(PartName part) const {
    const auto found =
        std::find_if(rows_.begin(), rows_.end(), [&](const Row& one) { return one.part == part; });
    if (found == rows_.end()) {
        throw InternalError(std::string("no correction ") + partText(part));
    }
    return *found;
}

Switch* CorrectionsParts::of(PartName part) const {
    return row(part).on;
}

QString CorrectionsParts::text(PartName part) const {
    return row(part).text->text();
}

}  // namespace tof::ui
