// SPDX-License-Identifier: Apache-2.0

internal import AudioMeasures
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// Compares decoded signals with the original by levels and noise (``AuditoryLevels``), in sine windows of 1024 samples.
///
/// Measured in Search.md#tools-by-trial and SBR.md#sbr-by-trial.
struct AuditoryComparison: ~Copyable {
    private var filterBank = FilterBank(frameLength: Self.frameLength)
    private var levels: AuditoryLevels
    private var window = FixedArray<Float>(repeating: 0, count: 2 * Self.frameLength)
    private var originalLines = FixedArray<Float>(repeating: 0, count: Self.frameLength)
    private var decodedLines = FixedArray<Float>(repeating: 0, count: Self.frameLength)
    /// The sum of each signal's errors over audible windows.
    private var sums: [(level: Double, noise: Double)]
    private var windowCount = 0

    private static let frameLength = 512
    private static let fullScale: Float = 32768
    /// Added so that equal signals have an error in decibels.
    private static let leastLevelError = 1e-9

    init(sampleRate: Int, signalCount: Int) {
        levels = AuditoryLevels(sampleRate: sampleRate, frameLength: Self.frameLength)
        sums = Array(repeating: (0, 0), count: signalCount)
    }

    /// Returns the error of each signal in decibels, or `nil` if the original was never audible.
    ///
    /// - Parameter noiseWeight: The weight of the noise-to-signal ratio, where the level error has 1.
    func errors(noiseWeight: Double) -> [Double]? {
        guard windowCount > 0 else { return nil }
        return sums.map {
            let noise = $0.noise / Double(windowCount) * PortableMath.decibelsPerOctave
            return Decibels.power($0.level / Double(windowCount) + Self.leastLevelError) + noiseWeight * noise
        }
    }

    /// Adds the windows of a channel.
    ///
    /// - Parameters:
    ///   - original: The samples, full scale ±1.
    ///   - decoded: As many samples of each signal.
    mutating func add(_ original: [Float], _ decoded: [[Float]]) {
        for start in stride(from: 0, through: original.count - 2 * Self.frameLength, by: Self.frameLength) {
            Self.analyze(original, at: start, &filterBank, &window, into: &originalLines)
            var isAudible = false
            for signal in decoded.indices {
                Self.analyze(decoded[signal], at: start, &filterBank, &window, into: &decodedLines)
                levels.measure(original: originalLines.span, decoded: decodedLines.span)
                guard let errors = levels.errors(original: originalLines.span, decoded: decodedLines.span) else { continue }
                isAudible = true
                sums[signal].level += Double(errors.level)
                sums[signal].noise += Double(errors.noise)
            }
            if isAudible { windowCount += 1 }
        }
    }

    private static func analyze(
        _ samples: [Float], at start: Int, _ filterBank: inout FilterBank, _ window: inout FixedArray<Float>,
        into lines: inout FixedArray<Float>
    ) {
        for index in window.indices { window[index] = samples[start + index] * fullScale }
        var target = lines.mutableSpan
        filterBank.analyze(window.span, sequence: .onlyLong, previousShape: .sine, shape: .sine, into: &target)
    }
}
