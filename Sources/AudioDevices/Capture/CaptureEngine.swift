// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// One run of capture: drains the queue, follows the backend's notices, and opens the device again when it was lost.
///
/// Everything but the two requests belongs to the worker's thread.
final class CaptureEngine: @unchecked Sendable {
    private static let tick = 0.05
    /// A turn that takes longer counts as so many nanoseconds of silence: the program was stopped, and sound waits at the server.
    private static let longestTurn: Int64 = 200_000_000

    private let configuration: CaptureConfiguration
    private let backend: any CaptureBackend
    private let status: CaptureStatus
    private let receiver: AudioCapture.Receiver

    private let wake = DispatchSemaphore(value: 0)
    private let stopRequested = Atomic<Bool>(false)
    private let resumeRequested = Atomic<Bool>(false)
    private let openingInput = Mutex<CaptureInput?>(nil)

    private var input: CaptureInput?
    private var timeline: CaptureTimeline?
    private var gain: GainRamp
    private var route = RouteTracker(current: "")
    private var recovery = RecoveryPlan()
    private var interruption: InterruptionReason?
    /// How long the device has given nothing, as far as this program was awake, in nanoseconds.
    private var silence: Int64 = 0
    private var lastTurn: Int64 = 0
    private var hasEnded = false
    private var failure: DeviceError?

    init(
        _ configuration: CaptureConfiguration, backend: any CaptureBackend, status: CaptureStatus,
        receiver: @escaping AudioCapture.Receiver
    ) {
        self.configuration = configuration
        self.backend = backend
        self.status = status
        self.receiver = receiver
        gain = GainRamp(gain: configuration.gain, isMuted: status.isMuted.load(ordering: .relaxed))
        status.values.withLock {
            $0.state = .starting
            $0.statistics = CaptureStatistics()
        }
    }

    // MARK: From any thread

    func requestStop() {
        stopRequested.store(true, ordering: .releasing)
        openingInput.withLock { $0?.cancel() }
        wake.signal()
    }

    func requestResume() {
        resumeRequested.store(true, ordering: .releasing)
        wake.signal()
    }

    // MARK: Opening

    /// Opens the device for the first time; the error leaves capture failed.
    func open() -> DeviceError? {
        do {
            let format = try openDevice()
            route = RouteTracker(current: format.device)
            timeline = CaptureTimeline(
                format: format, policy: configuration.gapPolicy, arrivalsTellTime: backend.arrivalsTellTime)
            publish(format)
            status.set(.running)
            status.events.send(.started(publicFormat(format)))
            return nil
        } catch {
            status.set(.failed(error))
            status.events.send(.failed(error))
            return error
        }
    }

    private func openDevice() throws(DeviceError) -> CaptureFormat {
        let input = CaptureInput(queueDuration: configuration.queueDuration, wake: wake)
        openingInput.withLock { $0 = input }
        if stopRequested.load(ordering: .acquiring) { input.cancel() }
        defer { openingInput.withLock { $0 = nil } }
        try backend.start(configuration, into: input)
        guard let format = input.format else {
            backend.stop()
            throw .failed(.openDevice, backend.kind, code: 0)
        }
        self.input = input
        silence = 0
        lastTurn = HostClock.now
        status.values.withLock { $0.statistics.openings += 1 }
        return format
    }

    /// Tries to get a lost device back.
    private func reopen() {
        status.set(.reconfiguring)
        do {
            let format = try openDevice()
            let wasServer = interruption == .serverLost
            interruption = nil
            if wasServer { status.events.send(.serverRestored) }
            if let change = route.reopened(on: format.device) { status.events.send(.routeChanged(change)) }
            change(to: format)
            status.set(.running)
            status.events.send(.resumed)
        } catch {
            recovery.failed(now: HostClock.now)
            status.set(.interrupted(interruption ?? .deviceLost))
            if recovery.hasGivenUp(now: HostClock.now, timeout: configuration.recoveryTimeout) { failure = error }
        }
    }

    private func change(to format: CaptureFormat) {
        guard let old = timeline?.format else { return }
        timeline?.change(to: format) { handle($0) }
        publish(format)
        if !old.hasSameSamples(as: format) {
            status.events.send(.formatChanged(old: publicFormat(old), new: publicFormat(format)))
        }
    }

    private func publish(_ format: CaptureFormat) {
        let visible = publicFormat(format)
        status.values.withLock { $0.format = visible }
    }

    private func publicFormat(_ format: CaptureFormat) -> CaptureFormat {
        var result = format
        if let selected = configuration.selectedChannels { result.pcm.channelCount = selected.count }
        return result
    }

    // MARK: Running

    /// Delivers until capture ends.
    func run() {
        while !stopRequested.load(ordering: .acquiring), !hasEnded, failure == nil {
            _ = wake.wait(timeout: .now() + Self.tick)
            // Notices first: everything written before them is in the queue by now.
            let notices = input?.takeNotices() ?? []
            drain(while: { !self.stopRequested.load(ordering: .acquiring) })
            for notice in notices { handle(notice) }
            attend(now: HostClock.now)
        }
        finish()
    }

    private func finish() {
        let now = HostClock.now
        backend.stop()
        drain()
        if let ring = input?.ring { timeline?.acceptTrailingLoss(byteCount: ring.takeTrailingLoss()) { handle($0) } }
        timeline?.finish(at: now) { handle($0) }
        input = nil
        status.set(failure.map { .failed($0) } ?? .stopped)
        status.events.send(failure.map { .failed($0) } ?? .stopped)
    }

    private func drain(while goesOn: () -> Bool = { true }) {
        while goesOn(), let chunk = input?.ring?.next() {
            timeline?.accept(chunk) { handle($0) }
            // After delivery: a slow receiver is no stalled device.
            silence = 0
            lastTurn = HostClock.now
        }
    }

    /// What is due without a notice.
    private func attend(now: Int64) {
        silence += min(now - lastTurn, Self.longestTurn)
        lastTurn = now
        for change in route.settle(now: now) { report(change) }
        if interruption != nil { timeline?.beginGap(now: now, isCertain: input == nil) { handle($0) } }
        timeline?.fillGap(now: now) { handle($0) }
        if resumeRequested.exchange(false, ordering: .acquiring), interruption != nil, input == nil { recovery.retryNow(now: now) }
        if interruption != nil {
            if input == nil, recovery.isDue(now: now) { reopen() }
        } else if backend.kind != .file, Double(silence) > configuration.stallTimeout * 1e9 {
            status.events.send(.stalled(seconds: Double(silence) / 1e9))
            lose(.stalled)
        }
    }

    private func report(_ change: RouteChange) {
        let wantsMonitor = configuration.device?.hasSuffix(".monitor") ?? false
        guard change.old != change.new, change.new.hasSuffix(".monitor"), !wantsMonitor else {
            status.events.send(.routeChanged(change))
            return
        }
        // The server had nothing better than what a loudspeaker plays: that is no microphone.
        var change = change
        change.reason = .noSuitableRouteForCategory
        status.events.send(.routeChanged(change))
        status.events.send(.deviceLost(device: change.old))
        lose(.deviceLost)
    }

    // MARK: Notices

    private func handle(_ notice: BackendNotice) {
        if route.accept(notice, now: HostClock.now) {
            switch notice {
            case .moved(let id, let name), .routeChanged(_, let id, let name): follow(id: id, name: name)
            default: break
            }
            return
        }
        switch notice {
        case .suspended(let reason): suspend(reason)
        case .resumed: unsuspend()
        case .muted(let isMuted): status.events.send(.muted(isMuted, by: .system))
        // A stream that is dead dies once.
        case .deviceLost where input != nil:
            status.events.send(.deviceLost(device: route.current))
            lose(.deviceLost)
        case .serverLost where input != nil:
            status.events.send(.serverLost)
            lose(.serverLost)
        case .failed(let error):
            if configuration.recovery == .manual { failure = error } else { lose(.deviceLost) }
        case .ended: hasEnded = true
        default: break
        }
    }

    private func follow(id: String, name: String) {
        guard var format = timeline?.format else { return }
        format.device = id
        format.deviceName = name
        change(to: format)
    }

    private func suspend(_ reason: InterruptionReason) {
        guard interruption == nil else { return }
        if configuration.recovery == .manual { return lose(reason) }
        interruption = reason
        status.set(.interrupted(reason))
        status.events.send(.interrupted(reason))
    }

    private func unsuspend() {
        guard interruption != nil, input != nil else { return }
        interruption = nil
        silence = 0
        status.set(.running)
        status.events.send(.resumed)
    }

    /// Lets go of a stream that is dead, and plans for another.
    private func lose(_ reason: InterruptionReason) {
        backend.stop()
        drain()
        if let ring = input?.ring { timeline?.acceptTrailingLoss(byteCount: ring.takeTrailingLoss()) { handle($0) } }
        input = nil
        timeline?.beginGap(now: HostClock.now, isCertain: true) { handle($0) }
        recovery = RecoveryPlan()
        if configuration.recovery == .automatic { recovery.begin(now: HostClock.now) }
        interruption = reason
        status.set(.interrupted(reason))
        status.events.send(.interrupted(reason))
    }

    // MARK: Delivery

    private func handle(_ output: CaptureTimeline.Output) {
        switch output {
        case .audio(let audio): deliver(audio)
        case .discontinuity(let frames):
            status.values.withLock { $0.statistics.discontinuities += 1 }
            status.events.send(.discontinuity(frames: frames))
        case .overrun(let frames):
            status.values.withLock { $0.statistics.lostFrames += frames }
            status.events.send(.overrun(frames: frames))
        }
    }

    private func deliver(_ audio: CapturedAudio) {
        var audio = audio
        if let selected = configuration.selectedChannels { audio.select(selected) }
        if !audio.isFilling {
            gain.isMuted = status.isMuted.load(ordering: .relaxed)
            gain.apply(to: &audio.bytes, format: audio.format, sampleRate: audio.sampleRate)
        }
        let frames = audio.frameCount
        status.values.withLock {
            if audio.isFilling { $0.statistics.filledFrames += frames } else { $0.statistics.recordedFrames += frames }
        }
        receiver(audio)
    }
}
