// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
internal import Synchronization
internal import SystemFiles

/// The files of an input folder, which get one gain.
final class BatchAlbum: Sendable {
    private struct State {
        var tracks: [AlbumLoudness.Track?]
        var remainingCount: Int
        var loudness: AlbumLoudness?
    }

    /// A checksum of the names, sizes and modification times of the files.
    let key: String
    /// The files, each input once.
    let files: [BatchFile]
    private let state: Mutex<State>

    private init(_ files: [BatchFile]) {
        var inputs: Set<String> = []
        self.files = files.filter { inputs.insert($0.input).inserted }
        let lines = inputs.sorted().map { input in
            let stamp = FileStamp(of: input)
            return "\(input)\n\(stamp?.byteCount ?? -1) \(stamp?.modified ?? 0)\n"
        }
        key = SHA256.hash(of: Array(lines.joined().utf8))
        state = Mutex(State(tracks: self.files.map { _ in nil }, remainingCount: self.files.count))
    }

    /// Assigns albums to files, one per input folder.
    static func grouping(_ files: [BatchFile]) -> [BatchFile] {
        let folders = Dictionary(grouping: files.indices.filter { files[$0].problem == nil }) { PathName.parent(files[$0].input) ?? "." }
        var result = files
        for indices in folders.values {
            let album = BatchAlbum(indices.map { files[$0] })
            for index in indices { result[index].album = album }
        }
        return result
    }

    /// The loudness of all files together, or `nil` before all are measured.
    var loudness: AlbumLoudness? { state.withLock { $0.loudness } }

    /// Measures one of the files; those that cannot be read are not part of the loudness.
    func measure(_ index: Int) {
        let file = files[index]
        let track = try? file.converter(file.settings.configuration).measuredTrack()
        state.withLock { state in
            state.tracks[index] = track
            state.remainingCount -= 1
            guard state.remainingCount == 0 else { return }
            state.loudness = AlbumLoudness(state.tracks.compactMap { $0 })
            state.tracks = []
        }
    }
}
