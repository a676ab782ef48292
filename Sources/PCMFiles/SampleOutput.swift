// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import SystemFiles

/// Writes samples without compression to a file, after collecting them in memory.
struct SampleOutput {
    /// The file that is written.
    let file: OpenFile
    /// The format of a sample.
    let sampleFormat: SampleFormat
    /// Pending bytes from which on they are written; 0 to write each buffer at once.
    let pendingByteLimit: Int

    private var bytes: [UInt8] = []
    private var pendingByteCount = 0

    /// Creates an output without pending bytes.
    init(_ file: OpenFile, sampleFormat: SampleFormat, pendingByteLimit: Int) {
        self.file = file
        self.sampleFormat = sampleFormat
        self.pendingByteLimit = pendingByteLimit
    }

    /// Appends the sample frames of a buffer.
    mutating func append(_ buffer: PCMBuffer) throws(SystemFileError) {
        let end = pendingByteCount + buffer.frameCount * buffer.channelCount * sampleFormat.byteCount
        if bytes.count < end { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
        sampleFormat.encode(buffer, into: &bytes, at: pendingByteCount)
        pendingByteCount = end
        if pendingByteCount >= pendingByteLimit { try flush() }
    }

    /// Writes all pending bytes.
    mutating func flush() throws(SystemFileError) {
        defer { pendingByteCount = 0 }
        try file.write(bytes[0..<pendingByteCount])
    }
}
