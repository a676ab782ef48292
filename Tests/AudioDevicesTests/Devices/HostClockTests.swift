// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import Testing

@Suite struct HostClockTests {
    @Test("Time after a duration clamps to the maximum")
    func endOfDuration() {
        let before = HostClock.now
        let end = HostClock.time(after: .seconds(2))
        #expect(end >= before + 2_000_000_000 && end <= HostClock.now + 2_000_000_000)
        #expect(HostClock.time(after: .seconds(Int64.max)) == .max)
        #expect(HostClock.time(after: .seconds(-1)) < HostClock.now)
    }
}
