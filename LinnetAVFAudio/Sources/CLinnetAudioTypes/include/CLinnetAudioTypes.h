// SPDX-License-Identifier: Apache-2.0

// The C types of Core Audio that Swift code uses, with the same names, layouts and values, for systems without Core Audio.

#ifndef C_LINNET_AUDIO_TYPES_H
#define C_LINNET_AUDIO_TYPES_H

#if !defined(__APPLE__)
#include "LinnetAudioChannelLayout.h"
#include "LinnetAudioFormatCodes.h"
#include "LinnetAudioStructures.h"
#endif

#endif
