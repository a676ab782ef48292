// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// One coded frame: what a container stores and a decoder takes at once.
public struct AccessUnit: Hashable, Sendable {
    /// The coded bytes (for AAC a `raw_data_block`), without any header of a container.
    public var payload: [UInt8]

    /// The time of the first sample frame that the unit decodes to, before priming is removed.
    public var presentationTime: MediaTime

    /// The number of sample frames that the unit decodes to, at the timescale of ``presentationTime``.
    public var duration: Int

    /// Makes an access unit.
    public init(payload: [UInt8], presentationTime: MediaTime, duration: Int) {
        self.payload = payload
        self.presentationTime = presentationTime
        self.duration = duration
    }
}
