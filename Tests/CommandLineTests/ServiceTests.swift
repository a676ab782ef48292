// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// `linnet stream` as a service: its reports to service manager and journal.
@Suite struct ServiceTests {
    /// Prints each datagram of a socket until the service ends.
    private static let manager = """
        import socket
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        manager.bind("manager")
        manager.settimeout(20)
        state = ""
        while state != "STOPPING=1":
            state = manager.recv(100).decode()
            print(state)
        """

    /// Runs a script with a service manager, and returns the manager's reports.
    private static func reports(_ script: String) throws -> [Substring] {
        let folder = try TemporaryFolder()
        try ProgramRun.require("python3")
        try folder.writeSignal("in.wav", frames: 48_000, channels: 1, sampleRate: 48_000)
        let run = try LinnetProgram.shell(
            """
            python3 -c '\(manager)' >reports & manager=$!
            until [ -S manager ]; do sleep 0.02; done
            export NOTIFY_SOCKET=manager WATCHDOG_USEC=400000
            \(script)
            wait $manager; cat reports
            """, folder: folder)
        #expect(run.exitCode == 0, "\(run.errorText)")
        return run.text.split(separator: "\n")
    }

    @Test("The service manager gets READY, two watchdog messages per period and STOPPING")
    func signsOfLife() throws {
        let reports = try Self.reports("linnet stream in.wav --loop --seconds 2 -o out.aac --quiet")
        #expect(reports.first == "READY=1" && reports.last == "STOPPING=1", "\(reports)")
        let signs = reports.dropFirst().dropLast()
        #expect(signs.count >= 3 && signs.allSatisfy { $0 == "WATCHDOG=1" }, "\(reports)")
    }

    @Test("Stalled input stops watchdog messages, so that the service restarts; standard input can stall")
    func stall() throws {
        let header = "mkfifo pipe; { head -c 20000 in.wav; sleep 3; } >pipe & "
        let stalled = try Self.reports(header + "linnet stream pipe -o out.aac --at-rate --quiet 2>messages")
        #expect(stalled.count { $0 == "WATCHDOG=1" } <= 3, "\(stalled)")
        let piped = try Self.reports("{ head -c 20000 in.wav; sleep 3; } | linnet stream - -o out.aac --quiet 2>messages")
        #expect(piped.count { $0 == "WATCHDOG=1" } >= 6, "\(piped)")
    }

    @Test("Only messages to the journal have a level")
    func levels() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 4_800, channels: 1, sampleRate: 48_000)
        let run = try LinnetProgram.shell(
            """
            exec 3>journal; export JOURNAL_STREAM=$(stat -Lc %d:%i /proc/self/fd/3)
            linnet stream in.wav -o out.aac 2>&3; linnet stream missing.wav -o x.aac 2>&3; linnet stream missing.wav -o x.aac 2>other
            cat journal; echo; cat other
            """, folder: folder)
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 4, "\(lines)")
        #expect(lines.prefix(2).allSatisfy { $0.hasPrefix("<6>") } && lines[2].hasPrefix("<3>linnet: "), "\(lines)")
        #expect(lines[3].hasPrefix("linnet: "), "\(lines)")
    }
}
