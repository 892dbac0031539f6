// SPDX-License-Identifier: Apache-2.0
#include "app/process_start.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>

namespace tof {

void startProcess() {
    for (const int signal : {SIGXFSZ, SIGPIPE}) {
        std::signal(signal, SIG_IGN);
    }
    // In ascending order: the lowest free number is taken.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
            static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY));
        }
    }
}

}  // namespace tof
