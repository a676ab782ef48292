// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CModel
import CoreAudio
import Darwin
import Foundation
import VirtualTime

/// The machine of the running scenario.
public let machine = Machine()

/// A scripted Mac or iPhone: its devices, session and permission, and a list of the rules that the sources broke.
///
/// Marks in comments give the source of a rule: [A] documented by Apple, [P] known from practice, [U] uncertain and so in ``Behaviour``.
public final class Machine: @unchecked Sendable {
    /// The states of the recording permission.
    public enum Permission: Sendable { case undetermined, denied, granted }

    /// A device with its own clock.
    public struct Device: Sendable {
        /// The HAL object's number, which changes with each connection.
        public var id: UInt32
        public var uid: String
        public var name: String
        public var inputChannels: Int
        public var outputChannels: Int
        public var sampleRate: Double
        public var bufferFrames = 512
        public var bufferRange = 16...4096
        /// The number of frames from the end of a cycle until they are heard.
        public var latency = 0
        /// The same of its output stream, which adds to the device's. [A]
        public var streamLatency = 0
        public var isAlive = true
        public var isHidden = false
        /// The device clock's deviation from the host clock in parts per million.
        public var drift = 0.0
        /// The number of channels that a voice-processing unit reports: microphone channels and echo canceller references.
        public var voiceChannels: Int?
        /// Whether all samples are zero, as from a tap without permission.
        public var isSilent = false

        public init(_ id: UInt32, _ uid: String, _ name: String, inputs: Int, outputs: Int, rate: Double) {
            self.id = id
            self.uid = uid
            self.name = name
            inputChannels = inputs
            outputChannels = outputs
            sampleRate = rate
        }

        /// The number of frames per second of the host clock.
        var actualRate: Double { sampleRate * (1 + drift * 1e-6) }
    }

    /// Behaviour that only a device can confirm; scenarios run with both values.
    public struct Behaviour: Sendable {
        /// RemoteIO's sample time counts hardware frames, not frames at the client's rate.
        public var remoteIOCountsHardwareFrames = false
        /// RemoteIO delivers nothing after a hardware rate change until it is initialised again.
        public var remoteIOStopsOnRateChange = false
        /// AUHAL plays nothing after a device rate change until it is initialised again.
        public var outputStopsOnRateChange = false
        /// A port that connects resets the preferred input. [P]
        public var connectionResetsPreference = true
        /// The session's properties keep their values when the media services reset its category.
        public var sessionKeepsProperties = false
        /// An interrupted session may be activated and record again in the background.
        public var recordsAgainInBackground = true
        /// VoiceProcessingIO supports a microphone and loudspeaker on separate devices.
        public var voiceProcessingJoinsDevices = true
        /// VoiceProcessingIO has two elements in the global scope, one each for the input and output device.
        public var voiceProcessingHasElements = true
        /// VoiceProcessingIO's initialisation error, for example −66784 for unsupported channels; nil for success.
        public var voiceProcessingFails: OSStatus?
        /// Channels beyond the device's repeat its first channel; otherwise they are silent.
        public var extraChannelsRepeat = false
        /// The sample time jumps by the time asleep.
        public var sampleTimeJumpsOnWake = true
        /// The listeners of one event are called in reverse order.
        public var listenersAreReversed = false
        /// A listener that is removed while a call to it is pending is still called; removal does not wait.
        public var callsRemovedListeners = false
        /// A restart of coreaudiod also removes the system object's listeners.
        public var restartEndsSystemListeners = false
        /// Units accept packed 24-bit samples.
        public var takesPackedSamples = true
        /// Creates the default behaviour.
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
    /// The user's answer to the permission prompt and its delay in seconds; nil if the user never answers.
    public var answer: (isGranted: Bool, delay: Double)? = (true, 0.5)
    public var session = Session()
    public var screenIsLocked = false
    /// Returns the sound that all inputs capture instead of frame numbers: one channel of `count` samples at `rate`, from the host time
    /// `time` in seconds.
    public var sound: ((_ time: Double, _ rate: Double, _ count: Int) -> [Float])?
    /// The output that was played, in runs of frames.
    public internal(set) var heard: [Heard] = []
    /// The maximum number of frames per render callback; units cycle through the list.
    public var slices: [Int] = []
    /// The time to create the first VoiceProcessingIO in seconds.
    public var voiceProcessingTime = 0.0
    /// Whether voice processing ducks other audio. [P]
    public var isQuiet: Bool { units.contains { $0.kind == .voice && !$0.isDisposed && !$0.ducksLeast } }
    /// The time to initialise a unit in seconds.
    public var initializationTime = 0.0
    /// The number of unit starts that will fail.
    public var failingStarts = 0
    var servicesAreDead = false
    /// Posts a session event; set by the AVFAudio module.
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

    /// Records that the sources broke a rule, which fails the scenario.
    public func violate(_ text: String) {
        Scheduler.shared.outsideRealTime {
            if let index = violations.firstIndex(where: { $0.text == text }) {
                violations[index].count += 1
            } else {
                violations.append((text, 1))
            }
        }
    }

    /// Returns the broken rules, including those that are only visible after everything has stopped.
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

    /// Returns a device's number, or 0 if it does not exist.
    public func number(of uid: String) -> UInt32 { devices.first { $0.uid == uid }?.id ?? 0 }

    /// Changes a device and calls the listeners of the changed properties.
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

    /// Restarts coreaudiod: all objects get new numbers and all units stop working.
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
            // Pending notifications of the restart are still delivered.
            Scheduler.shared.after(seconds: 0.006) { [self] in listeners = [] }
        }
    }

    /// Puts the machine to sleep: the host clock stops, and USB and Bluetooth devices are new objects afterwards. [P]
    public func sleepAndWake(seconds: Double, reconnecting devices: [String] = []) {
        for unit in units where unit.isRunning {
            guard let device = unit.device() else { continue }
            if behaviour.sampleTimeJumpsOnWake { unit.timeJump += seconds * device.sampleRate }
        }
        for uid in devices { edit(uid) { $0.id += 100 } }
    }

    /// Skips cycles of all running units, as under processor overload.
    public func overload(cycles: Int) { for unit in units where unit.isRunning { unit.skippedCycles += cycles } }

    /// Makes the next render of all running units lack its last frames.
    public func shortenRender(by frames: Int) { for unit in units where unit.isRunning { unit.missingFrames = frames } }

    /// Makes the sample time of running units jump while the host time continues.
    public func jumpSampleTime(_ frames: Double) { for unit in units where unit.isRunning { unit.timeJump += frames } }

    /// Clears the record of heard frames.
    public func forgetHeard() { heard = [] }

    /// The number of voice-processing units that were not disposed of.
    public var voiceUnits: Int { units.count { $0.kind == .voice && !$0.isDisposed } }

    /// The number of running units.
    public var runningUnits: Int { units.count { $0.isRunning } }

    // MARK: Permission

    /// Asks the user and calls `body` with the answer on a system thread.
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
