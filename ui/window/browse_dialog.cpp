// SPDX-License-Identifier: Apache-2.0
#include "ui/window/browse_dialog.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "recon/base/error.h"
#include "recon/metrics/colour_map.h"
#include "recon/metrics/range_presets.h"
#include "recon/metrics/robust_range.h"
#include "ui/kit/text.h"

namespace tof::ui {

namespace {

constexpr int kPicture = 260;  ///< px, side of the picture

/// Work that a dialog may leave.
class Watch : public WorkProgress {
  public:
    explicit Watch(Wish wish) : wish_(std::move(wish)) {}
    void stage(const std::string& /*name*/) override {}
    void report(double /*share*/) override { heed(); }
    void note(Remark /*about*/, const std::string& /*sentence*/) override {}
    void heed() override { wish_(); }

  private:
    Wish wish_;
};

/// The coronal slice through the middle, the patient's left on the right, at the proportions of its voxels.
QImage pictureOf(const Volume& volume) {
    const bool ct = volume.units == "HU";
    const DisplayRange range = ct ? findRangePreset("ct-soft")->range : robustRange(volume);
    const ColourMap& map = ColourMap::find(ct ? "grey" : "inverse-grey");
    const auto& size = volume.lattice.size;
    const auto& edge = volume.lattice.spacing_mm;
    QImage image(size[0], size[2], QImage::Format_RGB32);
    const auto last = static_cast<double>(map.table.size() - 1);
    for (int z = 0; z < size[2]; ++z) {
        for (int x = 0; x < size[0]; ++x) {
            const double share =
                (static_cast<double>(volume.at(x, size[1] / 2, z)) - range.low) / (range.high - range.low);
            const auto at =
                static_cast<std::size_t>(last * std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0));
            image.setPixel(x, size[2] - 1 - z, map.table[at].packed());
        }
    }
    const QSizeF mm(size[0] * edge[0], size[2] * edge[2]);
    return image.scaled(mm.scaled(kPicture, kPicture, Qt::KeepAspectRatio).toSize(), Qt::IgnoreAspectRatio,
                        Qt::SmoothTransformation);
}

}  // namespace

BrowseDialog::BrowseDialog(const QString& folder, Threading threading, QWidget* parent)
    : QDialog(parent), looking_(threading), drawing_(threading) {
    setObjectName("browse.dialog");
    setWindowTitle(tr("Browse a folder"));
    folder_ = new QLineEdit(folder);
    folder_->setObjectName("browse.folder");
    folder_->setAccessibleName(tr("Folder"));
    connect(folder_, &QLineEdit::returnPressed, this, &BrowseDialog::look);
    auto* other = new QPushButton(tr("Choose..."));
    other->setObjectName("browse.choose");
    other->setAutoDefault(false);
    connect(other, &QPushButton::clicked, this, &BrowseDialog::askForFolder);
    table_ = new QTableWidget(0, 6);
    table_->setObjectName("browse.table");
    table_->setAccessibleName(tr("Series and studies"));
    table_->setHorizontalHeaderLabels(
        {tr("Patient"), tr("Date"), tr("Kind"), tr("Name"), tr("Size"), tr("Folder")});
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->verticalHeader()->hide();
    table_->setTabKeyNavigation(false);
    connect(table_, &QTableWidget::itemSelectionChanged, this, &BrowseDialog::choose);
    connect(table_, &QTableWidget::itemActivated, this, &QDialog::accept);
    picture_ = new QLabel;
    picture_->setObjectName("browse.picture");
    picture_->setFixedSize(kPicture, kPicture);
    picture_->setAlignment(Qt::AlignCenter);
    picture_->setWordWrap(true);
    note_ = new QLabel;
    note_->setObjectName("browse.note");
    note_->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    open_ = buttons->button(QDialogButtonBox::Open);
    open_->setObjectName("browse.open");
    open_->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* top = new QHBoxLayout;
    top->addWidget(folder_, 1);
    top->addWidget(other);
    auto* middle = new QHBoxLayout;
    middle->addWidget(table_, 1);
    middle->addWidget(picture_, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addLayout(top);
    column->addLayout(middle, 1);
    column->addWidget(note_);
    column->addWidget(buttons);
    resize(1080, 480);
    choose();
    if (!folder.isEmpty()) {
        look();
    }
}

BrowseDialog::~BrowseDialog() {
    search_.end();
    look_.end();
    looking_.join();
    wanted_ = -1;
    drawing_.join();
}

QString BrowseDialog::folder() const {
    return folder_->text().trimmed();
}

void BrowseDialog::askForFolder() {
    const QString chosen = QFileDialog::getExistingDirectory(this, windowTitle(), folder());
    if (!chosen.isEmpty()) {
        folder_->setText(chosen);
        look();
    }
}

void BrowseDialog::look() {
    search_.end();  // the one before
    looking_.join();
    search_ = Wish();
    const auto found = std::make_shared<Browsed>();
    note_->setText(tr("Looking..."));
    looking_.start(
        [found, wish = search_, path = folder().toStdString()] {
            Watch watch(wish);
            *found = browse(path, watch);
        },
        [this, found](std::exception_ptr fault) {
            if (!isCancelled(fault)) {
                fill(*found);
                note_->setText(fault != nullptr       ? sentence(fault)
                               : found->items.empty() ? tr("No series of PET or CT and no study is here")
                               : leftOut(*found).empty()
                                   ? tr("Ctrl takes several, such as PET and CT of one visit")
                                   : tr("Left out: %1 that cannot be read, %2 that are no "
                                        "images of PET or CT")
                                         .arg(found->damaged)
                                         .arg(found->others));
            }
        });
}

void BrowseDialog::fill(const Browsed& browsed) {
    items_ = browsed.items;
    wanted_ = drawn_ = -1;
    table_->setRowCount(static_cast<int>(items_.size()));
    for (int row = 0; row < table_->rowCount(); ++row) {
        const BrowsedItem& item = items_[static_cast<std::size_t>(row)];
        const QString texts[] = {QString::fromStdString(item.patient),
                                 QString::fromStdString(item.when),
                                 item.kind == "study" ? tr("study") : QString::fromStdString(item.kind),
                                 QString::fromStdString(item.name),
                                 QString::fromStdString(item.size),
                                 QDir(folder()).relativeFilePath(QString::fromStdString(item.path))};
        int column = 0;
        for (const QString& text : texts) {
            table_->setItem(row, column++, new QTableWidgetItem(text));
        }
    }
    table_->resizeColumnsToContents();
    if (table_->rowCount() > 0) {
        table_->selectRow(0);
    }
    choose();
}

std::vector<BrowsedItem> BrowseDialog::chosen() const {
    std::vector<BrowsedItem> chosen;
    for (int row = 0; row < table_->rowCount(); ++row) {
        if (table_->selectionModel()->isRowSelected(row, {})) {
            chosen.push_back(items_[static_cast<std::size_t>(row)]);
        }
    }
    return chosen;
}

void BrowseDialog::choose() {
    open_->setEnabled(!chosen().empty());
    wanted_ = chosen().empty() ? -1 : table_->currentRow();
    draw();
}

void BrowseDialog::draw() {
    if (drawing_.busy()) {
        if (wanted_ != drawn_) {
            look_.end();
        }
        return;
    }
    if (wanted_ == drawn_ || wanted_ < 0) {
        return;
    }
    look_ = Wish();
    drawn_ = wanted_;
    const auto image = std::make_shared<QImage>();
    picture_->setText(tr("Looking..."));
    drawing_.start([image, item = items_[static_cast<std::size_t>(wanted_)],
                    wish = look_] { *image = pictureOf(imageOf(item, wish)); },
                   [this, image](std::exception_ptr fault) {
                       if (fault == nullptr) {
                           picture_->setPixmap(QPixmap::fromImage(*image));
                       } else if (isCancelled(fault)) {
                           drawn_ = -1;
                       } else {
                           picture_->setText(sentence(fault));
                       }
                       draw();  // of what was chosen meanwhile
                   });
}

}  // namespace tof::ui
