// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox
internal import Dispatch

/// Plays through Core Audio: the HAL on macOS, the audio session with RemoteIO on iOS.
///
/// Reopens the unit when its device, the device's format or the session ends it. Queued audio is kept and continues. Notices are handled in
/// the calls of the player's thread.
///
/// Tested on a model of Core Audio, not yet on a device; see Documentation/Internals/Apple.md.
package final class CoreAudioPlaybackBackend: SystemPlaybackBackend {
    /// The time limit for reopening a unit before an error, and the delay between attempts, in nanoseconds.
    private static let maximumSearchTime: Int64 = 2_000_000_000
    private static let attemptInterval: Int64 = 100_000_000

    #if os(macOS)
    private typealias Context = CoreAudioListeners
    #else
    private typealias Context = CoreAudioSession
    #endif

    /// The maximum time between an app's return and the end of an interruption that the system reports, in nanoseconds.
    private static let maximumEndDelay: Int64 = 1_000_000_000

    /// A reason to postpone opening a unit.
    private enum Hold {
        case none
        /// Another program plays or records, until the system reports the end.
        case interruption
        /// The system's media services are gone, until the system reports their return.
        case services
    }

    private let configuration: PlaybackConfiguration
    private let queue: PlaybackQueue
    private let notices: NoticeQueue
    /// The state that survives reopening the unit.
    private let context: Context
    private var unit: CoreAudioOutputUnit?
    /// The identifier of the output used last.
    private var output: String?
    private var hold = Hold.none
    private var isHalted = false
    /// The time at which playback halts because the app has become active, unless the interruption ends before; `nil` for none.
    private var haltTime: Int64?
    private var isClosed = false
    /// The times of the next attempt to open a unit, and of the last attempt.
    private var nextAttempt: Int64 = 0
    private var lastAttempt: Int64 = 0
    private var ending: DeviceError?

    /// Opens and starts an output.
    package init(_ configuration: PlaybackConfiguration) throws(DeviceError) {
        self.configuration = configuration
        let changed = DispatchSemaphore(value: 0)
        queue = PlaybackQueue(configuration, changed: changed)
        notices = NoticeQueue(wake: changed)
        #if os(macOS)
        context = CoreAudioListeners(.output, configuration.device)
        #else
        context = CoreAudioSession(.playback(sampleRate: configuration.sampleRate, channelCount: configuration.pcm.channelCount))
        #endif
        do {
            try open()
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    // MARK: Units

    private func open() throws(DeviceError) {
        // Before the unit, because without an active session there is no route.
        try context.activate(notices)
        let new = try CoreAudioOutputUnit(configuration, queue)
        unit = new
        output = new.choice.device.id
        // Before the first callback, because the route or device may change at once.
        context.didOpen(new.choice)
        do {
            try new.start()
        } catch {
            closeUnit()
            throw error
        }
        context.didStart()
    }

    /// Closes the unit and schedules an immediate reopening.
    private func closeUnit() {
        let old = unit
        unit = nil
        context.didClose()
        old?.close()
        nextAttempt = 0
        lastAttempt = HostClock.now + Self.maximumSearchTime
    }

    /// Whether a unit should be opened.
    private var isSearching: Bool { unit == nil && hold == .none && !isHalted && ending == nil }

    /// Handles the pending notices, and opens a unit if necessary.
    private func update() {
        for notice in notices.dequeue() where ending == nil { handle(notice) }
        if hold == .interruption, let haltTime, HostClock.now >= haltTime {
            release()
            halt()
        }
        guard isSearching, HostClock.now >= nextAttempt else { return }
        do {
            try open()
        } catch {
            #if !os(macOS)
            if CoreAudioSession.isInterruption(error) { return hold = .interruption }
            #endif
            if HostClock.now >= lastAttempt { ending = error }
            nextAttempt = HostClock.now + Self.attemptInterval
        }
    }

    private func handle(_ notice: BackendNotice) {
        switch notice {
        case .formatInvalid: closeUnit()
        case .deviceLost:
            closeUnit()
            if let id = configuration.device { ending = .deviceNotFound(id, available: CoreAudioDevices.outputs().map(\.id)) }
        case .serverLost:
            closeUnit()
            #if !os(macOS)
            hold = .services
            #endif
        case .interrupted(let reason):
            closeUnit()
            // The system does not end an interruption by unplugged headphones.
            if reason == .deviceLost { halt() } else { hold = .interruption }
        case .interruptionEnded(let shouldResume) where hold == .interruption:
            release()
            if !shouldResume { halt() }
        case .available:
            if hold == .services { release() }
            if hold == .interruption { haltTime = HostClock.now + Self.maximumEndDelay }
            nextAttempt = 0
        case .routeChanged(let reason, let id, _, _, _): changeRoute(reason, id)
        default: break
        }
    }

    /// Ends a hold, so that a unit can be opened.
    private func release() {
        hold = .none
        haltTime = nil
        nextAttempt = 0
        lastAttempt = HostClock.now + Self.maximumSearchTime
    }

    /// Halts playback until the user continues.
    private func halt() {
        isHalted = true
        unit?.pause()
    }

    /// Compares the session's route with the unit.
    private func changeRoute(_ reason: RouteChangeReason, _ first: String) {
        let (outputs, id) = (CoreAudioDevices.outputs(), configuration.device ?? first)
        if let wanted = configuration.device, !outputs.contains(where: { $0.id == wanted }) {
            closeUnit()
            ending = .deviceNotFound(wanted, available: outputs.map(\.id))
            return
        }
        // Apple's guideline: unplugging the headphones must not continue on the loudspeaker.
        if reason == .oldDeviceUnavailable, id != output { halt() }
        output = id
        guard let unit, let new = outputs.first(where: { $0.id == id }) else { return }
        let old = unit.choice.device
        if new.sampleRate != old.sampleRate || new.channelCount != old.channelCount { closeUnit() } else { unit.updateLatency() }
    }

    // MARK: PlaybackBackend

    /// The error that ended the stream, if any.
    package var failure: DeviceError? {
        update()
        return ending
    }

    package func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int {
        let deadline = HostClock.time(after: timeout)
        while true {
            if let failure { throw failure }
            let count = queue.write(bytes)
            if count > 0 || bytes.isEmpty || HostClock.now >= deadline { return count }
            wait(until: deadline)
        }
    }

    /// Waits until the device has read frames, a notice arrives, or a host time is reached.
    private func wait(until deadline: Int64) { queue.wait(until: isSearching ? min(deadline, nextAttempt) : deadline) }

    package var waitingFrameCount: Int { queue.waitingFrameCount }

    /// Whether the program or the system has paused playback.
    package var isPaused: Bool {
        get {
            update()
            return isHalted
        }
        set {
            update()
            guard newValue != isHalted else { return }
            if newValue {
                halt()
            } else {
                isHalted = false
                // The system may not have reported the end of an interruption.
                if hold == .interruption { release() }
                resume()
            }
        }
    }

    /// Starts the unit after a pause, or opens another one.
    private func resume() {
        lastAttempt = HostClock.now + Self.maximumSearchTime
        do { try unit?.start() } catch { closeUnit() }
        update()
    }

    package var isInterrupted: Bool {
        update()
        return hold != .none
    }

    package func flush() { queue.discardAll() }

    package func drain(timeout: Duration) -> Bool {
        let deadline = HostClock.time(after: timeout)
        while failure == nil {
            let waiting = waitingFrameCount
            guard waiting > 0 else { break }
            guard HostClock.now < deadline else { return false }
            wait(until: min(deadline, HostClock.now + HostClock.nanoseconds(ofFrames: waiting, sampleRate: configuration.sampleRate)))
        }
        return true
    }

    /// Closes the unit but keeps the session.
    ///
    /// A session deactivated in the background could not play again.
    package func suspend() {
        ending = ending ?? .failed(.writeStream, .coreAudio, code: kAudio_ParamError)
        closeUnit()
        flush()
    }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        suspend()
        context.end()
    }
}
#endif
