// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import LiveStreaming
import TestSupport
import Testing

/// The events of a sink, ended in every way.
///
/// The sending thread retains a started sink until it is finished.
@Suite(.timeLimit(.minutes(5))) struct StreamingEventTests {
    @Test(arguments: [SequenceMatrix.Ending.stopInLoop, .stop, .cancellation], SequenceMatrix.Reader.allCases)
    func `Events end with the stream`(ending: SequenceMatrix.Ending, reader: SequenceMatrix.Reader) async throws {
        // Connections that end after each access unit, to produce many events.
        let script = (0..<20).map { _ in ScriptedDestination.Connection(unitLimit: 1) } + [.init()]
        var limits = StreamingLimits()
        (limits.closing, limits.shortestRetry, limits.longestRetry) = (.seconds(1), .milliseconds(1), .milliseconds(2))
        let sink = StreamingSink(ScriptedDestination(script), limits: limits)
        let events = sink.events
        let subject = SequenceMatrix.Subject<StreamingEvent>(
            keepsSource: true, read: { body in for await event in events { guard await body(event) else { return } } },
            begin: { sink.begin(.stereo48()) }, produce: { for number in 0..<20 { try sink.append(AccessUnit(number: number)) } },
            stop: { try? sink.finish(nil) }, drop: {})
        let found = try await SequenceMatrix.elements(of: subject, ending, reader)
        if ending == .stop || ending == .stopInLoop && reader != .absent { #expect(found.last == .finished) }
        if ending == .cancellation { try sink.finish(nil) }
    }

    @Test func `Events of a sink released before its start end`() async throws {
        var sink: StreamingSink? = StreamingSink(ScriptedDestination([.init()]))
        let events = try #require(sink?.events)
        let reader = Task { for await _ in events {} }
        try await Task.sleep(for: .milliseconds(20))
        sink = nil
        await reader.value
    }
}
