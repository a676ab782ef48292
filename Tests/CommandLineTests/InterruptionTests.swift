// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinnetCommand
import TestSupport
import Testing

/// Signals, closed pipes and the progress line.
@Suite struct InterruptionTests {
    @Test(
        "Ctrl-C and SIGTERM end the program immediately and leave no unfinished output",
        arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)] as [(String, Int32)])
    func signals(name: String, code: Int32) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav")
        // The pipe stays open and empty after the file, so the program waits. Tests started by nohup ignore SIGHUP, as do their children.
        let script = """
            mkfifo pipe; (cat a.wav; exec sleep 120) >pipe & feeder=$!
            perl -e '$SIG{HUP} = "DEFAULT"; exec @ARGV' '\(LinnetProgram.path)' encode - -o out.aac <pipe & program=$!
            for i in {1..2400}; do sleep 0.05; [ -s .linnet-* ] && break; done
            ls -A | grep -c '^.linnet-'
            kill -\(name) $program; wait $program; code=$?
            kill -9 $feeder; exit $code
            """
        let run = try ProgramRun.shell(script, folder: folder.url)
        #expect(run.exitCode == code)
        #expect(run.text == "1\n")
        #expect(run.errorText.contains("linnet: interrupted; unfinished outputs were removed\n"))
        #expect(try folder.contents == ["a.wav", "pipe"])
    }

    @Test(
        "A report and a comparison that are interrupted leave no unfinished output",
        arguments: ["report b.wav", "compare b.wav b.wav --drawing b.svg"])
    func pages(command: String) throws {
        let folder = try TemporaryFolder()
        // Opening a pipe without a writer blocks.
        let script = """
            mkfifo b.wav; '\(LinnetProgram.path)' \(command) & program=$!
            for i in {1..2400}; do sleep 0.05; [ -e .linnet-* ] && break; done
            ls -A | grep -c '^.linnet-'
            kill -TERM $program; wait $program
            """
        let run = try ProgramRun.shell(script, folder: folder.url)
        #expect(run.exitCode == 143 && run.text == "1\n")
        #expect(run.errorText.contains("linnet: interrupted; unfinished outputs were removed\n"))
        #expect(try folder.contents == ["b.wav"])
    }

    @Test("An ignored SIGHUP, as with nohup, does not end the program")
    func ignoredHangup() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav")
        let script = """
            mkfifo pipe; exec 9<>pipe; trap '' HUP
            '\(LinnetProgram.path)' encode --quiet - -o out.aac <pipe 9<&- & program=$!
            cat a.wav >pipe
            for i in {1..2400}; do sleep 0.05; [ -s .linnet-* ] && break; done
            kill -HUP $program; exec 9<&-; wait $program
            """
        let run = try ProgramRun.shell(script, folder: folder.url)
        #expect(run.exitCode == 0 && run.errorText.isEmpty)
        #expect(try folder.contents == ["a.wav", "out.aac", "pipe"])
    }

    @Test("When the reader of a pipe ends, the program ends without a message")
    func closedPipe() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 220_500)
        for command in ["encode --effort fast a.wav", "decode a.aac", "convert --format wav a.aac"] {
            let run = try LinnetProgram.shell(
                """
                set +o pipefail; linnet encode --quiet --effort fast a.wav -y
                linnet \(command) --quiet -o - | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}
                """, folder: folder)
            #expect(run.text == "141\n", "\(command)")
            #expect(run.errorText.isEmpty)
        }
        let full = try LinnetProgram.shell("linnet encode --quiet --effort fast a.wav -o - >/dev/full", folder: folder)
        #expect(full.exitCode == 9 && full.errorText == "linnet: no space left for standard output\n")
    }

    @Test("With all standard streams closed, outputs are the same and hold no messages")
    func closedStreams() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 60_000)
        let run = try LinnetProgram.shell(
            """
            linnet encode --quiet a.wav -o open.aac
            linnet encode a.wav -o closed.aac <&- >&- 2>&- || echo $?
            linnet encode a.wav missing.wav -o out --jobs 2 <&- >&- 2>&- || echo $?
            linnet probe - <&- || echo $?
            """, folder: folder)
        #expect(run.text == "8\n8\n3\n" && run.errorText == "linnet: cannot read standard input: Bad file descriptor\n", "\(run.errorText)")
        let whole = try bytes(ofFile: folder.path("open.aac"))
        #expect(try bytes(ofFile: folder.path("closed.aac")) == whole)
        #expect(try bytes(ofFile: folder.path("out/a.aac")) == whole)
    }

    @Test("Exceeding the file size limit is an error that leaves no file")
    func fileSizeLimit() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 60_000)
        let run = try LinnetProgram.shell("ulimit -f 10; linnet convert a.wav -o b.wav", folder: folder)
        #expect(run.exitCode == 8 && run.errorText == "linnet: cannot write b.wav: File too large\n", "\(run.errorText)")
        #expect(try folder.contents == ["a.wav"])
    }

    @Test("Without a terminal there is no progress line")
    func progressOnTerminal() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("a.wav", frames: 661_500)
        let plain = try LinnetProgram.run("encode", "--effort", "fast", "a.wav", folder: folder)
        #expect(plain.errorText.isEmpty)
        try ProgramRun.require("script")
        // Work of less than 0.1 s has no line.
        let command = "'\(LinnetProgram.path)' encode --force --effort best a.wav"
        let shown = try ProgramRun.shell("script -qec \"\(command)\" /dev/null </dev/null", folder: folder.url)
        #expect(shown.exitCode == 0)
        #expect(shown.text.contains(/\r\[=*> *\] +\d+%  +[0-9.]+x  +\d+:\d\d left  a\.wav\u{1B}\[K/))
        // The line is removed before the summary.
        #expect(shown.text.contains(/\r\u{1B}\[Ka\.wav -> a\.aac: 661500 frames/))
    }

    @Test("The progress line fits the terminal with any numbers", arguments: [10, 40, 80, 200])
    func progressText(columns: Int) {
        for fraction in [nil, 0, 0.5, 0.999, 1] as [Double?] {
            for label in ["a.wav", String(repeating: "x", count: 300)] {
                let text = ProgressLine.text(
                    JobProgress(seconds: 12_345.6, fraction: fraction), elapsed: 100, verb: "encoded", label: label, columnCount: columns)
                #expect(text.count < columns)
            }
        }
        let whole = ProgressLine.text(
            JobProgress(seconds: 100, fraction: 0.5), elapsed: 2, verb: "encoded", label: "a.wav", columnCount: 80)
        #expect(whole == "[============>           ]  50%     50x   0:02 left  a.wav")
        let open = ProgressLine.text(JobProgress(seconds: 65, fraction: nil), elapsed: 10, verb: "decoded", label: "-", columnCount: 80)
        #expect(open == "   1:05 decoded    6.5x  -")
    }
}
