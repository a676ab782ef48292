// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
import Foundation

/// Returns the ratio of a signal to its difference from another signal, in decibels, over their common length.
public func signalToNoise(_ signal: [Float], _ other: [Float]) -> Double { signalToNoise(signal[...], other[...]) }

/// Returns the ratio of a signal to its difference from another signal, in decibels, over their common length.
public func signalToNoise(_ signal: ArraySlice<Float>, _ other: ArraySlice<Float>) -> Double {
    var (power, noise) = (0.0, 0.0)
    for (wanted, found) in zip(signal, other) {
        let difference = Double(wanted) - Double(found)
        power += Double(wanted) * Double(wanted)
        noise += difference * difference
    }
    return 10 * log10(power / noise)
}

/// Returns the signal filtered with an odd number of taps, without delay.
public func convolved(_ signal: [Float], with taps: [Double]) -> [Float] {
    let half = taps.count / 2
    return signal.indices.map { frame in
        let range = max(0, frame - half)...min(signal.count - 1, frame + half)
        return Float(range.reduce(0.0) { $0 + taps[frame + half - $1] * Double(signal[$1]) })
    }
}

/// Returns a different tone per channel, with noise.
///
/// Reproducible.
package func testSignal(frames: Int, channels: Int, sampleRate: Int = 44_100) -> PCMBuffer {
    var random = SeededRandom(seed: 11)
    var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channels, frameCapacity: frames)
    for channel in 0..<channels {
        let step = 2 * Float.pi * Float(300 + 170 * channel) / Float(sampleRate)
        let start = buffer.range(ofChannel: channel).lowerBound
        for frame in 0..<frames {
            buffer.samples[start + frame] = 0.4 * sin(step * Float(frame)) + 0.1 * Float.random(in: -1...1, using: &random)
        }
    }
    return buffer
}

/// Returns random interleaved samples of an encoding: any integers, or floating point between -1 and 1.
package func randomSamples(_ encoding: SampleEncoding, count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    guard encoding.isFloat else { return (0..<count * encoding.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) } }
    return (0..<count).flatMap { _ -> [UInt8] in
        let value = Double.random(in: -1...1, using: &random)
        let bits = encoding.byteCount == 8 ? value.bitPattern : UInt64(Float(value).bitPattern)
        let bytes = (0..<encoding.byteCount).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        return encoding.isBigEndian ? bytes.reversed() : bytes
    }
}

/// Returns a swelling chord with a different phase per channel, as interleaved 16-bit little-endian samples.
package func chordBytes(sampleRate: Int, channelCount: Int, frameCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * frameCount * channelCount)
    for frame in 0..<frameCount {
        let time = Double(frame) / Double(sampleRate)
        let level = 6_000 + 3_000 * sin(time * 7)
        let rising = sin(time * 5_000 * (1 + time))
        for channel in 0..<channelCount {
            let sample = Int16(level * (sin(time * 2_700 + Double(channel)) + rising))
            bytes.append(UInt8(truncatingIfNeeded: sample))
            bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
    }
    return bytes
}
