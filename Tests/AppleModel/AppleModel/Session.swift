// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Darwin
import VirtualTime

/// An event that the audio session posts as a notification.
public enum SessionEvent {
    case interruptionBegan(reason: UInt?)
    case interruptionEnded(shouldResume: Bool)
    case routeChanged(Int)
    case servicesLost
    case servicesReset
    case becameActive
}

/// The program's audio session and the system's arbitration between sessions.
public struct Session {
    public var canRecord = false
    public var canPlay = true
    public var isActive = false
    public var mixes = false
    public var isInterrupted = false
    public var isInBackground = false
    /// Whether the program, not the library, configures and activates the session.
    public var belongsToProgram = false
    public var preferredInput: String?
    /// The input that the user selected in the system's picker.
    public var pickedInput: String?
    /// The route's input until an asynchronous change completes.
    var routed: String?
    public var frames = 1024
    /// The preferred numbers of channels of the route. [P]
    public var inputChannels = 2
    public var outputChannels = 2
    /// Whether the route has all outputs, as with several AirPlay receivers.
    public var playsEverywhere = false
    public var activations = 0
    public var deactivations = 0
    public var categoryChanges = 0
    /// Whether recording began in the foreground and the session has not been deactivated by the program since.
    public var mayRecordInBackground = false
    /// The duration of an activation in seconds.
    public var activationTime = 0.0
    /// The duration of a call that sets the preferred input in seconds.
    public var preferenceTime = 0.0
    /// The time in seconds until the route uses a preferred input.
    public var routeTime = 0.0
}

/// AVAudioSession error codes. [A]
enum SessionError {
    static let mediaServicesFailed = 1_836_282_486
    static let badParameter = -50
    static let isBusy = 560_030_580
    static let insufficientPriority = 561_017_449
    static let cannotInterruptOthers = 560_557_684
}

extension Machine {
    /// Returns the input port: the preferred one, else the user's selection, else the most recently connected.
    public func routeInput() -> Device? {
        let inputs = devices.filter { $0.isAlive && $0.inputChannels > 0 }
        let wanted = session.preferredInput ?? session.pickedInput
        return inputs.first { $0.uid == session.routed } ?? inputs.first { $0.uid == wanted } ?? inputs.last
    }

    /// Returns the output port: the most recently connected one.
    public func routeOutput() -> Device? { devices.last { $0.isAlive && $0.outputChannels > 0 } }

    /// Sets the category; returns an error code or nil, like the session's other functions.
    public func setCategory(records: Bool, plays: Bool, mixes: Bool) -> Int? {
        if servicesAreDead { return SessionError.mediaServicesFailed }
        let isNew = session.canRecord != records
        session.canRecord = records
        session.canPlay = plays
        session.mixes = mixes
        session.categoryChanges += 1
        // [A] A category change is also a route change.
        if isNew { post(.routeChanged(3)) }
        return nil
    }

    public func setPreferredInput(_ uid: String?) -> Int? {
        if session.preferenceTime > 0 { Scheduler.shared.sleep(seconds: session.preferenceTime) }
        if servicesAreDead { return SessionError.mediaServicesFailed }
        // [A] "only after setting the audio session's category and mode and activating the session"
        if !session.isActive { violate("the preferred input is set while the session is not active") }
        guard session.canRecord else { return SessionError.badParameter }
        if let uid, !devices.contains(where: { $0.uid == uid && $0.isAlive }) { return SessionError.badParameter }
        let old = routeInput()?.uid
        session.preferredInput = uid
        let new = routeInput()?.uid
        guard old != new, session.routeTime > 0 else { return nil }
        // [A] The change is asynchronous; currentRoute shows when it has happened.
        session.routed = old
        Scheduler.shared.after(seconds: session.routeTime) { [self] in
            session.routed = nil
            post(.routeChanged(4))
        }
        return nil
    }

    public func setPreferredDuration(_ seconds: Double) -> Int? {
        if servicesAreDead { return SessionError.mediaServicesFailed }
        if session.isActive { violate("the buffer duration is set while the session is active") }
        // [P] The buffer size is a power of two.
        var frames = 256
        while Double(frames) * 1.41 < seconds * 48000, frames < 4096 { frames *= 2 }
        session.frames = frames
        return nil
    }

    /// Sets the preferred number of channels of the route's input or output.
    public func setPreferredChannels(_ count: Int, ofInput isInput: Bool) -> Int? {
        if servicesAreDead { return SessionError.mediaServicesFailed }
        // [A] The maximum depends on the route, which an active session has.
        if !session.isActive { violate("the number of channels is set while the session is not active") }
        guard count <= (isInput ? routeInput()?.inputChannels : routeOutput()?.outputChannels) ?? 0 else {
            return SessionError.badParameter
        }
        if isInput { session.inputChannels = count } else { session.outputChannels = count }
        return nil
    }

    public func setActive(_ active: Bool) -> Int? {
        if active, session.activationTime > 0 { Scheduler.shared.sleep(seconds: session.activationTime) }
        if servicesAreDead { return SessionError.mediaServicesFailed }
        guard active else {
            session.deactivations += 1
            session.mayRecordInBackground = false
            session.isActive = false
            let running = units.filter(\.isRunning)
            guard !running.isEmpty else { return nil }
            // [A] The session reports the error but still stops everything.
            violate("session deactivated while a unit runs")
            for unit in running { unit.stop() }
            return SessionError.isBusy
        }
        session.activations += 1
        if session.isInterrupted { return SessionError.insufficientPriority }
        if session.isInBackground, !session.mixes, !session.isActive, !mayRecordAgain { return SessionError.cannotInterruptOthers }
        session.isActive = true
        return nil
    }

    /// Whether a session that recorded before an interruption may record again in the background. [U]
    var mayRecordAgain: Bool { session.mayRecordInBackground && behaviour.recordsAgainInBackground }

    // MARK: Events

    /// Begins an interruption: the system stops everything before it notifies the program. [A]
    public func beginInterruption(reason: UInt? = nil) {
        session.isInterrupted = true
        session.isActive = false
        for unit in units { unit.stop() }
        post(.interruptionBegan(reason: reason))
    }

    /// Ends an interruption, which the system does not always announce. [A]
    public func endInterruption(shouldResume: Bool, notifies: Bool = true) {
        session.isInterrupted = false
        if notifies { post(.interruptionEnded(shouldResume: shouldResume)) }
    }

    /// Brings the program to the foreground.
    public func enterForeground() {
        session.isInBackground = false
        post(.becameActive)
    }

    public func connect(_ device: Device) {
        changeRoute(1) {
            devices.append(device)
            if behaviour.connectionResetsPreference { session.preferredInput = nil }
        }
    }

    public func disconnect(_ uid: String) {
        changeRoute(2) {
            devices.removeAll { $0.uid == uid }
            // [P] Disconnecting a port clears the preference for it.
            if session.preferredInput == uid { session.preferredInput = nil }
        }
    }

    private func changeRoute(_ reason: Int, _ change: () -> Void) {
        let old = units.map { $0.device()?.sampleRate }
        change()
        for (unit, rate) in zip(units, old) where unit.isRunning && unit.device()?.sampleRate != rate { unit.rateHasChanged = true }
        post(.routeChanged(reason))
    }

    public func killMediaServices() {
        servicesAreDead = true
        for unit in units { unit.isOrphaned = true }
        let counts = (session.activations, session.deactivations, session.belongsToProgram)
        session = Session()
        (session.activations, session.deactivations, session.belongsToProgram) = counts
        post(.servicesLost)
    }

    public func restartMediaServices() {
        servicesAreDead = false
        post(.servicesReset)
    }
}
