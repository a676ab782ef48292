// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// Trial encoding: the frame is encoded, decoded and compared with the signal before it is finally encoded.
extension ElementEncoder {
    /// Decides the tools for the frame's trial, after its analysis.
    ///
    /// Call ``finishAnalysisBySynthesis(_:noiseScale:tables:filterBank:)`` next.
    mutating func startAnalysisBySynthesis(_ trial: ElementAnalysisBySynthesis, tables: borrowing EncoderTables, noiseScale: Float) {
        first.save(to: &trial.first)
        if kind == .pair { second.save(to: &trial.second) }
        trial.midSide.copy(midSide)
        trial.intensity.copy(intensity)
        decideTools(tables, effort: .trial, noiseScale: noiseScale, isTrial: true)
    }

    /// Encodes the frame on trial, restores the state before the trial, and corrects the noise targets by the resulting error.
    mutating func finishAnalysisBySynthesis(
        _ trial: ElementAnalysisBySynthesis, noiseScale: Float, tables: borrowing EncoderTables, filterBank: inout EncoderFilterBank
    ) {
        quantize(noiseScale: noiseScale, effort: .trial)
        countLines(trial)
        trial.decoder.decode(&first.coder.stream, channel: 0)
        if kind == .pair {
            trial.decoder.decode(&second.coder.stream, channel: 1)
            trial.decoder.decodeStereo(first.coder.stream, second.coder.stream, mask: midSide.mask(layout: layout))
            trial.decoder.shapeNoise(second.coder.stream, channel: 1)
        }
        trial.decoder.shapeNoise(first.coder.stream, channel: 0)
        midSide.copy(trial.midSide)
        intensity.copy(trial.intensity)
        first.finishAnalysisBySynthesis(
            &trial.first, channel: 0, decoder: &trial.decoder, layout: layout, tables: tables, filterBank: &filterBank)
        guard kind == .pair else { return }
        second.finishAnalysisBySynthesis(
            &trial.second, channel: 1, decoder: &trial.decoder, layout: layout, tables: tables, filterBank: &filterBank)
    }

    /// Corrects the noise targets of a long window by the error of the last trial or prediction.
    mutating func correctTargets(_ trial: ElementAnalysisBySynthesis, tables: borrowing EncoderTables) {
        first.correctTargets(&trial.first, layout: layout, tables: tables)
        if kind == .pair { second.correctTargets(&trial.second, layout: layout, tables: tables) }
    }

    /// Counts the nonzero lines of each band of the trial.
    private mutating func countLines(_ trial: ElementAnalysisBySynthesis) {
        first.countLines(of: &trial.first, layout: layout)
        guard kind == .pair else { return }
        second.countLines(of: &trial.second, layout: layout)
        for band in 0..<layout.count where midSide.usesMidSide[band] {
            let mean = (trial.first.lineCounts[band] + trial.second.lineCounts[band]) * 0.5
            trial.first.lineCounts[band] = mean
            trial.second.lineCounts[band] = mean
        }
    }
}
