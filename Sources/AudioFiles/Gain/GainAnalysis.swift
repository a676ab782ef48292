// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// The possible gains of a file, or of the files of an album, and their loudness.
struct GainAnalysis {
    private let scan: GainScan
    private let meter: LoudnessMeter?
    /// Whether only even numbers of steps are possible.
    private(set) var needsPairs: Bool
    /// The loudness of the file, if the change depends on it.
    let loudness: LoudnessSummary?
    /// The loudness of the file or the album.
    private var reference: LoudnessSummary?

    /// Parses a file, and decodes it if the change depends on its loudness or may clip.
    init(_ path: String, _ change: LosslessGain.Change, _ progress: (MediaTime) -> Bool) throws {
        let file = try GainFile(path: path)
        scan = try GainScan(file.bytes, path: path, progress)
        if case .decibels(...0) = change {
            meter = nil
        } else {
            meter = try FileLoudness(of: .bytes(file.bytes, name: path)).meter {
                progress(MediaTime(value: $0.components.seconds, timescale: 1))
            }
        }
        needsPairs = scan.needsPairs
        loudness = meter?.summary()
        reference = loudness
    }

    /// Returns the analysis of an album.
    static func joined(_ files: [GainAnalysis]) -> GainAnalysis? {
        guard var album = files.first else { return nil }
        album.needsPairs = files.contains { $0.needsPairs }
        album.reference = LoudnessMeter.summary(of: files.compactMap(\.meter)).summary
        return album
    }

    /// Returns the number of steps for a change.
    ///
    /// - Parameters:
    ///   - file: The file whose range and true peak limit the gain.
    ///   - isApproximate: Whether high-band envelopes at the end of their range may deviate from the gain.
    /// - Throws: ``GainProblem``.
    func steps(for change: LosslessGain.Change, limits file: GainAnalysis, isApproximate: Bool) throws -> Int {
        let size = needsPairs ? 2 : 1
        let requested: Double
        switch change {
        case .decibels(let gain): requested = gain
        case .loudness(let target):
            guard let integrated = reference?.integrated else { throw reference?.isTooShort == true ? GainProblem.tooShort : .silence }
            requested = target - integrated
        case .undo: return 0
        }
        let number = (requested / LosslessGain.step / Double(size)).rounded()
        let steps = Int(max(-1000, min(1000, number))) * size
        let gain = Double(steps) * LosslessGain.step
        guard file.scan.range(isApproximate: true).contains(steps) else {
            let range = file.scan.range(isApproximate: isApproximate)
            throw GainProblem.outOfRange(gain: gain, possible: LosslessGain.decibels(range, needsPairs))
        }
        guard isApproximate || file.scan.range.contains(steps) else {
            throw GainProblem.highBandOutOfRange(
                gain: gain, accessUnits: file.scan.deviation(steps).unitCount,
                possible: LosslessGain.decibels(file.scan.range, needsPairs))
        }
        if steps > 0, let truePeak = file.loudness?.truePeak, truePeak + gain > 0 {
            let largest = (max(0, -truePeak) / LosslessGain.step / Double(size)).rounded(.down) * Double(size) * LosslessGain.step
            throw GainProblem.clipping(gain: gain, truePeak: truePeak, largest: largest)
        }
        return steps
    }
}
