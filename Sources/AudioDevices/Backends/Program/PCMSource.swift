// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Audio that the program itself provides instead of a device.
///
/// ```swift
/// struct Silence: PCMSource {
///     let sampleRate = 48_000
///     let channelCount = 1
///     var remaining = 100
///     mutating func next() -> PCMBuffer? {
///         guard remaining > 0 else { return nil }
///         remaining -= 1
///         return PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 480)
///     }
/// }
/// let capture = AudioCapture(source: .program(Silence()))
/// ```
public protocol PCMSource: Sendable {
    /// The sample rate of all buffers, in hertz.
    var sampleRate: Int { get }

    /// The channel count of all buffers.
    var channelCount: Int { get }

    /// Returns the next audio; `nil` at the end.
    ///
    /// Called by one thread at a time, as soon as there is space in the queue. May block until audio is available. A source that runs in
    /// real time should return at least every 100 ms, because a stop waits up to 1 s for the current call.
    ///
    /// - Throws: Any error. The capture then fails with ``DeviceError/source(description:)``.
    mutating func next() throws -> PCMBuffer?
}
