// SPDX-License-Identifier: Apache-2.0
// Where a user's cache, choices and logs lie.
#include "recon/base/user_folder.h"

#include <QTest>
#include <array>

namespace user_folder_test {

using tof::UserFolder;
using tof::userFolder;

class UserFolderTest : public QObject {
    Q_OBJECT

  private slots:
    void cleanup() {
        for (const char* const name : kNames) {
            qunsetenv(name);
        }
        qputenv("HOME", home_);
    }

    void isWhereTheVariablesSay_data() {
        QTest::addColumn<QByteArray>("variable");
        QTest::addColumn<QByteArray>("home");
        QTest::addColumn<QByteArray>("cache");
        QTest::addColumn<QByteArray>("config");
        QTest::addColumn<QByteArray>("state");
        QTest::newRow("named") << QByteArray("/n") << QByteArray("/h") << QByteArray("/n/tofscope")
                               << QByteArray("/n/tofscope") << QByteArray("/n/tofscope");
        const QByteArray cache("/h/.cache/tofscope");
        const QByteArray config("/h/.config/tofscope");
        const QByteArray state("/h/.local/state/tofscope");
        QTest::newRow("home") << QByteArray() << QByteArray("/h") << cache << config << state;
        QTest::newRow("not from the root") << QByteArray("n") << QByteArray("/h") << cache << config << state;
        QTest::newRow("neither") << QByteArray("n") << QByteArray("h") << QByteArray() << QByteArray()
                                 << QByteArray();
        QTest::newRow("nothing") << QByteArray() << QByteArray() << QByteArray() << QByteArray()
                                 << QByteArray();
    }
    void isWhereTheVariablesSay() {
        QFETCH(const QByteArray, variable);
        QFETCH(const QByteArray, home);
        for (const char* const name : kNames) {
            qputenv(name, variable);
        }
        qputenv("HOME", home);

        QTEST(QByteArray::fromStdString(userFolder(UserFolder::Cache)), "cache");
        QTEST(QByteArray::fromStdString(userFolder(UserFolder::Config)), "config");
        QTEST(QByteArray::fromStdString(userFolder(UserFolder::State)), "state");
    }

  private:
    static constexpr std::array<const char*, 3> kNames{"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"};
    QByteArray home_ = qgetenv("HOME");
};

QTEST_APPLESS_MAIN(UserFolderTest)

}  // namespace user_folder_test
#include "user_folder_test.moc"
