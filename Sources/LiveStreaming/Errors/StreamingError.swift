// SPDX-License-Identifier: Apache-2.0

/// Errors of a live stream; none of them contains a key or a password.
public enum StreamingError: Error, Hashable {
    /// The address can't be used; `reason` says what it lacks.
    case invalidAddress(String, reason: String)
    /// The server can't be reached, or the connection failed.
    case network(NetworkError)
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
    case sessionDescription(path: String, SessionDescriptionError)

    /// Whether another attempt would end the same way, as with a wrong key.
    ///
    /// A destination that has been connected before tries again even so: a server that has just been restarted, or that still holds the lost
    /// connection, refuses for a while what it accepts later.
    public var isPermanent: Bool {
        switch self {
        case .network(.hostNotFound), .invalidAddress, .untrustedCertificate, .rejected, .libraryMissing, .unsupportedFormat, .cannotRead,
            .sessionDescription:
            true
        case .network, .encryptionFailed, .protocolViolation, .cannotWrite: false
        }
    }
}
