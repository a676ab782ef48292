// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
internal import CoreAudio
internal import Dispatch
internal import Synchronization

/// Listens to the HAL for a capture, from its first start to its end; while no stream is open, for a device to open.
///
/// The HAL reports one event by several properties, in no fixed order. They are collected for a short time, and evaluated together on a queue:
/// a listener runs on the HAL's thread, where no unit may be stopped.
final class CoreAudioListeners: Sendable {
    /// An open stream, with the values that it depends on.
    private struct Stream {
        var object: AudioObjectID
        var id: String
        /// The device's own format; nil with voice processing, which converts, and may change the format itself.
        var native: Native?
        /// The programs that a tap listens to, and their objects.
        var source: CoreAudioTap.Source?
        var programs: Set<AudioObjectID> = []
        /// The loudspeaker whose audio voice processing removes.
        var output: AudioObjectID?
    }

    /// The format of a device that a stream depends on.
    private struct Native: Equatable {
        var sampleRate: Int?
        var channelCount: Int

        /// Asks a device.
        init(of device: AudioObjectID) {
            sampleRate = CoreAudioDevices.sampleRate(device)
            channelCount = CoreAudioDevices.channelCount(device)
        }
    }

    private struct State {
        var input: CaptureInput?
        /// Nil once its end was reported.
        var stream: Stream?
        /// The device with listeners.
        var device: AudioObjectID?
        /// The identifiers of the inputs that were there at the latest evaluation, and of the default one.
        var inputs: Set<String> = []
        var defaultInput: String?
        var serverHasRestarted = false
        var isScheduled = false
    }

    /// The time that changes are collected for, in seconds.
    private static let collectionTime = 0.02
    /// The longest time that a listener runs after its removal, in seconds: the HAL does not wait for it.
    private static let longestCall = 1.0

    private static let always: [AudioObjectPropertySelector] = [
        kAudioHardwarePropertyDefaultInputDevice, kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDevices,
        kAudioHardwarePropertyServiceRestarted,
    ]
    private static let device: [AudioObjectPropertySelector] = [
        kAudioDevicePropertyDeviceIsAlive, kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyStreamConfiguration,
    ]

    private let followsDefault: Bool
    /// The properties of the system.
    private let system: [AudioObjectPropertySelector]
    private let queue = DispatchQueue(label: "CoreAudioListeners")
    private let state = Mutex(State())

    /// Starts to listen for a capture; ``end()`` has to follow.
    init(_ configuration: CaptureConfiguration) {
        followsDefault = configuration.device == nil
        let source = CoreAudioTap.Source(configuration.device)
        system = Self.always + (source == nil || source == .system ? [] : [kAudioHardwarePropertyProcessObjectList])
        state.withLock {
            $0.inputs = Set(CoreAudioDevices.inputIdentifiers().values)
            $0.defaultInput = CoreAudioDevices.defaultInput()
        }
        add(system, to: AudioObjectID(kAudioObjectSystemObject))
    }

    /// Reports to `input` from now on; never throws, unlike the session's function.
    func activate(_ input: CaptureInput) throws(DeviceError) {
        let mustAdd = state.withLock { state in
            state.input = input
            defer { state.serverHasRestarted = false }
            return state.serverHasRestarted
        }
        // A server that has restarted knows no listeners.
        if mustAdd {
            remove(system, from: AudioObjectID(kAudioObjectSystemObject))
            add(system, to: AudioObjectID(kAudioObjectSystemObject))
        }
    }

    /// Listens to the device of a stream that is about to start.
    func didOpen(_ unit: CoreAudioUnit) {
        let object = unit.choice.object
        add(Self.device, to: object)
        var native = unit.cancelsEcho ? nil : Native(of: object)
        // The rate may have changed since the unit was told it.
        native?.sampleRate = unit.format.sampleRate
        let stream = Stream(
            object: object, id: unit.format.device, native: native, source: unit.choice.tap?.source,
            programs: unit.choice.tap?.programs ?? [],
            output: unit.cancelsEcho ? CoreAudioDevices.defaultDevice(kAudioHardwarePropertyDefaultOutputDevice) : nil)
        state.withLock {
            $0.stream = stream
            $0.device = object
        }
    }

    /// Looks for changes that came before the listeners: a Bluetooth headset changes its format when it is started.
    func didStart() { evaluateSoon() }

    /// Ends listening to the device of the stream.
    func didClose() {
        let old = state.withLock { state in
            state.stream = nil
            defer { state.device = nil }
            return state.device
        }
        if let old { remove(Self.device, from: old) }
    }

    /// Ends listening; no notice follows.
    func end() {
        state.withLock { $0.input = nil }
        didClose()
        remove(system, from: AudioObjectID(kAudioObjectSystemObject))
        queue.asyncAfter(deadline: .now() + Self.longestCall) { withExtendedLifetime(self) {} }
    }

    // MARK: Listeners

    /// Returns the address of a property; a listener of another scope than that of the change is not called.
    private static func address(_ selector: AudioObjectPropertySelector) -> AudioObjectPropertyAddress {
        let isOfInput = selector == kAudioDevicePropertyStreamConfiguration
        return CoreAudioDevices.address(selector, isOfInput ? kAudioObjectPropertyScopeInput : kAudioObjectPropertyScopeGlobal)
    }

    /// Adds the listener for properties of an object.
    private func add(_ selectors: [AudioObjectPropertySelector], to object: AudioObjectID) {
        for selector in selectors {
            var address = Self.address(selector)
            AudioObjectAddPropertyListener(object, &address, listener, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// Removes the listener.
    private func remove(_ selectors: [AudioObjectPropertySelector], from object: AudioObjectID) {
        for selector in selectors {
            var address = Self.address(selector)
            AudioObjectRemovePropertyListener(object, &address, listener, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// Schedules an evaluation; called on a thread of the HAL.
    fileprivate func didChange(_ selector: AudioObjectPropertySelector) {
        if selector == kAudioHardwarePropertyServiceRestarted { state.withLock { $0.serverHasRestarted = true } }
        evaluateSoon()
    }

    /// Schedules an evaluation, unless one is scheduled.
    private func evaluateSoon() {
        let isNew = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isNew { queue.asyncAfter(deadline: .now() + Self.collectionTime) { self.evaluate() } }
    }

    // MARK: Evaluation

    /// Compares the HAL with its state at the latest evaluation, and reports what differs; called on the queue.
    private func evaluate() {
        let old = state.withLock { state in
            state.isScheduled = false
            return state
        }
        guard let input = old.input else { return }
        if old.serverHasRestarted { return report(.serverLost, to: input, ending: old.stream) }
        let stream = old.stream
        let programs = stream?.source?.programs ?? []
        let isLost = stream.map { !CoreAudioDevices.isAlive($0.object) || programs.isEmpty && !$0.programs.isEmpty } ?? false
        let objects = CoreAudioDevices.inputIdentifiers().filter { !isLost || $0.key != stream?.object }
        let inputs = Set(objects.values)
        let defaultInput = CoreAudioDevices.defaultInput()
        // Reasons first: the stream may be reopened at once.
        for id in inputs.subtracting(old.inputs).sorted() { input.report(.deviceAdded(id: id)) }
        var removed = old.inputs.subtracting(inputs)
        if isLost, let stream { removed.insert(stream.id) }
        for id in removed.sorted() { input.report(.deviceRemoved(id: id)) }
        if let defaultInput, defaultInput != old.defaultInput { input.report(.defaultChanged(id: defaultInput)) }
        state.withLock {
            $0.inputs = inputs
            $0.defaultInput = defaultInput ?? $0.defaultInput
        }
        if isLost || stream.map({ $0.programs != programs || mustReopen($0, defaultInput) }) ?? true {
            report(isLost ? .deviceLost : .formatInvalid, to: input, ending: stream)
        }
    }

    /// Returns whether a stream no longer fits its device, or the default one.
    private func mustReopen(_ stream: Stream, _ defaultInput: String?) -> Bool {
        if followsDefault, let defaultInput, defaultInput != stream.id { return true }
        let output = CoreAudioDevices.defaultDevice(kAudioHardwarePropertyDefaultOutputDevice)
        if let used = stream.output, let output, used != output { return true }
        return stream.native.map { $0 != Native(of: stream.object) } ?? false
    }

    /// Reports the end of a stream, once; that a device may be available if none is open.
    private func report(_ notice: BackendNotice, to input: CaptureInput, ending stream: Stream?) {
        if stream == nil { return input.report(.available) }
        let isCurrent = state.withLock { state in
            guard state.input === input, state.stream != nil else { return false }
            state.stream = nil
            return true
        }
        if isCurrent { input.report(notice) }
    }
}

/// The listener of all properties.
private func listener(
    _ object: AudioObjectID, _ count: UInt32, _ addresses: UnsafePointer<AudioObjectPropertyAddress>, _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let context else { return noErr }
    let listeners = Unmanaged<CoreAudioListeners>.fromOpaque(context).takeUnretainedValue()
    for index in 0..<Int(count) { listeners.didChange(addresses[index].mSelector) }
    return noErr
}
#endif
