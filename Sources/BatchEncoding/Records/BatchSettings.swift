// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioFiles
internal import AudioMetadata
package import JSONText

/// The encoder's settings, and the form in which records store and compare them.
public final class BatchSettings: Sendable {
    /// The encoder's settings.
    public let configuration: FileConverterConfiguration
    /// The settings that differ from the defaults.
    package let description: JSONValue

    /// Creates settings.
    ///
    /// - Parameter configuration: The encoder's settings. The batch sets the number of threads and the permission to overwrite, which do
    ///   not affect the output.
    public init(_ configuration: FileConverterConfiguration) {
        self.configuration = configuration
        description = .object(Self.members(configuration))
    }

    /// Returns the properties that differ from the defaults.
    ///
    /// Reflection ensures that newly added settings are included.
    private static func members(_ configuration: FileConverterConfiguration) -> [JSONMember] {
        var compared = configuration
        compared.threadCount = nil
        compared.overwrites = false
        compared.tags.pictures = []
        let usual = FileConverterConfiguration()
        var members = differences(compared.settings, usual.settings)
        compared.settings = usual.settings
        members += differences(compared, usual)
        for picture in configuration.tags.pictures {
            members.append(("picture \(picture.kind.rawValue)", .string(SHA256.hash(of: picture.bytes))))
        }
        return members
    }

    /// Returns the properties of a value that differ from another's.
    private static func differences<Value>(_ value: Value, _ usual: Value) -> [JSONMember] {
        zip(Mirror(reflecting: value).children, Mirror(reflecting: usual).children).compactMap { property, usual in
            let text = text(property.value)
            return text == self.text(usual.value) ? nil : (property.label ?? "", .string(text))
        }
    }

    /// Returns the text of a value or an optional's contents.
    private static func text(_ value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return "\(value)" }
        return mirror.children.first.map { text($0.value) } ?? "nil"
    }
}
