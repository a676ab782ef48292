// SPDX-License-Identifier: Apache-2.0

public import AudioDevices
internal import AudioPrimitives

extension AudioCapture {
    /// Returns the captured audio as blocks of mono speech.
    ///
    /// The rules of ``/AudioDevices/AudioCapture/buffers`` apply: the first iteration starts the capture, the end of the loop stops it, and a source that can wait
    /// waits for the reader.
    ///
    /// - Parameters:
    ///   - blockDuration: The duration of a block, from 1 ms to 60 s, rounded to whole samples. 32 ms are 512 samples at 16 kHz.
    ///   - sampleRate: The sample rate of the blocks, in hertz, above 0.
    public func speech(
        blockDuration: Duration = .milliseconds(100), sampleRate: Int = 16_000
    ) -> some AsyncSequence<SpeechBlock, DeviceError> & Sendable {
        CapturedSpeech(audio: audio, blockDuration: blockDuration, sampleRate: sampleRate)
    }
}

/// The blocks of a capture; see `AudioCapture.speech`.
private struct CapturedSpeech: AsyncSequence, Sendable {
    let audio: CaptureBuffers
    let blockDuration: Duration
    let sampleRate: Int

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            audio: audio.makeAsyncIterator(), assembler: SpeechAssembler(blockDuration: blockDuration, sampleRate: sampleRate))
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var audio: CaptureBuffers.Iterator
        let assembler: SpeechAssembler
        var blocks: ArraySlice<SpeechBlock> = []
        var isFinished = false

        /// Returns the next block; `nil` after the end of the capture or after cancellation.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(DeviceError) -> SpeechBlock? {
            while blocks.isEmpty, !isFinished {
                let next = try await audio.next(isolation: actor)
                isFinished = next == nil
                do throws(CodecError) {
                    if let next { blocks = try accept(next) } else { blocks = try assembler.finish()[...] }
                } catch {
                    throw .encoding(error)
                }
            }
            return blocks.popFirst()
        }

        private func accept(_ audio: CapturedAudio) throws(CodecError) -> ArraySlice<SpeechBlock> {
            try assembler.accept(audio.pcmBuffer(), at: audio.time.seconds, hostTime: audio.hostTime)[...]
        }
    }
}
