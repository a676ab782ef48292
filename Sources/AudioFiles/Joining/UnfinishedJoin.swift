// SPDX-License-Identifier: Apache-2.0

internal import PCMFiles
internal import SystemFiles

/// Where a join to AAC saves its state until it is complete, so that another run can resume.
package struct UnfinishedJoin: Sendable {
    package let path: String
    /// The settings that the access units depend on, in any form.
    let settings: [String]
    /// Called with the fate of saved state.
    let report: @Sendable (Note) -> Void

    /// Creates the journal location of an output: a file next to it.
    ///
    /// - Parameters:
    ///   - output: The output's path.
    ///   - settings: The settings that the access units depend on, in any form. State saved with other settings is not used.
    ///   - report: Called with the fate of saved state.
    package init(output: String, settings: [String], report: @escaping @Sendable (Note) -> Void) {
        path = Self.path(output: output)
        self.settings = settings
        self.report = report
    }

    /// Returns the journal file's path for an output.
    package static func path(output: String) -> String { output + ".linnet-partial" }

    /// Whether an output has a journal file.
    package static func exists(output: String) -> Bool { (try? FileStatus(of: path(output: output))) != nil }

    /// The fate of the saved state of an earlier run or of this one.
    package enum Note: Hashable, Sendable {
        /// The saved state is used; this many seconds of output are complete.
        case continues(seconds: Double)
        /// The saved state has other inputs, settings or versions, or is damaged from the start. It will be replaced.
        case differs
        /// Another program is using the saved state. This run saves nothing.
        case inUse
        /// The file is not a journal. It is left alone, and this run saves nothing.
        case foreign
        /// A write failed. This run saves nothing more.
        case notWritten
        /// This run has failed, and another one can resume its saved state.
        case kept
    }
}

extension FileConverter {
    /// Opens an earlier run's journal, or returns `nil` if this conversion does not use one.
    func openJournal() -> JoinJournal? {
        guard let unfinished, let joined, output != "-", let key = Self.key([input] + joined, unfinished.settings) else { return nil }
        let kind = try? FileStatus(of: output).kind
        guard kind == nil || kind == .regular else { return nil }
        // Remove hidden outputs of killed runs.
        OrphanedFiles.remove(in: PathName.parent(output) ?? "")
        return JoinJournal(unfinished, key: key, partCount: joined.count + 1)
    }

    /// Returns everything that a join's access units depend on, or `nil` if an input is not a file.
    private static func key(_ paths: [String], _ settings: [String]) -> [String]? {
        let inputs = paths.compactMap { path in
            (try? FileStatus(of: path)).flatMap { status in status.byteCount.map { "\($0) \(status.modified) \(path)" } }
        }
        // The number of settings separates them from the inputs.
        return inputs.count == paths.count ? [LinnetVersion.current, "\(settings.count)"] + settings + inputs : nil
    }
}
