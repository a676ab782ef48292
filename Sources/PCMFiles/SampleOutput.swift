// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import SystemFiles

/// Writes samples without compression to a file, after collecting them in memory.
struct SampleOutput {
    /// The file that is written.
    let file: OpenFile
    /// The encoding of a sample.
    let encoding: SampleEncoding
    /// Pending bytes from which on they are written; 0 to write each buffer at once.
    let pendingByteLimit: Int

    private var bytes: [UInt8] = []
    private var pendingByteCount = 0

    /// Creates an output without pending bytes.
    init(_ file: OpenFile, encoding: SampleEncoding, pendingByteLimit: Int) {
        self.file = file
        self.encoding = encoding
        self.pendingByteLimit = pendingByteLimit
    }

    /// Appends the sample frames of a buffer.
    mutating func append(_ buffer: PCMBuffer) throws(SystemFileError) {
        let end = pendingByteCount + buffer.frameCount * buffer.channelCount * encoding.byteCount
        if bytes.count < end { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
        encoding.encode(buffer, into: &bytes, at: pendingByteCount)
        pendingByteCount = end
        if pendingByteCount >= pendingByteLimit { try flush() }
    }

    /// Appends whole sample frames.
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

    /// Writes all pending bytes.
    mutating func flush() throws(SystemFileError) {
        defer { pendingByteCount = 0 }
        try file.write(bytes[0..<pendingByteCount])
    }
}
