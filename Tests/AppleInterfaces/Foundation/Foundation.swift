// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public final class CFString {
    /// Creates a string; Scripts/Check/apple replaces `as CFString` with it.
    public init(_ text: String) {}
    /// The text; Scripts/Check/apple replaces `as String` with it.
    public var bridged: String { fatalError() }
}

public final class CFDictionary {
    /// Creates a dictionary; Scripts/Check/apple replaces `as CFDictionary` with it.
    public init(_ values: [String: Any]) {}
}

public typealias CFTypeRef = AnyObject
public final class CFAllocator {}

/// Scripts/Check/apple replaces `as` with the initialisers.
public final class CFArray { public init(_ values: [AnyObject]) {} }
public final class CFData { public init(_ data: Data) {} }
public final class CFError: Error, @unchecked Sendable {}

extension Error { public var localizedDescription: String { fatalError() } }

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
}

public protocol NSObjectProtocol: AnyObject {}

open class NSObject: NSObjectProtocol {
    public init() {}
}

open class NSError: NSObject, Error, @unchecked Sendable {
    public var code: Int { fatalError() }
    public var domain: String { fatalError() }
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

open class NotificationCenter: NSObject, @unchecked Sendable {
    open class var `default`: NotificationCenter { fatalError() }
    open func addObserver(
        forName name: Notification.Name?, object: Any?, queue: OperationQueue?, using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol { fatalError() }
    open func removeObserver(_ observer: Any) {}
}

/// Bridges an error; the compiler emits calls to it for `as NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }

public struct UUID: Sendable {
    public var uuidString: String { fatalError() }
}

public struct URL: Sendable {
    public static var documentsDirectory: URL { fatalError() }
    public func path(percentEncoded: Bool = true) -> String { fatalError() }
}

public struct Data: RandomAccessCollection, Sendable {
    public init() {}
    public init(_ bytes: some Sequence<UInt8>) {}
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public subscript(index: Int) -> UInt8 { fatalError() }
}

open class JSONSerialization: NSObject {
    public struct WritingOptions: OptionSet, Sendable {
        public var rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = WritingOptions(rawValue: 1)
        public static let sortedKeys = WritingOptions(rawValue: 2)
    }
    open class func data(withJSONObject object: Any, options: WritingOptions = []) throws -> Data { fatalError() }
}
