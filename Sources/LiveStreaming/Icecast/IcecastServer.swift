// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import LiveAudio
internal import PCMFiles

/// The requests to an Icecast server about one mount point.
struct IcecastServer: Sendable {
    /// The mount point.
    let address: IcecastAddress
    /// The time for each step.
    let timeout: Duration
    /// The path of a file with certificates to trust beside the system's; nil for none.
    let authorities: String?

    /// Opens a connection.
    func open(abort: ConnectionAbort) throws(StreamingError) -> any ServerConnection {
        try TCPConnection.open(
            address.host, port: address.port, isEncrypted: address.isEncrypted, authorities: authorities, timeout: timeout, abort: abort)
    }

    /// Returns the lines that start a stream of ADTS.
    ///
    /// The stream follows without a length and without chunks, which Icecast 2.4 does not know; the connection's end is its end.
    func streamRequest(_ format: RecordingFormat) -> [UInt8] {
        let audio = [
            "ice-samplerate=\(format.sampleRate)", "ice-channels=\(format.channelCount)",
            format.bitRate.map { "ice-bitrate=\($0 / 1000)" },
        ]
        return request(
            "PUT \(address.mount) HTTP/1.1",
            [
                ("Content-Type", "audio/aac"), ("Expect", "100-continue"), ("Ice-Public", address.isPublic ? "1" : "0"),
                ("Ice-Name", address.stationName), ("Ice-Genre", address.genre), ("Ice-Description", address.stationDescription),
                ("Ice-URL", address.siteURL), ("Ice-Bitrate", format.bitRate.map { String($0 / 1000) }),
                ("Ice-Audio-Info", audio.compactMap(\.self).joined(separator: ";")),
            ])
    }

    /// Returns the lines that show a title to listeners.
    func titleRequest(_ title: String) -> [UInt8] {
        let mount = ServerURL.encoded(ServerURL.decoded(address.mount))
        let query = "mode=updinfo&mount=\(mount)&charset=UTF-8&song=\(ServerURL.encoded(title))"
        return request("GET /admin/metadata?\(query) HTTP/1.0", [])
    }

    /// Returns a request with the fields that all have.
    private func request(_ line: String, _ fields: [(name: String, value: String?)]) -> [UInt8] {
        let all =
            [("Host", address.authority), ("Authorization", "Basic \(credentials)"), ("User-Agent", "Linnet/\(LinnetVersion.current)")]
            + fields
        let lines = [line] + all.compactMap { name, value in value.map { "\(name): \($0)" } } + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// The user and the password as the server gets them (RFC 7617).
    private var credentials: String { Base64.string(Array("\(address.user):\(address.password)".utf8)) }

    /// Makes the server's texts fit to be shown.
    private var text: ServerText { ServerText(hiding: [address.password, credentials]) }

    // MARK: Answers

    /// Waits until the server answers a request.
    ///
    /// - Parameters:
    ///   - step: What is asked for, for errors.
    ///   - connection: The connection.
    ///   - reader: The bytes received so far.
    /// - Returns: The answer.
    /// - Throws: ``StreamingError/rejected(step:code:description:)`` with the server's words if it refuses.
    func answer(
        to step: String, over connection: any ServerConnection, _ reader: inout HTTPResponseReader
    ) throws(StreamingError) -> HTTPResponse {
        let deadline = ContinuousClock.now + timeout
        while true {
            if let response = try nextAnswer(to: step, over: connection, &reader) { return response }
            let left = ContinuousClock.now.duration(to: deadline)
            let bytes = left > .zero ? try connection.receive(timeout: left) : []
            guard !bytes.isEmpty else { throw .timedOut(.handshake, after: timeout) }
            reader.append(bytes)
        }
    }

    /// Takes the next answer of those received; nil if it is incomplete.
    func nextAnswer(
        to step: String, over connection: any ServerConnection, _ reader: inout HTTPResponseReader
    ) throws(StreamingError) -> HTTPResponse? {
        let response: HTTPResponse?
        do throws(HTTPResponseReader.Malformed) {
            response = try reader.next()
        } catch {
            let line = String(decoding: reader.rest, as: UTF8.self).prefix { !$0.isNewline }
            throw .protocolViolation("it answers with “\(text.shown(String(line.prefix(40))))”, which is not HTTP")
        }
        guard let response, !response.isAccepting else { return response }
        throw refusal(response, of: step, over: connection, &reader)
    }

    /// Returns the error of a refusal, with the words of its body.
    private func refusal(
        _ response: HTTPResponse, of step: String, over connection: any ServerConnection, _ reader: inout HTTPResponseReader
    ) -> StreamingError {
        let deadline = ContinuousClock.now + min(timeout, .seconds(1))
        while reader.rest.count < response.contentLength ?? HTTPResponseReader.byteLimit {
            // The words are complete where the server closes the connection.
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero, let bytes = try? connection.receive(timeout: left), !bytes.isEmpty else { break }
            reader.append(bytes)
            if reader.rest.count == HTTPResponseReader.byteLimit { break }
        }
        let words = text.shown(response.words(of: String(decoding: reader.rest.prefix(response.contentLength ?? .max), as: UTF8.self)))
        let hint = response.code == 401 ? " (the user or the password is wrong)" : ""
        return .rejected(step: step, code: String(response.code), description: words + hint)
    }
}
