// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <vector>

#include "ui/desk/run_item.h"
#include "ui/kit/coalescer.h"

namespace tof::ui {

/// All runs and opened volumes, and which one is selected. No widgets. Changes are announced once per
/// event-loop turn.
class RunList : public QObject {
    Q_OBJECT

  public:
    static constexpr std::size_t kImageBudget = std::size_t{2} << 30U;  ///< bytes of iterates in memory

    explicit RunList(QObject* parent = nullptr);

    [[nodiscard]] const std::vector<std::unique_ptr<RunItem>>& items() const { return items_; }
    [[nodiscard]] RunItem* find(int id);
    /// By its letter, or null.
    [[nodiscard]] RunItem* find(const QString& label);
    [[nodiscard]] RunItem* selected() { return find(selected_); }
    /// The run or volume whose image is on screen: the selected one, or, until that has its first whole
    /// iterate, the one before.
    [[nodiscard]] RunItem* onScreen();
    /// The image on screen, or null.
    [[nodiscard]] std::shared_ptr<const Volume> image() {
        RunItem* item = onScreen();
        return item != nullptr ? item->volume() : nullptr;
    }
    [[nodiscard]] int selectedId() const { return selected_; }
    /// Position in the list, which gives colour and symbol; -1 when absent.
    [[nodiscard]] int indexOf(int id) const;
    /// Another run with an image on the same lattice: the next one in the list, or null. For read-outs and
    /// compare.
    [[nodiscard]] RunItem* other();

    /// Adds at the end with the next free label unless `label` is given; selects it when it is the first.
    RunItem& add(RunKind kind, const QString& name, const QString& label = {});
    /// Puts an image beside the runs, as a volume of its own that lasts until it is closed; returns its id.
    int addVolume(const QString& name, std::shared_ptr<const Volume> volume, const QString& label = {},
                  std::optional<ImageKind> madeAs = {});
    void remove(int id) { static_cast<void>(take(id)); }
    /// Takes a row out; null when there is none.
    [[nodiscard]] std::unique_ptr<RunItem> take(int id);
    /// Puts it back, at a position of the list, and selects it.
    void insert(std::unique_ptr<RunItem> item, int index);
    /// The name that people read; label and file stay. An empty name is refused.
    void rename(int id, const QString& name);
    void clear();
    void select(int id);
    /// Puts these runs, in this order, on the places that they have now.
    void arrange(const std::vector<int>& ids);
    /// Selects the neighbour in the list.
    void selectNext(int step);
    /// Shows an iterate of a run; 0 follows the newest.
    void showIterate(int id, int iteration);
    /// Shows frames of a dynamic image, several as their mean.
    void showFrames(int id, FrameRange frames);
    /// Steps through the iterates of the selected run, or the frames of a dynamic image.
    void stepIterate(int step);
    void touch() { coalescer_->touch(); }
    /// Announces now what waits to be announced.
    void flush();

    /// Drops the oldest iterates of all runs until at most `bytes` of images are held; shown ones and last
    /// ones stay.
    void trim(std::size_t bytes = kImageBudget);

  Q_SIGNALS:
    void changed();
    /// A moment after changed(), for whoever may be later than the pictures: live images come up to 15 times
    /// a second, and the window answers in between.
    void settled();
    /// At once, before changed().
    void selectionChanged();

  private:
    [[nodiscard]] QString freeLabel();

    std::vector<std::unique_ptr<RunItem>> items_;
    int selected_ = 0;
    int before_ = 0;  ///< whose image was on screen when selected_ was chosen
    int nextId_ = 1;
    int nextLabel_ = 0;
    Coalescer* coalescer_;
    QTimer settling_;
};

}  // namespace tof::ui
