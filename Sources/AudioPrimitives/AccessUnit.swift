// SPDX-License-Identifier: Apache-2.0

/// One coded frame: the unit that a container stores and a decoder decodes.
public struct AccessUnit: Hashable, Sendable {
    /// The coded bytes (for AAC a `raw_data_block`), without any header of a container.
    public var payload: [UInt8]

    /// The time of the first sample frame that the unit decodes to, before priming is removed.
    public var presentationTime: MediaTime

    /// The number of sample frames that the unit decodes to, at the timescale of ``presentationTime``.
    public var duration: Int

    /// The spans of the elements in ``payload``, which the checksum of ADTS needs; empty if they are unknown, as in units of a file.
    public var elementSpans: [ElementSpan]

    /// Creates an access unit.
    ///
    /// - Parameters:
    ///   - payload: The coded bytes.
    ///   - presentationTime: The time of the first sample frame that the unit decodes to.
    ///   - duration: The number of sample frames that the unit decodes to.
    ///   - elementSpans: The spans of the elements in `payload`, if they are known.
    public init(payload: [UInt8], presentationTime: MediaTime, duration: Int, elementSpans: [ElementSpan] = []) {
        self.payload = payload
        self.presentationTime = presentationTime
        self.duration = duration
        self.elementSpans = elementSpans
    }
}
