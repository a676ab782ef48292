// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioContainers
internal import PCMFiles

/// Opens whatever can be played.
public enum SoundFiles {
    /// Opens a file of PCM or of AAC, by what its first bytes say; standard input (`-`) has to be PCM that ``PCMSoundFile`` takes.
    ///
    /// Throws the error of the reader that the content calls for.
    public static func open(_ path: String) throws -> any SoundFile {
        guard path != "-" else { return try PCMSoundFile(path: path) }
        let head = try InputFile(path: path).read(ContainerProbe.byteCount)
        switch ContainerProbe.format(of: head, isWhole: head.count < ContainerProbe.byteCount) {
        case .adts, .adif, .loas, .mp4: return try CodedSoundFile(path: path)
        case .caf:
            // It holds either.
            do {
                return try PCMSoundFile(path: path)
            } catch PCMFileError.unrecognizedFormat {
                return try CodedSoundFile(path: path)
            }
        default: return try PCMSoundFile(path: path)
        }
    }
}
