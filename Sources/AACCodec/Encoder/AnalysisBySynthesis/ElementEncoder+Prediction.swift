// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_USAC
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// The correction of noise targets by an error that is predicted without coding the frame.
extension ElementEncoder {
    /// Updates the corrections with the predicted error of a long window.
    ///
    /// Call it after the analysis.
    @inline(never)
    mutating func predictErrors(_ trial: ElementAnalysisBySynthesis, noiseScale: Float, tables: borrowing EncoderTables) {
        predictLines(&trial.first, &trial.second, noiseScale: noiseScale)
        first.updateCorrection(&trial.first, decoder: &trial.decoder, layout: layout, tables: tables)
        if kind == .pair { second.updateCorrection(&trial.second, decoder: &trial.decoder, layout: layout, tables: tables) }
    }

    /// Predicts the decoded lines of a long window.
    ///
    /// The tools of the frame are not chosen yet. A band is predicted as M/S or noise if the previous long window had it so.
    private mutating func predictLines(
        _ left: inout ChannelAnalysisBySynthesis, _ right: inout ChannelAnalysisBySynthesis, noiseScale: Float
    ) {
        // The next frame may have more bands.
        left.lineCounts.fill(0)
        right.lineCounts.fill(0)
        left.coefficients.copy(first.coefficients)
        if kind == .pair { right.coefficients.copy(second.coefficients) }
        for band in 0..<layout.count {
            let lines = layout.lines(band)
            let noise = first.coder.spectrum.noiseTargets[band] * noiseScale
            guard kind == .pair else {
                left.predict(band, lines, noise: noise, wasNoise: first.wasNoise(band))
                continue
            }
            let rightNoise = second.coder.spectrum.noiseTargets[band] * noiseScale
            if midSide.wasMidSide(band) {
                ChannelAnalysisBySynthesis.predictMidSide(
                    &left, &right, band, lines, noise: MidSideStereo.sharedNoise(noise, rightNoise))
            } else {
                left.predict(band, lines, noise: noise, wasNoise: first.wasNoise(band))
                right.predict(band, lines, noise: rightNoise, wasNoise: second.wasNoise(band))
            }
        }
    }
}

extension ChannelAnalysisBySynthesis {
    /// Replaces the lines of a band with a prediction of the decoded lines, and counts those that are not zero.
    fileprivate mutating func predict(_ band: Int, _ range: Range<Int>, noise: Float, wasNoise: Bool) {
        var lines = coefficients.mutableSpan
        guard wasNoise else {
            lineCounts[band] = QuantizationPrediction.quantize(&lines, range, noise: noise)
            return
        }
        QuantizationPrediction.substitute(&lines, range)
        lineCounts[band] = 0
    }

    fileprivate static func predictMidSide(_ left: inout Self, _ right: inout Self, _ band: Int, _ lines: Range<Int>, noise: Float) {
        mix(&left, &right, in: lines, scale: 0.5)
        left.predict(band, lines, noise: noise, wasNoise: false)
        right.predict(band, lines, noise: noise, wasNoise: false)
        mix(&left, &right, in: lines, scale: 1)
        let mean = (left.lineCounts[band] + right.lineCounts[band]) * 0.5
        left.lineCounts[band] = mean
        right.lineCounts[band] = mean
    }

    /// Converts the predicted lines of two channels to mid and side with a scale of 0.5, and back with 1.
    private static func mix(_ first: inout Self, _ second: inout Self, in lines: Range<Int>, scale: Float) {
        var left = first.coefficients.mutableSpan
        var right = second.coefficients.mutableSpan
        MidSideStereo.mix(&left, &right, in: lines, scale: scale)
    }
}

extension ChannelState {
    /// Returns whether the previous frame sent a band as noise.
    fileprivate func wasNoise(_ band: Int) -> Bool { coder.spectrum.replacements.codebooks[band] == BandCodebook.noise }

    /// Updates the correction with the audible error of the predicted lines.
    fileprivate func updateCorrection(
        _ trial: inout ChannelAnalysisBySynthesis, decoder: inout AnalysisBySynthesisDecoder, layout: borrowing BandLayout,
        tables: borrowing EncoderTables
    ) {
        trial.prediction.startFrame(lineCounts: trial.lineCounts.span, barks: tables.psychoacoustics.long.bark.span, layout: layout)
        decoder.comparePrediction(&trial, signal: coefficients.span, minimumError: tables.rateDependent.minimumError)
    }
}
#endif
