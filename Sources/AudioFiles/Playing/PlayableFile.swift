// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioContainers
public import AudioPrimitives
internal import PCMFiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file of PCM or of AAC that can be played, whatever its format.
///
/// The first bytes decide how the file is read, never its name.
public final class PlayableFile: PlayableSource {
    private let source: any PlayableSource

    /// Opens a file of PCM or of AAC.
    ///
    /// - Parameter path: The file's path. `-` is standard input, which is read as AAC if it begins as AAC does, else as PCM.
    /// - Throws: The error of the reader that the content calls for.
    public init(path: String) throws { source = try Self.source(path) }

    /// The sample rate in hertz.
    public var sampleRate: Int { source.sampleRate }
    /// The number of channels.
    public var channelCount: Int { source.channelCount }
    /// The number of sample frames, or nil if it is unknown.
    public var frameCount: Int? { source.frameCount }
    /// The index of the sample frame that is read next.
    public var position: Int { source.position }

    /// Replaces the contents of `buffer` by the next sample frames: none at the end.
    public func read(into buffer: inout PCMBuffer) throws { try source.read(into: &buffer) }

    /// Moves to a sample frame.
    ///
    /// - Returns: False if the file can't be read from there, as standard input.
    public func seek(toFrame frame: Int) throws -> Bool { try source.seek(toFrame: frame) }

    /// Opens the file with the reader for its format.
    private static func source(_ path: String) throws -> any PlayableSource {
        let (head, isWhole) = try beginning(of: path)
        // Bytes that were read from a pipe can't be read from it again.
        let taken = path == "-" && lseek(0, -off_t(head.count), SEEK_CUR) < 0 ? head : []
        switch ContainerProbe.format(of: head, isWhole: isWhole) {
        case .adts, .adif, .loas, .m4a, .fragmentedM4A, .mp4, .threeGPP, .quickTime: return try AACAudioFile(path: path, head: taken)
        case .caf where path != "-":
            // CAF holds either.
            return try pcmFile(path) ?? AACAudioFile(path: path)
        default: return try PCMAudioFile(path: path, head: taken)
        }
    }

    /// Opens the file as PCM; returns nil if it holds something else.
    private static func pcmFile(_ path: String) throws(PCMFileError) -> PCMAudioFile? {
        do throws(PCMFileError) {
            return try PCMAudioFile(path: path)
        } catch {
            if case .unrecognizedFormat = error { return nil }
            throw error
        }
    }

    /// Reads the first bytes, as many as a probe needs; `isWhole` says that the file has no more.
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
