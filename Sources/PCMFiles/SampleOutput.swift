// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Writes plain samples to a descriptor, as many at once as may wait in memory.
struct SampleOutput {
    let output: ByteOutput
    let sampleFormat: SampleFormat
    /// Bytes from which on they are written; 0 for each buffer at once.
    let waitingByteLimit: Int

    private var bytes: [UInt8] = []
    private var waitingByteCount = 0

    init(_ output: ByteOutput, sampleFormat: SampleFormat, waitingByteLimit: Int) {
        self.output = output
        self.sampleFormat = sampleFormat
        self.waitingByteLimit = waitingByteLimit
    }

    /// Takes the frames in use of a buffer.
    mutating func append(_ buffer: PCMBuffer) throws(PCMFileError) {
        let end = waitingByteCount + buffer.frameCount * buffer.channelCount * sampleFormat.byteCount
        if bytes.count < end { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
        sampleFormat.encode(buffer, into: &bytes, at: waitingByteCount)
        waitingByteCount = end
        if waitingByteCount >= waitingByteLimit { try flush() }
    }

    /// Writes what waits.
    mutating func flush() throws(PCMFileError) {
        defer { waitingByteCount = 0 }
        try output.write(bytes[0..<waitingByteCount])
    }
}
