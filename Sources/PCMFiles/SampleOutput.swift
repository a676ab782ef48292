// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import SystemFiles

/// Buffers uncompressed samples and writes them to a file.
struct SampleOutput {
    let file: OpenFile
    let encoding: SampleEncoding
    /// The number of pending bytes that triggers a write; 0 to write each buffer immediately.
    let pendingByteLimit: Int

    private var bytes: [UInt8] = []
    private var pendingByteCount = 0

    init(_ file: OpenFile, encoding: SampleEncoding, pendingByteLimit: Int) {
        self.file = file
        self.encoding = encoding
        self.pendingByteLimit = pendingByteLimit
    }

    mutating func append(_ buffer: PCMBuffer) throws(SystemFileError) {
        let end = pendingByteCount + buffer.frameCount * buffer.channelCount * encoding.byteCount
        if bytes.count < end { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
        encoding.encode(buffer, into: &bytes, at: pendingByteCount)
        pendingByteCount = end
        if pendingByteCount >= pendingByteLimit { try flush() }
    }

    /// Appends complete sample frames.
    mutating func append(bytes more: [UInt8]) throws(SystemFileError) {
        if pendingByteCount + more.count >= pendingByteLimit {
            try flush()
            return try file.write(more[...])
        }
        let end = pendingByteCount + more.count
        if bytes.count < end { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
        bytes.replaceSubrange(pendingByteCount..<end, with: more)
        pendingByteCount = end
    }

    mutating func flush() throws(SystemFileError) {
        defer { pendingByteCount = 0 }
        try file.write(bytes[0..<pendingByteCount])
    }
}
