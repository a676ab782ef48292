// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import JSONText
import LiveStreaming

/// The events and states of live destinations, as text and JSON.
enum StreamText {
    /// Returns a line for an event of a destination; `nil` for events in the status line.
    static func text(for event: StreamingEvent, of stream: StreamingSink) -> String? {
        switch event {
        case .connected(let number): number == 1 ? "connected" : "connected again"
        case .disconnected(let error, let retry): "\(error); the next attempt follows in \(Format.fixed(retry.inSeconds, digits: 1)) s"
        case .lost(let count): "lost \(seconds(count, of: stream)) of audio, which could not be sent"
        case .failed, .finished: nil
        }
    }

    static func members(for event: StreamingEvent) -> (name: String, members: [JSONMember]) {
        switch event {
        case .connected(let number): ("streamConnected", [("connection", .integer(number))])
        case .disconnected(let error, let retry):
            ("streamDisconnected", [("reason", .string(error.description)), ("retrySeconds", .rounded(retry.inSeconds, digits: 3))])
        case .lost(let count): ("streamLost", [("accessUnits", .integer(count))])
        case .failed(let error): ("streamFailed", [("reason", .string(error.description))])
        case .finished: ("streamFinished", [])
        }
    }

    /// Returns the state and counts of a destination as JSON members.
    static func members(for stream: StreamingSink) -> [JSONMember] {
        let statistics = stream.statistics
        return [
            ("output", .string(stream.name)), ("state", .string(name(stream.status))), ("sentUnits", .integer(statistics.sentUnitCount)),
            ("sentBytes", .integer(statistics.sentByteCount)), ("lostUnits", .integer(statistics.lostUnitCount)),
            ("connections", .integer(statistics.connectionCount)),
            ("queuedSeconds", .rounded(statistics.queuedDuration.inSeconds, digits: 3)),
        ]
    }

    /// Returns the status line of a destination.
    ///
    /// - Parameter bitRate: The bits per second sent recently.
    static func line(_ stream: StreamingSink, bitRate: Double) -> String {
        let statistics = stream.statistics
        var parts = [
            Format.padded(name(stream.status), to: -10), Format.padded(Format.byteCount(statistics.sentByteCount), to: 9),
            Format.padded(Format.bitRate(bitRate), to: 10), "\(Format.fixed(statistics.queuedDuration.inSeconds, digits: 1)) s queued",
        ]
        if statistics.lostUnitCount > 0 { parts.append("lost \(seconds(statistics.lostUnitCount, of: stream))") }
        return "  \(stream.name)  " + parts.joined(separator: "  ")
    }

    /// Returns the summary of a destination at the end.
    static func summary(_ stream: StreamingSink) -> String {
        let statistics = stream.statistics
        let sent = seconds(statistics.sentUnitCount, of: stream)
        var text =
            statistics.sentUnitCount == 0
            ? "Nothing reached \(stream.name)" : "Streamed to \(stream.name): \(sent), \(Format.byteCount(statistics.sentByteCount))"
        if statistics.lostUnitCount > 0 { text += ", lost \(seconds(statistics.lostUnitCount, of: stream))" }
        if statistics.connectionCount > 1 { text += ", \(statistics.connectionCount) connections" }
        return text
    }

    /// Returns the duration of access units.
    private static func seconds(_ unitCount: Int, of stream: StreamingSink) -> String {
        Format.seconds(Double(unitCount) * stream.unitDuration)
    }

    private static func name(_ state: StreamingState) -> String {
        switch state {
        case .idle: "idle"
        case .connecting: "connecting"
        case .streaming: "streaming"
        case .waiting: "waiting"
        case .finished: "finished"
        case .failed: "failed"
        }
    }
}
