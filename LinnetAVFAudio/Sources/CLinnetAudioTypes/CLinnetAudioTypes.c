// SPDX-License-Identifier: Apache-2.0

// All declarations are in the header; a target needs a source file.
#include "CLinnetAudioTypes.h"
