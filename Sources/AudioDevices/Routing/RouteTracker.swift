// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Finds the reason of a route change in what the server says around it.
///
/// A server tells the same event in several messages, in no fixed order: they are collected for a moment, then judged together.
struct RouteTracker {
    /// How long to collect, in nanoseconds.
    private static let settling: Int64 = 300_000_000
    /// How long after its reason a move may come, in nanoseconds: a busy server moves streams late.
    private static let memory: Int64 = 5_000_000_000

    /// The device recorded from.
    private(set) var current: String
    private var movedTo: String?
    private var statedReason: RouteChangeReason?
    private var newDefault: String?
    private var newOutput: String?
    private var added: [String] = []
    private var removed: [String] = []
    private var settledAt: Int64?
    /// What was told already, and may be the reason of a move to come.
    private var told: (newDefault: String?, removed: [String], until: Int64) = (nil, [], 0)

    init(current: String) { self.current = current }

    /// Takes a notice; returns whether it was about a route.
    mutating func accept(_ notice: BackendNotice, now: Int64) -> Bool {
        switch notice {
        case .moved(let id, _): movedTo = id
        case .routeChanged(let reason, let id, _):
            movedTo = id
            statedReason = reason
        case .defaultChanged(let id): newDefault = id
        case .defaultOutputChanged(let id): newOutput = id
        case .deviceAdded(let id): added.append(id)
        case .deviceRemoved(let id): removed.append(id)
        default: return false
        }
        if now > told.until { told = (nil, [], 0) }
        if settledAt == nil { settledAt = now + Self.settling }
        return true
    }

    /// The changes so far, once they have settled.
    mutating func settle(now: Int64) -> [RouteChange] {
        guard let settledAt, now >= settledAt else { return [] }
        defer {
            let told = told
            self = RouteTracker(current: current)
            self.told = told
        }
        var changes: [RouteChange] = []
        if let statedReason {
            changes.append(RouteChange(reason: statedReason, old: current, new: movedTo ?? current))
            current = movedTo ?? current
        } else if let movedTo, movedTo != current {
            changes.append(change(to: movedTo))
            current = movedTo
        }
        if newDefault != nil || !removed.isEmpty { told = (newDefault ?? told.newDefault, told.removed + removed, now + Self.memory) }
        changes += removed.map { RouteChange(reason: .oldDeviceUnavailable, old: current, new: current, subject: $0) }
        changes += added.map { RouteChange(reason: .newDeviceAvailable, old: current, new: current, subject: $0) }
        if let newDefault, newDefault != current {
            changes.append(RouteChange(reason: .routeConfigurationChange, old: current, new: current, subject: newDefault))
        }
        if let newOutput {
            changes.append(RouteChange(reason: .routeConfigurationChange, old: current, new: current, subject: newOutput))
        }
        return changes
    }

    /// The stream was opened anew: from this device.
    mutating func reopened(on device: String) -> RouteChange? {
        defer { self = RouteTracker(current: device) }
        guard device != current else { return nil }
        return change(to: device)
    }

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
        } else if told.removed.contains(current) {
            subject = current
            reason = .oldDeviceUnavailable
        } else if told.newDefault == device {
            subject = device
            reason = .routeConfigurationChange
        } else {
            reason = .override
        }
        return RouteChange(reason: reason, old: current, new: device, subject: subject)
    }
}
