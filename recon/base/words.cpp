// SPDX-License-Identifier: Apache-2.0
#include "recon/base/words.h"

#include <sstream>

namespace tof {

std::vector<std::string> parts(const std::string& text, char separator) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) {
        all.push_back(part);
    }
    return all;
}

std::vector<std::string> words(const std::string& line) {
    std::vector<std::string> all;
    std::istringstream in(line);
    for (std::string word; in >> word;) {
        all.push_back(word);
    }
    return all;
}

}  // namespace tof
