// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
internal import AudioToolbox
internal import CoreAudio
internal import Foundation

/// The devices of the HAL.
enum CoreAudioDevices {
    /// The device of a unit, or that of a tap, which ends with it.
    struct Choice {
        var device: AudioDevice
        var object: AudioObjectID
        var tap: CoreAudioTap?
    }

    /// Returns the inputs of the HAL, those of other programs last.
    static func inputs() -> [AudioDevice] { list(.input) + CoreAudioTap.inputs() }

    /// Returns the outputs of the HAL.
    static func outputs() -> [AudioDevice] { list(.output) }

    /// Returns the devices of the HAL for a direction.
    private static func list(_ direction: AudioDevice.Direction) -> [AudioDevice] {
        let standard = defaultDevice(direction.defaultSelector)
        return objects().compactMap { number -> AudioDevice? in
            guard let id = identifier(number, direction) else { return nil }
            var device = AudioDevice(
                backend: .coreAudio, id: id, name: text(number, kAudioObjectPropertyName) ?? id, direction: direction,
                isDefault: number == standard)
            device.channelCount = channelCount(number, direction)
            device.sampleRate = sampleRate(number)
            return device
        }
    }

    /// Returns the objects of all inputs or outputs, with their identifiers.
    static func identifiers(_ direction: AudioDevice.Direction) -> [AudioObjectID: String] {
        var result: [AudioObjectID: String] = [:]
        for object in objects() { result[object] = identifier(object, direction) }
        return result
    }

    /// Returns the identifier of the default device; nil if there is none.
    static func defaultIdentifier(_ direction: AudioDevice.Direction) -> String? {
        defaultDevice(direction.defaultSelector).flatMap { text($0, kAudioDevicePropertyDeviceUID) }
    }

    /// Returns the identifier of a device; nil if it is none to show for the direction.
    private static func identifier(_ object: AudioObjectID, _ direction: AudioDevice.Direction) -> String? {
        guard let id = text(object, kAudioDevicePropertyDeviceUID), channelCount(object, direction) > 0, isForPeople(object, id)
        else { return nil }
        return id
    }

    /// Returns whether a device is one to show: not hidden, and not made by voice processing or a tap for its own use.
    private static func isForPeople(_ object: AudioObjectID, _ id: String) -> Bool {
        value(object, kAudioDevicePropertyIsHidden, UInt32(0)) != 1 && !id.hasPrefix("VPAUAggregate")
            && !id.hasPrefix(CoreAudioTap.devicePrefix)
    }

    /// Finds the input of a configuration: the default one unless it names another.
    static func choose(_ configuration: CaptureConfiguration, _ input: CaptureInput) throws(DeviceError) -> Choice {
        let known = inputs()
        if let source = CoreAudioTap.Source(configuration.device) {
            let tap = try CoreAudioTap(source, available: known.map(\.id), input)
            var device = source.device
            device.sampleRate = sampleRate(tap.device)
            return Choice(device: device, object: tap.device, tap: tap)
        }
        return try choose(configuration.device, among: known, .input)
    }

    /// Finds the output of a player: the default one unless another is named.
    static func chooseOutput(_ id: String?) throws(DeviceError) -> Choice { try choose(id, among: outputs(), .output) }

    /// Finds a device: the default one unless another is named.
    private static func choose(
        _ id: String?, among known: [AudioDevice], _ direction: AudioDevice.Direction
    ) throws(DeviceError) -> Choice {
        guard let device = known.first(where: { id == nil ? $0.isDefault : $0.id == id }), let object = object(device.id) else {
            if let id { throw .deviceNotFound(id, available: known.map(\.id)) }
            throw .noDevice(.coreAudio, direction)
        }
        return Choice(device: device, object: object)
    }

    /// Sets the input of an audio unit, and the output of one that cancels echo.
    static func assign(_ choice: Choice, to unit: AudioUnit, cancelsEcho: Bool) throws(DeviceError) {
        var input = choice.object
        // Element 1 of voice processing is the microphone, element 0 the loudspeaker, which are two devices in every Mac.
        try set(unit, cancelsEcho ? 1 : 0, &input)
        if cancelsEcho, var output = defaultDevice(kAudioHardwarePropertyDefaultOutputDevice) { try set(unit, 0, &output) }
    }

    /// Sets the output of an audio unit that plays.
    static func assign(output choice: Choice, to unit: AudioUnit) throws(DeviceError) {
        var output = choice.object
        try set(unit, 0, &output)
    }

    /// Sets a device of an audio unit.
    private static func set(_ unit: AudioUnit, _ element: AudioUnitElement, _ device: inout AudioObjectID) throws(DeviceError) {
        try CoreAudioUnit.set(unit, .openDevice, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, element, &device)
    }

    /// Returns the object of a device; nil if there is no such device now.
    private static func object(_ id: String) -> AudioObjectID? { objects().first { text($0, kAudioDevicePropertyDeviceUID) == id } }

    /// Returns whether a device is connected.
    static func isAlive(_ object: AudioObjectID) -> Bool { value(object, kAudioDevicePropertyDeviceIsAlive, UInt32(0)) == 1 }

    /// Returns the sample rate of a device in hertz; nil if it does not say.
    static func sampleRate(_ object: AudioObjectID) -> Int? { value(object, kAudioDevicePropertyNominalSampleRate, 0.0).map { Int($0) } }

    /// Returns the sizes of buffers in frames that a device supports; nil if it does not say.
    static func bufferRange(of device: AudioObjectID) -> ClosedRange<UInt32>? {
        guard let range = value(device, kAudioDevicePropertyBufferFrameSizeRange, AudioValueRange()), range.mMinimum <= range.mMaximum
        else { return nil }
        return UInt32(max(1, range.mMinimum))...UInt32(max(1, range.mMaximum))
    }

    /// Returns the time from the host time of a frame until it is heard, in seconds, as the device reports it.
    static func outputLatency(_ choice: Choice) -> Double {
        let frames = value(choice.object, kAudioDevicePropertyLatency, UInt32(0), kAudioObjectPropertyScopeOutput) ?? 0
        return Double(frames) / Double(max(1, choice.device.sampleRate ?? 48_000))
    }

    /// Returns the largest number of frames of a device's cycle.
    static func largestBuffer(of choice: Choice) -> Int { Int(bufferRange(of: choice.object)?.upperBound ?? 4096) }

    /// Returns the address of a property.
    static func address(
        _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) -> AudioObjectPropertyAddress {
        AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
    }

    /// Returns the value of a property; nil if it can't be read.
    static func value<Value: BitwiseCopyable>(
        _ object: AudioObjectID, _ selector: AudioObjectPropertySelector, _ initial: Value,
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) -> Value? {
        var address = address(selector, scope)
        var value = initial
        var size = UInt32(MemoryLayout<Value>.size)
        return AudioObjectGetPropertyData(object, &address, 0, nil, &size, &value) == noErr ? value : nil
    }

    /// Returns the object of a default device; nil if there is none.
    static func defaultDevice(_ selector: AudioObjectPropertySelector) -> AudioObjectID? {
        value(AudioObjectID(kAudioObjectSystemObject), selector, AudioObjectID(0)).flatMap { $0 == 0 ? nil : $0 }
    }

    /// Returns the objects of a list: all devices, unless another one is named.
    static func objects(_ list: AudioObjectPropertySelector = kAudioHardwarePropertyDevices) -> [AudioObjectID] {
        var address = address(list)
        let system = AudioObjectID(kAudioObjectSystemObject)
        var size: UInt32 = 0
        guard AudioObjectGetPropertyDataSize(system, &address, 0, nil, &size) == noErr else { return [] }
        var numbers = [AudioObjectID](repeating: 0, count: Int(size) / MemoryLayout<AudioObjectID>.size)
        guard AudioObjectGetPropertyData(system, &address, 0, nil, &size, &numbers) == noErr else { return [] }
        // The list may have become shorter since its size was asked for.
        return Array(numbers.prefix(Int(size) / MemoryLayout<AudioObjectID>.size))
    }

    /// Returns the value of a string property; nil if it can't be read.
    static func text(_ object: AudioObjectID, _ selector: AudioObjectPropertySelector) -> String? {
        let empty: Unmanaged<CFString>? = nil
        return value(object, selector, empty).flatMap { $0 }.map { $0.takeRetainedValue() as String }
    }

    /// Returns the number of channels of a device for a direction.
    static func channelCount(_ object: AudioObjectID, _ direction: AudioDevice.Direction) -> Int {
        var address = address(kAudioDevicePropertyStreamConfiguration, direction.scope)
        var size: UInt32 = 0
        guard AudioObjectGetPropertyDataSize(object, &address, 0, nil, &size) == noErr, size > 0 else { return 0 }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 16)
        defer { memory.deallocate() }
        guard AudioObjectGetPropertyData(object, &address, 0, nil, &size, memory) == noErr else { return 0 }
        let list = UnsafeMutableAudioBufferListPointer(memory.assumingMemoryBound(to: AudioBufferList.self))
        return list.reduce(0) { $0 + Int($1.mNumberChannels) }
    }
}

extension AudioDevice.Direction {
    /// The scope of the properties of a device that belong to the direction.
    var scope: AudioObjectPropertyScope { self == .input ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput }

    /// The property of the system that is the default device.
    fileprivate var defaultSelector: AudioObjectPropertySelector {
        self == .input ? kAudioHardwarePropertyDefaultInputDevice : kAudioHardwarePropertyDefaultOutputDevice
    }
}
#endif
