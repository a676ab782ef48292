// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import Foundation

/// Reads values of a settings dictionary, of any number type.
struct SettingsDictionary {
    private let values: [String: Any]

    init(_ values: [String: Any]) { self.values = values }

    /// Returns a number; `nil` without a value.
    func number(_ key: String) -> Double? {
        switch values[key] {
        case let value as Bool: value ? 1 : 0
        case let value as NSNumber: value.doubleValue
        case let value as any BinaryInteger: Double(exactly: value) ?? Double(value.description)
        case let value as any BinaryFloatingPoint: Double(value)
        case let value as any RawRepresentable: SettingsDictionary([key: value.rawValue]).number(key)
        default: nil
        }
    }

    /// Returns an integer; `nil` without a value or if it is out of range.
    func integer(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0.rounded()) } }

    /// Returns a Boolean; `nil` without a value.
    func flag(_ key: String) -> Bool? { number(key).map { $0 != 0 } }

    /// Returns a string; `nil` without a value.
    func text(_ key: String) -> String? { values[key] as? String ?? (values[key] as? NSString).map { String(describing: $0) } }

    /// Returns data; `nil` without a value.
    func data(_ key: String) -> Data? { values[key] as? Data ?? (values[key] as? NSData).map { Data(referencing: $0) } }
}
#endif
