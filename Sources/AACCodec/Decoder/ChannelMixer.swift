// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// Brings decoded channels into the order, and down to the number, that the caller wants.
struct ChannelMixer {
    /// Channels that come out.
    private(set) var outputCount: Int

    /// The decoded channel of each output, where none are mixed.
    private var sources = [8 of UInt8](repeating: 0)

    /// Gains of decoded channels in each output: `output * 8 + channel`; used where channels are mixed.
    private var gains = [64 of Float](repeating: 0)

    /// Whether outputs are sums.
    private(set) var isMixing = false

    /// Passes all channels on, in the order of `sources`.
    init(sources order: [Int]) {
        outputCount = order.count
        for (output, source) in order.enumerated() {
            sources[output] = UInt8(source)
        }
    }

    /// Mixes `layout` down to stereo or mono (ISO/IEC 14496-3:2009, 4.5.1.2.2): the surround channels by the factor of the matrix mix-down
    /// index, the centre by the root of a half; the sum of all gains is 1, so that nothing clips that did not before.
    init(mixing layout: ChannelLayout, toMono: Bool, matrix: ProgramConfigElement.MatrixMixdown?) {
        outputCount = toMono ? 1 : 2
        isMixing = true
        let downmix = Downmix(
            layout, toMono: toMono, matrixIndex: matrix?.index ?? 0, isPseudoSurround: matrix?.isPseudoSurround ?? false)
        for channel in downmix.left.indices {
            gains[channel] = downmix.left[channel]
            gains[8 + channel] = downmix.right[channel]
        }
    }

    /// Writes `frameCount` frames at full scale ±1; channel `c` of the input begins at `c * inputStride`, of the output at `c * outputStride`.
    func mix(
        _ input: Span<Float>, inputStride: Int, channelCount: Int, into output: inout MutableSpan<Float>, outputStride: Int, frameCount: Int
    ) {
        let unit = Float(1) / 32768
        for channel in 0..<outputCount {
            let target = channel &* outputStride
            if !isMixing {
                Self.add(input, at: Int(sources[channel]) &* inputStride, gain: unit, to: &output, at: target, frameCount, isFirst: true)
                continue
            }
            for source in 0..<channelCount {
                Self.add(
                    input, at: source &* inputStride, gain: gains[channel &* 8 &+ source] * unit, to: &output, at: target, frameCount,
                    isFirst: source == 0)
            }
        }
    }

    @inline(__always)
    private static func add(
        _ input: Span<Float>, at source: Int, gain: Float, to output: inout MutableSpan<Float>, at target: Int, _ count: Int, isFirst: Bool
    ) {
        let from = input.extracting(source..<source &+ count)
        var to = output._mutatingExtracting(target..<target &+ count)
        for frame in stride(from: 0, to: count, by: 4) {
            let scaled = from.vector(at: frame) * gain
            to.store(isFirst ? scaled : to.vector(at: frame) + scaled, at: frame)
        }
    }
}
