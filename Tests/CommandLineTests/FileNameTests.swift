// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import TestSupport
import Testing

/// File names that are not valid UTF-8, as in old archives.
@Suite struct FileNameTests {
    @Test("Files whose names are in Latin-1 are read and written, found in folders, and named in results")
    func latin1() throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("in.wav", frames: 4410)
        let run = try LinnetProgram.shell(
            """
            name=$(printf 'caf\\351') && mkdir "in-$name" && mv in.wav "in-$name/$name.wav" && cd "in-$name"
            linnet batch --quiet . -o ../out --results ../r.jsonl && linnet encode --quiet "$name.wav" && linnet probe --json "$name.aac" >../probe.json
            linnet convert --quiet "$name.aac" -o "$name.flac" && linnet decode --quiet "$name.aac" -o "$name-2.wav" && cd ..
            mkdir one && cp "in-$name/$name.wav" one && linnet convert --quiet one -o "to-$name" --format wav && rm -r one
            linnet probe --json "$(sed -n 's/.*"output": *"\\([^"]*\\)".*/\\1/p' r.jsonl | sed s,../,,)" | grep -c '"accessUnits"'
            export LC_ALL=C; for file in */*; do printf '%s' "$file" | od -An -v -tx1 -w100 | tr -d ' '; done; rm -r *-"$name" out
            """, folder: folder)
        let expected = ["in-X/X-2.wav", "in-X/X.aac", "in-X/X.flac", "in-X/X.wav", "out/X.m4a", "out/X.m4a.linnet.json", "to-X/X.wav"]
        let found = run.text.split(separator: "\n").dropFirst().map { String($0).replacing("636166e9", with: "58") }
        let hexadecimal = expected.map { name in name.utf8.map { String($0, radix: 16) }.joined() }
        #expect(found == hexadecimal, "\(run.errorText)")
        #expect(run.text.hasPrefix("1\n"))
        let file = try JSONValue(parsing: bytes(ofFile: folder.path("probe.json")))
        #expect(file["input"]?.text == "caf\u{10FFE9}.aac")
    }
}
