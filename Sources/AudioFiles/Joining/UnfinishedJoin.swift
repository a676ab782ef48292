// SPDX-License-Identifier: Apache-2.0

internal import PCMFiles
internal import SystemFiles

/// The place where a join to AAC keeps its work until it is complete, so that another run can go on with it.
package struct UnfinishedJoin: Sendable {
    /// The path of the file.
    package let path: String
    /// The settings that the access units depend on, in any form.
    let settings: [String]
    /// A function that is called with what has become of the work of an earlier run.
    let report: @Sendable (Note) -> Void

    /// Makes the place of an output: a file beside it.
    ///
    /// - Parameters:
    ///   - output: The output's path.
    ///   - settings: The settings that the access units depend on, in any form: work of other ones is not used.
    ///   - report: A function that is called with what has become of the work of an earlier run.
    package init(output: String, settings: [String], report: @escaping @Sendable (Note) -> Void) {
        path = Self.path(output: output)
        self.settings = settings
        self.report = report
    }

    /// Returns the path of the file of an output.
    package static func path(output: String) -> String { output + ".linnet-partial" }

    /// Returns whether there is such a file.
    package static func exists(output: String) -> Bool { (try? FileStatus(of: path(output: output))) != nil }

    /// The use of the work of an earlier run, or the fate of that of this one.
    package enum Note: Hashable, Sendable {
        /// It is used: so many seconds of the output are done.
        case continues(seconds: Double)
        /// It is of other inputs, settings or versions, or damaged from the start, and will be replaced.
        case differs
        /// Another program is at work with it; this run keeps nothing.
        case inUse
        /// The file is none of a join; it stays, and this run keeps nothing.
        case foreign
        /// The file can't be written; this run keeps no more than is done so far.
        case notWritten
        /// This run has failed, and another one can go on with its work.
        case kept
    }
}

extension FileConverter {
    /// Opens what an earlier run has kept; nil where nothing is kept.
    func openJournal() -> JoinJournal? {
        guard let unfinished, let joined, output != "-", let key = Self.key([input] + joined, unfinished.settings) else { return nil }
        let kind = try? FileStatus(of: output).kind
        guard kind == nil || kind == .regular else { return nil }
        // The hidden outputs of runs that were killed.
        AbandonedFiles.remove(in: PathName.parent(output) ?? "")
        return JoinJournal(unfinished, key: key, partCount: joined.count + 1)
    }

    /// Returns what the access units of a join depend on; nil if an input is no file.
    private static func key(_ paths: [String], _ settings: [String]) -> [String]? {
        let inputs = paths.compactMap { path in
            (try? FileStatus(of: path)).flatMap { status in status.byteCount.map { "\($0) \(status.modified) \(path)" } }
        }
        // The number of settings keeps these apart from the inputs.
        return inputs.count == paths.count ? [LinnetVersion.current, "\(settings.count)"] + settings + inputs : nil
    }
}
