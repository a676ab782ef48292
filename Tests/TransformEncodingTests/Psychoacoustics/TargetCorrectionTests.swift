// SPDX-License-Identifier: Apache-2.0

import MPEG4Audio
import Testing
import TransformCoding
import TransformEncoding

@Suite struct TargetCorrectionTests {
    /// The number of cells at 48 kHz.
    private static let cellCount = AuditoryLevels(sampleRate: 48_000, frameLength: 1024).count

    /// Returns levels with alternating errors of ±0.1 octaves, larger in one critical band.
    private func decoded(_ original: [Float], band: Int, factor: Float) -> [Float] {
        original.indices.map { cell in
            let error: Float = cell & 1 == 0 ? 0.1 : -0.1
            return original[cell] + (cell / AuditoryLevels.cellsPerBark == band ? error * factor : error)
        }
    }

    /// Corrects targets by the error of a frame in which every second line of coded bands was sent.
    ///
    /// - Returns: The log2 change of each long band's target at 48 kHz, and the critical band rates.
    private func changes(
        _ correction: inout TargetCorrection, decoded: [Float], coded: Range<Int> = 0..<49, count: Int = cellCount, signal: [Float]? = nil
    ) -> [(bark: Float, octaves: Float)] {
        let signal = signal ?? original
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        let tables = PsychoacousticTables(sampleRate: 48_000, bands: bands)
        var layout = BandLayout()
        layout.setLong(.onlyLong, bands: bands, bandCount: bands.longCount)
        let lineCounts = (0..<120).map { coded.contains($0) ? Float(layout.width($0)) * 0.5 : 0 }
        correction.startFrame(lineCounts: lineCounts.span, barks: tables.long.bark.span, layout: layout)
        correction.update(original: signal.span, decoded: decoded.span, count: count, minimumError: 3e-5)
        var targets = [Float](repeating: 1, count: 120)
        var span = targets.mutableSpan
        correction.correct(&span, barks: tables.long.bark.span, layout: layout)
        return (0..<layout.count).map { (tables.long.bark[$0], PortableMath.log2(targets[$0])) }
    }

    /// A signal whose levels fall by an octave per critical band.
    private let original = (0..<AuditoryLevels.capacity).map { 30 - Float($0) / 6 }

    @Test("A band with a rising error gets less noise, and the others slightly more")
    func rise() {
        var correction = TargetCorrection(frameLength: 1024)
        var before: [(bark: Float, octaves: Float)] = []
        // Lines are sent only around that band, so that its loss also reaches bands with tolerated errors.
        for _ in 0..<64 { before = changes(&correction, decoded: decoded(original, band: 10, factor: 1), coded: 11..<14) }
        let after = changes(&correction, decoded: decoded(original, band: 10, factor: 4), coded: 11..<14)
        for (old, new) in zip(before, after) {
            let difference = new.octaves - old.octaves
            if (old.bark - 10.5).magnitude < 0.4 {
                #expect(difference < -0.5)
            } else if (old.bark - 10.5).magnitude > 1 {
                #expect(difference > 0 && difference < 0.1)
            }
        }
    }

    @Test("The mean change over sent lines is 0.025 octaves after a trial, and zero after a prediction", arguments: [false, true])
    func mean(isPredicted: Bool) {
        var correction = TargetCorrection(frameLength: 1024, isPredicted: isPredicted)
        var sum: Float = 0
        var weight: Float = 0
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        let found = changes(&correction, decoded: decoded(original, band: 5, factor: 8), coded: 0..<40)
        for (band, change) in found.enumerated() where band < 40 {
            let width = Float(bands.longOffsets[band + 1] - bands.longOffsets[band])
            sum += change.octaves * width
            weight += width
        }
        #expect((sum / weight - (isPredicted ? 0 : 0.025)).magnitude < 1e-4)
    }

    @Test("Changes are limited, and finite for equal levels and silence")
    func limit() {
        var correction = TargetCorrection(frameLength: 1024)
        _ = changes(&correction, decoded: original)
        let wrong = original.map { $0 - 40 }
        for (signal, decoded) in [(original, wrong), (wrong, original), (original, original)] {
            for change in changes(&correction, decoded: decoded, signal: signal) { #expect(change.octaves.magnitude <= 4.001) }
        }
    }

    @Test("With equal errors, a channel with fewer high-frequency lines gets less noise there")
    func lines() {
        var many = TargetCorrection(frameLength: 1024)
        var few = TargetCorrection(frameLength: 1024)
        var (ofMany, ofFew): ([(bark: Float, octaves: Float)], [(bark: Float, octaves: Float)]) = ([], [])
        for _ in 0..<64 {
            let errors = decoded(original, band: 10, factor: 1)
            ofMany = changes(&many, decoded: errors)
            ofFew = changes(&few, decoded: errors, coded: 0..<30)
        }
        // Relative to low frequencies, because the mean over sent lines is zero.
        let relative = (ofMany[45].octaves - ofMany[5].octaves, ofFew[45].octaves - ofFew[5].octaves)
        #expect(relative.1 < relative.0 - 0.5)
    }

    @Test("A predicted error moves less noise, and more away from the highest critical bands")
    func prediction() {
        var trial = TargetCorrection(frameLength: 1024)
        var predicted = TargetCorrection(frameLength: 1024, isPredicted: true)
        var before: (trial: [(bark: Float, octaves: Float)], predicted: [(bark: Float, octaves: Float)]) = ([], [])
        let even = decoded(original, band: 10, factor: 1)
        for _ in 0..<64 { before = (changes(&trial, decoded: even), changes(&predicted, decoded: even)) }
        let highest = before.trial.count - 1
        let relative = (
            before.trial[highest].octaves - before.trial[5].octaves, before.predicted[highest].octaves - before.predicted[5].octaves
        )
        #expect(relative.1 < relative.0 - 0.3)
        let rising = decoded(original, band: 10, factor: 4)
        let after = (trial: changes(&trial, decoded: rising), predicted: changes(&predicted, decoded: rising))
        for band in after.trial.indices where (after.trial[band].bark - 10.5).magnitude < 0.4 {
            let fall = before.trial[band].octaves - after.trial[band].octaves
            let predictedFall = before.predicted[band].octaves - after.predicted[band].octaves
            #expect(predictedFall > 0.3 * fall && predictedFall < 0.8 * fall)
        }
    }

    @Test("At low sample rates the highest critical band also applies above it")
    func lowRate() {
        var correction = TargetCorrection(frameLength: 1024)
        let count = AuditoryLevels(sampleRate: 8_000, frameLength: 1024).count
        let found = changes(&correction, decoded: decoded(original, band: 3, factor: 4), count: count)
        #expect(found.allSatisfy { $0.octaves.isFinite })
        #expect(Set(found.filter { $0.bark > 17.5 }.map(\.octaves)).count == 1)
    }
}
