// SPDX-License-Identifier: Apache-2.0

public import AudioDevices
internal import AudioPrimitives

extension Recorder {
    /// Returns the subsequent recording as blocks of mono speech for one reader, beside its files.
    ///
    /// ```swift
    /// for try await block in recorder.speech(blockDuration: .milliseconds(32)) { detector.accept(block.samples) }
    /// ```
    ///
    /// The first iteration starts the recording if necessary and throws errors of the start; later iterations throw the error that ended
    /// the recording. A slow reader never delays the recording: a stream buffers about a minute, then loses the oldest blocks.
    /// `AudioCapture.speech` waits for its reader instead, if the source can wait, such as a file.
    ///
    /// - Parameters:
    ///   - source: The name of one of several sources; `nil` for the sum of all.
    ///   - blockDuration: The duration of a block, from 1 ms to 60 s, rounded to whole samples. 32 ms are 512 samples at 16 kHz.
    ///   - sampleRate: The sample rate of the blocks, in hertz, above 0.
    public func speech(
        of source: String? = nil, blockDuration: Duration = .milliseconds(100), sampleRate: Int = 16_000
    ) -> some AsyncSequence<SpeechBlock, DeviceError> & Sendable {
        RecordedSpeech(events: speechEvents(of: source, blockDuration: blockDuration, sampleRate: sampleRate))
    }
}

/// The blocks of a recording; see ``Recorder/speech(of:blockDuration:sampleRate:)``.
private struct RecordedSpeech: AsyncSequence, Sendable {
    let events: RecordedElements<SpeechBroadcaster.Event>

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: events.makeAsyncIterator()) }

    struct AsyncIterator: AsyncIteratorProtocol {
        var events: RecordedElements<SpeechBroadcaster.Event>.AsyncIterator
        var blocks: ArraySlice<SpeechBlock> = []

        /// Returns the next block; `nil` after the end of the recording or after cancellation.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(DeviceError) -> SpeechBlock? {
            while blocks.isEmpty {
                guard let event = try await events.next(isolation: actor) else { return nil }
                blocks = try event.get()[...]
            }
            return blocks.removeFirst()
        }
    }
}
