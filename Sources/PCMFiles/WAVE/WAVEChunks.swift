// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import SystemFiles

/// The chunk syntax of a WAV file.
struct WAVEChunks {
    /// `RIFF`, `RF64`, `BW64` or `W64`.
    let signature: String

    private var isWave64: Bool { signature == "W64" }

    /// The alignment of chunks, in bytes.
    var alignment: Int { isWave64 ? Wave64.alignment : 2 }

    /// Reads up to the first chunk; `nil`, without consuming bytes, if the file is not WAVE.
    init?(reading input: FileInput) throws(SystemFileError) {
        let head = Array(try input.peek(Wave64.fileHeadByteCount))
        guard head.count >= 12 else { return nil }
        let name = WAVEHeader.text(head[0..<4])
        if WAVEHeader.signatures.contains(name), WAVEHeader.text(head[8..<12]) == "WAVE" {
            signature = name
            _ = try input.read(12)
        } else if Wave64.isFile(head) {
            signature = "W64"
            _ = try input.read(head.count)
        } else {
            return nil
        }
    }

    var headByteCount: Int { isWave64 ? Wave64.headByteCount : 8 }

    /// Returns the RIFF identifier of a chunk and the length of its body in bytes, which is `Int.max` if W64 leaves it open.
    func parse(head: [UInt8]) -> (id: String, byteCount: Int) {
        isWave64 ? Wave64.parse(head: head) : (WAVEHeader.text(head[0..<4]), WAVEHeader.number(head[4..<8]))
    }

    /// Returns a length including padding.
    func padded(_ length: Int) -> Int {
        length > .max - alignment ? length : (length + alignment - 1) / alignment * alignment
    }
}
