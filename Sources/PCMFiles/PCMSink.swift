// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Something that writes one PCM file; the counterpart of ``PCMSource``.
protocol PCMSink: AnyObject {
    /// Writes the frames in use.
    func append(_ buffer: PCMBuffer) throws(PCMFileError)

    /// Completes the file; called once, last.
    func finish() throws(PCMFileError)
}

/// Samples without any header.
final class RawSink: PCMSink {
    private let output: ByteOutput
    private let sampleFormat: SampleFormat
    private var bytes: [UInt8] = []

    init(_ output: ByteOutput, sampleFormat: SampleFormat) {
        self.output = output
        self.sampleFormat = sampleFormat
    }

    func append(_ buffer: PCMBuffer) throws(PCMFileError) {
        sampleFormat.encode(buffer, into: &bytes)
        try output.write(bytes)
    }

    func finish() throws(PCMFileError) {}
}
