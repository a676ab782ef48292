// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import SystemLibrary

extension StreamingError: DescribedError {
    /// A description of the error.
    public var description: String {
        switch self {
        case .invalidAddress(let address, let reason): "\(address): \(reason)"
        case .hostNotFound(let host, let reason): "unknown host \(host) (\(reason))"
        case .timedOut(let step, let duration): "\(step.rawValue) took longer than \(duration)"
        case .closedByPeer: "the server closed the connection"
        case .connectionFailed(let step, let code): "\(step.rawValue) failed: \(String(cString: strerror(code)))"
        case .aborted: "the stream ended before the server responded"
        case .untrustedCertificate(let host, let reason): "untrusted certificate for \(host): \(reason)"
        case .encryptionFailed(let reason): "the encrypted connection failed: \(reason)"
        case .rejected(let step, let code, let text):
            "the server rejected \(step): " + [code, text].filter { !$0.isEmpty }.joined(separator: ", ")
        case .protocolViolation(let text): "protocol violation by the server: \(text)"
        case .libraryMissing(let library, let package): "missing library \(library); install the package \(package)"
        case .unsupportedFormat(let reason): reason
        case .cannotWrite(let path, EWOULDBLOCK): "cannot write \(path): another stream is written to it"
        case .cannotWrite(let path, let code): "cannot write \(path): \(String(cString: strerror(code)))"
        case .cannotRead(let path, let code): "cannot read \(path): \(String(cString: strerror(code)))"
        case .sessionDescription(let path, let reason): "\(path): \(reason)"
        case .notStarted: "the stream has not started; call begin(_:) with its format before the first access unit"
        case .destinationFailed(let reason): reason
        }
    }
}
