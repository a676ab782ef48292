// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) && !os(macOS)
internal import AVFAudio
internal import AudioToolbox

enum CoreAudioDevices {
    /// The device for a unit.
    struct Choice {
        var device: AudioDevice
    }

    /// Returns the audio session's inputs; empty if its category has no input.
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

    /// Returns the input of the session's route, chosen by ``CoreAudioSession``.
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

    /// Returns the outputs of the route.
    ///
    /// A program cannot choose other outputs.
    static func outputs() -> [AudioDevice] {
        let session = AVAudioSession.sharedInstance()
        return session.currentRoute.outputs.map { port in
            var device = AudioDevice(backend: .coreAudio, id: port.uid, name: port.portName, direction: .output, isDefault: true)
            device.channelCount = session.maximumOutputNumberOfChannels
            device.sampleRate = Int(session.sampleRate)
            return device
        }
    }

    /// Returns the named output of the session's route, or its first one.
    static func chooseOutput(_ id: String?) throws(DeviceError) -> Choice {
        let known = outputs()
        if let device = known.first(where: { id == nil || $0.id == id }) { return Choice(device: device) }
        if let id { throw .deviceNotFound(id, available: known.map(\.id)) }
        throw .noDevice(.coreAudio, .output)
    }

    /// Does nothing: the unit uses the output of the route.
    static func assign(output choice: Choice, to unit: AudioUnit) throws(DeviceError) {}

    /// Returns the time between a frame's host time and its playback, in seconds.
    static func outputLatency(_ choice: Choice) -> Double { AVAudioSession.sharedInstance().outputLatency }

    /// Returns the number of the output's channels that a unit can use: two, or more if the session uses them.
    static func outputChannelCount(_ choice: Choice) -> Int? {
        let session = AVAudioSession.sharedInstance()
        return max(session.outputNumberOfChannels, min(2, session.maximumOutputNumberOfChannels))
    }

    /// Returns the maximum number of frames per cycle, reached while an iPhone's screen is locked.
    static func maximumBufferFrameCount(of choice: Choice) -> Int { 4096 }

    /// Does nothing: the unit uses the input of the route.
    static func assign(_ choice: Choice, to unit: AudioUnit, cancelsEcho: Bool) throws(DeviceError) {}
}
#endif
