// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Keys and status lines on a terminal.
@Suite(.serialized) struct TerminalKeyTests {
    /// The status of a recording without colours.
    private static var liveLine: some RegexComponent {
        /\r +0:\d\d +[0-9.]+ kb\/s  nothing lost  \d[^\u{1B}]+\u{1B}\[K\r\n\r\[=+\|? +\] -12\.0 dB\u{1B}\[K\r\n\rm mute  p/
    }

    /// Writes a constant at a quarter of full scale, mono, 48 kHz.
    private static func writeTone(_ folder: TemporaryFolder, seconds: Int) throws {
        let samples = [Int16](repeating: 8192, count: seconds * 48_000)
        try samples.withUnsafeBytes { Data($0) }.write(to: URL(filePath: folder.path("tone.raw")))
    }

    @Test("During a recording m mutes, p pauses and q stops, as the status line shows")
    func record() throws {
        let folder = try TemporaryFolder()
        try Self.writeTone(folder, seconds: 120)
        let session = try TerminalSession("export NO_COLOR=1; linnet record --input tone.raw -o out.aac --also out.wav", folder: folder)
        let started = Date.now
        #expect(session.shows(/Recording .*tone\.raw to out\.aac: 48000 Hz, mono\r\n/, after: 0))
        #expect(session.shows(Self.liveLine, after: 0))
        Thread.sleep(forTimeInterval: 0.6)
        var mark = session.mark
        session.press("m")
        #expect(session.shows(/nothing lost  muted/, after: mark))
        Thread.sleep(forTimeInterval: 0.6)
        mark = session.mark
        session.press("m")
        #expect(session.shows(Self.liveLine, after: mark))
        mark = session.mark
        session.press("p")
        #expect(session.shows(/nothing lost  paused/, after: mark))
        let paused = Date.now
        Thread.sleep(forTimeInterval: 1.5)
        let pause = Date.now.timeIntervalSince(paused)
        mark = session.mark
        session.press(" ")
        #expect(session.shows(Self.liveLine, after: mark))
        session.press("xyz")
        mark = session.mark
        session.press("q")
        #expect(session.endsWell(after: mark))
        let elapsed = Date.now.timeIntervalSince(started)
        let end = session.text(after: mark)
        #expect(end.contains(/\r\u{1B}\[JRecorded \d+\.\d s to out\.aac, [0-9.]+ kb\/s\r\nstatus=0/), "\(end)")
        let samples = try RecordedFile.samples(folder.path("out.wav"))
        let silent = samples.count { $0 == 0 }
        #expect(silent > 19_200 && silent < samples.count - 24_000, "\(silent) of \(samples.count)")
        #expect(Double(samples.count) / 48_000 < elapsed - pause + 0.2)
        #expect((2112..<2112 + 1024).contains(try RecordedFile.accessUnitCount(folder.path("out.aac")) * 1024 - samples.count))
    }

    @Test("At 40 columns no line wraps; k marks, and lines of marks stay above the status")
    func narrow() throws {
        let folder = try TemporaryFolder()
        let samples = (0..<6 * 16_000 * 60).map { Int16(truncatingIfNeeded: 1000 << ($0 % 6)) }
        _ = try folder.write(samples.withUnsafeBytes { Array($0) }, to: "in.raw")
        let command = "linnet record --input in.raw --channels 6 --rate 16k -o out.m4a --also out.wav"
        let session = try TerminalSession("unset NO_COLOR; export TERM=xterm; stty columns 40 rows 24; \(command)", folder: folder)
        #expect(session.shows(#/ [kMGT]B free, \d+ /#, after: 0))
        session.press("k")
        #expect(session.shows(/linnet: mark at 00:00:\d\d\.\d+: Mark 1\r\n/, after: 0))
        #expect(session.shows(#/1 mark[ \u{1B}]/#, after: 0))
        let mark = session.mark
        session.press("q")
        #expect(session.endsWell(after: mark))
        let text = session.text()
        let screen = text.replacing(/\u{1B}\[\d*[mJKA]/, with: "")
        // Lines that stay, such as messages, may wrap.
        let lines = screen.unicodeScalars.split { $0 == "\r" || $0 == "\n" }.map { String($0) }
            .filter { !$0.contains("out.m4a") && !$0.hasPrefix("linnet:") }
        let drawn = lines.prefix { !$0.contains("status=") }
        #expect(drawn.count > 50 && drawn.allSatisfy { $0.count < 40 }, "\(drawn.filter { $0.count >= 40 })")
        for channel in 1...6 { #expect(drawn.contains { $0.hasPrefix("\(channel) [") && $0.hasSuffix(" dB") }, "\(channel)") }
        #expect(text.contains("\u{1B}[32m==") && text.contains("\u{1B}[33m"))
        let probe = try LinnetProgram.run("probe", "out.m4a", folder: folder)
        #expect(probe.text.contains(/Chapter: +00:00:\d\d\.\d+ Mark 1\n/), "\(probe.text)")
    }

    @Test("A terminal that cannot move its cursor gets no status")
    func dumb() throws {
        let folder = try TemporaryFolder()
        try Self.writeTone(folder, seconds: 2)
        let session = try TerminalSession("export TERM=dumb; linnet record --input tone.raw -o out.aac", folder: folder)
        #expect(session.endsWell(after: 0))
        let text = session.text()
        #expect(
            text.contains("mono\r\nm mute  p pause  k mark  q stop\r\nRecorded 2.0 s to out.aac, ") && !text.contains("\u{1B}["), "\(text)")
    }

    @Test("Ctrl-C on the terminal finishes a recording")
    func interrupt() throws {
        let folder = try TemporaryFolder()
        try Self.writeTone(folder, seconds: 60)
        let session = try TerminalSession("export NO_COLOR=1; linnet record --input tone.raw -o out.m4a --mute-at 0.2-0.4", folder: folder)
        #expect(session.shows(Self.liveLine, after: 0))
        let mark = session.mark
        session.press("\u{3}")
        #expect(session.endsWell(after: mark) && session.text(after: mark).contains("Recorded "))
        let run = try LinnetProgram.run("decode", "out.m4a", "-o", "out.wav", folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
    }

    @Test("Second Ctrl-C ends a player that waits for a silent pipe, and leaves the terminal with echo")
    func secondInterrupt() throws {
        let folder = try TemporaryFolder()
        let device = #"pcm.loudspeaker { type file slave.pcm "null" file "/dev/null" format "raw" }"#
        try device.write(toFile: folder.path("asound.conf"), atomically: true, encoding: .utf8)
        try folder.writeSignal("tone.wav", frames: 20 * 44_100)
        let session = try TerminalSession(
            "export ALSA_CONFIG_PATH=/usr/share/alsa/alsa.conf:$PWD/asound.conf; trap : INT; mkfifo pipe; "
                + "(trap '' INT; head -c 400000 tone.wav; sleep 15) > pipe & linnet play --backend alsa --device loudspeaker pipe; "
                + "kill $!; true", folder: folder)
        #expect(session.shows(#/ 0:0[1-9] of 0:20/#, after: 0))
        let mark = session.mark
        session.press("\u{3}")
        // A signal that follows at once does not count.
        Thread.sleep(forTimeInterval: 1)
        session.press("\u{3}")
        #expect(session.endsWell(after: mark))
    }

    @Test(
        "During playback space pauses, arrow keys seek and q stops",
        .enabled(if: PrivateServer.kinds.contains("pulseaudio")))
    func play() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("tone.wav", frames: 60 * 44_100)
        let session = try TerminalSession(
            "'\(PrivateServer.script)' run pulseaudio '\(LinnetProgram.path)' play tone.wav", folder: folder)
        #expect(session.shows(/\r 0:0[1-9] of 1:00\u{1B}/, after: 0, seconds: 60))
        var mark = session.mark
        session.press(" ")
        #expect(session.shows(#/ of 1:00  paused/#, after: mark))
        mark = session.mark
        #expect(session.shows(#/ of 1:00  paused/#, after: mark))
        let position = try #require(Self.position(session, after: mark))
        Thread.sleep(forTimeInterval: 1.5)
        mark = session.mark
        #expect(session.shows(#/ of 1:00  paused/#, after: mark))
        #expect(try #require(Self.position(session, after: mark)) == position)
        mark = session.mark
        session.press(" ")
        #expect(session.shows(#/ of 1:00\u{1B}/#, after: mark))
        // Four steps of 5 s forward, two back.
        for _ in 0..<4 { session.press("\u{1B}[C") }
        #expect(session.shows(/\r 0:[23]\d of 1:00/, after: mark))
        mark = session.mark
        let far = try #require(Self.position(session, after: 0))
        for _ in 0..<2 { session.press("\u{1B}[D") }
        Thread.sleep(forTimeInterval: 0.5)
        mark = session.mark
        #expect(session.shows(#/ of 1:00/#, after: mark))
        #expect(try #require(Self.position(session, after: mark)) < far)
        mark = session.mark
        session.press("q")
        #expect(session.endsWell(after: mark))
    }

    /// Returns the latest position that the screen shows after a mark, in seconds.
    private static func position(_ session: TerminalSession, after mark: Int) -> Int? {
        session.text(after: mark).matches(of: #/\r +(\d+):(\d\d) of /#).last.flatMap { match in
            guard let minutes = Int(match.output.1), let seconds = Int(match.output.2) else { return nil }
            return minutes * 60 + seconds
        }
    }
}
