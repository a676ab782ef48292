// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import Dispatch

/// A source or sink of the server.
struct PulseDevice: Sendable {
    /// The server's index of the source or sink.
    var index: UInt32
    var device: AudioDevice
    var isMuted: Bool
    /// The speaker layout; `nil` if some channels are not speakers.
    var channelLayout: ChannelLayout?

    init(_ info: pa_source_info) {
        index = info.index
        isMuted = info.mute != 0
        channelLayout = info.channel_map.layout
        device = AudioDevice(
            backend: .pulseAudio, id: text(info.name), name: text(info.description), direction: .input,
            isMonitor: info.monitor_of_sink != UInt32.max)
        device.sampleRate = Int(info.sample_spec.rate)
        device.channelCount = Int(info.sample_spec.channels)
    }

    init(_ info: pa_sink_info) {
        index = info.index
        isMuted = info.mute != 0
        device = AudioDevice(backend: .pulseAudio, id: text(info.name), name: text(info.description), direction: .output)
        device.sampleRate = Int(info.sample_spec.rate)
        device.channelCount = Int(info.sample_spec.channels)
    }
}

/// Converts a C string; empty for a null pointer.
private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

extension PulseConnection {
    func defaults() throws(DeviceError) -> (source: String?, sink: String?) {
        try wait(.listDevices, PulseReply<(source: String?, sink: String?)>((nil, nil))) { reply in
            pulse.pointee.pa_context_get_server_info(
                context,
                { @Sendable _, info, reply in
                    let reply = PulseReply<(source: String?, sink: String?)>.from(reply)
                    if let info = info?.pointee {
                        reply?.value = (info.default_source_name.map { text($0) }, info.default_sink_name.map { text($0) })
                    }
                    reply?.finished.signal()
                }, reply)
        }
    }

    func sources() throws(DeviceError) -> [PulseDevice] {
        try wait(.listDevices, PulseReply<[PulseDevice]>([])) { reply in
            pulse.pointee.pa_context_get_source_info_list(
                context, { @Sendable _, info, _, reply in PulseReply.receive(info.map { PulseDevice($0.pointee) }, reply) }, reply)
        }
    }

    func sinks() throws(DeviceError) -> [PulseDevice] {
        try wait(.listDevices, PulseReply<[PulseDevice]>([])) { reply in
            pulse.pointee.pa_context_get_sink_info_list(
                context, { @Sendable _, info, _, reply in PulseReply.receive(info.map { PulseDevice($0.pointee) }, reply) }, reply)
        }
    }

    /// Returns all sources and sinks, with the defaults marked.
    func devices() throws(DeviceError) -> [AudioDevice] {
        let defaults = try defaults()
        var devices = try sources().map(\.device) + sinks().map(\.device)
        for index in devices.indices {
            let name = devices[index].direction == .input ? defaults.source : defaults.sink
            devices[index].isDefault = devices[index].id == name
        }
        return devices
    }
}

extension PulseReply<[PulseDevice]> {
    /// Handles one callback: a device, or `nil` at the end of the list.
    fileprivate static func receive(_ device: PulseDevice?, _ userData: UnsafeMutableRawPointer?) {
        let reply = from(userData)
        if let device { reply?.value.append(device) } else { reply?.finished.signal() }
    }
}
#endif
