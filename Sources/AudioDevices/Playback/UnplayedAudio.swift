// SPDX-License-Identifier: Apache-2.0

/// The audio that a device has not played, for devices that discard their buffer when paused.
package struct UnplayedAudio: Sendable {
    /// The bytes in the device's buffer.
    private var queued: [UInt8] = []
    /// Discarded bytes, which the device must get before others.
    package private(set) var discarded: [UInt8] = []

    package init() {}

    /// Records written bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes. They start with the discarded ones, if any.
    ///   - waitingByteCount: The number of bytes that the device has not played.
    package mutating func write(_ bytes: some Collection<UInt8>, waitingByteCount: Int) {
        queued += bytes
        queued.removeFirst(max(0, queued.count - waitingByteCount))
        discarded.removeFirst(min(bytes.count, discarded.count))
    }

    /// Records that the device discards its buffer.
    ///
    /// - Parameter waitingByteCount: The number of bytes that the device had not played.
    package mutating func discard(waitingByteCount: Int) {
        discarded = queued.suffix(waitingByteCount) + discarded
        queued = []
    }
}
