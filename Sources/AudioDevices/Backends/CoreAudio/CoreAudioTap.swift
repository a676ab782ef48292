// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
internal import CoreAudio
internal import Dispatch
internal import Foundation

/// A tap on the output of programs, wrapped in a private aggregate device that acts as an ordinary input.
///
/// No call reports or requests the permission "System Audio Recording". Without it all calls succeed, and all samples are zero.
final class CoreAudioTap {
    /// The prefix that identifies aggregate devices of taps, which are not listed.
    static let devicePrefix = "org.linnet.tap."
    /// The maximum time until an aggregate device is ready, in seconds.
    private static let maximumPreparationTime = 2.0

    let source: PlayedAudio
    /// The programs' objects at creation; empty for the system.
    let programs: Set<AudioObjectID>
    /// The aggregate device.
    let device: AudioObjectID
    private let tap: AudioObjectID

    /// Creates a tap and its aggregate device, and waits until the device is ready.
    ///
    /// - Parameters:
    ///   - available: The identifiers of all inputs, for the error.
    ///   - input: The input whose cancellation ends the wait.
    init(_ source: PlayedAudio, available: [String], _ input: CaptureInput) throws(DeviceError) {
        self.source = source
        programs = source.programs
        if source != .system, programs.isEmpty { throw .deviceNotFound(source.id, available: available) }
        let description =
            source == .system
            ? CATapDescription(stereoGlobalTapButExcludeProcesses: []) : CATapDescription(stereoMixdownOfProcesses: programs.sorted())
        description.name = source.device.name
        description.isPrivate = true
        var tap = AudioObjectID(0)
        var device = AudioObjectID(0)
        var status = AudioHardwareCreateProcessTap(description, &tap)
        guard status == noErr else { throw .failed(.openDevice, .coreAudio, code: status) }
        // The tap list must be set here: a list set later delivers silence. Without a loudspeaker as a sub-device, the device does not
        // depend on a loudspeaker's rate. `kAudioAggregateDeviceTapAutoStartKey` would delay the start until a program plays.
        let parts: [String: Any] = [
            kAudioAggregateDeviceUIDKey: Self.devicePrefix + description.uuid.uuidString, kAudioAggregateDeviceNameKey: description.name,
            kAudioAggregateDeviceIsPrivateKey: 1,
            kAudioAggregateDeviceTapListKey: [[kAudioSubTapUIDKey: description.uuid.uuidString, kAudioSubTapDriftCompensationKey: 1]],
        ]
        status = AudioHardwareCreateAggregateDevice(parts as CFDictionary, &device)
        self.tap = tap
        self.device = device
        guard status == noErr else { throw .failed(.openDevice, .coreAudio, code: status) }
        let pause = DispatchSemaphore(value: 0)
        let end = HostClock.now + Int64(Self.maximumPreparationTime * 1e9)
        while !CoreAudioDevices.isAlive(device) || CoreAudioDevices.channelCount(device, .input) == 0 {
            if input.isCancelled { throw .cancelled }
            guard HostClock.now < end else { throw .timedOut(.openDevice, .coreAudio) }
            _ = pause.wait(timeout: .now() + 0.02)
        }
    }

    deinit {
        if device != 0 { AudioHardwareDestroyAggregateDevice(device) }
        AudioHardwareDestroyProcessTap(tap)
    }

    /// Returns the system monitor and the playing programs.
    static func inputs() -> [AudioDevice] {
        let names = Set(CoreAudioDevices.programs().filter(\.isPlaying).map(\.name))
        return [PlayedAudio.system.device] + names.sorted().map { PlayedAudio.program($0).device }
    }
}

/// A program is named by its bundle identifier, which includes its helpers, or by its process ID.
extension PlayedAudio {
    /// The input's description.
    var device: AudioDevice {
        let name =
            switch self {
            case .system: "System Audio"
            case .program(let name): name
            }
        var device = AudioDevice(backend: .coreAudio, id: id, name: name, direction: .input, isMonitor: true)
        device.channelCount = 2
        return device
    }

    /// The objects of the running programs, which change when a program restarts; empty for the system.
    var programs: Set<AudioObjectID> {
        guard case .program(let name) = self else { return [] }
        return Set(CoreAudioDevices.programs().filter { $0.isNamed(name) }.map(\.object))
    }
}

struct CoreAudioProgram {
    var object: AudioObjectID
    var process: String
    var bundle: String?
    var isPlaying: Bool

    /// The bundle identifier, or the process ID without one.
    var name: String { bundle ?? process }

    /// Whether a name matches the program or the program that it helps.
    ///
    /// Browsers play in helpers such as `com.google.Chrome.helper`.
    func isNamed(_ name: String) -> Bool { process == name || bundle == name || bundle?.hasPrefix(name + ".") ?? false }
}

extension CoreAudioDevices {
    static func programs() -> [CoreAudioProgram] {
        objects(kAudioHardwarePropertyProcessObjectList).compactMap { object in
            guard let process = value(object, kAudioProcessPropertyPID, Int32(0)) else { return nil }
            let bundle = text(object, kAudioProcessPropertyBundleID)
            return CoreAudioProgram(
                object: object, process: String(process), bundle: bundle?.isEmpty ?? true ? nil : bundle,
                isPlaying: value(object, kAudioProcessPropertyIsRunningOutput, UInt32(0)) == 1)
        }
    }
}
#endif
