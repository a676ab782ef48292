// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import SystemLibrary

/// Errors of a connection.
public enum NetworkError: Error, Hashable {
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

    /// The name of the server is unknown; `reason` is the resolver's.
    case hostNotFound(host: String, reason: String)
    /// The server did not answer in time.
    case timedOut(Step, after: Duration)
    /// The server has closed the connection.
    case closedByPeer
    /// The operation failed with a value of `errno`.
    case failed(Step, code: Int32)
    /// The stream ends, so that nothing is waited for any more.
    case aborted
}

extension NetworkError: DescribedError {
    /// A description of the error.
    public var description: String {
        switch self {
        case .hostNotFound(let host, let reason): "no server is called \(host) (\(reason))"
        case .timedOut(let step, let duration): "\(step.rawValue) took longer than \(duration)"
        case .closedByPeer: "the server closed the connection"
        case .failed(let step, let code): "\(step.rawValue) failed: \(String(cString: strerror(code)))"
        case .aborted: "the stream ended before the server answered"
        }
    }
}
