// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import MPEG4Audio
internal import TransformCoding

/// Reorders decoded channels for the output, or mixes them down.
package struct ChannelMixer {
    private(set) var outputCount: Int

    /// The decoded channel for each output channel, without downmix.
    private var sources = SIMD8<UInt8>()

    /// The gains of the decoded channels in the first channel of a downmix.
    private var firstGains = SIMD8<Float>()

    /// The gains of the decoded channels in the second channel of a downmix.
    private var secondGains = SIMD8<Float>()

    private(set) var isMixing = false

    /// Creates a mixer without downmix, from the decoded channel for each output channel.
    init(sources order: [Int]) {
        outputCount = order.count
        for (output, source) in order.enumerated() {
            sources[output] = UInt8(source)
        }
    }

    /// Creates a mixer from a layout to stereo or mono with the gains of ``Downmix`` (ISO/IEC 14496-3:2009, 4.5.1.2.2).
    ///
    /// - Parameters:
    ///   - layout: The speakers of the decoded channels.
    ///   - toMono: Whether the output is mono instead of stereo.
    ///   - matrix: The matrix of the stream. Without one, surround channels have a gain of 1/√2.
    package init(mixing layout: ChannelLayout, toMono: Bool, matrix: ProgramConfigElement.MatrixMixdown?) {
        self.init(
            Downmix(layout, toMono: toMono, matrixIndex: matrix?.index ?? 0, isPseudoSurround: matrix?.isPseudoSurround ?? false),
            toMono: toMono)
    }

    /// Creates a mixer from channels without known speakers to stereo or mono.
    init(mixing channelCount: Int, toMono: Bool) {
        self.init(
            toMono ? Downmix(monoFrom: channelCount, layout: nil) : Downmix(stereoFrom: channelCount, layout: nil), toMono: toMono)
    }

    private init(_ downmix: Downmix, toMono: Bool) {
        outputCount = toMono ? 1 : 2
        isMixing = true
        for channel in downmix.left.indices {
            firstGains[channel] = downmix.left[channel]
            secondGains[channel] = downmix.right[channel]
        }
    }

    /// The channel strides of input and output, in samples.
    package struct Strides {
        var input: Int
        var output: Int

        package init(input: Int, output: Int) {
            self.input = input
            self.output = output
        }
    }

    /// Writes `frameCount` frames, a multiple of four.
    ///
    /// - Parameters:
    ///   - input: Decoded samples with a full scale of ±32768.
    ///   - output: Receives samples with a full scale of ±1.
    package func mix(
        _ input: Span<Float>, channelCount: Int, into output: inout MutableSpan<Float>, strides: Strides, frameCount: Int
    ) {
        let unit = Float(1) / 32768
        for channel in 0..<outputCount {
            let first = channel &* strides.output
            var target = output._mutatingExtracting(first..<first &+ frameCount)
            if !isMixing {
                let source = Int(sources[channel]) &* strides.input
                Self.add(input.extracting(source..<source &+ frameCount), gain: unit, to: &target, isFirst: true)
                continue
            }
            for index in 0..<channelCount {
                let source = index &* strides.input
                let gain = (channel == 0 ? firstGains : secondGains)[index] * unit
                Self.add(input.extracting(source..<source &+ frameCount), gain: gain, to: &target, isFirst: index == 0)
            }
        }
    }

    /// Adds scaled samples to `target`, or overwrites it if they are the first.
    @inline(__always)
    private static func add(_ source: Span<Float>, gain: Float, to target: inout MutableSpan<Float>, isFirst: Bool) {
        // Bounds of all accesses below.
        precondition(source.count & 3 == 0 && target.count >= source.count)
        let pairedCount = source.count & ~7
        var frame = 0
        while frame < pairedCount {
            let scaled = unsafe (source.vector(unchecked: frame) * gain, source.vector(unchecked: frame &+ 4) * gain)
            unsafe target.store(isFirst ? scaled.0 : target.vector(unchecked: frame) + scaled.0, unchecked: frame)
            unsafe target.store(isFirst ? scaled.1 : target.vector(unchecked: frame &+ 4) + scaled.1, unchecked: frame &+ 4)
            frame &+= 8
        }
        guard frame < source.count else { return }
        let scaled = unsafe source.vector(unchecked: frame) * gain
        unsafe target.store(isFirst ? scaled : target.vector(unchecked: frame) + scaled, unchecked: frame)
    }
}
