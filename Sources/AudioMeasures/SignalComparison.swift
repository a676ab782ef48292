// SPDX-License-Identifier: Apache-2.0

/// Errors of comparing two signals.
public enum SignalComparisonError: Error, Hashable, Sendable {
    /// The sample rates, in hertz, differ.
    case sampleRates(Int, Int)
    /// The channel counts differ.
    case channelCounts(Int, Int)
    /// The signals do not overlap at this delay, in frames.
    case noOverlap(delay: Int)
}

extension SignalComparisonError: CustomStringConvertible {
    /// One line with both values.
    public var description: String {
        switch self {
        case .sampleRates(let reference, let test): "it has \(test) Hz and the reference \(reference) Hz"
        case .channelCounts(let reference, let test): "it has \(test) channels and the reference \(reference)"
        case .noOverlap(let delay): "at an offset of \(delay) frames it doesn't overlap the reference"
        }
    }
}

/// All measures of a signal against its reference.
public struct SignalComparison: Sendable {
    /// The delay between the two.
    public let alignment: SignalAlignment
    /// The number of compared frames.
    public let frameCount: Int
    /// Sample rate of both in hertz.
    public let sampleRate: Int
    /// Distances of waveforms and levels.
    public let level: LevelMeasures
    /// Bandwidth of the reference in hertz.
    public let referenceBandwidth: Double
    /// Bandwidth of the test in hertz.
    public let testBandwidth: Double
    /// Noise-to-mask ratios.
    public let noiseToMask: NoiseToMask
    /// The stereo image of the first two channels; nil for mono.
    public let stereoImage: StereoImage?
    /// Noise before onsets.
    public let preEcho: PreEcho

    /// Compares a signal with its reference.
    ///
    /// - Parameters:
    ///   - reference: The reference.
    ///   - test: The test signal, with the same sample rate and channel count.
    ///   - delay: Frames by which the test is late; by default it is searched.
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
        sampleRate = reference.sampleRate
        level = LevelMeasures(reference: original, test: other)
        referenceBandwidth = Bandwidth.measure(original)
        testBandwidth = Bandwidth.measure(other)
        noiseToMask = NoiseToMask(reference: original, test: other)
        stereoImage = original.channels.count > 1 ? StereoImage(reference: original, test: other) : nil
        preEcho = PreEcho(reference: original, test: other)
    }
}

extension AudioSignal {
    /// Returns the frames of a range, which lies within the signal.
    package func part(_ range: Range<Int>) -> AudioSignal {
        range == 0..<frameCount ? self : AudioSignal(sampleRate: sampleRate, channels: channels.map { Array($0[range]) })
    }
}
