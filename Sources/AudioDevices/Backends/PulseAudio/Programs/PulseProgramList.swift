// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import CLinuxAudio

/// The playback streams of all programs, read from the server on request.
///
/// All methods must be called under the connection's lock.
final class PulseProgramList: PulseUserData, @unchecked Sendable {
    private let connection: PulseConnection
    private let receive: ([PulseProgramStream]) -> Void
    private var clients: [UInt32: PulseProgram] = [:]
    private var streams: [PulseProgramStream] = []
    private var isReading = false
    /// Whether the streams have changed since the reading began.
    private var isOutdated = false

    /// Creates a list.
    ///
    /// - Parameter receive: Receives the streams after each reading, on the connection's thread.
    init(_ connection: PulseConnection, _ receive: @escaping ([PulseProgramStream]) -> Void) {
        self.connection = connection
        self.receive = receive
    }

    /// Reads the streams, once for all requests that arrive during a reading.
    func refresh() {
        guard !isReading else {
            isOutdated = true
            return
        }
        isReading = true
        isOutdated = false
        clients.removeAll(keepingCapacity: true)
        streams.removeAll(keepingCapacity: true)
        connection.release(
            connection.pulse.pointee.pa_context_get_client_info_list(
                connection.context, { @Sendable _, info, _, this in PulseProgramList.from(this)?.accept(client: info?.pointee) }, userData))
    }

    /// Handles a client, or the end of their list.
    private func accept(client: pa_client_info?) {
        if let client {
            clients[client.index] = PulseProgram(client.proplist, connection.pulse)
            return
        }
        connection.release(
            connection.pulse.pointee.pa_context_get_sink_input_info_list(
                connection.context, { @Sendable _, info, _, this in PulseProgramList.from(this)?.accept(stream: info?.pointee) }, userData))
    }

    /// Handles a stream, or the end of their list.
    private func accept(stream: pa_sink_input_info?) {
        if let stream {
            streams.append(PulseProgramStream(stream, clients: clients, connection.pulse))
            return
        }
        isReading = false
        receive(streams)
        if isOutdated { refresh() }
    }
}
#endif
