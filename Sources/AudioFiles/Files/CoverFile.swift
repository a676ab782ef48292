// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers

/// What stops a picture from becoming a cover.
public enum CoverError: Error, Hashable, Sendable {
    /// The file is neither JPEG nor PNG.
    case notPicture(path: String)
    /// The picture has more bytes than a cover may have.
    case tooLarge(path: String, maximum: Int)
}

extension CoverError: CustomStringConvertible {
    /// One line: what is wrong with which file.
    public var description: String {
        switch self {
        case .notPicture(let path): "\(path) is neither JPEG nor PNG"
        case .tooLarge(let path, let maximum): "\(path) has more than \(maximum >> 20) MiB, which is too much for a cover"
        }
    }
}

extension AudioTags.Picture {
    /// The most bytes that are taken for a cover.
    public static let maximumFileByteCount = 16 << 20

    /// Reads a JPEG or PNG file; throws ``InputError`` or ``CoverError``.
    public init(path: String) throws {
        let file = try InputFile(path: path)
        var bytes: [UInt8] = []
        while true {
            let more = try file.read(65_536)
            if more.isEmpty { break }
            bytes += more
            guard bytes.count <= Self.maximumFileByteCount else {
                throw CoverError.tooLarge(path: path, maximum: Self.maximumFileByteCount)
            }
        }
        guard let picture = AudioTags.Picture(bytes: bytes) else { throw CoverError.notPicture(path: path) }
        self = picture
    }
}
