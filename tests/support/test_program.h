// SPDX-License-Identifier: Apache-2.0
// Every test includes this ahead of all else, precompiled (tests/CMakeLists.txt): a program holds the tests
// of a room, and what Qt Test's macros make is not a main then, but a function that the program's driver
// calls.
#pragma once

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#undef QTEST_MAIN_WRAPPER
#define QTEST_MAIN_WRAPPER(TestObject, ...)                                \
    int run##TestObject(int argc, char* argv[]) {                          \
        QT_PREPEND_NAMESPACE(QTest::Internal::callInitMain)<TestObject>(); \
        __VA_ARGS__                                                        \
        TestObject test;                                                   \
        QTEST_SET_MAIN_SOURCE_PATH                                         \
        return QTest::qExec(&test, argc, argv);                            \
    }
