// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import LiveAudio
import LiveStreaming
import Synchronization
import TestSupport
import Testing

@Suite struct StreamingSinkTests {
    /// Limits that keep the tests short.
    private var limits: StreamingLimits {
        var limits = StreamingLimits()
        limits.closing = .seconds(1)
        limits.shortestRetry = .milliseconds(10)
        limits.longestRetry = .milliseconds(20)
        return limits
    }

    /// Sends access units through a sink and ends it.
    ///
    /// Returns its events.
    private func send(_ count: Int, through sink: StreamingSink, every pause: Duration = .milliseconds(1)) async throws -> [StreamingEvent]
    {
        let events = sink.events
        sink.begin(.stereo48())
        for number in 0..<count {
            do { try sink.append(AccessUnit(number: number)) } catch { break }
            try await Task.sleep(for: pause)
        }
        try? sink.finish(nil)
        var result: [StreamingEvent] = []
        for await event in events { result.append(event) }
        return result
    }

    @Test("All access units arrive, and the connection is closed completely")
    func allArrive() async throws {
        let destination = ScriptedDestination([.init()])
        let sink = StreamingSink(destination, limits: limits)
        let events = try await send(100, through: sink)
        #expect(events == [.connected(number: 1), .finished])
        #expect(destination.record.withLock { $0.arrived } == Array(0..<100))
        #expect(destination.record.withLock { $0.closings } == [true])
        #expect(sink.statistics.sentUnitCount == 100)
        #expect(sink.statistics.sentByteCount == 400)
        #expect(sink.status == .finished)
    }

    @Test("After failures every access unit arrives once, including undelivered ones")
    func reconnection() async throws {
        let script = [
            ScriptedDestination.Connection(failure: .connectionFailed(.connect, code: 111)), .init(unitLimit: 30, unconfirmedCount: 7),
            .init(unitLimit: 1, unconfirmedCount: 1), .init(failure: .rejected(step: "publish", code: "BadName", description: "")), .init(),
        ]
        let destination = ScriptedDestination(script)
        let sink = StreamingSink(destination, limits: limits)
        let events = try await send(200, through: sink)
        #expect(destination.record.withLock { $0.arrived } == Array(0..<200))
        #expect(sink.statistics.connectionCount == 3)
        #expect(sink.statistics.sentUnitCount == 200)
        #expect(sink.statistics.lostUnitCount == 0)
        #expect(events.count { if case .disconnected = $0 { true } else { false } } == 4)
    }

    @Test("Without a connection the oldest access units are lost and counted exactly")
    func loss() async throws {
        var limits = limits
        limits.queueDuration = .milliseconds(214)
        limits.shortestRetry = .milliseconds(400)
        limits.longestRetry = .milliseconds(400)
        let destination = ScriptedDestination([.init(unitLimit: 5), .init()])
        let sink = StreamingSink(destination, limits: limits)
        let stream = sink.events
        sink.begin(.stereo48())
        // Far more than the ten that the queue holds. No sleep, because a busy machine may oversleep the pause.
        for number in 0..<300 { try sink.append(AccessUnit(number: number)) }
        for _ in 0..<3000 where sink.statistics.connectionCount < 2 { try await Task.sleep(for: .milliseconds(10)) }
        for number in 300..<600 { try sink.append(AccessUnit(number: number)) }
        try sink.finish(nil)
        var events: [StreamingEvent] = []
        for await event in stream { events.append(event) }
        #expect(sink.statistics.connectionCount == 2)
        let arrived = destination.record.withLock { $0.arrived }
        #expect(arrived == arrived.sorted())
        #expect(sink.statistics.lostUnitCount > 0)
        #expect(arrived.count + sink.statistics.lostUnitCount == 600)
        let reported = events.reduce(0) { sum, event in if case .lost(let count) = event { sum + count } else { sum } }
        #expect(reported == sink.statistics.lostUnitCount)
    }

    @Test("Wrong key fails the destination at its first connection, and append throws")
    func permanentFailure() async throws {
        let error = StreamingError.rejected(step: "publish", code: "NetStream.Publish.Denied", description: "wrong key")
        let sink = StreamingSink(ScriptedDestination([.init(failure: error)]), limits: limits)
        let events = try await send(1000, through: sink)
        #expect(events == [.lost(unitCount: sink.statistics.lostUnitCount), .failed(error)] || events == [.failed(error)])
        #expect(sink.status == .failed(error))
        #expect(throws: error) { try sink.append(AccessUnit(number: 0)) }
    }

    @Test("Stuck server delays neither the recording nor its end beyond the limit")
    func stuckServer() async throws {
        let sink = StreamingSink(ScriptedDestination([.init(isStuck: true)]), limits: limits)
        let stream = sink.events
        // No sleep, because a busy machine may oversleep.
        let clock = ContinuousClock()
        let start = clock.now
        sink.begin(.stereo48())
        for number in 0..<50 { try sink.append(AccessUnit(number: number)) }
        try sink.finish(nil)
        #expect(clock.now - start < .seconds(4))
        var events: [StreamingEvent] = []
        for await event in stream { events.append(event) }
        #expect(sink.statistics.lostUnitCount == 50)
        #expect(events.last == .finished)
    }

    @Test("Blocked sending thread fails the destination at the limit, and all access units are lost")
    func blockedThread() async throws {
        var limits = limits
        limits.closing = .milliseconds(50)
        let sink = StreamingSink(ScriptedDestination([.init(connectionDelay: .seconds(2))]), limits: limits)
        let stream = sink.events
        sink.begin(.stereo48())
        for number in 0..<50 { try sink.append(AccessUnit(number: number)) }
        let error = StreamingError.timedOut(.connect, after: limits.closing)
        #expect(throws: error) { try sink.finish(nil) }
        var events: [StreamingEvent] = []
        for await event in stream { events.append(event) }
        #expect(events == [.lost(unitCount: 50), .failed(error)])
        // The thread returns later and changes nothing.
        for _ in 0..<3000 where sink.statistics.connectionCount == 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(sink.status == .failed(error) && sink.statistics.lostUnitCount == 50)
    }

    @Test("A slow destination is completed at the limit, the rest counts as lost, and a folder fails", arguments: [true, false])
    func slowDestination(needsAllUnits: Bool) async throws {
        var limits = limits
        limits.closing = .milliseconds(200)
        let destination = ScriptedDestination([.init(isSlow: true)], needsAllUnits: needsAllUnits)
        let sink = StreamingSink(destination, limits: limits)
        sink.begin(.stereo48())
        for number in 0..<1000 { try sink.append(AccessUnit(number: number)) }
        let failure = StreamingError.timedOut(.send, after: limits.closing)
        do {
            try sink.finish(nil)
            #expect(!needsAllUnits)
        } catch {
            #expect(needsAllUnits && error == failure)
        }
        #expect(sink.status == (needsAllUnits ? .failed(failure) : .finished))
        #expect(sink.statistics.lostUnitCount > 0)
        #expect(sink.statistics.sentUnitCount + sink.statistics.lostUnitCount == 1000)
        #expect(destination.record.withLock { $0.arrived.count } == sink.statistics.sentUnitCount)
        #expect(destination.record.withLock { $0.closings } == [true])
    }

    @Test("Disconnected at the end, a destination fails only if it needs all access units", arguments: [true, false])
    func disconnectedAtEnd(needsAllUnits: Bool) async throws {
        let failure = StreamingError.connectionFailed(.connect, code: 111)
        let script = [ScriptedDestination.Connection(unitLimit: 5), .init(failure: failure)]
        let sink = StreamingSink(ScriptedDestination(script, needsAllUnits: needsAllUnits), limits: limits)
        let deadline = ContinuousClock.now + .seconds(30)
        sink.begin(.stereo48())
        while sink.statistics.connectionCount == 0, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
        for number in 0..<400 { try sink.append(AccessUnit(number: number)) }
        do {
            try sink.finish(nil)
            #expect(!needsAllUnits)
        } catch {
            #expect(needsAllUnits && [failure, .closedByPeer].contains(error))
        }
        #expect(sink.statistics.lostUnitCount > 0)
    }

    @Test("A destination that lost access units and recovered fails only if it needs all of them", arguments: [true, false])
    func recovery(needsAllUnits: Bool) async throws {
        var limits = limits
        limits.queueDuration = .milliseconds(100)
        let failure = StreamingError.cannotWrite(path: "talk", code: 28)
        let script = [ScriptedDestination.Connection(failure: failure, connectionDelay: .milliseconds(300)), .init()]
        let destination = ScriptedDestination(script, needsAllUnits: needsAllUnits)
        let sink = StreamingSink(destination, limits: limits)
        let deadline = ContinuousClock.now + .seconds(30)
        sink.begin(.stereo48())
        for number in 0..<300 { try sink.append(AccessUnit(number: number)) }
        while sink.statistics.connectionCount == 0, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
        try? sink.finish(nil)
        #expect(sink.statistics.lostUnitCount > 0 && destination.record.withLock { $0.closings } == [true])
        #expect(sink.status == (needsAllUnits ? .failed(failure) : .finished))
    }

    @Test("Appending before the start throws")
    func appendBeforeBegin() {
        let sink = StreamingSink(ScriptedDestination([.init()]), limits: limits)
        #expect(throws: StreamingError.notStarted) { try sink.append(AccessUnit(number: 0)) }
    }

    /// A destination with the minimal implementation.
    ///
    /// It fails at the tenth access unit of each connection.
    private final class SimpleDestination: StreamingDestination {
        struct Failure: Error {}
        final class Connection: StreamingConnection {
            let destination: SimpleDestination
            var count = 0
            init(_ destination: SimpleDestination) { self.destination = destination }
            func send(_ accessUnit: AccessUnit) throws {
                count += 1
                if count == 10 { throw Failure() }
                destination.arrived.withLock { $0.append(accessUnit.number) }
            }
            func close(isComplete: Bool) {}
        }
        let name = "simple"
        let arrived = Mutex<[UInt32]>([])
        func connect(_ format: RecordingFormat) -> any StreamingConnection { Connection(self) }
    }

    @Test("All access units arrive at a minimal destination, whose errors are reported")
    func simpleDestination() async throws {
        let destination = SimpleDestination()
        let sink = StreamingSink(destination, limits: limits)
        let events = try await send(25, through: sink, every: .milliseconds(20))
        #expect(destination.arrived.withLock { $0 } == Array(0..<25) && sink.statistics.lostUnitCount == 0)
        #expect(
            events.contains { if case .disconnected(.destinationFailed(reason: "Failure()"), _) = $0 { true } else { false } }, "\(events)")
    }

    @Test("Sets the title at the start of each connection and when it changes")
    func titles() async throws {
        let destination = ScriptedDestination([.init(unitLimit: 20), .init()])
        let sink = StreamingSink(destination, limits: limits)
        sink.title = "First"
        _ = try await send(100, through: sink)
        #expect(destination.record.withLock { $0.titles } == ["First", "First"])
    }
}
