// SPDX-License-Identifier: Apache-2.0

/// The reason for a route change, with the values and meanings of `AVAudioSession.RouteChangeReason`.
public enum RouteChangeReason: Int, Hashable, Sendable, CaseIterable {
    /// The reason is unknown.
    case unknown = 0
    /// A device was added.
    case newDeviceAvailable = 1
    /// A device was removed.
    case oldDeviceUnavailable = 2
    /// The session's category was changed (iOS only).
    case categoryChange = 3
    /// The stream was moved to another device by request.
    case override = 4
    /// The machine woke from sleep.
    case wakeFromSleep = 6
    /// No suitable device remains for capture.
    case noSuitableRouteForCategory = 7
    /// The devices are unchanged, but the default device or a device's configuration has changed.
    case routeConfigurationChange = 8
}

extension RouteChangeReason: CustomStringConvertible {
    /// The reason as a sentence.
    public var description: String {
        switch self {
        case .unknown: "The reason for the change is unknown."
        case .newDeviceAvailable: "A preferred new audio output path is now available."
        case .oldDeviceUnavailable: "The previous audio output path is no longer available."
        case .categoryChange: "The category of the session object changed."
        case .override: "The output route was overridden by the app."
        case .wakeFromSleep: "The route changed when the device woke up from sleep."
        case .noSuitableRouteForCategory: "The route changed because no suitable route is now available for the specified category."
        case .routeConfigurationChange: "The configuration of the current route changed."
        }
    }
}

/// A change of the captured device, the default device or the available devices.
public struct RouteChange: Hashable, Sendable {
    /// The reason for the change.
    public var reason: RouteChangeReason

    /// The identifier of the device captured before the change.
    public var old: String

    /// The identifier of the device captured after the change; equal to ``old`` if only other devices changed.
    public var new: String

    /// The identifier of the device that was added, removed or made the default, if any.
    public var subject: String?

    package init(reason: RouteChangeReason, old: String, new: String, subject: String? = nil) {
        self.reason = reason
        self.old = old
        self.new = new
        self.subject = subject
    }
}
