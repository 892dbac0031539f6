// SPDX-License-Identifier: Apache-2.0
// Tests that draw include this instead of test_program.h: it holds the window as well, which is compiled once
// so.
#pragma once

#include "tests/support/test_program.h"
#include "tests/ui/fixture.h"
