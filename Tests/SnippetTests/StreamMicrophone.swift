// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Sends the microphone as an ADTS stream.
func streamMicrophone(_ send: ([UInt8]) -> Void) async throws {
    // snippet: stream-microphone
    for try await frame in Recorder().bytes(in: .adts) {
        send(frame)
    }
    // end
}

/// Sends the microphone's access units, as for RTP.
func streamAccessUnits(_ send: (AccessUnit) -> Void) async throws {
    // snippet: stream-access-units
    let recorder = Recorder(RecorderConfiguration(preset: .voice))
    for try await unit in recorder.accessUnits {
        send(unit)
    }
    // end
}
