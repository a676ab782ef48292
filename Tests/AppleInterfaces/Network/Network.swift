// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Darwin
import Dispatch
import Foundation
import Security

/// From `dns_sd.h`, which Network exports.
public typealias DNSServiceErrorType = Int32

public enum NWError: Error, CustomDebugStringConvertible, Equatable {
    case posix(POSIXErrorCode), dns(DNSServiceErrorType), tls(OSStatus), wifiAware(Int32)
    public var debugDescription: String { fatalError() }
}

public enum NWEndpoint: Sendable {
    public enum Host: Sendable {
        case name(String)
        public init(_ string: String) { fatalError() }
    }
    public struct Port: Sendable, RawRepresentable {
        public var rawValue: UInt16 { fatalError() }
        public init?(rawValue: UInt16) { fatalError() }
    }
}

public class NWProtocolDefinition: @unchecked Sendable {}
public class NWProtocolMetadata: @unchecked Sendable {}
public class NWProtocolOptions {}

public class NWProtocolTLS {
    public class Options: NWProtocolOptions {
        public override init() {}
        public var securityProtocolOptions: sec_protocol_options_t { fatalError() }
    }
}

public class NWProtocolTCP {
    public class var definition: NWProtocolDefinition { fatalError() }
    public class Options: NWProtocolOptions {
        public override init() {}
        public var noDelay: Bool {
            get { fatalError() }
            set {}
        }
    }
    public class Metadata: NWProtocolMetadata, @unchecked Sendable {
        public var availableSendBuffer: UInt32 { fatalError() }
    }
}

public class NWParameters {
    public init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {}
}

public final class NWConnection: @unchecked Sendable {
    public enum State: Sendable {
        case setup, waiting(NWError), preparing, ready, failed(NWError), cancelled
    }
    public enum SendCompletion: Sendable {
        case contentProcessed(@Sendable (NWError?) -> Void), idempotent
    }
    public class ContentContext: @unchecked Sendable {
        public static let defaultMessage = ContentContext()
        public static let finalMessage = ContentContext()
    }
    public init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {}
    public var stateUpdateHandler: (@Sendable (NWConnection.State) -> Void)? {
        get { fatalError() }
        set {}
    }
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
    public func send(
        content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true, completion: SendCompletion
    ) {}
    public func receive(
        minimumIncompleteLength: Int, maximumLength: Int, completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void
    ) {}
    public func metadata(definition: NWProtocolDefinition) -> NWProtocolMetadata? { fatalError() }
}
