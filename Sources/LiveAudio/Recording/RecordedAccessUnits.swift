// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices
internal import AudioPrimitives

/// The access units of a recording; see ``Recorder/accessUnits``.
///
/// Keeps the recorder alive.
struct RecordedAccessUnits: AsyncSequence, Sendable {
    let recorder: Recorder
    let stream: AsyncStream<AccessUnit>

    /// Creates the iterator.
    ///
    /// Only one may be used.
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(recorder: recorder, base: stream.makeAsyncIterator()) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let recorder: Recorder
        var base: AsyncStream<AccessUnit>.AsyncIterator
        var hasStarted = false

        /// Returns the next access unit; `nil` after the end of the recording or after cancellation.
        ///
        /// - Throws: ``/AudioDevices/DeviceError`` if the recording cannot be started or was ended by an error.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(DeviceError) -> AccessUnit? {
            if !hasStarted {
                try await recorder.start()
                hasStarted = true
            }
            if let accessUnit = await base.next(isolation: actor) { return accessUnit }
            if !Task.isCancelled, let failure = recorder.summary.failure { throw failure }
            return nil
        }
    }
}
