// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CModel
import CoreAudio
import Darwin
import Foundation
import VirtualTime

/// The machine of the running scenario.
public let machine = Machine()

/// A Mac or an iPhone that a scenario scripts: devices, session, permission, and a list of everything that the sources did wrong.
///
/// Marks in comments say how a rule is known: [A] Apple documents it, [P] from practice, [U] uncertain and therefore in ``Behaviour``.
public final class Machine: @unchecked Sendable {
    /// The states of the permission to record.
    public enum Permission: Sendable { case undetermined, denied, granted }

    /// A device with a clock of its own.
    public struct Device: Sendable {
        /// The number of the HAL's object; new after each connection.
        public var id: UInt32
        public var uid: String
        public var name: String
        public var inputChannels: Int
        public var outputChannels: Int
        public var sampleRate: Double
        public var bufferFrames = 512
        public var bufferRange = 16...4096
        /// The frames from the end of a cycle until they are heard.
        public var latency = 0
        public var isAlive = true
        public var isHidden = false
        /// The error of the device's clock against the host's, in parts per million.
        public var drift = 0.0
        /// The channels that a voice-processing unit counts: those of the microphone, and references of the canceller.
        public var voiceChannels: Int?
        /// Whether all samples are zero, as from a tap without permission.
        public var isSilent = false

        /// Creates a device.
        public init(_ id: UInt32, _ uid: String, _ name: String, inputs: Int, outputs: Int, rate: Double) {
            self.id = id
            self.uid = uid
            self.name = name
            inputChannels = inputs
            outputChannels = outputs
            sampleRate = rate
        }

        /// The frames per second of the host's clock.
        var actualRate: Double { sampleRate * (1 + drift * 1e-6) }
    }

    /// Facts that only a device can tell: each is set both ways by a scenario.
    public struct Behaviour: Sendable {
        /// The sample time of RemoteIO counts frames of the hardware, not those of the client's rate.
        public var remoteIOCountsHardwareFrames = false
        /// RemoteIO delivers nothing after a change of the hardware's rate until it is initialised again.
        public var remoteIOStopsOnRateChange = false
        /// AUHAL plays nothing after a change of the device's rate until it is initialised again.
        public var outputStopsOnRateChange = false
        /// A port that connects resets the preferred input. [P]
        public var connectionResetsPreference = true
        /// A session that was interrupted may be activated and record again in the background.
        public var recordsAgainInBackground = true
        /// VoiceProcessingIO takes a microphone and a loudspeaker that are two devices.
        public var voiceProcessingJoinsDevices = true
        /// VoiceProcessingIO has two elements in the global scope, for its input and its output device.
        public var voiceProcessingHasElements = true
        /// The error of VoiceProcessingIO's initialisation, such as −66784 for its channels; nil for none.
        public var voiceProcessingFails: OSStatus?
        /// Channels beyond the device's repeat its first one; otherwise they are silent.
        public var extraChannelsRepeat = false
        /// The sample time jumps by the time that the machine slept.
        public var sampleTimeJumpsOnWake = true
        /// Listeners of one event are called in reverse order.
        public var listenersAreReversed = false
        /// A listener whose call is under way when it is removed is called nevertheless: nobody waits for its end.
        public var callsRemovedListeners = false
        /// A restart of coreaudiod removes the listeners of the system object too.
        public var restartEndsSystemListeners = false
        /// Units take packed samples of 24 bits.
        public var takesPackedSamples = true
        /// Creates the usual behaviour.
        public init() {}
    }

    public var behaviour = Behaviour()
    /// The system's encoders.
    public let converters = ConverterModel()
    #if MODEL_IOS
    public let files = FileModel()
    #endif
    public var devices: [Device] = []
    public var defaultInput: UInt32 = 0 {
        didSet { if oldValue != defaultInput { notify(AudioObjectID(kAudioObjectSystemObject), kAudioHardwarePropertyDefaultInputDevice) } }
    }
    public var defaultOutput: UInt32 = 0 {
        didSet {
            if oldValue != defaultOutput { notify(AudioObjectID(kAudioObjectSystemObject), kAudioHardwarePropertyDefaultOutputDevice) }
        }
    }
    #if MODEL_MACOS
    public var programs = Programs()
    #endif
    public var permission = Permission.granted
    /// The user's answer to the system's question, and the seconds until it is given; nil for never.
    public var answer: (isGranted: Bool, delay: Double)? = (true, 0.5)
    public var session = Session()
    public var screenIsLocked = false
    /// What the outputs have played, in runs of frames.
    public internal(set) var heard: [Heard] = []
    /// The largest numbers of frames that units ask a program for at a time, in turn.
    public var slices: [Int] = []
    /// The seconds that it takes to make the first VoiceProcessingIO.
    public var voiceProcessingTime = 0.0
    /// Whether other sound is much quieter because of voice processing. [P]
    public var isQuiet: Bool { units.contains { $0.kind == .voice && !$0.isDisposed && !$0.ducksLeast } }
    /// The seconds that it takes to initialise a unit.
    public var initializationTime = 0.0
    /// The number of starts of units that fail.
    public var failingStarts = 0
    var servicesAreDead = false
    /// Posts an event of the session; set by the module AVFAudio.
    public var post: (SessionEvent) -> Void = { _ in }

    var units: [Unit] = []
    var listeners: [Listener] = []
    var noticeCount = 0
    var serverHasRestarted = false
    var nextHandle: UInt = 0x1000
    private var violations: [(text: String, count: Int)] = []

    init() {}

    /// The current time in seconds.
    public static var now: Double { Double(Scheduler.shared.now) * 1e-9 }

    // MARK: Rules

    /// Notes that the sources broke a rule: the scenario fails.
    public func violate(_ text: String) {
        Scheduler.shared.outsideRealTime {
            if let index = violations.firstIndex(where: { $0.text == text }) {
                violations[index].count += 1
            } else {
                violations.append((text, 1))
            }
        }
    }

    /// Returns the broken rules, with those that can only be seen when everything has been stopped.
    public func finish() -> [String] {
        for unit in units where !unit.isDisposed {
            violate(unit.isRunning ? "a unit still runs at the end" : "a unit was never disposed of")
        }
        #if MODEL_MACOS
        if !programs.taps.isEmpty || !programs.aggregates.isEmpty { violate("taps or their devices are left") }
        #endif
        if !listeners.isEmpty { violate("listeners of the HAL are left") }
        #if MODEL_IOS
        files.finish()
        #endif
        if converters.isAnyLeft { violate("a converter was never disposed of") }
        if NotificationCenter.default.observerCount > 0 { violate("observers of notifications are left") }
        if session.isActive, session.activations > 0, !session.belongsToProgram { violate("the session is left active") }
        for (text, count) in [
            ("allocations", model_realtime_allocations()), ("releases of memory", model_realtime_releases()),
            ("locks", model_realtime_locks()),
        ] where count > 0 { violations.append(("\(text) in a callback", Int(count))) }
        return violations.map { "\($0.text) (\($0.count))" }.sorted()
    }

    // MARK: Devices

    func device(_ id: UInt32) -> Device? { devices.first { $0.id == id } }

    /// Returns the number of a device; 0 if there is none.
    public func number(of uid: String) -> UInt32 { devices.first { $0.uid == uid }?.id ?? 0 }

    /// Changes a device; listeners of what changed are called.
    public func edit(_ uid: String, _ body: (inout Device) -> Void) {
        guard let index = devices.firstIndex(where: { $0.uid == uid }) else { return }
        let old = devices[index]
        body(&devices[index])
        let new = devices[index]
        if old.sampleRate != new.sampleRate {
            notify(old.id, kAudioDevicePropertyNominalSampleRate)
            for unit in units where unit.isRunning && unit.device()?.uid == uid { unit.rateHasChanged = true }
        }
        if old.inputChannels != new.inputChannels {
            notify(old.id, kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeInput)
        }
        if old.outputChannels != new.outputChannels {
            notify(old.id, kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeOutput)
        }
        if old.isAlive != new.isAlive || old.id != new.id {
            notify(old.id, kAudioDevicePropertyDeviceIsAlive)
            notify(AudioObjectID(kAudioObjectSystemObject), kAudioHardwarePropertyDevices)
        }
    }

    /// Restarts coreaudiod: all objects are new, and all units are dead.
    public func restartServer() {
        for unit in units { unit.isOrphaned = true }
        #if MODEL_MACOS
        restartPrograms()
        #endif
        for index in devices.indices { devices[index].id += 1000 }
        listeners.removeAll { $0.object != AudioObjectID(kAudioObjectSystemObject) }
        notify(AudioObjectID(kAudioObjectSystemObject), kAudioHardwarePropertyServiceRestarted)
        if defaultInput != 0 { defaultInput += 1000 }
        if defaultOutput != 0 { defaultOutput += 1000 }
        serverHasRestarted = true
        if behaviour.restartEndsSystemListeners {
            // Those who are being told of the restart are told.
            Scheduler.shared.after(seconds: 0.006) { [self] in listeners = [] }
        }
    }

    /// Lets the machine sleep: the host's clock stands still meanwhile, and USB and Bluetooth devices are new objects after it. [P]
    public func sleepAndWake(seconds: Double, reconnecting devices: [String] = []) {
        for unit in units where unit.isRunning {
            guard let device = unit.device() else { continue }
            if behaviour.sampleTimeJumpsOnWake { unit.timeJump += seconds * device.sampleRate }
        }
        for uid in devices { edit(uid) { $0.id += 100 } }
    }

    /// Skips cycles of all running units, as an overloaded processor does.
    public func overload(cycles: Int) { for unit in units where unit.isRunning { unit.skippedCycles += cycles } }

    /// Makes the sample time of running units jump while the host time goes on.
    public func jumpSampleTime(_ frames: Double) { for unit in units where unit.isRunning { unit.timeJump += frames } }

    /// Forgets what was heard.
    public func forgetHeard() { heard = [] }

    /// The number of running units.
    public var runningUnits: Int { units.count { $0.isRunning } }

    // MARK: Permission

    /// Asks the user; `body` is called with the answer, on a thread of the system.
    public func requestPermission(_ body: @escaping (Bool) -> Void) {
        guard permission == .undetermined else {
            let isGranted = permission == .granted
            Scheduler.shared.start("permission") { body(isGranted) }
            return
        }
        guard let answer else { return }
        Scheduler.shared.after(seconds: answer.delay) { [self] in
            permission = answer.isGranted ? .granted : .denied
            Scheduler.shared.start("permission") { body(answer.isGranted) }
        }
    }
}
