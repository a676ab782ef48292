// SPDX-License-Identifier: Apache-2.0

/// One coded frame, as stored in a container and decoded by a decoder.
public struct AccessUnit: Hashable, Sendable {
    /// The coded bytes (a `raw_data_block` for AAC), without any container header.
    public var payload: [UInt8]

    /// The time of the first decoded sample frame, before priming is removed.
    public var presentationTime: MediaTime

    /// The number of decoded sample frames, at the timescale of ``presentationTime``.
    public var duration: Int

    /// The spans of the elements in ``payload`` for the ADTS checksum, or empty if unknown, for example when read from a file.
    public var elementSpans: [ElementSpan]

    /// Creates an access unit.
    ///
    /// - Parameters:
    ///   - payload: The coded bytes.
    ///   - presentationTime: The time of the first decoded sample frame.
    ///   - duration: The number of decoded sample frames.
    ///   - elementSpans: The spans of the elements in `payload`, if known.
    public init(payload: [UInt8], presentationTime: MediaTime, duration: Int, elementSpans: [ElementSpan] = []) {
        self.payload = payload
        self.presentationTime = presentationTime
        self.duration = duration
        self.elementSpans = elementSpans
    }
}
