// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Killed joins, resumed by the same command.
@Suite struct JoinTests {
    /// Three parts of MP3, half a minute each.
    private static let parts = Result {
        let folder = try TemporaryFolder()
        for number in 1...3 { try folder.writeSignal("part\(number).wav", frames: 1_200_000 + 34_567 * number) }
        let run = try ProgramRun.shell(
            "for n in 1 2 3; do lame --quiet -b 128 --tt \"Chapter $n\" part$n.wav part$n.mp3 || exit 1; done", folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        return try (1...3).map { try bytes(ofFile: folder.path("part\($0).mp3")) }
    }

    /// Writes the parts.
    private func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (index, part) in try Self.parts.get().enumerated() { _ = try folder.write(part, to: "part\(index + 1).mp3") }
        return folder
    }

    /// Shell functions: `join` joins the parts; `interrupt SIGNAL BYTES ARGUMENTS` sends a signal when that many bytes are saved.
    ///
    /// A single process waits for the bytes: the processes of a shell loop took longer than the join.
    private static let functions = """
        join() { exec '\(LinnetProgram.path)' convert part1.mp3 part2.mp3 part3.mp3 --join --effort best "$@"; }
        interrupt() {
            (join -o book.m4b "${@:3}") & program=$!
            perl -e '
                for (1..60000) { last if (-s "book.m4b.linnet-partial" || 0) >= $ARGV[0]; select undef, undef, undef, 0.01 }
            ' $2
            kill -$1 $program; wait $program 2>/dev/null
        }

        """

    @Test(
        "Killed twice and resumed: the bytes of one run, and no temporary files",
        arguments: ["-b 96k", "-b 96k --cbr", "-q 50 --rate 32000", "-b 48k --profile he --normalize -20LUFS"].selectedCases)
    func killed(options: String) throws {
        let folder = try makeFolder()
        let run = try ProgramRun.shell(
            Self.functions + """
                (join -o once.m4b --quiet \(options)) || exit 1
                size=$(stat -c %s once.m4b)
                interrupt KILL $((size / 3)) \(options); interrupt KILL $((size * 2 / 3)) \(options)
                (join -o book.m4b \(options)) || exit 2
                cmp once.m4b book.m4b || exit 3
                """, folder: folder.url)
        #expect(run.exitCode == 0, "\(run.errorText)")
        #expect(run.errorText.matches(of: /note: book.m4b resumes at 0:\d\d from book.m4b.linnet-partial/).count == 2)
        #expect(try folder.contents == ["book.m4b", "once.m4b", "part1.mp3", "part2.mp3", "part3.mp3"])
    }

    @Test("Ctrl-C and SIGTERM report the kept work, which the same command resumes", arguments: [("INT", 130), ("TERM", 143)])
    func interrupted(name: String, code: Int32) throws {
        let folder = try makeFolder()
        let first = try ProgramRun.shell(Self.functions + "interrupt \(name) 200000 -b 96k; exit $?", folder: folder.url)
        #expect(first.exitCode == code)
        let text = "unfinished outputs were removed; book.m4b.linnet-partial keeps the finished work, which the same command resumes\n"
        #expect(first.errorText.contains(text), "\(first.errorText)")
        #expect(try folder.contents == ["book.m4b.linnet-partial", "part1.mp3", "part2.mp3", "part3.mp3"])
        let other = try ProgramRun.shell(Self.functions + "join -o book.m4b -b 80k", folder: folder.url)
        #expect(other.exitCode == 0)
        #expect(
            other.errorText
                == "linnet: note: book.m4b.linnet-partial has other inputs, settings or versions, or is damaged; "
                + "book.m4b starts from scratch\n")
        #expect(try folder.contents == ["book.m4b", "part1.mp3", "part2.mp3", "part3.mp3"])
    }

    @Test("An error in the middle keeps the written work")
    func failed() throws {
        let folder = try makeFolder()
        let run = try ProgramRun.shell(Self.functions + "ulimit -f 400; join -o book.m4b -b 96k", folder: folder.url)
        #expect(run.exitCode == 8 && run.errorText.contains("cannot write book.m4b"), "\(run.errorText)")
        let rest = "book.m4b.linnet-partial keeps the finished work, which the same command resumes"
        #expect(run.errorText.contains(rest), "\(run.errorText)")
        #expect(try folder.contents == ["book.m4b.linnet-partial", "part1.mp3", "part2.mp3", "part3.mp3"])
        let next = try ProgramRun.shell(Self.functions + "(join -o once.m4b -b 96k); join -o book.m4b -b 96k", folder: folder.url)
        #expect(next.exitCode == 0 && next.errorText.contains("book.m4b resumes at 0:"), "\(next.errorText)")
        #expect(try bytes(ofFile: folder.path("book.m4b")) == bytes(ofFile: folder.path("once.m4b")))
        #expect(try folder.contents == ["book.m4b", "once.m4b", "part1.mp3", "part2.mp3", "part3.mp3"])
    }
}
