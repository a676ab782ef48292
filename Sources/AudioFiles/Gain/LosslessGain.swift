// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
package import AudioLoudness
package import AudioPrimitives
public import PCMFiles
internal import SystemFiles
internal import SystemLibrary

/// A change of the level of AAC and xHE-AAC files without decoding and encoding.
///
/// It changes the gain fields of the access units and stores a record with which ``undo`` restores the exact bytes. Sizes do not change.
/// A step is 1.505 dB, with some SBR streams 3.01 dB. Loudness tags are adjusted.
///
/// ```swift
/// try await LosslessGain(decibels: -3).run("song.m4a")
/// ```
public struct LosslessGain: Hashable, Sendable {
    package enum Change: Hashable, Sendable {
        case decibels(Double)
        /// An integrated loudness to reach, in LUFS.
        case loudness(Double)
        case undo
    }

    package let change: Change
    /// Whether all files get the same gain, which preserves their level differences.
    package var isAlbum = false
    /// Whether high-band envelopes at the end of their range may deviate from the gain.
    package var isApproximate = false

    /// The size of a step, in decibels: 2^(1/4) in amplitude.
    package static let step = 5 * log10(2.0)

    /// Returns the gains in decibels of a range of steps.
    ///
    /// Only even numbers are possible if `needsPairs`.
    static func decibels(_ range: ClosedRange<Int>, _ needsPairs: Bool) -> ClosedRange<Double> {
        let size = needsPairs ? 2 : 1
        return Double(range.lowerBound / size * size) * step...Double(range.upperBound / size * size) * step
    }

    /// Creates a change by a gain in decibels, which is rounded to whole steps.
    public init(decibels: Double) { change = .decibels(decibels) }

    /// Creates a change to an integrated loudness in LUFS, as close as whole steps permit.
    public init(loudness: Double) { change = .loudness(loudness) }

    private init() { change = .undo }

    /// Restores the bytes from before all gains.
    public static let undo = LosslessGain()

    /// Changes a file on a dedicated thread.
    ///
    /// - Parameters:
    ///   - path: The file's path: AAC in M4A, MP4, 3GP, QuickTime, CAF, ADTS or LOAS.
    ///   - output: The path of a changed copy, or `nil` to replace the file when the new one is complete.
    /// - Returns: The gain in decibels.
    /// - Throws: ``/PCMFiles/AudioFileError``, with ``/PCMFiles/AudioFileError/Code/gainNotPossible`` if a tool of the stream, the range of
    ///   its levels, or clipping prevents the gain. The file is then unchanged.
    @discardableResult
    public func run(_ path: String, output: String? = nil) async throws(AudioFileError) -> Double {
        let gain = self
        return try await BackgroundWork.run { isCancelled throws(AudioFileError) in
            try gain.run([Target(input: path, output: output)]) { _ in !isCancelled() }[0].gain
        }
    }

    package struct Target: Hashable, Sendable {
        package let input: String
        /// `nil` to replace the input.
        package let output: String?
        /// Whether to replace an existing output.
        package var overwrites = false

        package init(input: String, output: String?, overwrites: Bool = false) {
            (self.input, self.output, self.overwrites) = (input, output, overwrites)
        }
    }

    package struct Result: Hashable, Sendable {
        /// The gain relative to the input, in decibels.
        package var gain = 0.0
        /// The gain relative to the file before all gains, in decibels; `nil` if the file has no record.
        package var total: Double?
        /// The size of a step, in decibels.
        package var step = LosslessGain.step
        /// The loudness before the gain, if it was measured.
        package var loudness: LoudnessSummary?
        package var accessUnitCount = 0
        package var lostByteCount = 0
        /// The number of access units whose high band deviates from the gain.
        package var deviatingUnitCount = 0
        /// The largest deviation, in decibels.
        package var deviation = 0.0
        /// The audio tracks; the one that is read is changed.
        package var audioTracks: [AudioTrack] = []
    }

    /// Changes files on this thread, after checking all of them.
    ///
    /// `undo` checks and changes one file at a time.
    ///
    /// - Parameter progress: Receives the presentation times of access units. Returns false to stop.
    package func run(_ targets: [Target], _ progress: (MediaTime) -> Bool = { _ in true }) throws(AudioFileError) -> [Result] {
        if change == .undo {
            var results: [Result] = []
            for target in targets { results.append(try undo(target, progress)) }
            return results
        }
        var analyses: [GainAnalysis] = []
        for target in targets { analyses.append(try naming(target.input) { try GainAnalysis(target.input, change, progress) }) }
        let shared = isAlbum ? GainAnalysis.joined(analyses) : nil
        var results: [Result] = []
        var steps: [Int] = []
        for (target, analysis) in zip(targets, analyses) {
            steps.append(
                try naming(target.input) { try (shared ?? analysis).steps(for: change, limits: analysis, isApproximate: isApproximate) })
        }
        for index in targets.indices {
            var result = try apply(steps[index], to: targets[index], progress)
            result.step = Self.step * ((shared ?? analyses[index]).needsPairs ? 2 : 1)
            result.loudness = analyses[index].loudness
            results.append(result)
        }
        return results
    }

    private func apply(_ steps: Int, to target: Target, _ progress: (MediaTime) -> Bool) throws(AudioFileError) -> Result {
        try naming(target.input) {
            var file = try GainFile(path: target.input)
            var result = Result()
            if steps != 0 {
                let scan = try file.change(by: steps, isApproximate: isApproximate, progress)
                (result.accessUnitCount, result.lostByteCount) = (scan.unitCount, scan.lostByteCount)
                let deviation = scan.deviation(file.steps)
                (result.deviatingUnitCount, result.deviation) = (deviation.unitCount, Double(deviation.steps) * Self.step)
            }
            result.gain = Double(steps) * Self.step
            result.total = file.hasPlace ? Double(file.steps) * Self.step : nil
            result.audioTracks = try file.audioTracks()
            if steps != 0 || target.output != nil { try write(file, to: target) }
            return result
        }
    }

    private func undo(_ target: Target, _ progress: (MediaTime) -> Bool) throws(AudioFileError) -> Result {
        try naming(target.input) {
            var file = try GainFile(path: target.input)
            guard file.steps != 0 else { throw GainProblem.noRecord }
            var result = Result(gain: Double(-file.steps) * Self.step, total: 0)
            try file.undo(progress)
            result.audioTracks = try file.audioTracks()
            try write(file, to: target)
            return result
        }
    }

    private func write(_ file: GainFile, to target: Target) throws {
        let output = try OutputFile(
            path: target.output ?? target.input, overwrites: target.overwrites || target.output == nil,
            input: target.overwrites || target.output == nil ? nil : target.input)
        try output.write(file.stored)
        try output.commit()
    }

    /// Runs `body` and names the file in its errors.
    private func naming<Value>(_ path: String, _ body: () throws -> Value) throws(AudioFileError) -> Value {
        try AudioFileError.attempt(PathName.inputName(path)) {
            do {
                return try body()
            } catch let problem as GainProblem {
                throw AudioFileError(.gainNotPossible, path: path, underlying: problem)
            }
        }
    }
}
