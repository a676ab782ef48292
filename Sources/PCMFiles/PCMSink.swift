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
    private var samples: SampleOutput

    init(_ samples: SampleOutput) { self.samples = samples }

    func append(_ buffer: PCMBuffer) throws(PCMFileError) { try samples.append(buffer) }

    func finish() throws(PCMFileError) { try samples.flush() }
}
