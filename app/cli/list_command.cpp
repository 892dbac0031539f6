// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/console_progress.h"
#include "app/cli/text_table.h"
#include "recon/base/plain_text.h"
#include "recon/work/browse.h"

namespace tof {

namespace {

/// The browser of the window as rows.
class ListCommand : public Command {
  public:
    void describe(Arguments& arguments) override {
        arguments.positional("FOLDER", folder_, "Folder; what lies below it is looked through, too");
        arguments.flag("patients", patients_, "Print names and numbers of patients, which are left out else");
    }

    void run(CommandContext& context) override {
        ConsoleProgress progress(context.console);
        const Browsed browsed = browse(folder_, progress);
        progress.done();
        context.console.json() ? printJson(context.console, browsed) : printTable(context.console, browsed);
        if (const std::string left = leftOut(browsed); !left.empty()) {
            context.console.note(left);
        }
    }

  private:
    void printTable(Console& console, const Browsed& browsed) const {
        std::vector<std::vector<std::string>> rows{{"folder", "kind", "when", "name", "size"}};
        for (const BrowsedItem& item : browsed.items) {
            rows.push_back({shownLine(item.path), item.kind, item.when, shownLine(item.name), item.size});
            if (patients_) {
                rows.back().push_back(shownLine(item.patient));
            }
        }
        if (patients_) {
            rows.front().push_back("patient");
        }
        console.result(textTable(rows));
    }

    void printJson(Console& console, const Browsed& browsed) const {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        std::vector<std::string> visits;  // by their number: UIDs tell of patients, too
        for (const BrowsedItem& item : browsed.items) {
            auto visit = std::find(visits.begin(), visits.end(), item.visit);
            if (visit == visits.end()) {
                visit = visits.insert(visits.end(), item.visit);
            }
            list.push_back({{"path", item.path},
                            {"kind", item.kind},
                            {"when", item.when},
                            {"name", item.name},
                            {"size", item.size},
                            {"series", item.choice.series},
                            {"visit", visit - visits.begin() + 1}});
            if (patients_) {
                list.back()["patient"] = item.patient;
            }
        }
        console.resultAsJson({{"items", list}, {"damaged", browsed.damaged}, {"others", browsed.others}});
    }

    std::string folder_;
    bool patients_ = false;
};

}  // namespace

std::unique_ptr<Command> makeListCommand() {
    return std::make_unique<ListCommand>();
}

}  // namespace tof
