// SPDX-License-Identifier: Apache-2.0

/// The audio of programs, which an input identifier can select instead of a device.
package enum PlayedAudio: Hashable, Sendable {
    case system
    /// One program, by a name that depends on the audio system.
    case program(String)

    private static let prefix = "app:"

    /// Parses an input identifier; `nil` if it names a device.
    package init?(_ id: String?) {
        guard let id else { return nil }
        if id == PlayedAudio.system.id {
            self = .system
        } else if id.hasPrefix(Self.prefix), id != Self.prefix {
            self = .program(String(id.dropFirst(Self.prefix.count)))
        } else {
            return nil
        }
    }

    /// The input's identifier.
    package var id: String {
        switch self {
        case .system: "system"
        case .program(let name): Self.prefix + name
        }
    }
}
