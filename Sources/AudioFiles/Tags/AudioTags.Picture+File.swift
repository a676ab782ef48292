// SPDX-License-Identifier: Apache-2.0

public import AudioMetadata
public import PCMFiles
internal import SystemFiles

extension AudioTags.Picture {
    /// The maximum size of a cover picture, in bytes.
    package static let maximumFileByteCount = 16 << 20

    /// Reads a JPEG or PNG file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, is not a picture, or is larger than 16 MiB.
    public init(path: String) throws(AudioFileError) {
        let bytes = try AudioFileError.attempt(path) { try Self.bytes(ofFile: path) }
        guard bytes.count <= Self.maximumFileByteCount else {
            throw AudioFileError(.pictureTooLarge(maximumByteCount: Self.maximumFileByteCount), path: path)
        }
        guard let picture = AudioTags.Picture(bytes: bytes) else { throw AudioFileError(.unsupportedPicture, path: path) }
        self = picture
    }

    /// Reads a file until it ends or exceeds 16 MiB.
    private static func bytes(ofFile path: String) throws(SystemFileError) -> [UInt8] {
        let file = try FileInput(path: path)
        var bytes: [UInt8] = []
        while bytes.count <= maximumFileByteCount {
            let more = try file.readAvailable(FileInput.peekLimit)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }
}
