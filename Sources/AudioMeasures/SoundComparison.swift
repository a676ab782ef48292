// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Why two sounds can't be compared.
public enum SoundComparisonError: Error, Hashable, Sendable {
    /// Their sample rates differ, in hertz.
    case sampleRates(Int, Int)
    /// Their numbers of channels differ.
    case channelCounts(Int, Int)
    /// At that delay, in frames, they have nothing in common.
    case nothingInCommon(delay: Int)
}

/// All that is measured of a sound against the one that it should be.
public struct SoundComparison: Sendable {
    /// How the two lie against each other.
    public let alignment: Alignment
    /// Frames that were compared.
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
    /// Places between the first two channels; nil for mono.
    public let stereoImage: StereoImage?
    /// Noise before onsets.
    public let preEcho: PreEcho

    /// Compares a sound with its reference, at a delay that is given (frames by which the test is late) or found.
    public init(reference: Sound, test: Sound, delay: Int? = nil) throws(SoundComparisonError) {
        guard reference.sampleRate == test.sampleRate else { throw .sampleRates(reference.sampleRate, test.sampleRate) }
        guard reference.channels.count == test.channels.count else { throw .channelCounts(reference.channels.count, test.channels.count) }
        alignment =
            delay.map { Alignment(reference: reference, test: test, delay: $0) } ?? Alignment(reference: reference, test: test)
        let range = alignment.referenceRange
        guard !range.isEmpty else { throw .nothingInCommon(delay: alignment.delay) }
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

extension Sound {
    /// The frames of a range, which lies inside.
    func part(_ range: Range<Int>) -> Sound {
        range == 0..<frameCount ? self : Sound(sampleRate: sampleRate, channels: channels.map { Array($0[range]) })
    }
}
