// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
internal import CoreAudio
internal import Dispatch
internal import Synchronization

/// Listens to the HAL for a capture or a player, from its first start to its end.
///
/// Without an open stream it waits for a device to open. The HAL reports one event through several properties in arbitrary order. Changes
/// are collected briefly and then evaluated together on a queue, because a listener runs on the HAL's thread, where no unit may be stopped.
final class CoreAudioListeners: Sendable {
    /// An open stream and the values that it depends on.
    private struct Stream {
        var object: AudioObjectID
        var id: String
        /// The device's native format; `nil` with voice processing, which converts and may change the device's format itself.
        var native: Native?
        /// The programs captured by a tap, and their objects.
        var source: PlayedAudio?
        var programs: Set<AudioObjectID> = []
        /// The loudspeaker that voice processing uses as its reference.
        var output: AudioObjectID?
    }

    /// The device format that a stream depends on.
    private struct Native: Equatable {
        var sampleRate: Int?
        var channelCount: Int

        /// Reads a device's current format.
        init(of device: AudioObjectID, _ direction: AudioDevice.Direction) {
            sampleRate = CoreAudioDevices.sampleRate(device)
            channelCount = CoreAudioDevices.channelCount(device, direction)
        }
    }

    private struct State {
        var notices: NoticeQueue?
        /// `nil` once its end has been reported.
        var stream: Stream?
        var device: AudioObjectID?
        /// The identifiers of all devices, and of the default one, at the last evaluation.
        var devices: Set<String> = []
        var defaultDevice: String?
        var serverHasRestarted = false
        var isScheduled = false
    }

    /// The time for collecting changes, in seconds.
    private static let collectionTime = 0.02
    /// The maximum time that a listener runs after its removal, in seconds.
    ///
    /// The HAL does not wait for it.
    private static let maximumCallDuration = 1.0

    private static let always: [AudioObjectPropertySelector] = [
        kAudioHardwarePropertyDefaultInputDevice, kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDevices,
        kAudioHardwarePropertyServiceRestarted,
    ]
    private static let device: [AudioObjectPropertySelector] = [
        kAudioDevicePropertyDeviceIsAlive, kAudioDevicePropertyNominalSampleRate, kAudioDevicePropertyStreamConfiguration,
    ]

    private let direction: AudioDevice.Direction
    private let followsDefault: Bool
    /// The observed properties of the system object.
    private let system: [AudioObjectPropertySelector]
    private let queue = DispatchQueue(label: "CoreAudioListeners")
    private let state = Mutex(State())

    /// Starts listening for a device, or for the default one if `device` is `nil`.
    ///
    /// Requires a later ``end()``.
    init(_ direction: AudioDevice.Direction, _ device: String?) {
        self.direction = direction
        followsDefault = device == nil
        let source = direction == .input ? PlayedAudio(device) : nil
        system = Self.always + (source == nil || source == .system ? [] : [kAudioHardwarePropertyProcessObjectList])
        state.withLock {
            $0.devices = Set(CoreAudioDevices.identifiers(direction).values)
            $0.defaultDevice = CoreAudioDevices.defaultIdentifier(direction)
        }
        add(system, to: AudioObjectID(kAudioObjectSystemObject))
    }

    /// Directs notices to a queue.
    ///
    /// Never throws, unlike the audio session's function.
    func activate(_ notices: NoticeQueue, isCancelled: () -> Bool = { false }) throws(DeviceError) {
        let mustAdd = state.withLock { state in
            state.notices = notices
            defer { state.serverHasRestarted = false }
            return state.serverHasRestarted
        }
        // A restarted server has lost its listeners.
        if mustAdd {
            remove(system, from: AudioObjectID(kAudioObjectSystemObject))
            add(system, to: AudioObjectID(kAudioObjectSystemObject))
        }
    }

    /// Listens to the device of a capture that is about to start.
    func didOpen(_ unit: CoreAudioUnit) { didOpen(unit.choice, sampleRate: unit.format.sampleRate, cancelsEcho: unit.cancelsEcho) }

    /// Listens to the device of a player that is about to start.
    func didOpen(_ output: CoreAudioDevices.Choice) { didOpen(output, sampleRate: output.device.sampleRate, cancelsEcho: false) }

    /// Listens to a device.
    ///
    /// `sampleRate` is the rate with which the unit was configured; it may have changed since.
    private func didOpen(_ choice: CoreAudioDevices.Choice, sampleRate: Int?, cancelsEcho: Bool) {
        let object = choice.object
        add(Self.device, to: object)
        var native = cancelsEcho ? nil : Native(of: object, direction)
        native?.sampleRate = sampleRate
        let stream = Stream(
            object: object, id: choice.device.id, native: native, source: choice.tap?.source, programs: choice.tap?.programs ?? [],
            output: cancelsEcho ? CoreAudioDevices.defaultDevice(kAudioHardwarePropertyDefaultOutputDevice) : nil)
        state.withLock {
            $0.stream = stream
            $0.device = object
        }
    }

    /// Checks for changes that preceded the listeners.
    ///
    /// A Bluetooth headset changes its format when it starts.
    func didStart() { evaluateSoon() }

    /// Stops listening to the stream's device.
    func didClose() {
        let old = state.withLock { state in
            state.stream = nil
            defer { state.device = nil }
            return state.device
        }
        if let old { remove(Self.device, from: old) }
    }

    /// Removes the listeners; no notice follows.
    func end() {
        state.withLock { $0.notices = nil }
        didClose()
        remove(system, from: AudioObjectID(kAudioObjectSystemObject))
        queue.asyncAfter(deadline: .now() + Self.maximumCallDuration) { withExtendedLifetime(self) {} }
    }

    // MARK: Listeners

    /// Returns a property's address.
    ///
    /// The HAL calls a listener only for its own scope.
    private func address(_ selector: AudioObjectPropertySelector) -> AudioObjectPropertyAddress {
        let isOfDirection = selector == kAudioDevicePropertyStreamConfiguration
        return CoreAudioDevices.address(selector, isOfDirection ? direction.scope : kAudioObjectPropertyScopeGlobal)
    }

    private func add(_ selectors: [AudioObjectPropertySelector], to object: AudioObjectID) {
        for selector in selectors {
            var address = address(selector)
            AudioObjectAddPropertyListener(object, &address, listener, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    private func remove(_ selectors: [AudioObjectPropertySelector], from object: AudioObjectID) {
        for selector in selectors {
            var address = address(selector)
            AudioObjectRemovePropertyListener(object, &address, listener, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// Schedules an evaluation.
    ///
    /// Called on a HAL thread.
    fileprivate func didChange(_ selector: AudioObjectPropertySelector) {
        if selector == kAudioHardwarePropertyServiceRestarted { state.withLock { $0.serverHasRestarted = true } }
        evaluateSoon()
    }

    /// Schedules an evaluation unless one is pending.
    private func evaluateSoon() {
        let isNew = state.withLock { state in
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isNew { queue.asyncAfter(deadline: .now() + Self.collectionTime) { self.evaluate() } }
    }

    // MARK: Evaluation

    /// Compares the HAL with its state at the last evaluation and reports the differences.
    ///
    /// Called on the queue.
    private func evaluate() {
        let old = state.withLock { state in
            state.isScheduled = false
            return state
        }
        guard let notices = old.notices else { return }
        if old.serverHasRestarted { return report(.serverLost, to: notices, ending: old.stream) }
        let stream = old.stream
        let programs = stream?.source?.programs ?? []
        let isLost = stream.map { !CoreAudioDevices.isAlive($0.object) || programs.isEmpty && !$0.programs.isEmpty } ?? false
        let objects = CoreAudioDevices.identifiers(direction).filter { !isLost || $0.key != stream?.object }
        let devices = Set(objects.values)
        let defaultDevice = CoreAudioDevices.defaultIdentifier(direction)
        // Report the reasons first, because the stream may be reopened at once.
        for id in devices.subtracting(old.devices).sorted() { notices.report(.deviceAdded(id: id)) }
        var removed = old.devices.subtracting(devices)
        if isLost, let stream { removed.insert(stream.id) }
        for id in removed.sorted() { notices.report(.deviceRemoved(id: id)) }
        if let defaultDevice, defaultDevice != old.defaultDevice { notices.report(.defaultChanged(id: defaultDevice)) }
        state.withLock {
            $0.devices = devices
            $0.defaultDevice = defaultDevice ?? $0.defaultDevice
        }
        if isLost || stream.map({ $0.programs != programs || mustReopen($0, defaultDevice) }) ?? true {
            report(isLost ? .deviceLost : .formatInvalid, to: notices, ending: stream)
        }
    }

    /// Whether a stream no longer matches its device or the default device.
    private func mustReopen(_ stream: Stream, _ defaultDevice: String?) -> Bool {
        if followsDefault, let defaultDevice, defaultDevice != stream.id { return true }
        let output = CoreAudioDevices.defaultDevice(kAudioHardwarePropertyDefaultOutputDevice)
        if let used = stream.output, let output, used != output { return true }
        return stream.native.map { $0 != Native(of: stream.object, direction) } ?? false
    }

    /// Reports the end of a stream once.
    ///
    /// Without an open stream, reports that a device may be available.
    private func report(_ notice: BackendNotice, to notices: NoticeQueue, ending stream: Stream?) {
        if stream == nil { return notices.report(.available) }
        let isCurrent = state.withLock { state in
            guard state.notices === notices, state.stream != nil else { return false }
            state.stream = nil
            return true
        }
        if isCurrent { notices.report(notice) }
    }
}

private func listener(
    _ object: AudioObjectID, _ count: UInt32, _ addresses: UnsafePointer<AudioObjectPropertyAddress>, _ context: UnsafeMutableRawPointer?
) -> OSStatus {
    guard let context else { return noErr }
    let listeners = Unmanaged<CoreAudioListeners>.fromOpaque(context).takeUnretainedValue()
    for index in 0..<Int(count) { listeners.didChange(addresses[index].mSelector) }
    return noErr
}
#endif
