// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// The chunk syntax of a WAV file.
///
/// W64 has 16-byte identifiers and 8-byte lengths.
struct WAVEChunks {
    /// `RIFF`, `RF64`, `BW64` or `W64`.
    let signature: String

    private var isWave64: Bool { signature == "W64" }

    /// The alignment of chunks, in bytes.
    var alignment: Int { isWave64 ? 8 : 2 }

    /// The last 12 bytes of W64 identifiers of files and chunks.
    ///
    /// The first four are the RIFF identifier in lower case.
    private static let fileIdentifier: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00]
    private static let partIdentifier: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]

    /// Reads up to the first chunk; `nil`, without consuming bytes, if the file is not WAVE.
    init?(reading input: FileInput) throws(SystemFileError) {
        let head = Array(try input.peek(40))
        guard head.count >= 12 else { return nil }
        let name = WAVEHeader.text(head[0..<4])
        if WAVEHeader.signatures.contains(name), WAVEHeader.text(head[8..<12]) == "WAVE" {
            signature = name
            _ = try input.read(12)
        } else if head.count == 40, name == "riff", Array(head[4..<16]) == Self.fileIdentifier, WAVEHeader.text(head[24..<28]) == "wave",
            Array(head[28..<40]) == Self.partIdentifier
        {
            signature = "W64"
            _ = try input.read(40)
        } else {
            return nil
        }
    }

    var headByteCount: Int { isWave64 ? 24 : 8 }

    /// Returns the length of a chunk's body, in bytes; `Int.max` if W64 leaves it open.
    func length(ofHead head: [UInt8]) -> Int {
        guard isWave64 else { return WAVEHeader.number(head[4..<8]) }
        let length = WAVEHeader.number(head[16..<24])
        return length == .max ? .max : max(0, length - headByteCount)
    }

    /// Returns a length including padding.
    func padded(_ length: Int) -> Int {
        length > .max - alignment ? length : (length + alignment - 1) / alignment * alignment
    }

    /// Whether bytes start with the identifier of a W64 chunk.
    static func startsPart(_ bytes: ArraySlice<UInt8>) -> Bool {
        let rest = bytes.dropFirst(4)
        return rest.starts(with: partIdentifier) || rest.starts(with: fileIdentifier)
    }
}
