// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import CLinuxAudio
internal import Dispatch

/// A playback stream of a program ("sink input").
struct PulseProgramStream: Sendable {
    /// The server's index of the stream.
    var index: UInt32
    /// The index of the output that it plays to; `UInt32.max` for none.
    var sink: UInt32
    /// Whether the program has paused it.
    var isCorked: Bool
    var owner: PulseProgram

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - info: The server's description.
    ///   - clients: The server's clients by index. PipeWire's own streams lack the properties of their process.
    init(_ info: pa_sink_input_info, clients: [UInt32: PulseProgram], _ pulse: UnsafePointer<LinnetPulseFunctions>) {
        index = info.index
        sink = info.sink
        isCorked = info.corked != 0
        owner = PulseProgram(info.proplist, pulse)
        guard let client = clients[info.client] else { return }
        owner.name = owner.name ?? client.name
        owner.id = owner.id ?? client.id
        owner.binary = owner.binary ?? client.binary
        owner.process = owner.process ?? client.process
    }
}

/// The properties that identify a program.
struct PulseProgram: Hashable, Sendable {
    var name: String?
    var id: String?
    var binary: String?
    var process: String?

    init(_ properties: OpaquePointer?, _ pulse: UnsafePointer<LinnetPulseFunctions>) {
        func value(_ key: String) -> String? { pulse.pointee.pa_proplist_gets(properties, key).map { String(cString: $0) } }
        name = value("application.name")
        id = value("application.id")
        binary = value("application.process.binary")
        process = value("application.process.id")
    }

    /// The most readable property; `nil` for a stream of the server itself.
    var displayName: String? { name ?? id ?? binary ?? process }

    /// Whether a name equals the program's name, identifier, binary or process ID, ignoring case.
    func isNamed(_ wanted: String) -> Bool {
        let wanted = wanted.lowercased()
        return [name, id, binary, process].contains { $0?.lowercased() == wanted }
    }
}

extension PulseConnection {
    /// Returns the programs that have a playback stream, one per process, and closes the connection.
    func programs() throws(DeviceError) -> [AudioProgram] {
        let reply = PulseReply<[PulseProgramStream]?>(nil)
        let list = PulseProgramList(self) {
            reply.value = $0
            reply.finished.signal()
        }
        // A reply after the timeout would arrive at a released list.
        defer { withExtendedLifetime(list) { close() } }
        locked { list.refresh() }
        try wait(.listDevices, for: reply.finished, isCancelled: { false }) { () throws(DeviceError) in
            let (isDone, isLost) = locked { (reply.value != nil, !isReady) }
            if !isDone, isLost { throw .noServer(.pulseAudio, code: locked { errorCode }) }
            return isDone
        }
        let streams = locked { reply.value ?? [] }
        let outputs = try sinks()
        var found: [AudioProgram] = []
        for stream in streams {
            guard let name = stream.owner.displayName else { continue }
            let output = outputs.first { $0.index == stream.sink }?.device.id
            let process = stream.owner.process.flatMap { Int($0) }
            if let index = found.firstIndex(where: { $0.name == name && $0.binary == stream.owner.binary && $0.processID == process }) {
                found[index].isCorked = found[index].isCorked && stream.isCorked
                if let output, !found[index].outputs.contains(output) { found[index].outputs.append(output) }
            } else {
                found.append(
                    AudioProgram(
                        id: PlayedAudio.program(name).id, name: name, binary: stream.owner.binary, processID: process,
                        outputs: output.map { [$0] } ?? [], isCorked: stream.isCorked))
            }
        }
        return found
    }
}
#endif
