// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import Foundation

/// Reads the values of a settings dictionary, whatever number types they have.
struct SettingsDictionary {
    private let values: [String: Any]

    /// Creates a reader.
    init(_ values: [String: Any]) { self.values = values }

    /// Returns a number; nil if there is none under the key.
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

    /// Returns a whole number; nil if there is none under the key, or one out of range.
    func integer(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0.rounded()) } }

    /// Returns a truth value; nil if there is none under the key.
    func flag(_ key: String) -> Bool? { number(key).map { $0 != 0 } }

    /// Returns a text; nil if there is none under the key.
    func text(_ key: String) -> String? { values[key] as? String ?? (values[key] as? NSString).map { String(describing: $0) } }

    /// Returns bytes; nil if there are none under the key.
    func data(_ key: String) -> Data? { values[key] as? Data ?? (values[key] as? NSData).map { Data(referencing: $0) } }
}
#endif
