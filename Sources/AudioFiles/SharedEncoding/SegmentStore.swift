// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import PCMFiles
internal import SystemFiles
internal import SystemLibrary

/// A folder in which several processes, also of several machines, put the segments that they encode of one file.
///
/// Segments are stored in runs of the same length. A process locks the claim of a run (`flock`) while it encodes it; the system releases the
/// lock when the process ends in whatever way. On file systems without locks between machines two may encode the same run: it has the same
/// bytes, and the last one replaces the file in one step.
struct SegmentStore: Sendable {
    /// The folder's path.
    let folder: String

    /// A run that this process encodes; it is released with this object.
    final class Claim: Sendable {
        private let file: OpenFile

        /// Holds an open and locked file.
        fileprivate init(_ file: OpenFile) { self.file = file }
    }

    /// Returns the path of a run, or of its claim.
    private func path(_ run: Int, _ suffix: String) -> String { "\(folder)/run-\(run).\(suffix)" }

    /// The path of the first pass.
    private var planPath: String { folder + "/plan.json" }

    /// Claims a run.
    ///
    /// - Returns: Nil if another process encodes it.
    func claim(_ run: Int) throws(AudioFileError) -> Claim? {
        let name = path(run, "claim")
        let descriptor = open(PathName.bytes(name), O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw AudioFileError(.cannotCreate(systemCode: errno), path: name) }
        let file = OpenFile(owning: descriptor)
        return file.lock() ? Claim(file) : nil
    }

    /// Returns whether a run is there.
    func has(_ run: Int) -> Bool { access(PathName.bytes(path(run, "part")), F_OK) == 0 }

    /// Removes a damaged run.
    func remove(_ run: Int) { unlink(PathName.bytes(path(run, "part"))) }

    /// Reads a run; nil if it is not there, or damaged.
    func read(_ run: Int) -> [EncodedSegment]? {
        OpenFile.contents(of: path(run, "part")).flatMap { try? SegmentFile.segments($0) }
    }

    /// Writes a run, in one step.
    func write(_ segments: [EncodedSegment], run: Int) throws(AudioFileError) {
        try Self.write(SegmentFile.bytes(segments), to: path(run, "part"))
    }

    /// Reads the result of the first pass; nil if it is not there, damaged, or of another division.
    func readPlan(of division: SegmentDivision) -> SegmentQualityPlan? {
        let plan = OpenFile.contents(of: planPath).flatMap(SegmentQualityPlan.init(json:))
        return plan.flatMap { $0.expected.isEmpty || $0.expected.count == division.count ? $0 : nil }
    }

    /// Writes the result of the first pass, in one step.
    func write(_ plan: SegmentQualityPlan) throws(AudioFileError) { try Self.write(Array(plan.json.line.utf8), to: planPath) }

    /// Writes a file in one step.
    private static func write(_ bytes: [UInt8], to path: String) throws(AudioFileError) {
        let file = try OutputFile(path: path, overwrites: true)
        try file.write(bytes)
        try file.commit()
    }
}
