// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// One run of a capture on a dedicated thread: drains the queue, handles backend notices, and reopens lost devices.
///
/// Members outside "From any thread" are used only by that thread.
final class CaptureEngine: @unchecked Sendable {
    /// The maximum wait between two iterations, in seconds.
    private static let tick = 0.05
    /// The maximum duration of an iteration that counts as time without audio, in nanoseconds.
    ///
    /// After a longer one the program was suspended, and audio is waiting at the server.
    private static let maximumTurnTime: Int64 = 200_000_000
    /// The maximum time without audio after a device format change, in nanoseconds.
    ///
    /// Then the device is reopened.
    private static let maximumPause: Int64 = 300_000_000

    private let configuration: CaptureConfiguration
    private let backend: any CaptureBackend
    private let status: CaptureStatus

    private let wake = DispatchSemaphore(value: 0)
    private let stopRequested = Atomic<Bool>(false)
    private let resumeRequested = Atomic<Bool>(false)
    private let openingInput = Mutex<CaptureInput?>(nil)
    private let onStopRequest: @Sendable () -> Void

    /// The outcome of opening the device: the error, or `nil` for success.
    let started = Promise<DeviceError?>()
    /// Fulfilled when the run has ended.
    let finished = Promise<Void>()

    private var input: CaptureInput?
    /// The input of a stream closed for reopening.
    ///
    /// The backend may still report an available device to it.
    private var closedInput: CaptureInput?
    private var timeline: CaptureTimeline?
    private var delivery: CaptureDelivery
    private var route = RouteTracker(current: "")
    private var recovery = RecoveryPlan()
    private var interruption: InterruptionReason?
    /// The time without audio while this program was running, in nanoseconds.
    private var idleTime: Int64 = 0
    private var latestTurn: Int64 = 0
    /// Whether a format change may have stopped the device without a notice.
    private var mayHaveStopped = false
    /// The latest report of the system, also before a reopening.
    private var isMutedBySystem = false
    private var hasEnded = false
    private var failure: DeviceError?

    /// Creates an engine and publishes the state ``CaptureState/starting``.
    ///
    /// - Parameter onStopRequest: Called at each stop request, by the requesting thread.
    init(
        _ configuration: CaptureConfiguration, backend: any CaptureBackend, status: CaptureStatus,
        receiver: @escaping AudioCapture.Receiver, onStopRequest: @escaping @Sendable () -> Void
    ) {
        self.configuration = configuration
        self.backend = backend
        self.status = status
        self.onStopRequest = onStopRequest
        delivery = CaptureDelivery(configuration, status: status, receiver: receiver)
        status.values.withLock {
            $0.state = .starting
            $0.statistics = CaptureStatistics()
        }
    }

    // MARK: From any thread

    func start() {
        DispatchQueue(label: "linnet.capture", qos: .userInteractive).async { [self] in
            let error = open()
            if error == nil {
                started.fulfill(nil)
                run()
            }
            // Releases the receiver, which may retain the capture's owner.
            delivery = CaptureDelivery(configuration, status: status) { _ in }
            // Fulfilled first, so that a program that gets the error can start again.
            finished.fulfill(())
            started.fulfill(error)
        }
    }

    var isStopping: Bool { stopRequested.load(ordering: .acquiring) }

    /// Requests the end of the run.
    ///
    /// A backend that is starting gives up.
    func requestStop() {
        stopRequested.store(true, ordering: .releasing)
        onStopRequest()
        openingInput.withLock { $0?.cancel() }
        wake.signal()
    }

    /// Requests the reopening of a lost device.
    func requestResume() {
        resumeRequested.store(true, ordering: .releasing)
        wake.signal()
    }

    // MARK: Opening

    /// Opens the device for the first time.
    ///
    /// - Returns: The error; `nil` for success.
    private func open() -> DeviceError? {
        do {
            let format = try openDevice()
            route = RouteTracker(current: format.device)
            timeline = CaptureTimeline(
                format: format, policy: configuration.gapPolicy, detectsUnreportedLoss: backend.revealsLoss)
            delivery.publish(format)
            status.set(.running, reporting: .started(delivery.publicFormat(format)))
            return nil
        } catch {
            status.set(.failed(error), reporting: .failed(error))
            return error
        }
    }

    /// Starts the backend and returns the device's actual format.
    private func openDevice() throws(DeviceError) -> CaptureFormat {
        let input = CaptureInput(queueDuration: configuration.queueDuration, wake: wake)
        openingInput.withLock { $0 = input }
        if isStopping { input.cancel() }
        defer { openingInput.withLock { $0 = nil } }
        if let closedInput {
            // From now on the backend reports to the new input, even if the device cannot be opened.
            for notice in closedInput.dequeueNotices() { input.report(notice) }
            self.closedInput = input
        }
        try backend.start(configuration, into: input)
        guard let format = input.format else {
            backend.stop()
            throw .failed(.openDevice, backend.kind, code: 0)
        }
        let missing = configuration.selectedChannels?.filter { $0 >= format.pcm.channelCount } ?? []
        guard missing.isEmpty else {
            backend.stop()
            throw .unsupportedSetting(.selectedChannels(missing))
        }
        self.input = input
        closedInput = nil
        mayHaveStopped = false
        idleTime = 0
        if isDevice { delivery.watchForSilence() }
        latestTurn = HostClock.now
        status.values.withLock { $0.statistics.openings += 1 }
        return format
    }

    /// Whether the audio comes from a device, which delivers endlessly.
    private var isDevice: Bool { backend.kind != .file && backend.kind != .program }

    /// Tries to reopen a lost device.
    private func reopen() {
        status.set(.reconfiguring)
        do {
            let format = try openDevice()
            let wasServer = interruption == .serverLost
            interruption = nil
            if wasServer { status.events.send(.serverRestored) }
            if let change = route.reopened(on: format.device) { status.events.send(.routeChanged(change)) }
            change(to: format)
            status.set(.running, reporting: .resumed)
        } catch {
            recovery.scheduleRetry(now: HostClock.now, isTaken: interruption == .requestedByOther)
            status.set(.interrupted(interruption ?? .deviceLost))
            if recovery.hasTimedOut(now: HostClock.now, timeout: configuration.recoveryTimeout) { failure = error }
        }
    }

    /// Continues the timeline in another format, and reports a change of the sample format.
    private func change(to format: CaptureFormat) {
        guard let old = timeline?.format else { return }
        timeline?.change(to: format) { delivery.handle($0) }
        delivery.publish(format)
        if !old.hasSameSamples(as: format) {
            status.events.send(.formatChanged(old: delivery.publicFormat(old), new: delivery.publicFormat(format)))
        }
    }

    // MARK: Running

    /// Delivers audio until the capture ends.
    private func run() {
        while !isStopping, !hasEnded, failure == nil {
            _ = wake.wait(timeout: .now() + Self.tick)
            // Dequeues notices first: everything written before them is then in the queue.
            let notices = (input ?? closedInput)?.dequeueNotices() ?? []
            drain(while: { !isStopping })
            for notice in notices { handle(notice) }
            handleTimers(now: HostClock.now)
        }
        finish()
    }

    /// Closes the device, delivers the remaining audio, and publishes the final state.
    private func finish() {
        let now = HostClock.now
        backend.stop()
        drain()
        if let ring = input?.ring { timeline?.acceptTrailingLoss(byteCount: ring.dequeueTrailingLoss()) { delivery.handle($0) } }
        timeline?.finish(at: now) { delivery.handle($0) }
        input = nil
        status.set(failure.map { .failed($0) } ?? .stopped, reporting: failure.map { .failed($0) } ?? .stopped)
    }

    /// Passes the queued audio to the timeline while `condition` holds.
    private func drain(while condition: () -> Bool = { true }) {
        while condition(), let chunk = input?.ring?.next() {
            timeline?.accept(chunk) { delivery.handle($0) }
            // Reset after delivery, so that a slow receiver does not make the device seem stalled.
            idleTime = 0
            mayHaveStopped = false
            latestTurn = HostClock.now
        }
    }

    /// Performs everything that is due at the host time `now`.
    private func handleTimers(now: Int64) {
        idleTime += min(now - latestTurn, Self.maximumTurnTime)
        latestTurn = now
        for change in route.collectedChanges(now: now) { report(change) }
        if interruption != nil { timeline?.startGap(now: now, isCertain: input == nil) { delivery.handle($0) } }
        timeline?.fillGap(now: now) { delivery.handle($0) }
        if resumeRequested.exchange(false, ordering: .acquiring), interruption != nil {
            closeStream()
            recovery.retryNow(now: now)
        }
        if interruption != nil {
            if input == nil, recovery.isDue(now: now) { reopen() }
        } else if mayHaveStopped, idleTime > Self.maximumPause {
            reopenForFormat()
        } else if isDevice, .nanoseconds(idleTime) > configuration.stallTimeout {
            status.events.send(.stalled(for: .nanoseconds(idleTime)))
            abandonStream(.stalled)
        }
    }

    /// Reports a route change.
    ///
    /// An unrequested move to a monitor counts as a lost device.
    private func report(_ change: RouteChange) {
        let wantsMonitor = configuration.device?.hasSuffix(".monitor") ?? false || PlayedAudio(configuration.device) != nil
        guard change.old != change.new, change.new.hasSuffix(".monitor"), !wantsMonitor else {
            status.events.send(.routeChanged(change))
            return
        }
        // The server had no source except a loudspeaker's monitor, which cannot replace a microphone.
        var change = change
        change.reason = .noSuitableRouteForCategory
        status.events.send(.routeChanged(change))
        status.events.send(.deviceLost(device: change.old))
        abandonStream(.deviceLost)
    }

    // MARK: Notices

    private func handle(_ notice: BackendNotice) {
        if route.accept(notice, now: HostClock.now) {
            switch notice {
            case .moved(let id, let name): updateDevice(id: id, name: name)
            case .routeChanged(_, let id, let name, let nativeSampleRate, let bufferFrames):
                updateDevice(id: id, name: name, nativeSampleRate: nativeSampleRate, bufferFrames: bufferFrames)
            default: break
            }
            return
        }
        switch notice {
        case .suspended(let reason): suspend(reason)
        case .resumed: endSuspension()
        case .muted(let isMuted) where isMuted != isMutedBySystem:
            isMutedBySystem = isMuted
            status.events.send(.muted(isMuted, by: .system))
        case .echoCancellationUnavailable(let error): status.events.send(.echoCancellationUnavailable(error))
        case .interruptionEnded(let shouldResume):
            status.events.send(.interruptionEnded(shouldResume: shouldResume))
            retrySoon()
        case .available: retrySoon()
        case .interrupted(let reason) where input != nil: abandonStream(reason)
        case .formatInvalid where input != nil: reopenForFormat()
        // Only the first report of the end of a stream counts.
        case .deviceLost where input != nil:
            status.events.send(.deviceLost(device: route.current))
            abandonStream(.deviceLost)
        case .serverLost where input != nil:
            status.events.send(.serverLost)
            abandonStream(.serverLost)
        case .failed(let error):
            // A program's source does not recover from its own error, and a file would start again from its beginning.
            let isDevice = backend.kind != .program && backend.kind != .file
            if configuration.recovery == .manual || !isDevice { failure = error } else { abandonStream(.deviceLost) }
        case .ended: hasEnded = true
        default: break
        }
    }

    /// Publishes a change of the stream's device or of its native format.
    private func updateDevice(id: String, name: String, nativeSampleRate: Int? = nil, bufferFrames: Int? = nil) {
        guard var format = timeline?.format else { return }
        format.device = id
        format.deviceName = name
        if let nativeSampleRate, nativeSampleRate != format.nativeSampleRate {
            format.nativeSampleRate = nativeSampleRate
            mayHaveStopped = true
        }
        format.bufferFrames = bufferFrames ?? format.bufferFrames
        change(to: format)
    }

    /// Starts an interruption by the system.
    private func suspend(_ reason: InterruptionReason) {
        guard interruption == nil else { return }
        if configuration.recovery == .manual, reason != .programNotPlaying { return abandonStream(reason) }
        interruption = reason
        status.set(.interrupted(reason), reporting: .interrupted(reason))
    }

    /// Ends an interruption by the system.
    private func endSuspension() {
        guard interruption != nil, input != nil else { return }
        interruption = nil
        idleTime = 0
        status.set(.running, reporting: .resumed)
    }

    /// Schedules an immediate attempt to reopen a lost device, unless recovery is manual.
    private func retrySoon() {
        if interruption != nil, input == nil, configuration.recovery == .automatic { recovery.retryNow(now: HostClock.now) }
    }

    /// Closes an open stream for reopening, and delivers its captured audio.
    private func closeStream() {
        guard let input else { return }
        backend.stopForNow()
        drain()
        if let ring = input.ring { timeline?.acceptTrailingLoss(byteCount: ring.dequeueTrailingLoss()) { delivery.handle($0) } }
        closedInput = input
        self.input = nil
        timeline?.startGap(now: HostClock.now, isCertain: true) { delivery.handle($0) }
    }

    /// Closes a stream whose device has changed its format, and reopens it at once, even with manual recovery.
    private func reopenForFormat() {
        abandonStream(.formatChanged)
        recovery.retryNow(now: HostClock.now)
    }

    /// Closes an ended stream and schedules its reopening.
    private func abandonStream(_ reason: InterruptionReason) {
        closeStream()
        recovery = RecoveryPlan()
        if configuration.recovery == .automatic { recovery.begin(now: HostClock.now) }
        interruption = reason
        status.set(.interrupted(reason), reporting: .interrupted(reason))
    }
}
