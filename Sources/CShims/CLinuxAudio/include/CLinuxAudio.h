// SPDX-License-Identifier: Apache-2.0

#ifndef CLINUXAUDIO_H
#define CLINUXAUDIO_H

#if defined(__linux__) && !defined(__ANDROID__)

#include "ALSAFunctions.h"
#include "EchoFunctions.h"
#include "PulseFunctions.h"

#endif
#endif
