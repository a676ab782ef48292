// SPDX-License-Identifier: Apache-2.0

import LiveAudio
import LiveStreaming
import Synchronization

/// An event of the recorder or a live destination.
enum LiveMessage: Sendable {
    case recorder(RecorderEvent)
    case stream(StreamingSink, StreamingEvent)

    /// Returns the line of text; `nil` for events in the status line.
    ///
    /// - Parameter sampleRate: The capture sample rate, in hertz.
    func text(sampleRate: Int) -> String? {
        switch self {
        case .recorder(let event): RecordMessage.text(for: event, sampleRate: sampleRate)
        case .stream(let stream, let event): StreamText.text(for: event, of: stream).map { "\(stream.name): \($0)" }
        }
    }

    var level: LogLevel {
        switch self {
        case .recorder(.sinkFailed), .stream(_, .failed): .error
        case .recorder(.capture(let event)), .recorder(.source(_, let event)): RecordMessage.isLoss(event) ? .warning : .information
        case .recorder, .stream(_, .connected), .stream(_, .finished): .information
        case .stream(_, .disconnected), .stream(_, .lost): .warning
        }
    }

    func json(seconds: Double) -> String? {
        switch self {
        case .recorder(let event): RecordJSON.line(for: event, seconds: seconds)
        case .stream(let stream, let event): RecordJSON.line(for: event, of: stream.name, seconds: seconds)
        }
    }
}

/// A queue of events from the receiving tasks to the printing thread.
final class MessageQueue: Sendable {
    private let waiting = Mutex<[(event: LiveMessage, seconds: Double)]>([])

    func append(_ event: LiveMessage, seconds: Double) { waiting.withLock { $0.append((event, seconds)) } }

    func removeAll() -> [(event: LiveMessage, seconds: Double)] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
