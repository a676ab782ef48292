// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox
internal import Dispatch

/// Plays through Core Audio: the HAL on macOS, the audio session with RemoteIO on iOS.
///
/// A unit is opened anew where its device, the format of that, or the session ends it; what waits is in a queue of its own, and is played on.
/// Notices are handled in the calls of the player's thread.
///
/// Not yet run on a device, but on a model of Core Audio: see Documentation/Internals/Apple.md.
package final class CoreAudioPlaybackBackend: SystemPlaybackBackend {
    /// The time from the end of a unit to the error if none can be opened, and the time between two attempts, in nanoseconds.
    private static let longestSearch: Int64 = 2_000_000_000
    private static let attemptInterval: Int64 = 100_000_000

    #if os(macOS)
    private typealias Context = CoreAudioListeners
    #else
    private typealias Context = CoreAudioSession
    #endif

    /// A reason not to open a unit.
    private enum Hold {
        case none
        /// Another program plays or records, until the system says that it does not.
        case interruption
        /// The system's services are gone, until it says that they are back.
        case services
    }

    private let configuration: PlaybackConfiguration
    private let queue: PlaybackQueue
    private let notices: NoticeQueue
    /// The part that outlives a unit which is opened again.
    private let context: Context
    private var unit: CoreAudioOutputUnit?
    /// The identifier of the output that was used last.
    private var output: String?
    private var hold = Hold.none
    private var isHalted = false
    private var isClosed = false
    /// The time of the next attempt to open a unit, and that of the last one.
    private var nextAttempt: Int64 = 0
    private var lastAttempt: Int64 = 0
    private var ending: DeviceError?

    /// Opens an output, and starts it.
    package init(_ configuration: PlaybackConfiguration) throws(DeviceError) {
        self.configuration = configuration
        let changed = DispatchSemaphore(value: 0)
        queue = PlaybackQueue(configuration, changed: changed)
        notices = NoticeQueue(wake: changed)
        #if os(macOS)
        context = CoreAudioListeners(.output, configuration.device)
        #else
        context = CoreAudioSession(.playback(sampleRate: configuration.sampleRate))
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

    /// Opens a unit and starts it.
    private func open() throws(DeviceError) {
        // The session first: without it there is no route.
        try context.activate(notices)
        let new = try CoreAudioOutputUnit(configuration, queue)
        unit = new
        output = new.choice.device.id
        // Before the first callback: a change of the route or the device may come at once.
        context.didOpen(new.choice)
        do {
            try new.start()
        } catch {
            closeUnit()
            throw error
        }
        context.didStart()
    }

    /// Closes the unit, and tries at once to open another one, unless something keeps it from that.
    private func closeUnit() {
        let old = unit
        unit = nil
        context.didClose()
        old?.close()
        nextAttempt = 0
        lastAttempt = HostClock.now + Self.longestSearch
    }

    /// Whether a unit is to be opened.
    private var isSearching: Bool { unit == nil && hold == .none && !isHalted && ending == nil }

    /// Handles what has happened, and opens a unit if there is none.
    private func update() {
        for notice in notices.dequeue() where ending == nil { handle(notice) }
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

    /// Handles a notice.
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
        case .interrupted:
            closeUnit()
            hold = .interruption
        case .interruptionEnded(let shouldResume) where hold == .interruption:
            release()
            if !shouldResume { isHalted = true }
        case .available:
            if hold == .services { release() }
            nextAttempt = 0
        case .routeChanged(let reason, let id, _, let sampleRate, _): changeRoute(reason, id, sampleRate)
        default: break
        }
    }

    /// Lets a unit be opened.
    private func release() {
        hold = .none
        nextAttempt = 0
        lastAttempt = HostClock.now + Self.longestSearch
    }

    /// Compares the route of the session with the unit.
    private func changeRoute(_ reason: RouteChangeReason, _ id: String, _ sampleRate: Int?) {
        if let wanted = configuration.device, wanted != id {
            closeUnit()
            ending = .deviceNotFound(wanted, available: [id])
            return
        }
        if reason == .oldDeviceUnavailable, id != output {
            // Apple's guideline: who pulls the headphones does not want the loudspeaker to go on.
            isHalted = true
            unit?.pause()
        }
        output = id
        if let unit, unit.choice.device.sampleRate != sampleRate { closeUnit() }
    }

    // MARK: PlaybackBackend

    /// The error that has ended the stream; nil before.
    package var failure: DeviceError? {
        update()
        return ending
    }

    /// Writes as many whole frames as there is room for.
    package func write(_ bytes: RawSpan, timeout: Duration) throws(DeviceError) -> Int {
        let deadline = HostClock.time(after: timeout)
        while true {
            if let failure { throw failure }
            let count = queue.write(bytes)
            if count > 0 || bytes.isEmpty || HostClock.now >= deadline { return count }
            wait(until: deadline)
        }
    }

    /// Waits until the device has read frames or something has happened, or a host time.
    private func wait(until deadline: Int64) { queue.wait(until: isSearching ? min(deadline, nextAttempt) : deadline) }

    /// The number of frames written but not yet played.
    package var waitingFrameCount: Int { queue.waitingFrameCount }

    /// Whether playback is paused, by the program or by the system.
    package var isPaused: Bool {
        get {
            update()
            return isHalted
        }
        set {
            update()
            guard newValue != isHalted else { return }
            isHalted = newValue
            if newValue {
                unit?.pause()
            } else {
                // The end of an interruption may have gone unsaid.
                if hold == .interruption { release() }
                resume()
            }
        }
    }

    /// Starts the unit after a pause, or opens another one.
    private func resume() {
        lastAttempt = HostClock.now + Self.longestSearch
        do { try unit?.start() } catch { closeUnit() }
        update()
    }

    /// Whether the system interrupts playback.
    package var isInterrupted: Bool {
        update()
        return hold != .none
    }

    /// Discards the waiting frames.
    package func flush() { queue.discardAll() }

    /// Waits until all frames have been played.
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

    /// Closes the unit, and keeps the session: in the background one that was deactivated can't play again.
    package func suspend() {
        ending = ending ?? .failed(.writeStream, .coreAudio, code: kAudio_ParamError)
        closeUnit()
        flush()
    }

    /// Closes the output.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        suspend()
        context.end()
    }
}
#endif
