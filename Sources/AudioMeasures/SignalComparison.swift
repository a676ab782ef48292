// SPDX-License-Identifier: Apache-2.0

/// An error in comparing two signals.
public enum SignalComparisonError: Error, Hashable, Sendable {
    /// The sample rates, in hertz, differ.
    case sampleRates(Int, Int)
    /// The channel counts differ.
    case channelCounts(Int, Int)
    /// The signals do not overlap at this delay, in frames.
    case noOverlap(delay: Int)
}

extension SignalComparisonError: CustomStringConvertible {
    /// A one-line description with both values.
    public var description: String {
        switch self {
        case .sampleRates(let reference, let test): "it has \(test) Hz and the reference \(reference) Hz"
        case .channelCounts(let reference, let test): "it has \(test) channel\(test == 1 ? "" : "s") and the reference \(reference)"
        case .noOverlap(let delay): "at an offset of \(delay) frames it does not overlap the reference"
        }
    }
}

/// All measures of a signal against its reference.
public struct SignalComparison: Sendable {
    /// The delay between the signals.
    public let alignment: SignalAlignment
    /// The number of compared frames.
    public let frameCount: Int
    /// The number of frames of each signal, compared or not.
    package let lengths: (reference: Int, test: Int)
    /// The sample rate of both signals, in hertz.
    public let sampleRate: Int
    /// Waveform and level differences.
    public let level: LevelMeasures
    /// The bandwidth of the reference, in hertz.
    public let referenceBandwidth: Double
    /// The bandwidth of the test, in hertz.
    public let testBandwidth: Double
    /// The noise-to-mask ratios.
    public let noiseToMaskRatio: NoiseToMaskRatio

    /// The former name of ``noiseToMaskRatio``.
    @available(*, deprecated, renamed: "noiseToMaskRatio")
    public var noiseToMask: NoiseToMaskRatio { noiseToMaskRatio }
    /// Stereo image errors of the first two channels; `nil` for mono.
    public let stereoImage: StereoImage?
    /// The noise before onsets.
    public let preEcho: PreEcho

    /// Compares a signal with its reference.
    ///
    /// - Parameters:
    ///   - reference: The original signal.
    ///   - test: The test signal, with the reference's sample rate and channel count.
    ///   - delay: The delay of the test, in frames; `nil` searches for it.
    /// - Throws: ``SignalComparisonError``.
    public init(reference: AudioSignal, test: AudioSignal, delay: Int? = nil) throws(SignalComparisonError) {
        guard reference.sampleRate == test.sampleRate else { throw .sampleRates(reference.sampleRate, test.sampleRate) }
        guard reference.channels.count == test.channels.count else { throw .channelCounts(reference.channels.count, test.channels.count) }
        alignment =
            delay.map { SignalAlignment(reference: reference, test: test, delay: $0) } ?? SignalAlignment(reference: reference, test: test)
        let range = alignment.referenceRange
        guard !range.isEmpty else { throw .noOverlap(delay: alignment.delay) }
        let original = reference.part(range)
        let shift = alignment.delay
        let other = test.part(range.lowerBound + shift..<range.upperBound + shift)
        frameCount = range.count
        lengths = (reference.frameCount, test.frameCount)
        sampleRate = reference.sampleRate
        level = LevelMeasures(reference: original, test: other)
        referenceBandwidth = Bandwidth.measure(original)
        testBandwidth = Bandwidth.measure(other)
        noiseToMaskRatio = NoiseToMaskRatio(reference: original, test: other)
        stereoImage = original.channels.count > 1 ? StereoImage(reference: original, test: other) : nil
        preEcho = PreEcho(reference: original, test: other)
    }
}

extension AudioSignal {
    package func part(_ range: Range<Int>) -> AudioSignal {
        range == 0..<frameCount ? self : AudioSignal(sampleRate: sampleRate, channels: channels.map { Array($0[range]) })
    }
}
