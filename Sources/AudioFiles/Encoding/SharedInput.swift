// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// A file of samples or encoded audio that several readers can open.
enum SharedInput: Sendable {
    /// A file by its path.
    ///
    /// `raw` is the format of headerless PCM, and `audioTrack` the track to read, or `nil` for the default one.
    case file(String, raw: AudioFormat?, audioTrack: AudioTrackChoice?)
    /// An unnamed temporary file with headerless PCM.
    case copy(OpenFile, byteCount: Int, AudioFormat)

    /// Opens the file at its first frame.
    func open() throws -> PCMFileReader {
        switch self {
        case .file(let path, let raw, let audioTrack): try PCMFileReader.opening(path, raw: raw, audioTrack: audioTrack)
        case .copy(let file, let byteCount, let format):
            // Parts of a file are read by position, so that readers do not move each other.
            try PCMFileReader(FileInput(file, path: OpenFile.temporaryFolder).joining([0..<byteCount]), raw: format)
        }
    }
}
