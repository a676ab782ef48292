// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Why sound takes another way than before, after the reasons of AVAudioSession.
public enum RouteChangeReason: Int, Hashable, Sendable, CaseIterable {
    /// Nobody knows.
    case unknown = 0
    /// A device has come.
    case newDeviceAvailable = 1
    /// A device has gone.
    case oldDeviceUnavailable = 2
    /// The session's category was changed (Apple's systems only).
    case categoryChange = 3
    /// Somebody moved this stream to another device.
    case override = 4
    /// The machine slept.
    case wakeFromSleep = 6
    /// No device is left to record from.
    case noSuitableRouteForCategory = 7
    /// The devices are the same, but another one is the default now, or one works differently.
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

/// A change in what sound is recorded from, or could be.
public struct RouteChange: Hashable, Sendable {
    /// Why.
    public var reason: RouteChangeReason

    /// The device recorded from before.
    public var old: String

    /// The device recorded from now; the same if only other devices came or went.
    public var new: String

    /// The device that came, went or became the default, as far as one did.
    public var subject: String?

    /// Makes a change.
    public init(reason: RouteChangeReason, old: String, new: String, subject: String? = nil) {
        self.reason = reason
        self.old = old
        self.new = new
        self.subject = subject
    }
}
