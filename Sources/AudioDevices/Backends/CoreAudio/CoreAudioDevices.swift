// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !os(WASI)
#if canImport(Darwin)
internal import AudioToolbox

#if os(iOS)
internal import AVFAudio
#elseif os(macOS)
internal import CoreAudio
internal import Foundation
#endif

/// The inputs of Core Audio.
///
/// Not yet tested on a device.
enum CoreAudioDevices {
    #if os(iOS)
    /// Returns the inputs of the audio session.
    static func inputs() throws(DeviceError) -> [AudioDevice] {
        let session = AVAudioSession.sharedInstance()
        let current = session.currentRoute.inputs.first?.uid
        return (session.availableInputs ?? []).map { port in
            var device = AudioDevice(
                backend: .coreAudio, id: port.uid, name: port.portName, direction: .input, isDefault: port.uid == current)
            device.channelCount = port.channels?.count
            return device
        }
    }

    /// Makes an input the session's preferred one; the current one if `id` is nil.
    ///
    /// - Returns: The input.
    static func choose(_ id: String?, for unit: AudioUnit) throws(DeviceError) -> AudioDevice {
        let session = AVAudioSession.sharedInstance()
        let known = try inputs()
        if let id {
            guard let port = session.availableInputs?.first(where: { $0.uid == id }) else {
                throw .deviceNotFound(id, available: known.map(\.id))
            }
            try? session.setPreferredInput(port)
        }
        guard var device = known.first(where: { id == nil ? $0.isDefault : $0.id == id }) else { throw .noDevice(.coreAudio, .input) }
        device.sampleRate = Int(session.sampleRate)
        return device
    }
    #else
    /// Returns the inputs of the HAL.
    static func inputs() throws(DeviceError) -> [AudioDevice] {
        let standard = defaultInput()
        return identifiers().compactMap { number in
            guard let id = text(number, kAudioDevicePropertyDeviceUID), channelCount(number) > 0 else { return nil }
            var device = AudioDevice(
                backend: .coreAudio, id: id, name: text(number, kAudioObjectPropertyName) ?? id, direction: .input,
                isDefault: number == standard)
            device.channelCount = channelCount(number)
            device.sampleRate = value(number, kAudioDevicePropertyNominalSampleRate, 0.0).map { Int($0) }
            return device
        }
    }

    /// Sets the input of an audio unit; the default input if `id` is nil.
    ///
    /// - Returns: The input.
    static func choose(_ id: String?, for unit: AudioUnit) throws(DeviceError) -> AudioDevice {
        let known = try inputs()
        guard let device = known.first(where: { id == nil ? $0.isDefault : $0.id == id }) else {
            if let id { throw .deviceNotFound(id, available: known.map(\.id)) }
            throw .noDevice(.coreAudio, .input)
        }
        var number = identifiers().first { text($0, kAudioDevicePropertyDeviceUID) == device.id } ?? defaultInput()
        let status = AudioUnitSetProperty(
            unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &number, UInt32(MemoryLayout<AudioObjectID>.size))
        guard status == noErr else { throw .failed(.openDevice, .coreAudio, code: status) }
        return device
    }

    /// Returns the address of a property.
    private static func address(
        _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) -> AudioObjectPropertyAddress {
        AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
    }

    /// Returns the value of a property; nil if it can't be read.
    private static func value<Value: BitwiseCopyable>(
        _ object: AudioObjectID, _ selector: AudioObjectPropertySelector, _ initial: Value
    ) -> Value? {
        var address = address(selector)
        var value = initial
        var size = UInt32(MemoryLayout<Value>.size)
        return AudioObjectGetPropertyData(object, &address, 0, nil, &size, &value) == noErr ? value : nil
    }

    /// Returns the object of the default input; 0 if there is none.
    private static func defaultInput() -> AudioObjectID {
        value(AudioObjectID(kAudioObjectSystemObject), kAudioHardwarePropertyDefaultInputDevice, AudioObjectID(0)) ?? 0
    }

    /// Returns the objects of all devices.
    private static func identifiers() -> [AudioObjectID] {
        var address = address(kAudioHardwarePropertyDevices)
        let system = AudioObjectID(kAudioObjectSystemObject)
        var size: UInt32 = 0
        guard AudioObjectGetPropertyDataSize(system, &address, 0, nil, &size) == noErr else { return [] }
        var numbers = [AudioObjectID](repeating: 0, count: Int(size) / MemoryLayout<AudioObjectID>.size)
        guard AudioObjectGetPropertyData(system, &address, 0, nil, &size, &numbers) == noErr else { return [] }
        return numbers
    }

    /// Returns the value of a string property; nil if it can't be read.
    private static func text(_ object: AudioObjectID, _ selector: AudioObjectPropertySelector) -> String? {
        let empty: Unmanaged<CFString>? = nil
        return value(object, selector, empty).flatMap { $0 }.map { $0.takeRetainedValue() as String }
    }

    /// Returns the number of input channels of a device.
    private static func channelCount(_ object: AudioObjectID) -> Int {
        var address = address(kAudioDevicePropertyStreamConfiguration, kAudioObjectPropertyScopeInput)
        var size: UInt32 = 0
        guard AudioObjectGetPropertyDataSize(object, &address, 0, nil, &size) == noErr, size > 0 else { return 0 }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
        defer { memory.deallocate() }
        guard AudioObjectGetPropertyData(object, &address, 0, nil, &size, memory) == noErr else { return 0 }
        let list = UnsafeMutableAudioBufferListPointer(memory.assumingMemoryBound(to: AudioBufferList.self))
        return list.reduce(0) { $0 + Int($1.mNumberChannels) }
    }
    #endif
}
#endif
#endif
