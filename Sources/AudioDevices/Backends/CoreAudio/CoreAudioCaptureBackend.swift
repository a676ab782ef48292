// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Darwin)
internal import AudioPrimitives
internal import AVFAudio
internal import AudioToolbox
internal import Synchronization

/// Recording through Core Audio: the HAL on macOS, RemoteIO or VoiceProcessingIO on iOS.
///
/// Not yet run on a device.
public final class CoreAudioCaptureBackend: CaptureBackend {
    private let cancelsEcho: Bool
    private let unit = Mutex<CoreAudioUnit?>(nil)

    /// Makes a backend; with `cancelsEcho` the system takes out what this program plays.
    public init(cancelsEcho: Bool = false) { self.cancelsEcho = cancelsEcho }

    /// Core Audio.
    public var kind: AudioBackendKind { .coreAudio }

    /// Every input that the system offers.
    public func devices() throws(DeviceError) -> [AudioDevice] { try CoreAudioDevices.inputs() }

    /// Activates the session where there is one, and opens an audio unit.
    public func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        // To a program that may not listen the system gives silence, and no error.
        let permission = AVAudioApplication.shared.recordPermission
        guard permission != .denied else {
            throw .failed(.activateSession, .coreAudio, code: Int32(truncatingIfNeeded: permission.rawValue))
        }
        #if os(iOS)
        // The session first: without it the unit has no input.
        try CoreAudioSession.activate(configuration, cancelsEcho: cancelsEcho)
        #endif
        do {
            let new = try CoreAudioUnit(configuration, cancelsEcho: cancelsEcho, input: input)
            try new.start()
            unit.withLock { $0 = new }
        } catch {
            #if os(iOS)
            CoreAudioSession.deactivate()
            #endif
            throw error
        }
    }

    /// Stops the unit, and lets the session go.
    public func stop() {
        let old = unit.withLock { unit in
            defer { unit = nil }
            return unit
        }
        guard let old else { return }
        old.stop()
        #if os(iOS)
        CoreAudioSession.deactivate()
        #endif
    }
}
#endif
