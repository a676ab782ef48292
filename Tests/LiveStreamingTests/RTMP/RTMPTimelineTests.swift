// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import LiveStreaming
import Testing

@Suite struct RTMPTimelineTests {
    @Test("Timestamps are accurate to 1 ms over 60 days and never decrease")
    func noDrift() {
        let timeline = RTMPTimeline()
        var last: Int64 = 0
        let accessUnitCount = 60 * 86_400 * 44_100 / 1024
        for accessUnit in stride(from: 0, through: accessUnitCount, by: 997) {
            let value = timeline.timestamp(of: MediaTime(value: Int64(accessUnit) * 1024 - 2112, timescale: 44_100))
            let exact = Double(accessUnit) * 1024 / 44.1
            #expect(abs(Double(value) - exact) <= 1)
            #expect(value >= last)
            last = value
        }
        #expect(last > 1 << 32)
    }

    @Test("Timestamps start at 0 even for negative times, and round down")
    func priming() {
        let timeline = RTMPTimeline()
        let times = (0..<5).map { timeline.timestamp(of: MediaTime(value: $0 * 1024 - 2112, timescale: 48_000)) }
        #expect(times == [0, 21, 42, 64, 85])
        #expect(RTMPTimeline().timestamp(of: MediaTime(value: -1, timescale: 3)) == 0)
    }

    @Test("Sent timestamps wrap around after 2^32 − 1 ms")
    func wrap() throws {
        let timeline = RTMPTimeline(origin: (1 << 32) - 30)
        let session = RTMPPublishingSession(RTMPAddress("rtmp://host/app/key")!)
        var reader = RTMPChunkReader()
        var times: [UInt32] = []
        for accessUnit in 0..<4 {
            let time = timeline.timestamp(of: MediaTime(value: Int64(accessUnit) * 1024, timescale: 48_000))
            reader.append(session.message(.audio, timestamp: time, payload: [0xAF, 1]))
            while let message = try reader.next() { times.append(message.timestamp) }
        }
        #expect(times == [UInt32.max - 29, UInt32.max - 8, 12, 34])
    }
}
