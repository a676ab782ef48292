// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Writes one PCM file; the counterpart of ``PCMFileSource``.
///
/// Throws ``AudioFileError`` and the errors of `OpenFile`.
protocol PCMSink: AnyObject {
    /// Writes the sample frames of a buffer.
    func append(_ buffer: PCMBuffer) throws

    /// Writes whole sample frames in the encoding of the file.
    func append(bytes: [UInt8]) throws

    /// Completes the file; called once, last.
    func finish() throws
}

/// Writes samples without a header.
final class RawSink: PCMSink {
    private var samples: SampleOutput

    /// Creates a sink for an output without bytes.
    init(_ samples: SampleOutput) { self.samples = samples }

    /// Writes the sample frames of a buffer.
    func append(_ buffer: PCMBuffer) throws { try samples.append(buffer) }

    /// Writes whole sample frames.
    func append(bytes: [UInt8]) throws { try samples.append(bytes: bytes) }

    /// Writes pending samples.
    func finish() throws { try samples.flush() }
}
