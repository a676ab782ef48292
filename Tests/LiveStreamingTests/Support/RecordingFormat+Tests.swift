// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import LiveAudio
import MPEG4Audio
internal import SystemLibrary

extension RecordingFormat {
    /// AAC-LC in stereo at 48 kHz.
    static func stereo48() -> RecordingFormat {
        RecordingFormat(
            sampleRate: 48_000, channelCount: 2,
            configuration: .aac(AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 2))),
            framesPerUnit: 1024, primingFrames: 2112, bitRate: 128_000)
    }
}

/// Lets other threads run.
func usleepForAMoment() { usleep(1000) }
