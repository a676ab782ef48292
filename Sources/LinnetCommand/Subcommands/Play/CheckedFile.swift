// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import PCMFiles
import Synchronization

/// A file to play or stream, with its damage.
///
/// One thread reads it. ``warnings`` can be used from any thread.
final class CheckedFile: PlayableSource, @unchecked Sendable {
    private let file: AudioFile
    private let found = Mutex<[PCMFileWarning]>([])

    init(_ file: AudioFile) { self.file = file }

    /// Recoverable problems of the part that was read.
    var warnings: [PCMFileWarning] { found.withLock { $0 } }

    static func report(_ files: [CheckedFile]) -> ExitCode {
        let warnings = files.flatMap(\.warnings)
        for warning in warnings { StandardError.complain("warning: \(warning)", .warning) }
        return warnings.contains(where: \.isDamage) ? .damagedInput : .success
    }

    var sampleRate: Int { file.sampleRate }
    var channelCount: Int { file.channelCount }
    var channelLayout: ChannelLayout? { file.channelLayout }
    var frameCount: Int? { file.frameCount }
    var position: Int { file.position }
    var canSeek: Bool { file.canSeek }

    func read(into buffer: inout PCMBuffer) throws(AudioFileError) -> Bool {
        defer { found.withLock { $0 = file.warnings } }
        return try file.read(into: &buffer)
    }

    func seek(toFrame frame: Int) throws(AudioFileError) { try file.seek(toFrame: frame) }
}
