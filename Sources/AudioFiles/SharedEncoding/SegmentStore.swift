// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PCMFiles
internal import SystemFiles
internal import SystemLibrary

/// A folder in which processes, also on several machines, store the encoded segments of one file.
///
/// Segments are stored in runs of equal length. A process locks a run's claim file (`flock`) while encoding it. The system releases the
/// lock when the process ends for any reason. On file systems without locks across machines, two processes may encode the same run. The
/// results are identical, and each replaces the file atomically.
struct SegmentStore: Sendable {
    let folder: String

    /// Exclusive access to a run, released with this object.
    final class Claim: Sendable {
        private let file: OpenFile

        fileprivate init(_ file: OpenFile) { self.file = file }
    }

    private func path(_ run: Int, _ suffix: String) -> String { "\(folder)/run-\(run).\(suffix)" }

    /// The path of the first pass's result.
    private var planPath: String { folder + "/plan.json" }

    /// Claims a run.
    ///
    /// - Returns: `nil` if another process is encoding it.
    func claim(_ run: Int) throws(AudioFileError) -> Claim? {
        let name = path(run, "claim")
        let descriptor = open(PathName.bytes(name), O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw AudioFileError(.cannotCreate(systemCode: errno), path: name) }
        let file = OpenFile(owning: descriptor)
        return file.lock() ? Claim(file) : nil
    }

    func has(_ run: Int) -> Bool { access(PathName.bytes(path(run, "part")), F_OK) == 0 }

    func remove(_ run: Int) { unlink(PathName.bytes(path(run, "part"))) }

    /// Reads a run, or returns `nil` if it is missing or damaged.
    func read(_ run: Int) -> [EncodedSegment]? {
        OpenFile.contents(of: path(run, "part")).flatMap { try? SegmentFile.segments($0) }
    }

    /// Writes a run atomically.
    func write(_ segments: [EncodedSegment], run: Int) throws(AudioFileError) {
        try Self.write(SegmentFile.bytes(segments), to: path(run, "part"))
    }

    /// Reads the result of the first pass, or returns `nil` if it is missing, damaged, or has a different division.
    func readPlan(of division: SegmentDivision) -> SegmentNoiseScalePlan? {
        let plan = OpenFile.contents(of: planPath).flatMap(SegmentNoiseScalePlan.init(json:))
        return plan.flatMap { $0.expected.isEmpty || $0.expected.count == division.count ? $0 : nil }
    }

    /// Writes the result of the first pass atomically.
    func write(_ plan: SegmentNoiseScalePlan) throws(AudioFileError) { try Self.write(Array(plan.json.line.utf8), to: planPath) }

    /// Writes a file atomically.
    private static func write(_ bytes: [UInt8], to path: String) throws(AudioFileError) {
        let file = try OutputFile(path: path, overwrites: true)
        try file.write(bytes)
        try file.commit()
    }
}
