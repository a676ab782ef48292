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
        if trial.isLongSine(coder.stream.info) {
            otherCoefficients.copy(trial.coefficients)
        } else {
            transformLong(filterBank: &filterBank)
        }
        decoder.compare(
            &trial, channel: channel, signal: otherCoefficients.span, info: coder.stream.info,
            minimumError: tables.rateDependent.minimumError, filterBank: &filterBank)
        restore(from: &trial, layout: layout, tables: tables)
        var targets = coder.spectrum.noiseTargets.mutableSpan
        trial.correction.correct(&targets, lineCounts: trial.lineCounts.span, barks: barks, layout: layout)
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
        let codebooks = coder.stream.codebooks.span
        let quantized = coder.stream.quantized.span
        for band in 0..<layout.count {
            let group = band / layout.bandsPerGroup
            let codebook = codebooks[group * ICSInfo.bandStride + band - group * layout.bandsPerGroup]
            var count: Float = 0
            if codebook >= 1 && codebook <= BandCodebook.escape {
                for line in layout.lines(band) where quantized[line] != 0 { count += 1 }
            }
            trial.lineCounts[band] = count
        }
    }
}
