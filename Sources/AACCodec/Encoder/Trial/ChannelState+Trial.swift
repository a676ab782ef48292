// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Coding on trial, for one channel.
extension ChannelState {
    /// Keeps what a trial changes.
    mutating func save(to trial: inout ChannelTrial) {
        trial.coefficients = coefficients
        trial.noiseTargets = coder.spectrum.noiseTargets
        trial.substitution = substitution
    }

    /// Returns to the state before the trial, and corrects the noise targets.
    mutating func finishTrial(
        _ trial: inout ChannelTrial, channel: Int, decoder: inout TrialDecoder, layout: borrowing BandLayout,
        tables: borrowing EncoderTables, filterBank: inout FilterBank
    ) {
        if trial.isLongSine(coder.stream.info) {
            otherCoefficients = trial.coefficients
        } else {
            transformLong(filterBank: &filterBank)
        }
        decoder.compare(
            &trial, channel: channel, signal: otherCoefficients.span, info: coder.stream.info,
            leastError: tables.rateDependent.leastError, filterBank: &filterBank)
        restore(from: &trial, layout: layout, tables: tables)
        let isCoded = codedBands(layout: layout)
        var targets = coder.spectrum.noiseTargets.mutableSpan
        if layout.sequence == .eightShort {
            trial.correction.correct(&targets, isCoded: isCoded.span, barks: tables.psychoacoustics.short.bark.span, layout: layout)
        } else {
            trial.correction.correct(&targets, isCoded: isCoded.span, barks: tables.psychoacoustics.long.bark.span, layout: layout)
        }
    }

    /// Transforms the samples of the frame with a long window of the sine shape, into the coefficients of the other shape.
    ///
    /// These are no longer needed once ``setShape(_:)`` has been called.
    private mutating func transformLong(filterBank: inout FilterBank) {
        var target = otherCoefficients.mutableSpan
        filterBank.analyze(
            samples.span.extracting(start..<start + 2048), sequence: .onlyLong, previousShape: .sine, shape: .sine, into: &target)
    }

    /// Returns to the spectrum, the noise targets and the decisions before a trial.
    private mutating func restore(from trial: inout ChannelTrial, layout: borrowing BandLayout, tables: borrowing EncoderTables) {
        coefficients = trial.coefficients
        orderLines(layout: layout, tables: tables)
        coder.spectrum.noiseTargets = trial.noiseTargets
        substitution = trial.substitution
    }

    /// Returns whether each band was coded with lines.
    private func codedBands(layout: borrowing BandLayout) -> [120 of Bool] {
        let codebooks = coder.stream.codebooks.span
        var result = [120 of Bool](repeating: false)
        for band in 0..<layout.count {
            let group = band / layout.bandsPerGroup
            let codebook = codebooks[group * ICSInfo.bandStride + band - group * layout.bandsPerGroup]
            result[band] = codebook >= 1 && codebook <= BandCodebook.escape
        }
        return result
    }
}
