// SPDX-License-Identifier: Apache-2.0

import LinnetCommand
import Testing

/// The status of a recording as text: meters, space and keys at any width.
@Suite struct RecordScreenTests {
    private static func screen(channelCount: Int, labels: [String]? = nil) -> RecordScreen {
        var screen = RecordScreen()
        screen.seconds = 3723
        screen.bitRate = 128_000
        screen.state = "muted"
        screen.markCount = 2
        screen.space = .init(availableByteCount: 12_300_000_000, seconds: 75_600)
        screen.takesKeys = true
        screen.channels = (labels ?? RecordScreen.labels(channelCount: channelCount)).enumerated().map { index, label in
            LevelBar(label: label, level: -6 * Double(index) - 30, peak: -6 * Double(index) - 3, clippedSampleCount: index * 9_999_999)
        }
        return screen
    }

    /// Removes colours.
    private static func plain(_ line: String) -> String { line.replacing(/\u{1B}\[\d+m/, with: "") }

    @Test("No line reaches the last column, at any width and with any channels", arguments: [1, 2, 6, 8], [40, 80, 120])
    func widths(channelCount: Int, columnCount: Int) {
        var screen = Self.screen(channelCount: channelCount)
        screen.lostSeconds = 12.5
        screen.streamLines = ["  rtmp://live.example.com/application/name  streaming   12.3 MB  128.0 kb/s  0.1 s queued  lost 5 s"]
        for usesColor in [false, true] {
            let lines = screen.lines(columnCount: columnCount, usesColor: usesColor)
            #expect(lines.allSatisfy { Self.plain($0).count < columnCount && !$0.isEmpty }, "\(lines)")
            #expect(lines.count { $0.contains("[") && Self.plain($0).contains("|") } == channelCount)
            #expect(lines.last == "m mute  p pause  k mark  q stop")
        }
        let colored = screen.lines(columnCount: columnCount, usesColor: true).map(Self.plain)
        #expect(colored == screen.lines(columnCount: columnCount))
    }

    @Test("Even a terminal of a few columns gets lines that fit", arguments: 1...39)
    func narrow(columnCount: Int) {
        let lines = Self.screen(channelCount: 2, labels: ["mic", "system L"]).lines(columnCount: columnCount)
        #expect(lines.allSatisfy { $0.count < max(1, columnCount) || $0.isEmpty }, "\(lines)")
    }

    @Test("Forty columns show everything")
    func forty() {
        let lines = Self.screen(channelCount: 2).lines(columnCount: 40)
        #expect(
            lines
                == [
                    "1:02:03  128.0 kb/s  nothing lost", "muted  2 marks  12.3 GB free, 21 h left", "L [=======       |]  -3.0 dB",
                    "R [======      |  ]  -9.0 dB  clip 9M", "m mute  p pause  k mark  q stop",
                ])
    }

    @Test("Meters have the names of their sources, which use one column width")
    func sources() {
        var screen = Self.screen(channelCount: 3, labels: ["mic", "system L", "system R"])
        screen.sources = [.init(name: "mic", state: "interrupted"), .init(name: "system", state: "")]
        let lines = screen.lines(columnCount: 80)
        #expect(lines.contains { $0.contains("mic: interrupted") } && !lines.contains { $0.contains("system:") })
        #expect(lines.filter { $0.contains("[") }.map { $0.prefix(10) } == ["mic      [", "system L [", "system R ["])
        // Wide characters take two columns.
        screen.channels[0].label = "麦克风"
        let wide = screen.lines(columnCount: 40).filter { $0.contains("[") }
        #expect(wide[0].hasPrefix("麦克风   [") && wide[1].hasPrefix("system L ["))
    }

    @Test("If the rows do not suffice, one meter has the loudest of all channels")
    func rows() {
        let screen = Self.screen(channelCount: 8)
        let lines = screen.lines(columnCount: 80, rowCount: 8)
        #expect(lines.count == 3 && lines[1].hasPrefix("all [") && lines[1].contains("-3.0 dB  clip 279M"))
        #expect(screen.lines(columnCount: 80, rowCount: 24).count == 10)
        #expect(screen.lines(columnCount: 80, rowCount: 2).count == 1)
    }

    @Test("The bar is green, then yellow from -12 dB, then red from -3 dB")
    func colors() {
        var screen = RecordScreen()
        screen.channels = [LevelBar(label: "", level: 0, peak: 0, clippedSampleCount: 3)]
        let line = screen.lines(columnCount: 80, usesColor: true)[1]
        let parts = line.matches(of: /\u{1B}\[(\d+)m([^\u{1B}]+)\u{1B}\[39m/).map { "\($0.output.1) \($0.output.2)" }
        #expect(parts == ["32 " + String(repeating: "=", count: 32), "33 ======", "31 =|", "31 clip 3"])
    }

    @Test("Silence has an empty bar, and levels above full scale a full one")
    func extremes() {
        var screen = RecordScreen()
        screen.channels = [LevelBar(label: "1"), LevelBar(label: "2", level: 12, peak: 12.34)]
        let lines = screen.lines(columnCount: 60)
        #expect(lines[1] == "1 [" + String(repeating: " ", count: 35) + "]  silence")
        #expect(lines[2] == "2 [" + String(repeating: "=", count: 34) + "|]  12.3 dB")
    }

    @Test("A peak is held for three seconds; the level falls by 20 dB per second")
    func hold() {
        var meter = PeakHold()
        meter.update([-10, -50], at: 10)
        #expect(meter.levels == [-10, -50] && meter.peaks == [-10, -50])
        meter.update([-40, -20], at: 10.5)
        #expect(meter.levels == [-20, -20] && meter.peaks == [-10, -20])
        // Buffers need not arrive between all calls.
        meter.update(nil, at: 10.7)
        #expect(meter.levels == [-20, -20])
        meter.update(nil, at: 13)
        #expect(meter.levels == [-70, -70] && meter.peaks == [-10, -20])
        // The first peak expires, the second is the highest of the last seconds.
        meter.update([-60, -60], at: 13.25)
        #expect(meter.levels == [-60, -60] && meter.peaks == [-40, -20])
        meter.update(nil, at: 60)
        #expect(meter.levels == [-120, -120] && meter.peaks == [-120, -120])
        meter.update([-1], at: 61)
        #expect(meter.peaks == [-1])
    }

    @Test("The remaining time is free space over the growth per recorded second, of the device that is full first")
    func space() {
        var space = RecordSpace(paths: [])
        func update(_ seconds: Double, _ first: Int, _ second: Int, sameDevice: Bool) -> RecordSpace.Estimate? {
            space.update(
                at: seconds, byteCounts: [first, second], devices: [(1, 1_000_000), sameDevice ? (1, 1_000_000) : (2, 4_000_000)])
        }
        #expect(update(0, 0, 0, sameDevice: true) == .init(availableByteCount: 1_000_000, seconds: nil))
        #expect(update(1, 16_000, 96_000, sameDevice: true)?.seconds == nil)
        #expect(update(10, 160_000, 960_000, sameDevice: true) == .init(availableByteCount: 1_000_000, seconds: 1_000_000.0 / 112_000))
        #expect(update(10, 160_000, 960_000, sameDevice: false) == .init(availableByteCount: 4_000_000, seconds: 4_000_000.0 / 96_000))
        // A pause changes nothing, and a new rate counts alone after half a minute.
        #expect(update(10, 160_000, 960_000, sameDevice: false)?.seconds == 4_000_000.0 / 96_000)
        for second in 11...41 { _ = update(Double(second), 160_000 + (second - 10) * 1000, 960_000, sameDevice: false) }
        #expect(update(42, 192_000, 960_000, sameDevice: false) == .init(availableByteCount: 1_000_000, seconds: 1000))
    }

    @Test("A remaining time has one unit")
    func remaining() {
        let times: [Double] = [-1, 59.9, 60, 7199, 7200, 172_799, 172_800, 1e12]
        #expect(times.map(RecordScreen.remaining) == ["0 s", "59 s", "1 min", "119 min", "2 h", "47 h", "2 days", "9999 days"])
    }
}
