// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ui/kit/page.h"
#include "ui/pages/data_model.h"
#include "ui/pictures/phantom_finder.h"
#include "ui/pictures/scanner_picture.h"

namespace tof::ui {

class ViewModel;

/// The scanner of the open data with what was measured in it, and the line of response of the view on screen
/// through the cursor: a part of the Data page that is there when it is wanted.
class DataScanner : public ScannerPicture {
    Q_OBJECT

  public:
    /// Both outlive this.
    DataScanner(ViewModel& view, DataModel& model, Threading threading, QWidget* parent);
    /// The command that wants it, or does not; `page` is the Data page.
    void addCommand(CommandRegistry& commands, Page& page);
    [[nodiscard]] bool wanted() const { return wanted_; }
    void setWanted(bool wanted) { wanted_ = wanted; }
    /// Follows the data, the view and the cursor; does nothing while it is not wanted.
    void follow();

  private:
    /// Empty when the data say of which scanner they are.
    [[nodiscard]] QString whyNot() const;
    void read();
    void placePhantom();
    void drawLine();

    ViewModel& view_;
    DataModel& model_;
    bool wanted_ = false;
    std::shared_ptr<const Measurement> of_;
    PhantomFinder phantom_;
};

}  // namespace tof::ui
