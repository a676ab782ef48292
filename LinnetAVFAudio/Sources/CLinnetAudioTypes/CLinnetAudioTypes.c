// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

// The header is all; a target needs a source file.
#include "CLinnetAudioTypes.h"
