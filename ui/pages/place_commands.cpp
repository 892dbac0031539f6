// SPDX-License-Identifier: Apache-2.0
#include "ui/pages/place_commands.h"

#include <QInputDialog>

#include "ui/desk/layers.h"
#include "ui/desk/made_images.h"
#include "ui/desk/run_list.h"
#include "ui/desk/view_model.h"
#include "ui/kit/messages.h"
#include "ui/pages/register_dialog.h"
#include "ui/pages/run_commands.h"

namespace tof::ui {

namespace {

/// The motion that lays turned planes into the scanner's axes, by the numbers of a turn about a point.
RigidPlace placeAgainst(const viz::Turn& turn, Vec3 middle) {
    Pose pose;
    for (std::size_t row = 0; row < turn.axes.size(); ++row) {
        for (std::size_t column = 0; column < turn.axes.size(); ++column) {
            pose.turn[3 * row + column] = turn.axes[row][column];
        }
    }
    pose.shift = middle - pose.turned(middle);
    return placeOf(pose, middle);
}

}  // namespace

PlaceCommands::PlaceCommands(const Workbench& bench) : QObject(&bench.window), Workbench(bench) {
    const auto noImage = [this] { return whyNoImage(runs); };
    commands.add(
        "Tools",
        {{.id = "place.register",
          .text = tr("Register..."),
          .help = tr("Lays the image on screen onto another one, by mutual information or by six numbers"),
          .run = [this] { openRegister(); },
          .whyNot = noImage},
         {.id = "place.reorient",
          .text = tr("Reorient..."),
          .help = tr("The image with its axes where they really run, where its file says it wrongly"),
          .run = [this] { askAndReorient(); },
          .whyNot = noImage},
         {.id = "place.straighten",
          .text = tr("Straighten the image"),
          .help = tr("Turns the image so that the longest axis of what it shows lies along x, y or z"),
          .run = [this] { straighten(); },
          .whyNot = noImage},
         {.id = "place.as-planes",
          .text = tr("Turn the image as the planes are"),
          .help = tr("Makes an image whose own planes are the oblique ones, and straightens these"),
          .run = [this] { turnAsThePlanes(); },
          .whyNot = [this] { return view.turn().isNone() ? tr("No plane is turned") : whyNoImage(runs); }}});
}

void PlaceCommands::openRegister() {
    const QString moving = runs.onScreen()->label();
    QString fixed;  // the lowest layer, or the first image that is another one
    for (const auto& item : runs.items()) {
        const bool better = fixed.isEmpty() || layers.find(item->label()) >= 0;
        if (item->label() != moving && item->wholeVolume() != nullptr && better) {
            fixed = item->label();
        }
    }
    auto* dialog = new RegisterDialog(*this, moving, fixed);
    dialog->show();  // not modal: the pictures are used meanwhile
}

void PlaceCommands::askAndReorient() {
    const QString label = runs.onScreen()->label();
    bool ok = false;
    const QString letters = QInputDialog::getItem(
        &window, tr("Reorient %1").arg(label),
        tr("Where x, y and z of the image run: L or R, P or A, S or I"),
        {"RPS", "LAS", "LPI", "RAS", "RPI", "LAI", "RAI", "PLS", "LSP", "SPL", "PSL", "SLP"}, 0, true, &ok);
    if (ok) {
        messages.guard(tr("Reorient"), [&] {
            MadeImages::Moved wish{label, {}, {}};
            wish.move.axes = TrueAxes::fromText(tr("Axes").toStdString(), letters.trimmed().toStdString());
            made.move(wish);
        });
    }
}

void PlaceCommands::straighten() {
    MadeImages::Moved wish{runs.onScreen()->label(), {}, {}};
    wish.move.straighten = Straighten::Yes;
    messages.guard(tr("Straighten the image"), [&] { made.move(wish); });
}

void PlaceCommands::turnAsThePlanes() {
    const RunItem& item = *runs.onScreen();
    MadeImages::Moved wish{item.label(), {}, {}};
    wish.move.by = placeAgainst(view.turn(), middleOf(item.lattice()));
    messages.guard(tr("Turn the image as the planes are"), [&] {
        made.move(wish);
        commands.trigger("view.straighten");
    });
}

}  // namespace tof::ui
