// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import Testing

@Suite struct RouteTrackerTests {
    private static let second: Int64 = 1_000_000_000

    /// Returns the changes reported for notices with times in seconds, polled every 0.1 s.
    private func changes(_ notices: [(time: Double, notice: BackendNotice)]) -> [RouteChange] {
        var tracker = RouteTracker(current: "a")
        var result: [RouteChange] = []
        for tick in 0..<200 {
            let now = Int64(tick) * Self.second / 10
            for (_, notice) in notices.filter({ Int(($0.time * 10).rounded()) == tick }) { _ = tracker.accept(notice, now: now) }
            result += tracker.collectedChanges(now: now)
        }
        return result
    }

    @Test("Move has the reason reported before it, at once or seconds earlier", arguments: [0, 0.2, 2.5])
    func reasons(delay: Double) {
        let move = (1 + delay, BackendNotice.moved(id: "b", name: "B"))
        let byDefault = changes([(1, .defaultChanged(id: "b")), move])
        #expect(byDefault.last == RouteChange(reason: .routeConfigurationChange, old: "a", new: "b", subject: "b"))
        let byLoss = changes([(1, .deviceRemoved(id: "a")), move])
        #expect(byLoss.last == RouteChange(reason: .oldDeviceUnavailable, old: "a", new: "b", subject: "a"))
        // A separately reported reason is reported once, and so is the move.
        #expect(byDefault.count == (delay > 1 ? 2 : 1) && byLoss.count == byDefault.count)
    }

    @Test("Move to the monitor of a new default output has that reason", arguments: [0, 2.5])
    func output(delay: Double) {
        let found = changes([(1, .defaultOutputChanged(id: "b")), (1 + delay, .moved(id: "b.monitor", name: "B"))])
        #expect(found.last == RouteChange(reason: .routeConfigurationChange, old: "a", new: "b.monitor", subject: "b"))
        #expect(found.count == (delay > 0 ? 2 : 1))
    }

    @Test("Move without a recent reason is an override")
    func override() {
        let change = RouteChange(reason: .override, old: "a", new: "b")
        #expect(changes([(1, .moved(id: "b", name: "B"))]) == [change])
        #expect(changes([(1, .defaultChanged(id: "b")), (8, .moved(id: "b", name: "B"))]).last == change)
        #expect(changes([(1, .deviceRemoved(id: "c")), (2, .moved(id: "b", name: "B"))]).last == change)
    }
}
