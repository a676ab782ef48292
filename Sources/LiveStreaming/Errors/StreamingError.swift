// SPDX-License-Identifier: Apache-2.0

/// Errors of a live stream; none of them contains a key or a password.
public enum StreamingError: Error, Hashable {
    /// A step of a connection.
    public enum Step: String, Hashable, Sendable {
        /// Opening the connection.
        case connect = "connecting"
        /// Agreeing on the protocol, and logging in.
        case handshake = "the handshake"
        /// Sending.
        case send = "sending"
        /// Receiving.
        case receive = "receiving"
    }

    /// The address can't be used; `reason` says what it lacks.
    case invalidAddress(String, reason: String)
    /// The name of the server is unknown; `reason` is the resolver's.
    case hostNotFound(host: String, reason: String)
    /// The server did not answer in time.
    case timedOut(Step, after: Duration)
    /// The server has closed the connection.
    case closedByPeer
    /// The connection failed with a value of `errno`.
    case connectionFailed(Step, code: Int32)
    /// The stream ends, so that nothing is waited for any more.
    case aborted
    /// The server's certificate doesn't prove that it is the server of the address.
    case untrustedCertificate(host: String, reason: String)
    /// The encrypted connection failed.
    case encryptionFailed(reason: String)
    /// The server refuses the stream, with its code and in its own words.
    case rejected(step: String, code: String, description: String)
    /// The server doesn't follow the protocol.
    case protocolViolation(String)
    /// The protocol needs a library that is missing on this machine.
    case libraryMissing(library: String, package: String)
    /// The destination can't carry the format of the stream.
    case unsupportedFormat(reason: String)
    /// A file can't be written; `code` is a value of `errno`.
    case cannotWrite(path: String, code: Int32)
    /// A file can't be read; `code` is a value of `errno`.
    case cannotRead(path: String, code: Int32)
    /// A session description can't be used.
    case sessionDescription(path: String, reason: String)
    /// A sink got an access unit before the format of the stream.
    case notStarted
    /// A destination of the program's own threw another error.
    case destinationFailed(reason: String)

    /// Whether another attempt would end the same way, as with a wrong key.
    ///
    /// A destination that has been connected before tries again even so: a server that has just been restarted, or that still holds the lost
    /// connection, refuses for a while what it accepts later.
    public var isPermanent: Bool {
        switch self {
        case .hostNotFound, .invalidAddress, .untrustedCertificate, .rejected, .libraryMissing, .unsupportedFormat, .cannotRead,
            .sessionDescription, .notStarted:
            true
        case .timedOut, .closedByPeer, .connectionFailed, .aborted, .encryptionFailed, .protocolViolation, .cannotWrite, .destinationFailed:
            false
        }
    }
}

/// The former type of errors of a connection.
@available(*, deprecated, renamed: "StreamingError")
public typealias NetworkError = StreamingError

/// The former type of errors of session descriptions.
@available(*, deprecated, renamed: "StreamingError")
public typealias SessionDescriptionError = StreamingError
