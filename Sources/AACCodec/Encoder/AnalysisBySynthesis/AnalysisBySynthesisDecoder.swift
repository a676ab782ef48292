// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
package import TransformCoding
internal import TransformEncoding

/// Decodes trial frames and compares them with the signal by an auditory model.
package struct AnalysisBySynthesisDecoder: ~Copyable {
    /// The number of lines of a long window.
    private let frameLength: Int

    private let bands: ScaleFactorBands

    private var reconstruction = ChannelReconstruction()

    /// The decoded coefficients of both channels, in window order.
    package private(set) var spectrum: FixedArray<Float>

    /// The two blocks of error samples within the frame's window.
    private var samples: FixedArray<Float>

    /// The second of these blocks during the synthesis.
    private var overlap: OverlapState

    /// The long window coefficients of the error, then of the decoded signal.
    private var lines: FixedArray<Float>

    /// The auditory levels of the signal and of the decoded spectrum.
    private var auditory: AuditoryLevels

    package init(_ setup: EncoderSetup) {
        frameLength = setup.frameLength
        bands = setup.makeBands()
        spectrum = FixedArray(repeating: 0, count: 2 * frameLength)
        samples = FixedArray(repeating: 0, count: 2 * frameLength)
        overlap = OverlapState(frameLength: frameLength)
        lines = FixedArray(repeating: 0, count: frameLength)
        auditory = AuditoryLevels(sampleRate: setup.coreSampleRate, frameLength: frameLength)
    }

    /// Restarts the PNS random generator, so that the result does not depend on previous frames.
    mutating func reset() { reconstruction.noise = NoiseSynthesis() }

    /// Decodes the spectrum of a channel, 0 or 1, without the stereo tools.
    package mutating func decode(_ stream: inout IndividualChannelStream, channel: Int) {
        stream.findUsedCodebooks()
        var both = spectrum.mutableSpan
        var lines = both._mutatingExtracting(channel * frameLength..<(channel + 1) * frameLength)
        _ = reconstruction.reconstruct(stream, sharedNoise: BandFlags(), bands: bands, into: &lines)
    }

    /// Converts M/S and intensity stereo to L/R.
    mutating func decodeStereo(_ left: borrowing IndividualChannelStream, _ right: borrowing IndividualChannelStream, mask: MidSideMask) {
        let division = FrameDivision(info: left.info, bands: bands)
        var lines = spectrum.mutableSpan
        MidSideSynthesis.synthesize(
            mask, codebooks: (left.codebooks.span, right.codebooks.span), division: division, offsets: (0, frameLength), in: &lines)
        IntensitySynthesis.synthesize(
            (right.codebooks.span, right.scaleFactors.span), mask: mask, division: division, gains: reconstruction.tables.gains.span,
            offsets: (0, frameLength), in: &lines)
    }

    /// Applies the TNS synthesis filter of a channel, 0 or 1.
    mutating func shapeNoise(_ stream: borrowing IndividualChannelStream, channel: Int) {
        guard let tns = stream.tns else { return }
        var both = spectrum.mutableSpan
        var lines = both._mutatingExtracting(channel * frameLength..<(channel + 1) * frameLength)
        reconstruction.tnsSynthesis.synthesize(
            tns, sequence: stream.info.windowSequence, bandCount: stream.info.maxSFB, bands: bands, in: &lines)
    }

    /// Updates the correction of a channel with the audible error of its decoded spectrum in a long window.
    ///
    /// - Parameters:
    ///   - channel: 0 or 1, within the element.
    ///   - minimumError: The error below which differences hardly count (``TargetCorrection``).
    mutating func compareLong(_ trial: inout ChannelAnalysisBySynthesis, channel: Int, minimumError: Float) {
        auditory.measure(
            original: trial.coefficients.span,
            decoded: spectrum.span.extracting(channel * frameLength..<(channel + 1) * frameLength))
        update(&trial.correction, minimumError: minimumError)
    }

    /// Updates the correction of a channel with the audible error of its decoded spectrum in short windows.
    ///
    /// Both signals are compared in a long sine window.
    ///
    /// - Parameters:
    ///   - channel: 0 or 1, within the element.
    ///   - signal: The coefficients of the frame's samples with a long sine window.
    ///   - minimumError: The error below which differences hardly count (``TargetCorrection``).
    mutating func compareShort(
        _ trial: inout ChannelAnalysisBySynthesis, channel: Int, signal: Span<Float>, shape: WindowShape, minimumError: Float,
        filterBank: inout EncoderFilterBank
    ) {
        transformError(trial, channel: channel, shape: shape, filterBank: &filterBank)
        do {
            var decoded = lines.mutableSpan
            for line in stride(from: 0, to: frameLength, by: 4) {
                decoded.store(decoded.vector(at: line) + signal.vector(at: line), at: line)
            }
        }
        auditory.measure(original: signal, decoded: lines.span)
        update(&trial.correction, minimumError: minimumError)
    }

    #if !hasFeature(Embedded) || LINNET_USAC
    /// Updates the correction of a channel with the audible error of predicted lines, which replace its coefficients in `trial`.
    ///
    /// - Parameter signal: The coefficients of the frame, of a long window.
    mutating func comparePrediction(_ trial: inout ChannelAnalysisBySynthesis, signal: Span<Float>, minimumError: Float) {
        auditory.measure(original: signal, decoded: trial.coefficients.span)
        update(&trial.prediction, minimumError: minimumError)
    }
    #endif

    private func update(_ correction: inout TargetCorrection, minimumError: Float) {
        correction.update(
            original: auditory.original.span, decoded: auditory.decoded.span, count: auditory.count, minimumError: minimumError)
    }

    /// Computes the lines of the error of short windows for a long sine window: synthesizes the error and transforms it again.
    ///
    /// The errors of the previous and the next frame are omitted.
    private mutating func transformError(
        _ trial: borrowing ChannelAnalysisBySynthesis, channel: Int, shape: WindowShape, filterBank: inout EncoderFilterBank
    ) {
        var error = lines.mutableSpan
        let (decoded, original) = (spectrum.span.extracting(channel * frameLength..<(channel + 1) * frameLength), trial.coefficients.span)
        for line in stride(from: 0, to: frameLength, by: 4) { error.store(decoded.vector(at: line) - original.vector(at: line), at: line) }
        overlap.reset()
        overlap.previousShape = shape
        var block = samples.mutableSpan
        do {
            var first = block._mutatingExtracting(0..<frameLength)
            filterBank.synthesize(error.span, sequence: .eightShort, shape: shape, state: &overlap, into: &first)
        }
        do {
            var second = block._mutatingExtracting(frameLength..<2 * frameLength)
            filterBank.copyOverlap(of: overlap, into: &second)
        }
        filterBank.analyze(block.span, sequence: .onlyLong, previousShape: .sine, shape: .sine, into: &error)
    }
}

extension IndividualChannelStream {
    /// Sets ``usedCodebooks`` of a stream that was not parsed.
    fileprivate mutating func findUsedCodebooks() {
        usedCodebooks = 0
        for group in 0..<info.groupCount {
            for sfb in 0..<info.maxSFB { usedCodebooks |= 1 << UInt16(codebooks[group * ICSInfo.bandStride + sfb]) }
        }
    }
}
