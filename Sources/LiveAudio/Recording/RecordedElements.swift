// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices

/// The access units of a recording, or other elements that it sends; see ``Recorder/accessUnits``.
///
/// Keeps the recorder alive.
struct RecordedElements<Element: Sendable>: AsyncSequence, Sendable {
    let recorder: Recorder
    let stream: AsyncStream<Element>

    /// Creates the iterator.
    ///
    /// Only one may be used.
    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(recorder: recorder, base: stream.makeAsyncIterator()) }

    struct AsyncIterator: AsyncIteratorProtocol {
        let recorder: Recorder
        var base: AsyncStream<Element>.AsyncIterator
        var hasStarted = false

        /// Returns the next element; `nil` after the end of the recording or after cancellation.
        ///
        /// - Throws: ``/AudioDevices/DeviceError`` if the recording cannot be started or was ended by an error.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(DeviceError) -> Element? {
            if !hasStarted {
                try await recorder.start()
                hasStarted = true
            }
            if let element = await base.next(isolation: actor) { return element }
            if !Task.isCancelled, let failure = recorder.summary.failure { throw failure }
            return nil
        }
    }
}
