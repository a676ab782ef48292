// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

// The part of Foundation that the sources use.

import CModel
import Darwin
import VirtualTime

public protocol LocalizedError: Error { var errorDescription: String? { get } }

public protocol NSObjectProtocol: AnyObject {}

open class NSObject: NSObjectProtocol { public init() {} }

open class NSError: NSObject, Error, @unchecked Sendable {
    public let domain: String
    public let code: Int
    public init(domain: String, code: Int) {
        self.domain = domain
        self.code = code
    }
}

/// Bridges an error; the compiler emits calls to it for `as NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError {
    // Generic, because a direct cast would call this function again.
    func cast<Value>(_ type: Value.Type) -> Value? { error as? Value }
    return cast(NSError.self) ?? NSError(domain: "", code: 0)
}

public final class CFString {
    private let text: String
    public init(_ text: String) { self.text = text }
    /// The text; Scripts/Check/apple-model replaces `as String` with it.
    public var bridged: String { text }
}

public final class CFDictionary {
    public let values: [String: Any]
    /// Creates a dictionary; Scripts/Check/apple-model replaces `as CFDictionary` with it.
    public init(_ values: [String: Any]) { self.values = values }
}

public struct UUID: Hashable, Sendable {
    nonisolated(unsafe) private static var count = 0
    public let uuidString: String
    public init() {
        Self.count += 1
        uuidString = "UUID-\(Self.count)"
    }
}

open class OperationQueue: NSObject, @unchecked Sendable {}

public struct Notification {
    public struct Name: RawRepresentable, Hashable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
    public var name: Name
    public var object: Any?
    public var userInfo: [AnyHashable: Any]?
}

/// Calls its observers' blocks on a system thread.
open class NotificationCenter: NSObject, @unchecked Sendable {
    private final class Token: NSObject {
        let name: Notification.Name?
        let block: @Sendable (Notification) -> Void
        init(_ name: Notification.Name?, _ block: @escaping @Sendable (Notification) -> Void) {
            self.name = name
            self.block = block
        }
    }

    public static let `default` = NotificationCenter()
    private var tokens: [Token] = []

    private var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    open func addObserver(
        forName name: Notification.Name?, object: Any?, queue: OperationQueue?, using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        let token = Token(name, block)
        tokens.append(token)
        model_order_release(address)
        return token
    }
    open func removeObserver(_ observer: Any) {
        model_order_acquire(address)
        tokens.removeAll { $0 === observer as AnyObject }
    }

    /// The number of observers.
    public var observerCount: Int { tokens.count }

    /// Posts a notification from a system thread, as AVAudioSession does.
    public func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any] = [:]) {
        nonisolated(unsafe) let userInfo = userInfo
        Scheduler.shared.start("notification") { [self] in
            model_order_acquire(address)
            for token in tokens where token.name == nil || token.name == name {
                token.block(Notification(name: name, object: nil, userInfo: userInfo))
            }
            model_order_release(address)
        }
    }
}
