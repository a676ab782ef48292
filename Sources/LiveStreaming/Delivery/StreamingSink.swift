// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import Dispatch
public import LiveAudio
internal import Synchronization
internal import SystemLibrary

/// Sends the access units of a recording to a live server or folder, and reconnects after failures.
///
/// ```swift
/// let sink = StreamingSink(try StreamingAddress("rtmp://live.example.com/app/key"))
/// let recorder = Recorder(RecorderConfiguration(preset: .high), sinks: [.accessUnits(to: sink), .file("talk.m4a")])
/// try await recorder.start()
/// for await event in sink.events { print(event) }
/// ```
///
/// Access units wait in a queue of limited duration, so neither the recording nor another destination ever waits for the network. When the
/// queue is full, the oldest access units are discarded and counted. Presentation times continue after a failure. All members may be used
/// from any thread.
public final class StreamingSink: AccessUnitSink, NonblockingAccessUnitSink {
    /// State shared between threads.
    private struct State {
        var queue: UnitQueue
        var status = StreamingState.idle
        var statistics = StreamingStatistics()
        var unreportedLossCount = 0
        /// The error of the last failed connection.
        var latestFailure: StreamingError?
        var unitDuration = 0.0
        /// The time of the last loss report.
        var lossReport: ContinuousClock.Instant?
        var title: String?
        var isEnding = false
        var hasEnded = false
    }

    /// The time that a connection must last before the backoff restarts, as a multiple of the shortest delay.
    private static let lastingConnection = 10
    /// The minimum time between two loss reports.
    private static let lossInterval = Duration.seconds(1)

    /// The destination's name, without keys and passwords.
    public let name: String

    private let destination: any StreamingDestination
    private let rules: DeliveryRules
    private let limits: StreamingLimits
    private let broadcaster = EventBroadcaster<StreamingEvent>()
    private let state: Mutex<State>
    private let abort = ConnectionAbort()
    private let wake = DispatchSemaphore(value: 0)
    private let finished = DispatchGroup()

    /// Creates a sink for a custom destination.
    ///
    /// Connects only in ``begin(_:)``.
    public init(_ destination: any StreamingDestination, limits: StreamingLimits = StreamingLimits()) {
        self.destination = destination
        rules = (destination as? any ServerDestination)?.rules ?? DeliveryRules()
        var limits = limits
        limits.queueDuration = max(limits.queueDuration, rules.minimumQueueDuration)
        self.limits = limits
        name = destination.name
        state = Mutex(State(queue: UnitQueue(limit: limits.queueDuration)))
    }

    /// A new stream of the subsequent events.
    ///
    /// Each access creates a stream for one reader.
    public var events: AsyncStream<StreamingEvent> { broadcaster.stream() }

    /// The current state.
    public var status: StreamingState { state.withLock { $0.status } }

    /// The counts so far.
    public var statistics: StreamingStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.queuedDuration = state.queue.duration
            statistics.queuedByteCount = state.queue.byteCount
            return statistics
        }
    }

    /// The duration of an access unit, in seconds; 0 before the start.
    package var unitDuration: Double { state.withLock { $0.unitDuration } }

    /// Whether the destination currently limits the bit rate: it is connected, and its queue grows with the rate.
    var limitsBitRate: Bool { rules.limitsBitRate && status == .streaming }

    /// The title that listeners see, if the protocol supports titles.
    ///
    /// May change at any time.
    public var title: String? {
        get { state.withLock { $0.title } }
        set {
            state.withLock { $0.title = newValue }
            wake.signal()
        }
    }

    /// Checks whether the address suits the codec, without connecting.
    package func check(isOpus: Bool) throws(StreamingError) { try (destination as? any ServerDestination)?.check(isOpus: isOpus) }

    /// Starts connecting.
    ///
    /// A failure is reported as an event, not thrown.
    public func begin(_ format: RecordingFormat) {
        set(.connecting)
        state.withLock { $0.unitDuration = Double(format.framesPerUnit) / Double(max(1, format.sampleRate)) }
        finished.enter()
        DispatchQueue(label: "linnet.stream").async { [self] in
            run(format)
            finished.leave()
        }
    }

    /// Queues an access unit.
    ///
    /// - Throws: The ``StreamingError`` of a failed destination; ``StreamingError/notStarted`` before ``begin(_:)``.
    public func append(_ accessUnit: AccessUnit) throws(StreamingError) {
        let wakes = try state.withLock { state throws(StreamingError) in
            if case .failed(let error) = state.status { throw error }
            if case .idle = state.status { throw .notStarted }
            let lostCount = state.queue.append(accessUnit)
            state.statistics.lostUnitCount += lostCount
            state.unreportedLossCount += lostCount
            return rules.sendsAtOnce || state.queue.isCrowded
        }
        if wakes { wake.signal() }
    }

    /// The maximum time between access units at which decoding can start; `nil` for no limit.
    package var accessPointInterval: Duration? { rules.accessPointInterval }

    /// Blocks while a folder's queue is more than half full, so that no access units are discarded.
    package func waitForRoom() {
        guard !rules.limitsBitRate else { return }
        while state.withLock({ [.connecting, .streaming].contains($0.status) && $0.queue.isCrowded }) { usleep(1000) }
    }

    /// Sends the remaining queue within ``StreamingLimits/closing`` and ends the stream.
    ///
    /// - Throws: The ``StreamingError`` of a failed destination, or of a folder that does not have all access units.
    public func finish(_ gaplessInfo: GaplessInfo?) throws(StreamingError) {
        state.withLock { $0.isEnding = true }
        wake.signal()
        if finished.wait(timeout: .now() + limits.closing.inSeconds) == .timedOut {
            abort.request()
            // After the reaction time nothing in this module blocks, but the system's resolver or a disk can.
            if finished.wait(timeout: .now() + .milliseconds(5 * ConnectionAbort.reactionTime)) == .timedOut { abandonThread() }
        }
        broadcaster.finish()
        if case .failed(let error) = status { throw error }
    }

    // MARK: The destination's thread

    /// Connects and sends until the stream ends.
    private func run(_ format: RecordingFormat) {
        var backoff = Backoff(shortest: limits.shortestRetry, longest: limits.longestRetry)
        var random = SystemRandomNumberGenerator()
        while true {
            let start = ContinuousClock.now
            do {
                try stream(format)
                return end()
            } catch {
                let error = error as? StreamingError ?? .destinationFailed(reason: String(describing: error))
                // Avoids endless retries at the shortest interval with a server that accepts a stream and soon drops it.
                if ContinuousClock.now - start >= limits.shortestRetry * Self.lastingConnection { backoff.reset() }
                let isFirst = state.withLock { state in
                    state.latestFailure = error
                    return state.statistics.connectionCount == 0
                }
                if isFirst, error.isPermanent { return end(error) }
                let pause = backoff.next(using: &random)
                set(.waiting)
                broadcaster.send(.disconnected(error, retry: pause))
                wait(for: pause)
                guard state.withLock({ $0.isEnding }) else { continue }
                return end(isFirst || rules.needsAllUnits ? error : nil)
            }
        }
    }

    /// Sends access units over one connection until the stream ends.
    private func stream(_ format: RecordingFormat) throws {
        set(.connecting)
        let connection = try (destination as? any ServerDestination)?.connect(format, abort: abort) ?? destination.connect(format)
        let number = state.withLock { state in
            state.statistics.connectionCount += 1
            if !state.hasEnded { state.status = .streaming }
            return state.statistics.connectionCount
        }
        broadcaster.send(.connected(number: number))
        var isSending = false
        do {
            try send(over: connection, &isSending)
            try connection.close(isComplete: true)
            confirm(allBut: connection.unconfirmedUnitCount)
        } catch {
            confirm(allBut: max(isSending ? 1 : 0, connection.unconfirmedUnitCount))
            makeUnconfirmedWait()
            // Report the earlier failure.
            try? connection.close(isComplete: false)
            throw error
        }
    }

    /// Sends access units until the stream ends.
    ///
    /// `isSending` is true after an error in sending an access unit.
    private func send(over connection: any StreamingConnection, _ isSending: inout Bool) throws {
        var shownTitle: String?
        while true {
            reportLoss()
            let (title, isEnding) = state.withLock { ($0.title, $0.isEnding) }
            if let title, title != shownTitle { try (connection as? any TitledConnection)?.setTitle(title) }
            shownTitle = title
            // Folders never wait for the network, so nothing else reacts to the abort request.
            if abort.isRequested { return }
            guard let accessUnit = state.withLock({ $0.queue.dequeue() }) else {
                if isEnding { return }
                guard wake.wait(timeout: .now() + .milliseconds(500)) == .timedOut else { continue }
                try connection.idle()
                confirm(allBut: connection.unconfirmedUnitCount)
                continue
            }
            isSending = true
            try connection.send(accessUnit)
            isSending = false
            confirm(allBut: connection.unconfirmedUnitCount)
        }
    }

    /// Counts delivered access units: all sent ones except the latest `unconfirmedCount`.
    private func confirm(allBut unconfirmedCount: Int) {
        state.withLock { state in
            let (accessUnitCount, byteCount) = state.queue.confirm(allBut: unconfirmedCount)
            state.statistics.sentUnitCount += accessUnitCount
            state.statistics.sentByteCount += byteCount
        }
    }

    /// Requeues undelivered access units for the next connection.
    private func makeUnconfirmedWait() {
        state.withLock { state in
            let discardedCount = state.queue.restoreUnconfirmed()
            state.statistics.lostUnitCount += discardedCount
            state.unreportedLossCount += discardedCount
        }
    }

    /// Waits until the next attempt, or until the stream ends.
    private func wait(for pause: Duration) {
        let end = ContinuousClock.now + pause
        while !state.withLock({ $0.isEnding }) {
            reportLoss()
            let left = ContinuousClock.now.duration(to: end).inSeconds
            guard left > 0 else { return }
            _ = wake.wait(timeout: .now() + min(left, 0.5))
        }
    }

    /// Reports the access units discarded since the last report, at most once per second: a full queue discards one for each new one.
    private func reportLoss(isLast: Bool = false) {
        let now = ContinuousClock.now
        let count = state.withLock { state -> Int in
            guard isLast || state.lossReport.map({ now - $0 >= Self.lossInterval }) ?? true else { return 0 }
            if state.unreportedLossCount > 0 { state.lossReport = now }
            defer { state.unreportedLossCount = 0 }
            return state.unreportedLossCount
        }
        if count > 0 { broadcaster.send(.lost(unitCount: count)) }
    }

    /// Ends the stream when the sending thread does not return in time.
    private func abandonThread() {
        makeUnconfirmedWait()
        let isFirst = state.withLock { $0.statistics.connectionCount == 0 }
        let failure = StreamingError.timedOut(isFirst ? .connect : .send, after: limits.closing)
        end(isFirst || rules.needsAllUnits ? failure : nil)
    }

    /// Ends the stream once; unsent access units count as lost.
    ///
    /// - Parameter error: The failure, if the stream failed. Lost access units of a destination that needs all of them are one.
    private func end(_ error: StreamingError? = nil) {
        let event = state.withLock { state -> StreamingEvent? in
            guard !state.hasEnded else { return nil }
            state.hasEnded = true
            state.statistics.lostUnitCount += state.queue.waitingCount
            state.unreportedLossCount += state.queue.waitingCount
            state.queue = UnitQueue(limit: limits.queueDuration)
            let isIncomplete = rules.needsAllUnits && state.statistics.lostUnitCount > 0
            let loss = isIncomplete ? state.latestFailure ?? .timedOut(.send, after: limits.closing) : nil
            guard let failure = error ?? loss else {
                state.status = .finished
                return .finished
            }
            state.status = .failed(failure)
            return .failed(failure)
        }
        guard let event else { return }
        reportLoss(isLast: true)
        broadcaster.send(event)
    }

    private func set(_ status: StreamingState) { state.withLock { if !$0.hasEnded { $0.status = status } } }
}
