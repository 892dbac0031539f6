// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/data_scanner.h"

#include <nlohmann/json.hpp>

#include "recon/base/error.h"
#include "ui/desk/view_model.h"
#include "ui/kit/json.h"

namespace tof::ui {

namespace {

/// Rings, or crystals one by one. Throws BadInput.
viz::ScannerScene sceneOf(const Measurement& data, const Form* form) {
    const ScannerText text = data.scannerJson();
    const std::string source = "scanner of the data";
    const auto kind = savedIn<std::string>(parsedJson(text), "kind", "");
    if (kind == "rings") {
        return viz::ScannerScene::of(MichelogramSpec::fromJson(text, source).scanner);
    }
    if (kind == "lines") {  // told by name alone
        const auto scanner = form != nullptr ? form->corrections.scanner(data) : nullptr;
        if (scanner == nullptr) {
            throw BadInput(DataScanner::tr("The data do not say of which scanner they are").toStdString());
        }
        return viz::ScannerScene::of(*scanner);
    }
    return viz::ScannerScene::of(*text.scanner(source));
}

}  // namespace

DataScanner::DataScanner(ViewModel& view, DataModel& model, Threading threading, QWidget* parent)
    : ScannerPicture(parent), view_(view), model_(model), phantom_(threading) {
    setObjectName("data.scanner.picture");
    hide();
    connect(&phantom_, &PhantomFinder::found, this, &DataScanner::placePhantom);
}

void DataScanner::addCommand(CommandRegistry& commands, Page& page) {
    commands.add(
        {.id = "data.scanner",
         .menu = "View",
         .text = tr("Scanner of the data"),
         .brief = tr("Scanner"),
         .help = tr("The scanner from outside with what was measured in it and a line of response of the "
                    "view on screen, in the place of the third picture"),
         .run =
             [this, &page] {
                 wanted_ = !wanted_;
                 page.refresh();
                 Q_EMIT page.commandsChanged();
             },
         .whyNot = [this, &page] { return page.isInFront() ? whyNot() : tr("Open the Data page first"); },
         .checked = [this] { return wanted_; }});
}

QString DataScanner::whyNot() const {
    if (model_.data() == nullptr) {
        return tr("Open a study, data or list-mode first");
    }
    return model_.data()->scannerJson().empty() ? tr("The data do not say of which scanner they are")
                                                : QString();
}

void DataScanner::follow() {
    if (wanted_) {
        read();
        drawLine();
    }
}

void DataScanner::read() {
    const auto& now = model_.data();
    if (now == of_) {
        return;
    }
    of_ = now;
    clear();
    phantom_.forget();
    if (now == nullptr || now->scannerJson().empty()) {
        return;
    }
    try {
        take(sceneOf(*now, model_.form()));
        if (!now->phantom().empty()) {
            phantom_.find(now->phantom(), "phantom of the data");
        }
    } catch (const Error& fault) {
        setToolTip(QString(fault.what()));
    }
}

void DataScanner::placePhantom() {
    // The scanner is worth seeing without what was in it.
    if (scene() && phantom_.outline()) {
        viz::ScannerScene with = *scene();
        with.place(*phantom_.outline());
        take(std::move(with));
        drawLine();
    }
}

void DataScanner::drawLine() {
    if (!scene() || model_.data() == nullptr || model_.first().values.empty()) {
        return;
    }
    const auto first = model_.first().values[static_cast<std::size_t>(model_.firstIndex())];
    const auto second = model_.second().values[static_cast<std::size_t>(model_.secondIndex())];
    if (model_.form() != nullptr && model_.form()->lineOf) {
        const FreeLine line = model_.form()->lineOf(*model_.data(), first, second, view_.cursor());
        draw(scene()->nearestLine(line.through, line.direction));
    }
}

}  // namespace tof::ui
