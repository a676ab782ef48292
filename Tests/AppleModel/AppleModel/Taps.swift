// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if MODEL_MACOS
import CoreAudio
import Darwin
import Foundation
import VirtualTime

/// A program that uses Core Audio.
public struct Program: Sendable {
    /// The HAL object's number, which changes with each launch.
    public var id: UInt32
    public var process: Int32
    public var bundle: String
    public var isPlaying = true

    public init(_ id: UInt32, _ process: Int32, _ bundle: String) {
        self.id = id
        self.process = process
        self.bundle = bundle
    }
}

/// Other programs and taps on them.
public struct Programs: Sendable {
    struct Tap: Sendable {
        var id: UInt32
        var uid: String
        /// The programs that are captured or, for an exclusive tap, excluded.
        var programs: [UInt32]
        var isExclusive: Bool
    }

    public var list: [Program] = [] {
        didSet { if oldValue.map(\.id) != list.map(\.id) { machine.notify(1, kAudioHardwarePropertyProcessObjectList) } }
    }
    /// The "System Audio Recording" permission; without it all samples are zero. [P]
    public var isPermitted = true
    /// The time in seconds until an aggregate device is ready. [P]
    public var aggregateTime = 0.0
    var taps: [Tap] = []
    /// The tap of each aggregate device.
    var aggregates: [UInt32: UInt32] = [:]
    var nextID: UInt32 = 500
}

extension Machine {
    /// Whether a tap's device delivers the programs' audio instead of zeros; nil for other devices.
    func tapIsHeard(_ device: Device) -> Bool? {
        guard let number = programs.aggregates[device.id] else { return nil }
        guard programs.isPermitted, let tap = programs.taps.first(where: { $0.id == number }) else { return false }
        return programs.list.contains { $0.isPlaying && tap.programs.contains($0.id) != tap.isExclusive }
    }

    /// Returns a program's property, or nil if the object is not a program.
    func programProperty(_ object: UInt32, _ selector: UInt32) -> (HALValue?, OSStatus)? {
        guard let program = programs.list.first(where: { $0.id == object }) else { return nil }
        switch selector {
        case kAudioProcessPropertyPID: return (.number(UInt32(bitPattern: program.process)), noErr)
        case kAudioProcessPropertyBundleID: return (.text(program.bundle), noErr)
        case kAudioProcessPropertyIsRunningOutput: return (.number(program.isPlaying ? 1 : 0), noErr)
        default: return (nil, HALError.unknownProperty)
        }
    }

    /// Removes taps and aggregate devices and renumbers programs, as a restart of coreaudiod does.
    func restartPrograms() {
        devices.removeAll { programs.aggregates[$0.id] != nil }
        programs.aggregates = [:]
        programs.taps = []
        for index in programs.list.indices { programs.list[index].id += 1000 }
    }

    fileprivate func createTap(_ description: CATapDescription) -> (UInt32, OSStatus) {
        let known = programs.list.map(\.id)
        guard description.processes.allSatisfy(known.contains) else { return (0, HALError.badObject) }
        if description.processes.isEmpty, !description.isExclusive { violate("a tap of no program never calls back") }
        if !description.isPrivate { violate("a tap is visible to other programs") }
        programs.nextID += 1
        programs.taps.append(
            Programs.Tap(
                id: programs.nextID, uid: description.uuid.uuidString, programs: description.processes, isExclusive: description.isExclusive
            ))
        return (programs.nextID, noErr)
    }

    fileprivate func createAggregate(_ values: [String: Any]) -> (UInt32, OSStatus) {
        guard let uid = values[kAudioAggregateDeviceUIDKey] as? String, let name = values[kAudioAggregateDeviceNameKey] as? String,
            !devices.contains(where: { $0.uid == uid })
        else { return (0, HALError.illegalOperation) }
        if values[kAudioAggregateDeviceIsPrivateKey] as? Int != 1 { violate("an aggregate device is visible to other programs") }
        // [P] Auto start blocks the process until a program plays.
        if values[kAudioAggregateDeviceTapAutoStartKey] != nil { violate("the start of a tap waits for a program to play") }
        guard let list = values[kAudioAggregateDeviceTapListKey] as? [[String: Any]], let first = list.first,
            let tap = programs.taps.first(where: { $0.uid == first[kAudioSubTapUIDKey] as? String })
        else {
            violate("an aggregate device without its tap is silent")
            return (0, HALError.illegalOperation)
        }
        if first[kAudioSubTapDriftCompensationKey] as? Int != 1 { violate("a tap without drift compensation") }
        programs.nextID += 1
        let number = programs.nextID
        programs.aggregates[number] = tap.id
        // [P] A tap has the clock of the output.
        let output = device(defaultOutput)
        var new = Device(number, uid, name, inputs: programs.aggregateTime > 0 ? 0 : 2, outputs: 0, rate: output?.sampleRate ?? 48000)
        new.drift = output?.drift ?? 0
        devices.append(new)
        Scheduler.shared.after(seconds: programs.aggregateTime) { [self] in edit(uid) { $0.inputChannels = 2 } }
        notify(1, kAudioHardwarePropertyDevices)
        return (number, noErr)
    }

    fileprivate func destroyAggregate(_ number: UInt32) -> OSStatus {
        guard programs.aggregates[number] != nil else { return HALError.badObject }
        if units.contains(where: { !$0.isDisposed && $0.inputDevice == number }) { violate("the device of a unit is destroyed") }
        devices.removeAll { $0.id == number }
        programs.aggregates[number] = nil
        notify(1, kAudioHardwarePropertyDevices)
        return noErr
    }

    fileprivate func destroyTap(_ number: UInt32) -> OSStatus {
        guard programs.taps.contains(where: { $0.id == number }) else { return HALError.badObject }
        if programs.aggregates.values.contains(number) { violate("a tap is destroyed before its aggregate device") }
        programs.taps.removeAll { $0.id == number }
        return noErr
    }
}

@_silgen_name("AudioHardwareCreateProcessTap")
func hardwareCreateTap(_ description: CATapDescription!, _ tap: UnsafeMutablePointer<AudioObjectID>!) -> OSStatus {
    let (number, status) = machine.createTap(description)
    tap.pointee = number
    return status
}

@_silgen_name("AudioHardwareCreateAggregateDevice")
func hardwareCreateAggregate(_ description: CFDictionary, _ device: UnsafeMutablePointer<AudioObjectID>) -> OSStatus {
    let (number, status) = machine.createAggregate(description.values)
    device.pointee = number
    return status
}

@_cdecl("AudioHardwareDestroyAggregateDevice")
func hardwareDestroyAggregate(_ device: AudioObjectID) -> OSStatus { machine.destroyAggregate(device) }

@_cdecl("AudioHardwareDestroyProcessTap")
func hardwareDestroyTap(_ tap: AudioObjectID) -> OSStatus { machine.destroyTap(tap) }
#endif
