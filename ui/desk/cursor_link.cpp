// SPDX-License-Identifier: Apache-2.0
#include "ui/desk/cursor_link.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QDir>
#include <QRegularExpression>
#include <QSocketNotifier>
#include <QStandardPaths>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <functional>

#include "recon/base/error.h"
#include "ui/desk/view_model.h"

namespace tof::ui {

namespace {

/// x, y, z in mm: one message.
using SentPoint = std::array<double, 3>;

constexpr int kBacklog = 16;
constexpr int kFirstMessage_ms = 1000;

void send(int file, const Vec3& mm) {
    const SentPoint message{mm.x, mm.y, mm.z};
    // A window that does not read misses places that the cursor has left by then.
    static_cast<void>(::send(file, message.data(), sizeof message, MSG_NOSIGNAL));
}

}  // namespace

/// A socket of messages that never blocks, with whom to call when there is something in it.
class CursorLink::Socket {
  public:
    explicit Socket(int file) : file_(file) {}
    ~Socket() {
        notifier_.reset();
        ::close(file_);
        if (!path_.isEmpty()) {
            ::unlink(path_.constData());
        }
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    [[nodiscard]] int file() const { return file_; }
    /// The file of the file system that goes with it.
    void own(const QByteArray& path) { path_ = path; }
    void whenReady(std::function<void()> call) {
        notifier_ = std::make_unique<QSocketNotifier>(file_, QSocketNotifier::Read);
        QObject::connect(notifier_.get(), &QSocketNotifier::activated, notifier_.get(), std::move(call));
    }

  private:
    int file_;
    QByteArray path_;
    std::unique_ptr<QSocketNotifier> notifier_;
};

CursorLink::CursorLink(ViewModel& view, QObject* parent) : QObject(parent), view_(view) {
    connect(&view_, &ViewModel::changed, this, &CursorLink::follow);
}

CursorLink::~CursorLink() {
    blockSignals(true);  // who listens may be going, too
    leave();
}

void CursorLink::join(const QString& name) {
    const std::string title = "link '" + name.toStdString() + "': ";
    if (!QRegularExpression("\\A[A-Za-z0-9_-]{1,40}\\z").match(name).hasMatch()) {
        throw WrongUse(title + "a name of letters, digits, - and _ is needed, 40 at most");
    }
    leave();
    const QDir folder(QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation));
    const QByteArray path = folder.filePath("tofscope-link-" + name).toLocal8Bit();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= static_cast<qsizetype>(sizeof address.sun_path)) {
        throw Unavailable(title + path.toStdString() + " is too long for a socket");
    }
    std::memcpy(address.sun_path, path.constData(), static_cast<std::size_t>(path.size()));
    auto socket =
        std::make_unique<Socket>(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const auto* where = reinterpret_cast<const sockaddr*>(&address);
    if (::connect(socket->file(), where, sizeof address) == 0) {
        // Where the others are comes first; what moves the cursor here from then on is a wish of this user.
        pollfd first{socket->file(), POLLIN, 0};
        ::poll(&first, 1, kFirstMessage_ms);
        add(std::move(socket));
        read(*peers_.back());
    } else {
        if (errno == ECONNREFUSED) {
            ::unlink(path.constData());  // its program was killed
        }
        if (::bind(socket->file(), where, sizeof address) != 0 || ::listen(socket->file(), kBacklog) != 0) {
            throw Unavailable(title + path.toStdString() + ": " + std::strerror(errno));
        }
        server_ = std::move(socket);
        server_->own(path);
        server_->whenReady([this] { accept(); });
    }
    if (server_ != nullptr || !peers_.empty()) {
        name_ = name;
        last_ = view_.cursor();
        Q_EMIT changed();
    }
}

void CursorLink::leave() {
    peers_.clear();
    server_.reset();
    if (!std::exchange(name_, {}).isEmpty()) {
        Q_EMIT changed();
    }
}

void CursorLink::accept() {
    const int file = ::accept4(server_->file(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (file >= 0) {
        add(std::make_unique<Socket>(file));
        if (view_.lattice().voxels() > 0) {
            send(file, view_.cursor());
        }
    }
}

void CursorLink::add(std::unique_ptr<Socket> peer) {
    const Socket* here = peer.get();
    peer->whenReady([this, here] {
        // Not from within the notifier that may go with it.
        QMetaObject::invokeMethod(
            this,
            [this, here] {
                const auto known = [here](const auto& each) { return each.get() == here; };
                if (std::any_of(peers_.begin(), peers_.end(), known)) {
                    read(*here);
                }
            },
            Qt::QueuedConnection);
    });
    peers_.push_back(std::move(peer));
    Q_EMIT changed();
}

void CursorLink::remove(const Socket* peer) {
    std::erase_if(peers_, [peer](const auto& each) { return each.get() == peer; });
    if (server_ == nullptr) {
        name_.clear();  // who held the socket has gone
    }
    Q_EMIT changed();
}

void CursorLink::read(const Socket& peer) {
    std::array<char, sizeof(SentPoint) + 1> bytes{};
    for (;;) {
        const ssize_t got = ::recv(peer.file(), bytes.data(), bytes.size(), 0);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return;
        }
        SentPoint mm{};
        std::memcpy(mm.data(), bytes.data(), sizeof mm);
        if (got != static_cast<ssize_t>(sizeof mm) ||
            !std::all_of(mm.begin(), mm.end(), [](double v) { return std::isfinite(v); })) {
            remove(&peer);  // it has gone, or speaks of something else
            return;
        }
        const Vec3 cursor{mm[0], mm[1], mm[2]};
        view_.setCursor(cursor);
        last_ = view_.cursor();  // within this lattice; nobody is told of what this window lacks
        tell(cursor, &peer);
    }
}

void CursorLink::follow() {
    const Vec3 mm = view_.cursor();
    const bool known = last_ && last_->x == mm.x && last_->y == mm.y && last_->z == mm.z;
    if (!peers_.empty() && view_.lattice().voxels() > 0 && !known) {
        last_ = mm;
        tell(mm, nullptr);
    }
}

void CursorLink::tell(const Vec3& mm, const Socket* but) const {
    for (const auto& peer : peers_) {
        if (peer.get() != but) {
            send(peer->file(), mm);
        }
    }
}

}  // namespace tof::ui
