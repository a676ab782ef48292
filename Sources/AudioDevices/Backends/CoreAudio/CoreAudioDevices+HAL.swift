// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
internal import AudioToolbox
internal import CoreAudio
internal import Foundation

enum CoreAudioDevices {
    /// The device for a unit.
    ///
    /// `tap` must live as long as the unit.
    struct Choice {
        var device: AudioDevice
        var object: AudioObjectID
        var tap: CoreAudioTap?
    }

    /// Returns the HAL's inputs, followed by the monitors of programs.
    static func inputs() -> [AudioDevice] { list(.input) + CoreAudioTap.inputs() }

    static func outputs() -> [AudioDevice] { list(.output) }

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

    /// Returns the object and identifier of each input or output.
    static func identifiers(_ direction: AudioDevice.Direction) -> [AudioObjectID: String] {
        var result: [AudioObjectID: String] = [:]
        for object in objects() { result[object] = identifier(object, direction) }
        return result
    }

    static func defaultIdentifier(_ direction: AudioDevice.Direction) -> String? {
        defaultDevice(direction.defaultSelector).flatMap { text($0, kAudioDevicePropertyDeviceUID) }
    }

    /// Returns a device's identifier; `nil` if the device should not be listed for the direction.
    private static func identifier(_ object: AudioObjectID, _ direction: AudioDevice.Direction) -> String? {
        guard let id = text(object, kAudioDevicePropertyDeviceUID), channelCount(object, direction) > 0, isForPeople(object, id)
        else { return nil }
        return id
    }

    /// Whether to list a device: not hidden, and not created by voice processing, by AVFAudio for the default devices, or for a tap.
    private static func isForPeople(_ object: AudioObjectID, _ id: String) -> Bool {
        value(object, kAudioDevicePropertyIsHidden, UInt32(0)) != 1
            && !["VPAUAggregate", "CADefaultDeviceAggregate", CoreAudioTap.devicePrefix].contains { id.hasPrefix($0) }
    }

    /// Returns the configured input or the default one.
    static func choose(_ configuration: CaptureConfiguration, _ input: CaptureInput) throws(DeviceError) -> Choice {
        let known = inputs()
        if let source = PlayedAudio(configuration.device) {
            let tap = try CoreAudioTap(source, available: known.map(\.id), input)
            var device = source.device
            device.sampleRate = sampleRate(tap.device)
            return Choice(device: device, object: tap.device, tap: tap)
        }
        return try choose(configuration.device, among: known, .input)
    }

    /// Returns the named output or the default one.
    static func chooseOutput(_ id: String?) throws(DeviceError) -> Choice { try choose(id, among: outputs(), .output) }

    /// Returns the named device or the default one.
    private static func choose(
        _ id: String?, among known: [AudioDevice], _ direction: AudioDevice.Direction
    ) throws(DeviceError) -> Choice {
        guard let device = known.first(where: { id == nil ? $0.isDefault : $0.id == id }), let object = object(device.id) else {
            if let id { throw .deviceNotFound(id, available: known.map(\.id)) }
            throw .noDevice(.coreAudio, direction)
        }
        return Choice(device: device, object: object)
    }

    /// Sets a unit's input device, and with echo cancellation also its output device.
    static func assign(_ choice: Choice, to unit: AudioUnit, cancelsEcho: Bool) throws(DeviceError) {
        var input = choice.object
        // With voice processing, element 1 is the microphone and element 0 the loudspeaker. Every Mac has two devices for them.
        try set(unit, cancelsEcho ? 1 : 0, &input)
        if cancelsEcho, var output = defaultDevice(kAudioHardwarePropertyDefaultOutputDevice) { try set(unit, 0, &output) }
    }

    static func assign(output choice: Choice, to unit: AudioUnit) throws(DeviceError) {
        var output = choice.object
        try set(unit, 0, &output)
    }

    private static func set(_ unit: AudioUnit, _ element: AudioUnitElement, _ device: inout AudioObjectID) throws(DeviceError) {
        try CoreAudioUnit.set(unit, .openDevice, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, element, &device)
    }

    private static func object(_ id: String) -> AudioObjectID? { objects().first { text($0, kAudioDevicePropertyDeviceUID) == id } }

    static func isAlive(_ object: AudioObjectID) -> Bool { value(object, kAudioDevicePropertyDeviceIsAlive, UInt32(0)) == 1 }

    /// Returns a device's sample rate in hertz, if available.
    static func sampleRate(_ object: AudioObjectID) -> Int? { value(object, kAudioDevicePropertyNominalSampleRate, 0.0).map { Int($0) } }

    /// Returns a device's supported buffer sizes in frames, if available.
    static func bufferRange(of device: AudioObjectID) -> ClosedRange<UInt32>? {
        guard let range = value(device, kAudioDevicePropertyBufferFrameSizeRange, AudioValueRange()), range.mMinimum <= range.mMaximum
        else { return nil }
        return UInt32(max(1, range.mMinimum))...UInt32(max(1, range.mMaximum))
    }

    /// Returns the time between a frame's host time and its playback, in seconds: the latencies of the device and of its stream.
    static func outputLatency(_ choice: Choice) -> Double {
        let scope = kAudioObjectPropertyScopeOutput
        var frames = value(choice.object, kAudioDevicePropertyLatency, UInt32(0), scope) ?? 0
        if let stream = objects(kAudioDevicePropertyStreams, of: choice.object, scope).first {
            frames += value(stream, kAudioStreamPropertyLatency, UInt32(0)) ?? 0
        }
        return Double(frames) / Double(max(1, choice.device.sampleRate ?? 48_000))
    }

    static func outputChannelCount(_ choice: Choice) -> Int? { choice.device.channelCount }

    static func maximumBufferFrameCount(of choice: Choice) -> Int { Int(bufferRange(of: choice.object)?.upperBound ?? 4096) }

    static func address(
        _ selector: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) -> AudioObjectPropertyAddress {
        AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: kAudioObjectPropertyElementMain)
    }

    /// Returns a property's value, or `nil` if it cannot be read.
    static func value<Value: BitwiseCopyable>(
        _ object: AudioObjectID, _ selector: AudioObjectPropertySelector, _ initial: Value,
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) -> Value? {
        var address = address(selector, scope)
        var value = initial
        var size = UInt32(MemoryLayout<Value>.size)
        return AudioObjectGetPropertyData(object, &address, 0, nil, &size, &value) == noErr ? value : nil
    }

    static func defaultDevice(_ selector: AudioObjectPropertySelector) -> AudioObjectID? {
        value(AudioObjectID(kAudioObjectSystemObject), selector, AudioObjectID(0)).flatMap { $0 == 0 ? nil : $0 }
    }

    static func objects(
        _ list: AudioObjectPropertySelector = kAudioHardwarePropertyDevices,
        of owner: AudioObjectID = AudioObjectID(kAudioObjectSystemObject),
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) -> [AudioObjectID] {
        var address = address(list, scope)
        var size: UInt32 = 0
        guard AudioObjectGetPropertyDataSize(owner, &address, 0, nil, &size) == noErr else { return [] }
        var numbers = [AudioObjectID](repeating: 0, count: Int(size) / MemoryLayout<AudioObjectID>.size)
        guard AudioObjectGetPropertyData(owner, &address, 0, nil, &size, &numbers) == noErr else { return [] }
        // The list may have become shorter since its size was read.
        return Array(numbers.prefix(Int(size) / MemoryLayout<AudioObjectID>.size))
    }

    /// Returns a string property, or `nil` if it cannot be read.
    static func text(_ object: AudioObjectID, _ selector: AudioObjectPropertySelector) -> String? {
        let empty: Unmanaged<CFString>? = nil
        return value(object, selector, empty).flatMap { $0 }.map { $0.takeRetainedValue() as String }
    }

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
    var scope: AudioObjectPropertyScope { self == .input ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeOutput }

    fileprivate var defaultSelector: AudioObjectPropertySelector {
        self == .input ? kAudioHardwarePropertyDefaultInputDevice : kAudioHardwarePropertyDefaultOutputDevice
    }
}
#endif
