// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import Foundation
internal import Network
internal import Security
internal import SystemLibrary

extension StreamingError {
    /// Converts a Network.framework error.
    init(_ error: NWError, in step: Step, host: String) {
        switch error {
        // After the end, system calls report a missing connection.
        case .posix(.ECONNRESET), .posix(.EPIPE), .posix(.ENOTCONN): self = .closedByPeer
        case .posix(let code): self = .connectionFailed(step, code: code.rawValue)
        case .dns where error.isLasting: self = .hostNotFound(host: host, reason: error.debugDescription)
        // Without a network, the resolver may succeed later.
        case .dns: self = .connectionFailed(step, code: ENETUNREACH)
        case .tls(errSSLClosedGraceful), .tls(errSSLClosedNoNotify), .tls(errSSLClosedAbort): self = .closedByPeer
        default: self = .encryptionFailed(reason: error.debugDescription)
        }
    }
}

extension NWError {
    /// The name server's codes for an unknown host: `kDNSServiceErr_NoSuchName`, `kDNSServiceErr_NoSuchRecord` (dns_sd.h).
    private static let unknownNames: [DNSServiceErrorType] = [-65_538, -65_554]

    /// Whether a connection in the `waiting` state with this error is hopeless.
    ///
    /// `NWConnection` waits for a network change even if the server has refused the connection. Only a network that is down, or a pending
    /// local network permission, can change within the time limit.
    var isLasting: Bool {
        switch self {
        case .posix(.ENETDOWN), .posix(.ENETUNREACH), .posix(.EHOSTUNREACH): false
        case .dns(let code): Self.unknownNames.contains(code)
        default: true
        }
    }
}
#endif
