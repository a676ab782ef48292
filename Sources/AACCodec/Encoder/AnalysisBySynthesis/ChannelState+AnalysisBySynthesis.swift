// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// Trial encoding of one channel.
extension ChannelState {
    /// Saves the state that a trial changes.
    @inline(never)
    mutating func save(to trial: inout ChannelAnalysisBySynthesis) {
        trial.coefficients.copy(coefficients)
        trial.noiseTargets.copy(coder.spectrum.noiseTargets)
        trial.substitution.copy(substitution)
    }

    /// Restores the state before the trial, and corrects the noise targets.
    @inline(never)
    mutating func finishAnalysisBySynthesis(
        _ trial: inout ChannelAnalysisBySynthesis, channel: Int, decoder: inout AnalysisBySynthesisDecoder, layout: borrowing BandLayout,
        tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank
    ) {
        let isShort = layout.sequence == .eightShort
        let barks = isShort ? tables.psychoacoustics.short.bark.span : tables.psychoacoustics.long.bark.span
        trial.correction.startFrame(lineCounts: trial.lineCounts.span, barks: barks, layout: layout)
        let minimumError = tables.rateDependent.minimumError
        if isShort {
            transformLong(filterBank: &filterBank)
            decoder.compareShort(
                &trial, channel: channel, signal: otherCoefficients.span, shape: coder.stream.info.windowShape,
                minimumError: minimumError, filterBank: &filterBank)
        } else {
            decoder.compareLong(&trial, channel: channel, minimumError: minimumError)
        }
        restore(from: &trial, layout: layout, tables: tables)
        var targets = coder.spectrum.noiseTargets.mutableSpan
        trial.correction.correct(&targets, barks: barks, layout: layout)
    }

    /// Corrects the noise targets of a long window by the error of the last trial or prediction.
    mutating func correctTargets(
        _ trial: inout ChannelAnalysisBySynthesis, layout: borrowing BandLayout, tables: borrowing EncoderTables
    ) {
        var targets = coder.spectrum.noiseTargets.mutableSpan
        let barks = tables.psychoacoustics.long.bark.span
        if tables.effort.predictsErrors {
            trial.prediction.correct(&targets, barks: barks, layout: layout)
        } else {
            trial.correction.correct(&targets, barks: barks, layout: layout)
        }
    }

    /// Transforms the frame's samples with a long sine window, into the coefficients of the other shape.
    ///
    /// Those are no longer needed after ``setShape(_:)``.
    private mutating func transformLong(filterBank: inout EncoderFilterBank) {
        let window = window
        var target = otherCoefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(window), sequence: .onlyLong, previousShape: .sine, shape: .sine, into: &target)
    }

    /// Restores the spectrum, noise targets and decisions before a trial.
    private mutating func restore(
        from trial: inout ChannelAnalysisBySynthesis, layout: borrowing BandLayout, tables: borrowing EncoderTables
    ) {
        coefficients.copy(trial.coefficients)
        orderLines(layout: layout, tables: tables)
        coder.spectrum.noiseTargets.copy(trial.noiseTargets)
        substitution.copy(trial.substitution)
    }

    /// Counts the nonzero lines of each band.
    @inline(never)
    func countLines(of trial: inout ChannelAnalysisBySynthesis, layout: borrowing BandLayout) {
        // The next frame may have more bands.
        trial.lineCounts.fill(0)
        let codebooks = coder.stream.codebooks.span
        let quantized = coder.stream.quantized.span
        for band in 0..<layout.count {
            let group = band / layout.bandsPerGroup
            let codebook = codebooks[group * ICSInfo.bandStride + band - group * layout.bandsPerGroup]
            var count = 0
            if codebook >= 1 && codebook <= BandCodebook.escape {
                for line in stride(from: layout.lines(band).lowerBound, to: layout.lines(band).upperBound, by: 4) {
                    count += quantized.quad(at: line).nonzeroQuarters.nonzeroBitCount
                }
            }
            trial.lineCounts[band] = Float(count)
        }
    }
}
