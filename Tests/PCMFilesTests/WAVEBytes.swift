// SPDX-License-Identifier: Apache-2.0

/// A WAV file built byte by byte, for testing valid and invalid headers.
struct WAVEBytes {
    var tag = 1
    var sampleRate = 44_100
    var channelCount = 2
    var bitsPerSample = 16
    /// The channel mask of an extensible header, if any.
    var channelMask: Int?
    /// The declared size; `nil` for the actual one.
    var declaredByteCount: Int?
    var chunksBefore: [(id: String, body: [UInt8])] = []
    var chunksAfter: [(id: String, body: [UInt8])] = []
    var samples: [UInt8] = []

    static func number(_ value: Int, byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
        Array(id.utf8) + number(body.count, byteCount: 4) + body + (body.count & 1 == 1 ? [0] : [])
    }

    /// The body of the format chunk.
    private var format: [UInt8] {
        let bytesPerFrame = channelCount * ((bitsPerSample + 7) / 8)
        var format = Self.number(channelMask == nil ? tag : 0xFFFE, byteCount: 2)
        format += Self.number(channelCount, byteCount: 2) + Self.number(sampleRate, byteCount: 4)
        format += Self.number(sampleRate * bytesPerFrame, byteCount: 4) + Self.number(bytesPerFrame, byteCount: 2)
        format += Self.number(bitsPerSample, byteCount: 2)
        if let channelMask {
            format += Self.number(22, byteCount: 2) + Self.number(bitsPerSample, byteCount: 2) + Self.number(channelMask, byteCount: 4)
            format += Self.number(tag, byteCount: 2) + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        }
        return format
    }

    var bytes: [UInt8] {
        var body = Array("WAVE".utf8)
        for chunk in chunksBefore { body += Self.chunk(chunk.id, chunk.body) }
        body += Self.chunk("fmt ", format)
        body += Array("data".utf8) + Self.number(declaredByteCount ?? samples.count, byteCount: 4) + samples
        if samples.count & 1 == 1 { body.append(0) }
        for chunk in chunksAfter { body += Self.chunk(chunk.id, chunk.body) }
        return Array("RIFF".utf8) + Self.number(body.count, byteCount: 4) + body
    }

    /// The file as W64, with identifiers in lower case.
    var wave64: [UInt8] {
        let partEnd: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
        let fileEnd: [UInt8] = [0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00]
        func part(_ id: String, _ body: [UInt8]) -> [UInt8] {
            let summary: [UInt8] = [0xBC, 0x94, 0x5F, 0x92, 0x5A, 0x52, 0xD2, 0x11, 0x86, 0xDC, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
            let identifier = id == "summary" ? summary : Array(id.utf8) + (id == "list" ? [0x2F] + fileEnd : partEnd)
            return identifier + Self.number(24 + body.count, byteCount: 8) + body
                + [UInt8](repeating: 0, count: (8 - body.count % 8) % 8)
        }
        let samplesWithFormat: [(id: String, body: [UInt8])] = [("fmt ", format), ("data", samples)]
        let body = (chunksBefore + samplesWithFormat + chunksAfter).flatMap { part($0.id, $0.body) }
        return Array("riff".utf8) + [0x2E] + fileEnd + Self.number(40 + body.count, byteCount: 8) + Array("wave".utf8) + partEnd + body
    }
}
