// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import TestSupport
import Testing

@Suite struct MuteSwitchTests {
    @Test("Audio is muted until the end of the mute during which it was captured")
    func ends() {
        var mute = MuteSwitch()
        let changes: [(Int64, Bool)] = [(10, true), (20, false), (40, true), (50, false), (60, false)]
        #expect(changes.map { mute.set($1, now: $0) } == [true, true, true, true, false])
        let captured: [Range<Int64>] = [0..<10, 5..<15, 19..<25, 20..<30, 45..<100, 50..<60]
        #expect(captured.map { mute.end(within: $0) } == [nil, 20, 20, nil, 50, nil])
    }

    @Test("Of very many mutes the oldest become one")
    func many() {
        var mute = MuteSwitch()
        for time in 0..<100 as Range<Int64> { _ = mute.set(time % 2 == 0, now: 10 * time) }
        // Muted from 980 to 990, and from 960 to 970.
        let captured: [Range<Int64>] = [5..<6, 15..<16, 971..<979, 981..<982]
        #expect(captured.map { mute.end(within: $0) != nil } == [true, true, false, true])
    }

    @Test("Mute by the system is reported once, and its end also after a reopening")
    func systemMute() async throws {
        let backend = ScriptedBackend([.init(), .init()])
        let capture = AudioCapture.scripted(backend)
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        for isMuted in [false, true, true] { backend.report(.muted(isMuted)) }
        backend.report(.serverLost)
        try await record.wait(for: "resumed") { $0 == .resumed }
        for isMuted in [true, false, false] { backend.report(.muted(isMuted)) }
        try await record.wait(for: "unmuted") { $0 == .muted(false, by: .system) }
        await capture.stop()
        #expect(await Wait.until { record.events.last == .stopped })
        let mutes = record.events.filter { if case .muted = $0 { true } else { false } }
        #expect(mutes == [.muted(true, by: .system), .muted(false, by: .system)])
    }
}
