// SPDX-License-Identifier: Apache-2.0

/// Determines the reasons for route changes from the surrounding notices.
///
/// A sound server reports one event in several notices in arbitrary order. They are collected briefly and then evaluated together.
package struct RouteTracker {
    /// The time for collecting notices, in nanoseconds.
    private static let collectionTime: Int64 = 300_000_000
    /// The maximum time between a reason and the resulting move, in nanoseconds.
    ///
    /// A busy server moves streams late.
    private static let reasonLifetime: Int64 = 5_000_000_000

    /// Reported reasons that may cause a later move.
    private struct RecentRouteChanges {
        var newDefault: String?
        var newOutput: String?
        var added: [String] = []
        var removed: [String] = []
        var expiry: Int64 = 0
    }

    /// The captured device's identifier.
    private(set) var current: String
    private var movedTo: String?
    private var statedReason: RouteChangeReason?
    private var newDefault: String?
    private var newOutput: String?
    private var added: [String] = []
    private var removed: [String] = []
    private var collectionEnd: Int64?
    private var recent = RecentRouteChanges()

    package init(current: String) { self.current = current }

    /// Records a notice.
    ///
    /// - Parameter now: The host time, in nanoseconds.
    /// - Returns: Whether the notice concerns the route.
    package mutating func accept(_ notice: BackendNotice, now: Int64) -> Bool {
        switch notice {
        case .moved(let id, _): movedTo = id
        case .routeChanged(let reason, let id, _, _, _):
            movedTo = id
            statedReason = reason
        case .defaultChanged(let id): newDefault = id
        case .defaultOutputChanged(let id): newOutput = id
        case .deviceAdded(let id): added.append(id)
        case .deviceRemoved(let id): removed.append(id)
        default: return false
        }
        if now > recent.expiry { recent = RecentRouteChanges() }
        if collectionEnd == nil { collectionEnd = now + Self.collectionTime }
        return true
    }

    /// Returns the changes derived from the collected notices after the collection time; empty before.
    package mutating func collectedChanges(now: Int64) -> [RouteChange] {
        guard let collectionEnd, now >= collectionEnd else { return [] }
        defer {
            let recent = recent
            self = RouteTracker(current: current)
            self.recent = recent
        }
        var changes: [RouteChange] = []
        if let statedReason {
            changes.append(RouteChange(reason: statedReason, old: current, new: movedTo ?? current))
            current = movedTo ?? current
        } else if let movedTo, movedTo != current {
            changes.append(change(to: movedTo))
            current = movedTo
        }
        if newDefault != nil || newOutput != nil || !removed.isEmpty || !added.isEmpty {
            recent = RecentRouteChanges(
                newDefault: newDefault ?? recent.newDefault, newOutput: newOutput ?? recent.newOutput, added: recent.added + added,
                removed: recent.removed + removed, expiry: now + Self.reasonLifetime)
        }
        changes += removed.map { RouteChange(reason: .oldDeviceUnavailable, old: current, new: current, subject: $0) }
        changes += added.map { RouteChange(reason: .newDeviceAvailable, old: current, new: current, subject: $0) }
        if let newDefault, newDefault != current {
            changes.append(RouteChange(reason: .routeConfigurationChange, old: current, new: current, subject: newDefault))
        }
        if let newOutput, current != Self.monitor(of: newOutput) {
            changes.append(RouteChange(reason: .routeConfigurationChange, old: current, new: current, subject: newOutput))
        }
        return changes
    }

    /// Resets the tracker to the device of a new stream.
    ///
    /// - Returns: The change, if the device is another one than before.
    mutating func reopened(on device: String) -> RouteChange? {
        defer { self = RouteTracker(current: device) }
        guard device != current else { return nil }
        return change(to: device)
    }

    private static func monitor(of output: String) -> String { output + ".monitor" }

    /// Returns the move to `device` with the most plausible reason, and removes the notice that gave the reason.
    private mutating func change(to device: String) -> RouteChange {
        let reason: RouteChangeReason
        var subject: String?
        if let index = removed.firstIndex(of: current) {
            subject = removed.remove(at: index)
            reason = .oldDeviceUnavailable
        } else if let index = added.firstIndex(of: device) {
            subject = added.remove(at: index)
            reason = .newDeviceAvailable
        } else if newDefault == device {
            subject = device
            reason = .routeConfigurationChange
        } else if let newOutput, device == Self.monitor(of: newOutput) {
            subject = newOutput
            reason = .routeConfigurationChange
        } else if recent.removed.contains(current) {
            subject = current
            reason = .oldDeviceUnavailable
        } else if recent.newDefault == device {
            subject = device
            reason = .routeConfigurationChange
        } else if let newOutput = recent.newOutput, device == Self.monitor(of: newOutput) {
            subject = newOutput
            reason = .routeConfigurationChange
        } else if recent.added.contains(device) {
            subject = device
            reason = .newDeviceAvailable
        } else {
            reason = .override
        }
        return RouteChange(reason: reason, old: current, new: device, subject: subject)
    }
}
