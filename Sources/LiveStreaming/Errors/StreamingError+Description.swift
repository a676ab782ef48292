// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import SystemLibrary

extension StreamingError: DescribedError {
    /// A description of the error.
    public var description: String {
        switch self {
        case .invalidAddress(let address, let reason): "\(address): \(reason)"
        case .hostNotFound(let host, let reason): "no server is called \(host) (\(reason))"
        case .timedOut(let step, let duration): "\(step.rawValue) took longer than \(duration)"
        case .closedByPeer: "the server closed the connection"
        case .connectionFailed(let step, let code): "\(step.rawValue) failed: \(String(cString: strerror(code)))"
        case .aborted: "the stream ended before the server answered"
        case .untrustedCertificate(let host, let reason): "the certificate of \(host) can't be trusted: \(reason)"
        case .encryptionFailed(let reason): "the encrypted connection failed: \(reason)"
        case .rejected(let step, let code, let text):
            "the server refused \(step): " + [code, text].filter { !$0.isEmpty }.joined(separator: ", ")
        case .protocolViolation(let text): "the server doesn't follow the protocol: \(text)"
        case .libraryMissing(let library, let package): "the library \(library) is missing: install the package \(package)"
        case .unsupportedFormat(let reason): reason
        case .cannotWrite(let path, let code): "\(path) can't be written: \(String(cString: strerror(code)))"
        case .cannotRead(let path, let code): "\(path) can't be read: \(String(cString: strerror(code)))"
        case .sessionDescription(let path, let reason): "\(path): \(reason)"
        case .notStarted: "the stream has not begun: call begin(_:) with its format before the first access unit"
        case .destinationFailed(let reason): reason
        }
    }
}
