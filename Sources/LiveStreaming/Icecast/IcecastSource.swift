// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import LiveAudio

/// Sends access units as ADTS or Ogg Opus to an Icecast server.
final class IcecastSource: TitledConnection {
    /// The name of the request in errors.
    private static let step = "the stream"

    private let server: IcecastServer
    private let connection: any ServerConnection
    private var body: any IcecastBody
    private let titles: IcecastTitles
    private var answers = HTTPResponseReader()
    /// Whether the final response has arrived.
    ///
    /// Later bytes are its body.
    private var isAnswered = false
    private var unconfirmedUnits = UnconfirmedUnits()

    /// Starts a stream and waits until the server accepts it.
    ///
    /// `abort` ends all waiting.
    init(_ server: IcecastServer, _ format: RecordingFormat, body: any IcecastBody, abort: ConnectionAbort) throws(StreamingError) {
        self.server = server
        self.body = body
        titles = IcecastTitles(server)
        connection = try server.open(abort: abort)
        do throws(StreamingError) {
            try connection.send(server.streamRequest(format, contentType: body.contentType), timeout: server.timeout)
            isAnswered = try !server.answer(to: Self.step, over: connection, &answers).isInterim
            try readResponses()
        } catch {
            connection.close()
            throw error
        }
    }

    /// Sends an access unit, at the latest with the end of its Ogg page.
    ///
    /// Skips an access unit that the container cannot hold, because it would fail on every connection: for ADTS, empty or longer than 8184
    /// bytes.
    func send(_ accessUnit: AccessUnit) throws(StreamingError) {
        unconfirmedUnits.begin()
        // Reads first: after the server has closed the connection, sent data would be lost.
        try receive()
        guard let bytes = try? body.append(accessUnit) else { return unconfirmedUnits.leaveOut() }
        try send(bytes)
    }

    /// Sends complete frames or pages.
    private func send(_ bytes: [UInt8]) throws(StreamingError) {
        guard !bytes.isEmpty else { return }
        try connection.send(bytes, timeout: server.timeout)
        unconfirmedUnits.end(at: connection.sentByteCount, allBut: body.heldUnitCount)
    }

    /// The number of latest access units that the server's TCP stack has not acknowledged.
    var unconfirmedUnitCount: Int {
        unconfirmedUnits.count(afterArrivalOf: connection.sentByteCount - connection.unconfirmedByteCount)
    }

    /// Sends the pending page, because no access units arrive.
    func idle() throws(StreamingError) {
        try receive()
        try send(body.flush())
    }

    /// Detects that the server ends the stream or rejects it late.
    private func receive() throws(StreamingError) {
        let bytes = try connection.receive(timeout: .zero)
        guard !isAnswered else { return }
        answers.append(bytes)
        try readResponses()
    }

    /// Handles received responses.
    ///
    /// Icecast sends its final response right after the interim one.
    private func readResponses() throws(StreamingError) {
        while !isAnswered, let answer = try server.nextAnswer(to: Self.step, over: connection, &answers) {
            isAnswered = !answer.isInterim
        }
    }

    func setTitle(_ title: String) {
        if !body.setTitle(title) { titles.set(title) }
    }

    /// Closes the connection.
    ///
    /// At the end of the stream, first waits until the server has received everything.
    func close(isComplete: Bool) throws(StreamingError) {
        titles.end()
        defer { connection.close() }
        guard isComplete else { return }
        try send(body.finish())
        try connection.finish(timeout: server.timeout)
    }
}
