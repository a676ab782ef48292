// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import LiveAudio

/// Sends access units as ADTS to an Icecast server.
final class IcecastSource: TitledConnection {
    /// The name of the request in errors.
    private static let step = "the stream"

    private let server: IcecastServer
    private let connection: any ServerConnection
    private let framer: ADTSFramer
    private let titles: IcecastTitles
    private var answers = HTTPResponseReader()
    /// Whether the last answer has come: what follows is its body.
    private var isAnswered = false
    private var unconfirmedUnits = UnconfirmedUnits()

    /// Starts a stream, and waits until the server accepts it.
    ///
    /// - Parameters:
    ///   - server: The server and the mount point.
    ///   - format: The format of the stream.
    ///   - framer: Makes ADTS frames.
    ///   - abort: Ends all waiting.
    init(_ server: IcecastServer, _ format: RecordingFormat, framer: ADTSFramer, abort: ConnectionAbort) throws(StreamingError) {
        self.server = server
        self.framer = framer
        titles = IcecastTitles(server)
        connection = try server.open(abort: abort)
        do throws(StreamingError) {
            try connection.send(server.streamRequest(format), timeout: server.timeout)
            isAnswered = try !server.answer(to: Self.step, over: connection, &answers).isInterim
            try takeAnswers()
        } catch {
            connection.close()
            throw error
        }
    }

    /// Sends a unit.
    ///
    /// A unit that ADTS can't hold, because it is empty or longer than 8184 bytes, is left out: every connection would fail at it.
    func send(_ unit: AccessUnit) throws(StreamingError) {
        unconfirmedUnits.begin()
        // What the server has sent is read first: after it has closed the connection, nothing sent would arrive.
        try idle()
        guard let frame = try? framer.frame(unit) else { return unconfirmedUnits.leaveOut() }
        try connection.send(frame, timeout: server.timeout)
        unconfirmedUnits.end(at: connection.sentByteCount)
    }

    /// The number of the latest units that have not arrived at the other system.
    var unconfirmedUnitCount: Int {
        unconfirmedUnits.count(afterArrivalOf: connection.sentByteCount - connection.unconfirmedByteCount)
    }

    /// Notices that the server ends the stream, or refuses it after all.
    func idle() throws(StreamingError) {
        let bytes = try connection.receive(timeout: .zero)
        guard !isAnswered else { return }
        answers.append(bytes)
        try takeAnswers()
    }

    /// Takes the answers that have come: Icecast's last one follows its first at once.
    private func takeAnswers() throws(StreamingError) {
        while !isAnswered, let answer = try server.nextAnswer(to: Self.step, over: connection, &answers) {
            isAnswered = !answer.isInterim
        }
    }

    /// Shows a title soon.
    func setTitle(_ title: String) { titles.set(title) }

    /// Ends the connection; at the end of the stream, waits until the server has received everything.
    func close(isComplete: Bool) throws(StreamingError) {
        titles.end()
        defer { connection.close() }
        if isComplete { try connection.finish(timeout: server.timeout) }
    }
}
