// SPDX-License-Identifier: Apache-2.0

/// Errors of a live stream.
///
/// They never contain keys or passwords.
public enum StreamingError: Error, Hashable {
    /// The step of a connection that failed.
    public enum Step: String, Hashable, Sendable {
        /// Opening the connection.
        case connect = "connecting"
        /// Negotiating the protocol and authenticating.
        case handshake = "the handshake"
        /// Sending data.
        case send = "sending"
        /// Receiving data.
        case receive = "receiving"
    }

    /// The address is invalid; `reason` describes the problem.
    case invalidAddress(String, reason: String)
    /// The host name cannot be resolved; `reason` is the resolver's message.
    case hostNotFound(host: String, reason: String)
    /// The server did not respond in time.
    case timedOut(Step, after: Duration)
    /// The server closed the connection.
    case closedByPeer
    /// The connection failed; `code` is an `errno` value.
    case connectionFailed(Step, code: Int32)
    /// The stream ended while an operation was pending.
    case aborted
    /// The server's certificate is not trusted or does not match the host.
    case untrustedCertificate(host: String, reason: String)
    /// The encrypted connection failed.
    case encryptionFailed(reason: String)
    /// The server rejected the stream. `code` and `description` are the server's own.
    case rejected(step: String, code: String, description: String)
    /// The server violated the protocol.
    case protocolViolation(String)
    /// The protocol needs a library that is not installed.
    case libraryMissing(library: String, package: String)
    /// The destination does not support the stream's format.
    case unsupportedFormat(reason: String)
    /// A file cannot be written; `code` is an `errno` value.
    case cannotWrite(path: String, code: Int32)
    /// A file cannot be read; `code` is an `errno` value.
    case cannotRead(path: String, code: Int32)
    /// A session description is invalid or unsupported.
    case sessionDescription(path: String, reason: String)
    /// A sink received an access unit before the stream's format.
    case notStarted
    /// A custom destination threw an error of another type.
    case destinationFailed(reason: String)

    /// Whether another attempt would fail in the same way, for example with a wrong key.
    ///
    /// A destination that was connected before retries even after such an error: a server that has just restarted or still holds the lost
    /// connection, can reject for a while what it accepts later.
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

/// The former error type of connections.
@available(*, deprecated, renamed: "StreamingError")
public typealias NetworkError = StreamingError

/// The former error type of session descriptions.
@available(*, deprecated, renamed: "StreamingError")
public typealias SessionDescriptionError = StreamingError
