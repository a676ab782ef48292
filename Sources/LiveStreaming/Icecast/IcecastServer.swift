// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import LiveAudio
internal import PCMFiles

/// Requests to an Icecast server for one mount point.
struct IcecastServer: Sendable {
    let address: IcecastAddress
    /// The time limit per step.
    let timeout: Duration
    /// The path of a file with additional trusted certificates, if any.
    let authorities: String?

    func open(abort: ConnectionAbort) throws(StreamingError) -> any ServerConnection {
        try TCPConnection.open(
            address.host, port: address.port, isEncrypted: address.isEncrypted, authorities: authorities, timeout: timeout, abort: abort)
    }

    /// Returns the header of the request that starts a stream.
    ///
    /// The stream follows with neither a length nor chunked encoding, which Icecast 2.4 does not support. Closing the connection ends it.
    func streamRequest(_ format: RecordingFormat, contentType: String) -> [UInt8] {
        let audio = [
            "ice-samplerate=\(format.sampleRate)", "ice-channels=\(format.channelCount)",
            format.bitRate.map { "ice-bitrate=\($0 / 1000)" },
        ]
        return request(
            "PUT \(address.mount) HTTP/1.1",
            [
                ("Content-Type", contentType), ("Expect", "100-continue"), ("Ice-Public", address.isPublic ? "1" : "0"),
                ("Ice-Name", address.stationName), ("Ice-Genre", address.genre), ("Ice-Description", address.stationDescription),
                ("Ice-URL", address.siteURL), ("Ice-Bitrate", format.bitRate.map { String($0 / 1000) }),
                ("Ice-Audio-Info", audio.compactMap(\.self).joined(separator: ";")),
            ])
    }

    /// Returns the request that shows a title to listeners.
    func titleRequest(_ title: String) -> [UInt8] {
        let mount = ServerURL.encoded(ServerURL.decoded(address.mount))
        let query = "mode=updinfo&mount=\(mount)&charset=UTF-8&song=\(ServerURL.encoded(title))"
        return request("GET /admin/metadata?\(query) HTTP/1.0", [])
    }

    /// Returns a request with the common header fields added.
    private func request(_ line: String, _ fields: [(name: String, value: String?)]) -> [UInt8] {
        let all =
            [("Host", address.authority), ("Authorization", "Basic \(credentials)"), ("User-Agent", "Linnet/\(LinnetVersion.current)")]
            + fields
        let lines = [line] + all.compactMap { name, value in value.map { "\(name): \($0)" } } + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// The Basic credentials (RFC 7617).
    private var credentials: String { Base64.string(Array("\(address.user):\(address.password)".utf8)) }

    /// Sanitizes the server's texts for display.
    private var text: ServerText { ServerText(hiding: [address.password, credentials]) }

    // MARK: Answers

    /// Waits for the server's response to a request.
    ///
    /// - Parameters:
    ///   - step: The name of the request, for errors.
    ///   - reader: Contains the bytes received so far.
    /// - Throws: ``StreamingError/rejected(step:code:description:)`` with the server's text if it rejects the request.
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

    /// Returns the next received response, or `nil` if it is incomplete.
    func nextAnswer(
        to step: String, over connection: any ServerConnection, _ reader: inout HTTPResponseReader
    ) throws(StreamingError) -> HTTPResponse? {
        let response: HTTPResponse?
        do throws(HTTPResponseReader.Malformed) {
            response = try reader.next()
        } catch {
            let line = String(decoding: reader.rest, as: UTF8.self).prefix { !$0.isNewline }
            throw .protocolViolation("the response “\(text.shown(String(line.prefix(40))))” is not HTTP")
        }
        guard let response, !response.isAccepting else { return response }
        throw refusal(response, of: step, over: connection, &reader)
    }

    /// Returns the error for a rejection, with the text of the response body.
    private func refusal(
        _ response: HTTPResponse, of step: String, over connection: any ServerConnection, _ reader: inout HTTPResponseReader
    ) -> StreamingError {
        let deadline = ContinuousClock.now + min(timeout, .seconds(1))
        while reader.rest.count < response.contentLength ?? HTTPResponseReader.byteLimit {
            // Without a length, the body ends when the server closes the connection.
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero, let bytes = try? connection.receive(timeout: left), !bytes.isEmpty else { break }
            reader.append(bytes)
            if reader.rest.count == HTTPResponseReader.byteLimit { break }
        }
        let words = text.shown(response.words(of: String(decoding: reader.rest.prefix(response.contentLength ?? .max), as: UTF8.self)))
        let hint = response.code == 401 ? " (wrong user name or password)" : ""
        return .rejected(step: step, code: String(response.code), description: words + hint)
    }
}
