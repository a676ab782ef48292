// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && !os(macOS)
internal import AVFAudio
internal import AudioToolbox

/// The inputs of the audio session.
enum CoreAudioDevices {
    /// The input of a unit.
    struct Choice {
        var device: AudioDevice
    }

    /// Returns the inputs of the audio session, none if its category has no input.
    static func inputs() -> [AudioDevice] {
        let session = AVAudioSession.sharedInstance()
        let current = session.currentRoute.inputs.first?.uid
        return (session.availableInputs ?? []).map { port in
            var device = AudioDevice(
                backend: .coreAudio, id: port.uid, name: port.portName, direction: .input, isDefault: port.uid == current)
            device.channelCount = port.channels?.count
            return device
        }
    }

    /// Returns the input of the session's route, which ``CoreAudioSession`` has chosen.
    static func choose(_ configuration: CaptureConfiguration, _ input: CaptureInput) throws(DeviceError) -> Choice {
        let session = AVAudioSession.sharedInstance()
        guard let port = session.currentRoute.inputs.first else { throw .noDevice(.coreAudio, .input) }
        if let id = configuration.device, port.uid != id, configuration.staysOnDevice {
            throw .deviceNotFound(id, available: inputs().map(\.id))
        }
        var device = AudioDevice(backend: .coreAudio, id: port.uid, name: port.portName, direction: .input, isDefault: true)
        device.sampleRate = Int(session.sampleRate)
        return Choice(device: device)
    }

    /// Does nothing: the unit takes the input of the route.
    static func assign(_ choice: Choice, to unit: AudioUnit, cancelsEcho: Bool) throws(DeviceError) {}
}
#endif
