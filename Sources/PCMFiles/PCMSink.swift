// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives

/// Writes one PCM file; the counterpart of ``PCMFileSource``.
///
/// Throws ``AudioFileError`` and the errors of `OpenFile`.
protocol PCMSink: AnyObject {
    /// Writes the sample frames of a buffer.
    func append(_ buffer: PCMBuffer) throws

    /// Writes complete sample frames in the file's encoding.
    func append(bytes: [UInt8]) throws

    /// Replaces the chapters of the tags before ``finish()``.
    ///
    /// - Returns: Whether the file can store them; nothing changes otherwise.
    func setChapters(_ chapters: [AudioTags.Chapter]) throws -> Bool

    /// Completes the file. Called once, at the end.
    func finish() throws
}

extension PCMSink {
    func setChapters(_ chapters: [AudioTags.Chapter]) throws -> Bool { false }
}

/// Writes samples without a header.
final class RawSink: PCMSink {
    private var samples: SampleOutput

    init(_ samples: SampleOutput) { self.samples = samples }

    func append(_ buffer: PCMBuffer) throws { try samples.append(buffer) }

    func append(bytes: [UInt8]) throws { try samples.append(bytes: bytes) }

    func finish() throws { try samples.flush() }
}
