// SPDX-License-Identifier: Apache-2.0

/// The encoder's linear prediction analysis (RFC 3951, 3.2.1, 3.2.2 and 3.2.7).
package struct LPCAnalysis: Sendable {
    private let mode: ILBCMode

    /// The end of the previous blocks, followed by the current block (`speech_hp`).
    private var samples: [Float]

    /// The number of samples from previous blocks (`LPC_LOOKBACK`).
    private var lookback: Int { samples.count - mode.samplesPerFrame }

    /// The latest frequencies, for blocks whose filter has no valid ones.
    private var latest = LSFTables.mean

    init(mode: ILBCMode) {
        self.mode = mode
        samples = [Float](repeating: 0, count: mode == .milliseconds20 ? 240 : 300)
    }

    /// Returns the sets of line spectral frequencies of the next block: one for 20 ms, two for 30 ms.
    mutating func frequencies(of block: [Float]) -> [[Float]] {
        samples.removeFirst(block.count)
        samples += block
        var sets: [[Float]] = []
        if mode == .milliseconds30 { sets.append(frequencies(from: 0, window: AnalysisWindows.symmetric)) }
        sets.append(frequencies(from: mode == .milliseconds30 ? lookback : 0, window: AnalysisWindows.asymmetric))
        return sets
    }

    /// Returns the frequencies of 240 windowed samples.
    private mutating func frequencies(from first: Int, window: [Float]) -> [Float] {
        let windowed = window.indices.map { samples[first + $0] * window[$0] }
        let autocorrelation = (0...ILBCMode.filterOrder).map { lag in
            var sum: Float = 0
            for index in 0..<windowed.count - lag { sum += windowed[index] * windowed[index + lag] }
            return sum * AnalysisWindows.lag[lag]
        }
        // Bandwidth expansion smooths spectral peaks (3.2.2 recommends 0.9, its constants have 0.9025).
        let coefficients = PredictionFilter.expand(Self.predictor(of: autocorrelation), by: 0.9025)
        if let found = LineSpectrum.frequencies(of: coefficients) { latest = found }
        return latest
    }

    /// Returns the eleven coefficients of the optimum predictor by Levinson-Durbin recursion.
    package static func predictor(of autocorrelation: [Float]) -> [Float] {
        let order = ILBCMode.filterOrder
        var coefficients = [Float](repeating: 0, count: order + 1)
        coefficients[0] = 1
        var error = autocorrelation[0]
        for current in 1...order {
            // For silence or a perfectly predictable signal, the remaining coefficients are zero.
            guard error > 0 else { break }
            var sum = autocorrelation[current]
            for lag in 1..<current { sum += coefficients[lag] * autocorrelation[current - lag] }
            let reflection = -sum / error
            let before = coefficients
            for lag in 1..<current { coefficients[lag] += reflection * before[current - lag] }
            coefficients[current] = reflection
            error *= 1 - reflection * reflection
        }
        return coefficients
    }
}
