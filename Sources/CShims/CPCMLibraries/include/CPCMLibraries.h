// SPDX-License-Identifier: Apache-2.0

#ifndef CPCMLIBRARIES_H
#define CPCMLIBRARIES_H

#if defined(__linux__) && !defined(__ANDROID__)

#include "FLACFunctions.h"
#include "Mpg123Functions.h"
#include "SndfileFunctions.h"
#include "SoxrFunctions.h"

#endif
#endif
