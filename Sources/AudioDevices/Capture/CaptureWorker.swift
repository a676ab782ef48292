// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import Dispatch

/// The thread of one run of a capture.
final class CaptureWorker: Sendable {
    private let engine: CaptureEngine

    /// The outcome of opening the device: the error, or nil for success.
    let started = Promise<DeviceError?>()

    /// Fulfilled when the run has ended.
    let finished = Promise<Void>()

    /// Creates a worker for one run of `engine`.
    init(_ engine: CaptureEngine) { self.engine = engine }

    /// Starts the thread.
    func run() {
        DispatchQueue(label: "linnet.capture", qos: .userInteractive).async { [self] in
            if let error = engine.open() {
                // First, so that a program that learns of the error can start again.
                finished.fulfill(())
                started.fulfill(error)
                return
            }
            started.fulfill(nil)
            engine.run()
            finished.fulfill(())
        }
    }

    /// Asks the run to end.
    func requestStop() { engine.requestStop() }

    /// Asks the run to reopen a lost device.
    func requestResume() { engine.requestResume() }
}
