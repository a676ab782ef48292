// SPDX-License-Identifier: Apache-2.0

internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding

/// Compares the auditory levels of decoded signals with the original's levels, in sine windows of 1024 samples.
///
/// Measured in Search.md#tools-by-trial.
struct LevelComparison: ~Copyable {
    private var filterBank = FilterBank(frameLength: Self.frameLength)
    private var levels: AuditoryLevels
    private var window = FixedArray<Float>(repeating: 0, count: 2 * Self.frameLength)
    private var originalLines = FixedArray<Float>(repeating: 0, count: Self.frameLength)
    private var decodedLines = FixedArray<Float>(repeating: 0, count: Self.frameLength)
    /// The sum of each signal's errors, in square octaves.
    private var sums: [Double]
    /// The number of audible windows.
    private var count = 0

    private static let frameLength = 512
    private static let fullScale: Float = 32768

    init(sampleRate: Int, signalCount: Int) {
        levels = AuditoryLevels(sampleRate: sampleRate, frameLength: Self.frameLength)
        sums = Array(repeating: 0, count: signalCount)
    }

    /// The mean error of each signal, in square octaves, or `nil` if the original was never audible.
    var errors: [Double]? { count > 0 ? sums.map { $0 / Double(count) } : nil }

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
                guard let error = levels.error else { continue }
                isAudible = true
                sums[signal] += Double(error)
            }
            if isAudible { count += 1 }
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
