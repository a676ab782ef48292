// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import Foundation
internal import Network
internal import Security
internal import SystemLibrary

extension StreamingError {
    /// Takes an error of Network.framework.
    init(_ error: NWError, in step: Step, host: String) {
        switch error {
        // After the end, system calls tell that there is no connection any more.
        case .posix(.ECONNRESET), .posix(.EPIPE), .posix(.ENOTCONN): self = .closedByPeer
        case .posix(let code): self = .connectionFailed(step, code: code.rawValue)
        case .dns where error.isLasting: self = .hostNotFound(host: host, reason: error.debugDescription)
        // A resolver without a network may have an answer later.
        case .dns: self = .connectionFailed(step, code: ENETUNREACH)
        case .tls(errSSLClosedGraceful), .tls(errSSLClosedNoNotify), .tls(errSSLClosedAbort): self = .closedByPeer
        default: self = .encryptionFailed(reason: error.debugDescription)
        }
    }
}

extension NWError {
    /// The answers of a name server that knows no such host: `kDNSServiceErr_NoSuchName`, `kDNSServiceErr_NoSuchRecord` (dns_sd.h).
    private static let unknownNames: [DNSServiceErrorType] = [-65_538, -65_554]

    /// Whether a connection that waits for this reason is not waited for.
    ///
    /// A connection waits until the network changes, also where the server has refused it. Only a network that is down, or a user who has not
    /// yet permitted the local one, may change within the time limit.
    var isLasting: Bool {
        switch self {
        case .posix(.ENETDOWN), .posix(.ENETUNREACH), .posix(.EHOSTUNREACH): false
        case .dns(let code): Self.unknownNames.contains(code)
        default: true
        }
    }
}
#endif
