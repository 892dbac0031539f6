// SPDX-License-Identifier: Apache-2.0
// What desktop tests begin with: a small study that every test can afford, and the real window.
#pragma once

#include <QApplication>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "app/engines.h"
#include "recon/data/histo_data.h"
#include "tests/support/sanitizers.h"
#include "ui/desk/desk.h"
#include "ui/kit/preferences.h"
#include "ui/window/main_window.h"

namespace tof::test {

/// 60 x 60 x 8 voxels of 4 mm, `views` untilted views, noise-free counts of the phantom `spheres`.
HistoData smallData(int views = 8);
/// Writes smallData() into a folder and returns the path of the file.
QString writeSmallData(const QTemporaryDir& folder);

/// Turns the event loop until `done` or `ms` have passed, longer under a sanitizer; true when done.
template <typename Done>
bool until(Done done, int ms = 60000) {
    return QTest::qWaitFor(done, ms * kSlower);
}

/// For what must not happen: watches for `ms` whether something holds; false at once when it does not.
template <typename Holds>
bool stays(Holds holds, int ms = 100) {
    return !QTest::qWaitFor([&] { return !holds(); }, ms);
}

/// How a window is made for a test.
struct WindowSetup {
    QSize size{1600, 1000};
    ui::Threading threading = ui::Threading::Threaded;
    QString preferencesFile{};  ///< empty: none are read or written
};

/// The program as a person has it before them, without its event loop.
struct Program {
    explicit Program(const EngineRegistry& engines, const WindowSetup& setup = {});
    /// Opens files and waits until everything that follows from it is on screen.
    void open(const QStringList& paths);
    /// Waits until nothing is read, reconstructed or compared and every run has its image.
    void settle();
    /// Reconstructs what is open to the end.
    void reconstruct(int iterations, const std::string& kernel = "invariant");

    ui::Preferences preferences;
    ui::Desk desk;
    ui::MainWindow window;
};

/// Base of tests that want a fresh window for every row: files once, then a window, then whatever each row
/// begins with.
class WindowTest : public QObject {
    Q_OBJECT

  protected:
    explicit WindowTest(WindowSetup setup = {}) : setup_(std::move(setup)) {}
    /// Once, before the first window: files go into folder_.
    virtual void makeFiles() {}
    /// In every new window, before the test.
    virtual void begin() {}
    /// Writes smallData() as a file and returns its path.
    QString writeSmallData() { return test::writeSmallData(folder_); }
    /// Opens a file and waits until it is on screen.
    void open(const QString& path);
    void reconstruct(int iterations) { program_->reconstruct(iterations); }

    const EngineRegistry engines_ = makeEngineRegistry();
    QTemporaryDir folder_;
    ui::Preferences* preferences_ = nullptr;
    ui::Desk* desk_ = nullptr;
    ui::MainWindow* window_ = nullptr;

  private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

  private:
    WindowSetup setup_;
    std::unique_ptr<Program> program_;
};

}  // namespace tof::test
