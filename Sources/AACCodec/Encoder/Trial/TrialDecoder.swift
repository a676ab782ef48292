// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
package import TransformCoding
internal import TransformEncoding

/// Decodes frames that were coded on trial, and compares them with the signal as hearing does.
package struct TrialDecoder: ~Copyable {
    /// The lines of a long window.
    private let frameLength: Int

    /// The scale factor bands of the sample rate.
    private let bands: ScaleFactorBands

    /// The tools that reconstruct the lines of a channel.
    private var reconstruction = ChannelReconstruction()

    /// The decoded coefficients of both channels, window after window.
    package private(set) var spectrum: FixedArray<Float>

    /// The two blocks of error samples that the frame's window covers.
    private var samples: FixedArray<Float>

    /// The coefficients of the error, then of the decoded signal, in a long window.
    private var lines: FixedArray<Float>

    /// The levels at which hearing perceives a spectrum.
    private var auditory: AuditoryLevels

    /// The levels of the signal.
    private var originalLevels = FixedArray<Float>(repeating: 0, count: AuditoryLevels.capacity)

    /// The levels of the decoded signal.
    private var decodedLevels = FixedArray<Float>(repeating: 0, count: AuditoryLevels.capacity)

    /// Makes the decoder of an encoder's elements.
    package init(_ setup: EncoderSetup) {
        frameLength = setup.frameLength
        bands = ScaleFactorBands(samplingFrequencyIndex: setup.samplingFrequencyIndex, frameLength: frameLength)
        spectrum = FixedArray(repeating: 0, count: 2 * frameLength)
        samples = FixedArray(repeating: 0, count: 2 * frameLength)
        lines = FixedArray(repeating: 0, count: frameLength)
        auditory = AuditoryLevels(sampleRate: setup.coreSampleRate, frameLength: frameLength)
    }

    /// Starts the noise of bands without lines again, so that it does not depend on the frames before.
    mutating func reset() { reconstruction.noise = NoiseSynthesis() }

    /// Decodes the spectrum of a channel, 0 or 1, before the tools of pairs.
    package mutating func decode(_ stream: inout IndividualChannelStream, channel: Int) {
        stream.findUsedCodebooks()
        var both = spectrum.mutableSpan
        var lines = both._mutatingExtracting(channel * frameLength..<(channel + 1) * frameLength)
        _ = reconstruction.reconstruct(stream, sharedNoise: BandFlags(), bands: bands, into: &lines)
    }

    /// Replaces middle and side, and copies, by left and right.
    mutating func decodeStereo(_ left: borrowing IndividualChannelStream, _ right: borrowing IndividualChannelStream, mask: MidSideMask) {
        let division = FrameDivision(info: left.info, bands: bands)
        var lines = spectrum.mutableSpan
        MidSideSynthesis.synthesize(
            mask, codebooks: (left.codebooks.span, right.codebooks.span), division: division, offsets: (0, frameLength), in: &lines)
        IntensitySynthesis.synthesize(
            (right.codebooks.span, right.scaleFactors.span), mask: mask, division: division, gains: reconstruction.tables.gains.span,
            offsets: (0, frameLength), in: &lines)
    }

    /// Applies the temporal noise shaping of a channel, 0 or 1.
    mutating func shapeNoise(_ stream: borrowing IndividualChannelStream, channel: Int) {
        guard let tns = stream.tns else { return }
        var both = spectrum.mutableSpan
        var lines = both._mutatingExtracting(channel * frameLength..<(channel + 1) * frameLength)
        reconstruction.tnsSynthesis.synthesize(
            tns, sequence: stream.info.windowSequence, bandCount: stream.info.maxSFB, bands: bands, in: &lines)
    }

    /// Updates the correction of a channel, 0 or 1, with the audible error of its decoded spectrum.
    ///
    /// - Parameters:
    ///   - trial: The state of the channel.
    ///   - signal: The coefficients of the frame's samples in a long window of the sine shape.
    ///   - info: The window of the frame.
    ///   - leastError: The error below which differences hardly count (``TargetCorrection``).
    mutating func compare(
        _ trial: inout ChannelTrial, channel: Int, signal: Span<Float>, info: ICSInfo, leastError: Float,
        filterBank: inout EncoderFilterBank
    ) {
        transformError(&trial, channel: channel, info: info, filterBank: &filterBank)
        do {
            var decoded = lines.mutableSpan
            for line in stride(from: 0, to: frameLength, by: 4) {
                decoded.store(decoded.vector(at: line) + signal.vector(at: line), at: line)
            }
        }
        var original = originalLevels.mutableSpan
        auditory.measure(signal, into: &original)
        var decoded = decodedLevels.mutableSpan
        auditory.measure(lines.span, into: &decoded)
        trial.correction.update(
            original: originalLevels.span, decoded: decodedLevels.span, count: auditory.count, leastError: leastError)
    }

    /// Sets the lines to those of the error in a long window, whatever the window of the frame: the error is synthesised, with that of the frame
    /// before, and transformed again.
    private mutating func transformError(_ trial: inout ChannelTrial, channel: Int, info: ICSInfo, filterBank: inout EncoderFilterBank) {
        let isLongSine = trial.isLongSine(info)
        var error = lines.mutableSpan
        let (decoded, original) = (spectrum.span.extracting(channel * frameLength..<(channel + 1) * frameLength), trial.coefficients.span)
        for line in stride(from: 0, to: frameLength, by: 4) { error.store(decoded.vector(at: line) - original.vector(at: line), at: line) }
        var block = samples.mutableSpan
        do {
            var first = block._mutatingExtracting(0..<frameLength)
            filterBank.synthesize(
                error.span, sequence: info.windowSequence, shape: info.windowShape, state: &trial.overlap, into: &first)
        }
        // The transform would return the same lines.
        guard !isLongSine else { return }
        let overlap = trial.overlap.samples.span
        for index in stride(from: 0, to: frameLength, by: 4) { block.store(overlap.vector(at: index), at: frameLength + index) }
        filterBank.analyze(block.span, sequence: .onlyLong, previousShape: .sine, shape: .sine, into: &error)
    }
}

extension IndividualChannelStream {
    /// Sets ``usedCodebooks`` of a stream that was not read.
    fileprivate mutating func findUsedCodebooks() {
        usedCodebooks = 0
        for group in 0..<info.groupCount {
            for sfb in 0..<info.maxSFB { usedCodebooks |= 1 << UInt16(codebooks[group * ICSInfo.bandStride + sfb]) }
        }
    }
}
