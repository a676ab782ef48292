// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioContainers
internal import PCMFiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Opens whatever can be played.
public enum SoundFiles {
    /// Opens a file of PCM or of AAC, by what its first bytes say.
    ///
    /// Standard input (`-`) is read as AAC if it begins as AAC does, else as PCM.
    ///
    /// Throws the error of the reader that the content calls for.
    public static func open(_ path: String) throws -> any SoundFile {
        let (head, isWhole) = try beginning(of: path)
        // What a pipe has given is gone from it.
        let taken = path == "-" && lseek(0, -off_t(head.count), SEEK_CUR) < 0 ? head : []
        switch ContainerProbe.format(of: head, isWhole: isWhole) {
        case .adts, .adif, .loas, .mp4: return try CodedSoundFile(path: path, head: taken)
        case .caf where path != "-":
            // It holds either.
            return try pcmFile(path) ?? CodedSoundFile(path: path)
        default: return try PCMSoundFile(path: path, head: taken)
        }
    }

    /// The file as PCM; nil if it holds something else.
    private static func pcmFile(_ path: String) throws(PCMFileError) -> PCMSoundFile? {
        do throws(PCMFileError) {
            return try PCMSoundFile(path: path)
        } catch {
            if case .unrecognizedFormat = error { return nil }
            throw error
        }
    }

    /// The first bytes, as many as tell what they are, and whether there are no more.
    private static func beginning(of path: String) throws(InputError) -> (bytes: [UInt8], isWhole: Bool) {
        let file = try InputFile(path: path)
        var bytes: [UInt8] = []
        while bytes.count < ContainerProbe.byteCount {
            let more = try file.read(ContainerProbe.byteCount - bytes.count)
            if more.isEmpty { return (bytes, true) }
            bytes += more
        }
        return (bytes, false)
    }
}
