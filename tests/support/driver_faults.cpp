// SPDX-License-Identifier: Apache-2.0
// A library that is loaded before a program and named as those of the card's driver are: a thread of its own
// does, as soon as main() has begun to wait for data, what TOFSCOPE_DRIVER_FAULT says: "crash" or "exit".
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

void fail(const char* how) {
    ::usleep(100'000);
    if (std::strcmp(how, "exit") == 0) {
        std::exit(1);
    }
    volatile int* volatile nothing = nullptr;
    *nothing = 1;
}

struct Start {
    Start() {
        if (const char* const how = std::getenv("TOFSCOPE_DRIVER_FAULT")) {
            ::unsetenv("LD_PRELOAD");  // of this program alone
            std::thread(fail, how).detach();
        }
    }
};

const Start start;

}  // namespace
