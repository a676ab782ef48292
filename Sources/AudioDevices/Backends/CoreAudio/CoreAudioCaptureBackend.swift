// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if !os(WASI)
#if canImport(Darwin)
internal import AudioPrimitives
internal import AVFAudio
internal import AudioToolbox
internal import Synchronization

/// Captures through Core Audio: the HAL on macOS, RemoteIO or VoiceProcessingIO on iOS.
///
/// Not yet tested on a device.
public final class CoreAudioCaptureBackend: CaptureBackend {
    private let cancelsEcho: Bool
    private let unit = Mutex<CoreAudioUnit?>(nil)

    /// Creates a backend.
    ///
    /// - Parameter cancelsEcho: Whether the system removes what this program plays from the captured audio.
    public init(cancelsEcho: Bool = false) { self.cancelsEcho = cancelsEcho }

    /// Core Audio.
    public var kind: AudioBackendKind { .coreAudio }

    /// Returns the inputs of the system.
    public func devices() throws(DeviceError) -> [AudioDevice] { try CoreAudioDevices.inputs() }

    /// Activates the audio session on iOS, and starts an audio unit.
    public func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        // To a program without permission the system delivers silence, and no error.
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

    /// Stops the audio unit, and deactivates the session.
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
#endif
