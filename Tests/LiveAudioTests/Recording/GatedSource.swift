// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization
import TestSupport

/// Tones with noise at 48 kHz in mono, released in amounts chosen by a test.
final class GatedSource: PCMSource {
    let sampleRate = 48_000
    let channelCount = 1
    private let state = Mutex((position: 0, limit: 0, isEnding: false, random: SeededRandom(seed: 4)))

    func release(_ frameCount: Int) { state.withLock { $0.limit += frameCount } }

    /// Releases more frames and waits until all of them have been read.
    func deliver(_ frameCount: Int) async {
        release(frameCount)
        _ = await Wait.until { state.withLock { $0.position == $0.limit } }
    }

    /// Ends the source after the released frames.
    func end() { state.withLock { $0.isEnding = true } }

    /// Returns the next frames, or an empty buffer if no more have been released.
    func next() -> PCMBuffer? {
        let buffer = state.withLock { state -> PCMBuffer? in
            let count = min(480, state.limit - state.position)
            if count == 0, state.isEnding { return nil }
            var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: count)
            for index in 0..<count {
                let tone = sin(Double(state.position + index) * 0.05)
                buffer.samples[index] = 0.25 * Float(tone) + Float.random(in: -0.1...0.1, using: &state.random)
            }
            state.position += count
            return buffer
        }
        if buffer?.frameCount == 0 { usleep(1000) }
        return buffer
    }
}
