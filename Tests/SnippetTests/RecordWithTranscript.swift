// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Records a file and passes its speech to a closure, such as a voice detector or a transcription.
///
/// Returns at the end of the source.
func recordWithTranscript(_ source: CaptureSource, _ output: String, accept: (_ samples: [Float], _ seconds: Double) -> Void) async throws {
    // snippet: speech-blocks
    let recorder = Recorder(source: source, sinks: [.file(output)])
    for try await block in recorder.speech(blockDuration: .milliseconds(32)) {  // 512 samples at 16 kHz
        accept(block.samples, block.time.duration / .seconds(1))
    }
    await recorder.waitUntilFinished()
    // end
}
