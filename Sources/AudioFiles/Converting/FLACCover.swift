// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioContainers
internal import SystemFiles

/// The cover in the header of a FLAC file (RFC 9639, 8.8).
enum FLACCover {
    /// The type of a metadata block with a picture.
    private static let blockType: UInt8 = 6
    /// The most metadata blocks that are read.
    private static let blockLimit = 64

    /// Returns the front cover of a file, or else its first picture, if it is JPEG or PNG; nil without one, and if the file can't be read.
    static func picture(ofFile path: String) -> AudioTags.Picture? {
        guard let input = try? FileInput(path: path) else { return nil }
        return (try? picture(input)) ?? nil
    }

    /// Reads the metadata blocks.
    private static func picture(_ input: FileInput) throws(SystemFileError) -> AudioTags.Picture? {
        guard try input.read(4) == Array("fLaC".utf8) else { return nil }
        var first: AudioTags.Picture?
        for _ in 0..<blockLimit {
            let head = try input.read(4)
            guard head.count == 4 else { break }
            let length = head[1...].reduce(0) { $0 << 8 | Int($1) }
            if head[0] & 0x7F == blockType {
                guard let block = FLACPicture(parsing: try input.bytes(length)) else { break }
                if block.isFrontCover { return block.picture }
                first = first ?? block.picture
            } else {
                guard try input.skip(length) else { break }
            }
            if head[0] & 0x80 != 0 { break }
        }
        return first
    }
}

extension FileInput {
    /// Reads bytes, or fewer at the end.
    fileprivate func bytes(_ count: Int) throws(SystemFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try readAvailable(count - bytes.count)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }
}
