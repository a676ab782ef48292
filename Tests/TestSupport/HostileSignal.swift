// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

extension SeededRandom {
    /// Returns sections of random kind, length and level, as no recording has them.
    ///
    /// The kinds are silence, noise, squares, impulses, sawtooths, a constant beside the smallest noise, huge and denormal values, and
    /// random bits with infinities and NaN.
    public mutating func hostileSignal(sampleRate: Int, channelCount: Int, frameCount: Int) -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: frameCount)
        var start = 0
        while start < frameCount {
            let end = min(start + integer(in: 1..<6000), frameCount)
            let (kind, period, level) = (integer(in: 0..<9), integer(in: 2..<3000), element(of: [1, 100, 3000, 32_767]))
            for channel in 0..<channelCount {
                let first = channel * frameCount
                for frame in start..<end {
                    buffer.samples[first + frame] = hostileSample(kind, at: frame + channel * period / 4, period, level, channel: channel)
                }
            }
            start = end
        }
        return buffer
    }

    private mutating func hostileSample(_ kind: Int, at frame: Int, _ period: Int, _ level: Int, channel: Int) -> Float {
        let unit: Float = 1 / 32_768
        return switch kind {
        case 0: 0
        case 1: Float(integer(in: -level - 1..<level + 1)) * unit
        case 2: Float(frame % period < period / 2 ? level : -level - 1) * unit
        case 3: frame % period == 0 ? Float(level) * unit : 0
        case 4: Float(frame % period * level / period) * unit
        case 5: Float(channel == 0 ? level : integer(in: -1..<2)) * unit
        case 6: Float(integer(in: -level - 1..<level + 1)) * element(of: [1, 1e4, 1e30])
        case 7: Float(bitPattern: UInt32(truncatingIfNeeded: next()) & 0x807F_FFFF)
        default: Float(bitPattern: UInt32(truncatingIfNeeded: next()))
        }
    }
}
