// SPDX-License-Identifier: Apache-2.0
// As test_program.h, for tests that draw: with the window, compiled once.
#pragma once

#include "tests/support/test_program.h"
#include "tests/ui/fixture.h"
