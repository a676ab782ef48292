// SPDX-License-Identifier: Apache-2.0

// The header is all; a target needs a source file.
#include "CLinnetAudioTypes.h"
