// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import CModel
import CoreAudio
import Darwin
import VirtualTime

/// Audio unit error codes. [A]
enum UnitError {
    static let invalidParameter: OSStatus = -50
    static let initialized: OSStatus = -10849
    static let invalidValue: OSStatus = -10851
    static let cannotDoInContext: OSStatus = -10863
    static let notWritable: OSStatus = -10865
    static let invalidScope: OSStatus = -10866
    static let uninitialized: OSStatus = -10867
    static let formatNotSupported: OSStatus = -10868
    static let tooManyFrames: OSStatus = -10874
    static let failedInitialization: OSStatus = -10875
    static let noConnection: OSStatus = -10876
    static let invalidElement: OSStatus = -10877
    static let invalidProperty: OSStatus = -10879
    static let servicesDied: OSStatus = -66748
    static let instanceInvalidated: OSStatus = -66749
    static let cannotStartPlaying: OSStatus = 561_015_905
    static let cannotStartRecording: OSStatus = 561_145_187
}

/// An output unit that captures or plays: AUHAL, RemoteIO or VoiceProcessingIO.
final class Unit: @unchecked Sendable {
    enum Kind { case hal, remote, voice }
    enum State { case created, initialized, running }

    let kind: Kind
    let handle: UInt
    var state = State.created
    var isDisposed = false
    /// Whether the server that owned the unit has ended.
    var isOrphaned = false
    var inputIsEnabled: Bool
    var outputIsEnabled = true
    var inputDevice: UInt32 = 0
    var outputDevice: UInt32 = 0
    var client: AudioStreamBasicDescription?
    /// The output side's format; nil until it is set.
    var playback: AudioStreamBasicDescription?
    var maximumFrames: UInt32 = 1156
    /// Whether the voice-processing unit ducks other audio as little as possible.
    var ducksLeast = false
    /// The device buffer size that was requested through the unit; nil for none.
    var wantedFrames: Int?
    var callback = AURenderCallbackStruct()
    var renderCallback = AURenderCallbackStruct()
    var thread: Fibre?
    /// The cycle that the callback may render; nil outside the callback.
    var cycle: Cycle?
    /// Scripted faults: skipped cycles, frames that the next render lacks, and a jump of the sample time.
    var skippedCycles = 0
    var missingFrames = 0
    var timeJump = 0.0
    /// Whether the hardware rate has changed since the start.
    var rateHasChanged = false

    struct Cycle {
        var thread: Fibre
        var frames: Int
        /// The number of the first frame.
        var position: Int
        var isRendered = false
    }

    init(_ kind: Kind, _ handle: UInt) {
        self.kind = kind
        self.handle = handle
        inputIsEnabled = kind == .voice
    }

    var isRunning: Bool { state == .running }
    var isPlayer: Bool { outputIsEnabled && !inputIsEnabled }
    var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Returns the unit's input device or, for a player, its output device.
    func device() -> Machine.Device? {
        #if MODEL_IOS
        let session = machine.session
        guard isPlayer ? session.canPlay : session.canRecord, var device = isPlayer ? machine.routeOutput() : machine.routeInput()
        else { return nil }
        device.inputChannels = min(device.inputChannels, session.inputChannels)
        device.outputChannels = min(device.outputChannels, session.outputChannels)
        return device
        #else
        return machine.device(inputDevice != 0 ? inputDevice : isPlayer ? machine.defaultOutput : machine.defaultInput)
        #endif
    }

    /// Ends the cycles; none is running, because threads run one at a time.
    func stop() {
        guard isRunning else { return }
        state = .initialized
        if cycle?.thread === Scheduler.shared.current, cycle != nil { machine.violate("a unit is stopped by its own callback") }
        model_order_acquire(address)
        if let thread, thread !== Scheduler.shared.current { Scheduler.shared.wake(thread) }
        thread = nil
    }
}

extension Machine {
    func unit(_ handle: OpaquePointer?, _ call: String) -> Unit? {
        let known = units.first { $0.handle == UInt(bitPattern: handle) }
        guard let known else {
            violate("\(call) with an unknown unit")
            return nil
        }
        if known.isDisposed {
            violate("\(call) after the unit was disposed of")
            return nil
        }
        if model_realtime_depth() > 0, call != "AudioUnitRender" { violate("\(call) on the real-time thread") }
        if Scheduler.shared.current?.name == "HAL", call == "AudioOutputUnitStop" || call == "AudioComponentInstanceDispose" {
            violate("\(call) in a listener of the HAL, which waits for listeners")
        }
        return known
    }
}

@_cdecl("AudioComponentFindNext")
func componentFindNext(_ component: OpaquePointer?, _ description: UnsafePointer<AudioComponentDescription>) -> OpaquePointer? {
    let wanted = description.pointee
    #if MODEL_IOS
    let plain = kAudioUnitSubType_RemoteIO
    #else
    let plain = kAudioUnitSubType_HALOutput
    #endif
    guard component == nil, wanted.componentType == kAudioUnitType_Output, wanted.componentManufacturer == kAudioUnitManufacturer_Apple,
        [plain, kAudioUnitSubType_VoiceProcessingIO].contains(wanted.componentSubType)
    else { return nil }
    return OpaquePointer(bitPattern: UInt(wanted.componentSubType))
}

@_cdecl("AudioComponentInstanceNew")
func componentInstanceNew(_ component: OpaquePointer, _ result: UnsafeMutablePointer<OpaquePointer?>) -> OSStatus {
    if machine.servicesAreDead { return UnitError.servicesDied }
    let isVoice = UInt32(UInt(bitPattern: component)) == kAudioUnitSubType_VoiceProcessingIO
    // [P] Creating a process's first such unit takes seconds and ducks all other audio.
    if isVoice, machine.voiceProcessingTime > 0, !machine.units.contains(where: { $0.kind == .voice && !$0.isDisposed }) {
        Scheduler.shared.sleep(seconds: machine.voiceProcessingTime)
    }
    machine.nextHandle += 16
    #if MODEL_IOS
    let unit = Unit(isVoice ? .voice : .remote, machine.nextHandle)
    #else
    let unit = Unit(isVoice ? .voice : .hal, machine.nextHandle)
    #endif
    machine.units.append(unit)
    result.pointee = OpaquePointer(bitPattern: unit.handle)
    return noErr
}

@_cdecl("AudioComponentInstanceDispose")
func componentInstanceDispose(_ handle: OpaquePointer) -> OSStatus {
    guard let unit = machine.unit(handle, "AudioComponentInstanceDispose") else { return UnitError.instanceInvalidated }
    if unit.isRunning { machine.violate("a running unit is disposed of") }
    unit.stop()
    unit.isDisposed = true
    return noErr
}

@_cdecl("AudioUnitInitialize")
func unitInitialize(_ handle: OpaquePointer) -> OSStatus {
    guard let unit = machine.unit(handle, "AudioUnitInitialize"), !unit.isOrphaned else { return UnitError.instanceInvalidated }
    guard unit.state == .created else {
        machine.violate("a unit is initialised twice")
        return noErr
    }
    if machine.initializationTime > 0 { Scheduler.shared.sleep(seconds: machine.initializationTime) }
    guard let device = unit.device(), device.isAlive else { return UnitError.failedInitialization }
    if unit.kind == .hal, unit.outputIsEnabled, device.outputChannels == 0 { return UnitError.failedInitialization }
    if unit.kind == .voice {
        if let status = machine.behaviour.voiceProcessingFails { return status }
        #if !MODEL_IOS
        // [P] The unit creates an aggregate device of both sides.
        guard let output = machine.device(unit.outputDevice != 0 ? unit.outputDevice : machine.defaultOutput), output.isAlive,
            output.id == device.id || machine.behaviour.voiceProcessingJoinsDevices
        else { return UnitError.failedInitialization }
        // [P] Both sides need the same format, even if nothing is played.
        if unit.playback?.mSampleRate != unit.client?.mSampleRate || unit.playback?.mChannelsPerFrame != unit.client?.mChannelsPerFrame {
            machine.violate("the output side of VoiceProcessingIO has another format than its input side")
        }
        #endif
    }
    unit.state = .initialized
    return noErr
}

@_cdecl("AudioUnitUninitialize")
func unitUninitialize(_ handle: OpaquePointer) -> OSStatus {
    guard let unit = machine.unit(handle, "AudioUnitUninitialize") else { return UnitError.instanceInvalidated }
    if unit.isRunning { machine.violate("a running unit is uninitialised") }
    unit.stop()
    unit.state = .created
    return noErr
}

@_cdecl("AudioOutputUnitStart")
func outputUnitStart(_ handle: OpaquePointer) -> OSStatus {
    guard let unit = machine.unit(handle, "AudioOutputUnitStart"), !unit.isOrphaned else { return UnitError.instanceInvalidated }
    guard unit.state != .created else { return UnitError.uninitialized }
    guard unit.state == .initialized else { return noErr }
    guard let device = unit.device(), device.isAlive else { return UnitError.failedInitialization }
    #if MODEL_IOS
    if unit.isPlayer {
        guard machine.session.isActive else { return UnitError.cannotStartPlaying }
    } else {
        guard machine.session.isActive, machine.session.canRecord else { return UnitError.cannotStartRecording }
        // [P] A new recording cannot begin in the background.
        if machine.session.isInBackground, !machine.mayRecordAgain { return UnitError.cannotStartRecording }
        machine.session.mayRecordInBackground = true
    }
    #endif
    guard (unit.isPlayer ? unit.renderCallback : unit.callback).inputProc != nil else {
        machine.violate("started without a callback")
        return noErr
    }
    if machine.failingStarts > 0 {
        machine.failingStarts -= 1
        return UnitError.failedInitialization
    }
    unit.state = .running
    unit.rateHasChanged = false
    model_order_release(unit.address)
    unit.thread = Scheduler.shared.start("I/O") { runCycles(of: unit) }
    return noErr
}

@_cdecl("AudioOutputUnitStop")
func outputUnitStop(_ handle: OpaquePointer) -> OSStatus {
    guard let unit = machine.unit(handle, "AudioOutputUnitStop") else { return UnitError.instanceInvalidated }
    unit.stop()
    return unit.isOrphaned ? UnitError.instanceInvalidated : noErr
}
