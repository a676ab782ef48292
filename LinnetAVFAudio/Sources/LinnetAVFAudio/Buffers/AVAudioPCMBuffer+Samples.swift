// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioPrimitives

extension AVAudioPCMBuffer {
    /// Returns valid frames as 32-bit floating point.
    ///
    /// Requires a common format.
    ///
    /// - Parameter range: The frames, within ``frameLength``.
    func samples(in range: Range<Int>) -> PCMBuffer {
        var result = PCMBuffer(
            sampleRate: Int(format.sampleRate), channelCount: Int(format.channelCount), frameCapacity: range.count)
        for channel in 0..<result.channelCount {
            var target = result.mutableChannel(channel)
            if let data = floatChannelData?[channel] {
                for frame in 0..<range.count { target[frame] = data[(range.lowerBound + frame) * stride] }
            } else if let data = int16ChannelData?[channel] {
                for frame in 0..<range.count {
                    target[frame] = Float(data[(range.lowerBound + frame) * stride]) * 0x1p-15
                }
            } else if let data = int32ChannelData?[channel] {
                for frame in 0..<range.count {
                    target[frame] = Float(data[(range.lowerBound + frame) * stride]) * 0x1p-31
                }
            } else if let data = doubleChannel(channel) {
                for frame in 0..<range.count { target[frame] = Float(data[(range.lowerBound + frame) * stride]) }
            }
        }
        return result
    }

    /// Writes frames in the buffer's format.
    ///
    /// Requires a common format and enough capacity.
    ///
    /// Integers are rounded to nearest (ties to even) and clipped. NaN becomes silence.
    ///
    /// - Parameters:
    ///   - buffer: Audio with the same channel count.
    ///   - position: The frame index to write the first frame to.
    func store(_ buffer: PCMBuffer, at position: Int) {
        for channel in 0..<buffer.channelCount {
            let source = buffer[channel: channel]
            if let data = floatChannelData?[channel] {
                for frame in 0..<source.count { data[(position + frame) * stride] = source[frame] }
            } else if let data = int16ChannelData?[channel] {
                for frame in 0..<source.count {
                    data[(position + frame) * stride] = Int16(Self.rounded(source[frame], 0x1p15))
                }
            } else if let data = int32ChannelData?[channel] {
                for frame in 0..<source.count {
                    data[(position + frame) * stride] = Int32(Self.rounded(source[frame], 0x1p31))
                }
            } else if let data = doubleChannel(channel) {
                for frame in 0..<source.count { data[(position + frame) * stride] = Double(source[frame]) }
            }
        }
    }

    /// Returns the samples of a channel of 64-bit floating point; `nil` for other formats.
    private func doubleChannel(_ channel: Int) -> UnsafeMutablePointer<Double>? {
        guard format.commonFormat == .pcmFormatFloat64 else { return nil }
        let data = wholeList[format.isInterleaved ? 0 : channel].mData?.assumingMemoryBound(to: Double.self)
        return format.isInterleaved ? data.map { $0 + channel } : data
    }

    /// Returns a sample as an integer, where `scale` is full scale.
    private static func rounded(_ sample: Float, _ scale: Double) -> Double {
        guard !sample.isNaN else { return 0 }
        return max(-scale, min(scale - 1, (Double(sample) * scale).rounded(.toNearestOrEven)))
    }
}
#endif
