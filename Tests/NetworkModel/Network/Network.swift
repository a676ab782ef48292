// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The part of Network that the sources use, implemented with sockets and OpenSSL. Marks give the source of each rule: [A] documented by
// Apple, [P] known from practice, [U] uncertain.

import Dispatch
import Foundation
import Security
import Synchronization

public typealias DNSServiceErrorType = Int32

public enum NWError: Error, CustomDebugStringConvertible, Equatable {
    case posix(POSIXErrorCode), dns(DNSServiceErrorType), tls(OSStatus)

    public var debugDescription: String {
        switch self {
        case .posix(let code): String(cString: strerror(code.rawValue))
        case .dns(let code): "DNS error \(code)"
        case .tls(let code): "TLS error \(code)"
        }
    }
}

public enum NWEndpoint: Sendable {
    public struct Host: Sendable {
        let name: String
        public init(_ string: String) { name = string }
    }
    public struct Port: Sendable, RawRepresentable {
        public let rawValue: UInt16
        public init?(rawValue: UInt16) { self.rawValue = rawValue }
    }
}

public class NWProtocolDefinition: @unchecked Sendable {}
public class NWProtocolMetadata: @unchecked Sendable {}

public enum NWProtocolTLS {
    public final class Options {
        public let securityProtocolOptions = OS_sec_protocol_options()
        public init() {}
    }
}

public enum NWProtocolTCP {
    public static let definition = NWProtocolDefinition()
    public final class Options {
        public var noDelay = false
        public init() {}
    }
    /// A snapshot of TCP's state.
    public final class Metadata: NWProtocolMetadata, @unchecked Sendable {
        /// The former `SO_NWRITE`, according to the comment in Apple's interface [U].
        public let availableSendBuffer: UInt32
        init(_ count: UInt32) { availableSendBuffer = count }
    }
}

public final class NWParameters {
    let tls: NWProtocolTLS.Options?
    let tcp: NWProtocolTCP.Options
    public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) { (self.tls, self.tcp) = (tls, tcp) }
}

/// Uncertain behaviour of Apple's systems and network conditions; scenarios set them before they connect.
public struct Behaviour: Sendable {
    public enum Truncation: Sendable { case isComplete, noNotice, reset }
    /// Whether a connection waits after a failed handshake instead of failing [U].
    public var waitsAfterFailedHandshake = false
    /// How a stream without close_notify ends [U].
    public var truncation = Truncation.noNotice
    /// Whether the end of a stream arrives with its last bytes instead of after them [A].
    public var endsWithContent = false
    /// Whether there is no network.
    public var isNetworkDown = false

    public static let current = Mutex(Behaviour())
}

/// The number of started connections that are not cancelled, and the broken rules.
public let liveConnectionCount = Mutex(0)
public let brokenRules = Mutex<[String]>([])
func breakRule(_ text: String) { brokenRules.withLock { $0.append(text) } }

public final class NWConnection: @unchecked Sendable {
    public enum State: Sendable {
        case setup, waiting(NWError), preparing, ready, failed(NWError), cancelled
    }
    public enum SendCompletion: Sendable {
        case contentProcessed(@Sendable (NWError?) -> Void), idempotent
    }
    public final class ContentContext: Sendable {
        public static let defaultMessage = ContentContext()
        public static let finalMessage = ContentContext()
    }
    public typealias ReceiveCompletion = @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void

    private let transport: Transport
    public var stateUpdateHandler: (@Sendable (NWConnection.State) -> Void)?

    public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
        transport = Transport(host: host.name, port: port.rawValue, parameters)
    }
    deinit { transport.releaseConnection() }

    public func start(queue: DispatchQueue) { transport.start(queue, stateUpdateHandler) }
    public func cancel() { transport.cancel() }
    public func send(
        content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true, completion: SendCompletion
    ) {
        guard case .contentProcessed(let handler) = completion else { return breakRule("content is sent without a completion") }
        let isFinal = isComplete && contentContext === ContentContext.finalMessage
        if content == nil, !isFinal { breakRule("an empty send that is not the end") }
        transport.send(content ?? Data(), isFinal: isFinal, handler)
    }
    public func receive(minimumIncompleteLength: Int, maximumLength: Int, completion: @escaping ReceiveCompletion) {
        if minimumIncompleteLength < 1 || maximumLength < minimumIncompleteLength { breakRule("a receive of no bytes") }
        transport.receive(maximumLength, completion)
    }
    /// Nil unless the connection is ready; after a failure the buffer counts as empty [U].
    public func metadata(definition: NWProtocolDefinition) -> NWProtocolMetadata? {
        transport.bufferedByteCount.map { NWProtocolTCP.Metadata(UInt32($0)) }
    }
}
