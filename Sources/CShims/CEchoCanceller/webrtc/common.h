// SPDX-License-Identifier: Apache-2.0

// The library's headers name each other without the folder that they are installed in.
#include <webrtc_audio_processing/webrtc/common.h>
