// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The command on a machine without the libraries that it loads.
@Suite struct MissingLibraryTests {
    /// The file names of loaded libraries.
    private static let libraries = [
        "libFLAC.so.8", "libFLAC.so.12", "libFLAC.so.14", "libasound.so.2", "liblinnet-echo.so.0", "libmpg123.so.0",
        "libopus.so.0", "libpulse.so.0", "libsndfile.so.1", "libsoxr.so.0", "libsrt-gnutls.so.1.5", "libsrt-openssl.so.1.5",
        "libsrt.so.1.5",
    ]

    @Test(
        "A missing library is named with its package, with exit status 16",
        arguments: [
            ("convert tune.wav -o out.opus", "libopus0"),
            ("convert tune.wav -o out.flac", "libflac12"),
            ("convert tune.au -o out.wav", "libsndfile1"),
            ("convert tune.mp3 -o out.wav", "libmpg123-0"),
            ("record -o out.aac", "libpulse0"),
            ("record --backend alsa -o out.aac", "libasound2"),
            ("record --echo-cancel -o out.aac", "liblinnet-echo0"),
            ("stream tune.wav -o srt://localhost:9", "libsrt1.5-gnutls"),
        ])
    func status(words: String, package: String) throws {
        let folder = try TemporaryFolder()
        try folder.writeSignal("tune.wav")
        // Layer 3 of MPEG-1, 32 kbit/s, 44.1 kHz, mono: frames of 104 bytes.
        let frame = [0xFF, 0xFB, 0x10, 0xC0] + [UInt8](repeating: 0, count: 100)
        _ = try folder.write(Array(repeatElement(frame, count: 20).joined()), to: "tune.mp3")
        _ = try folder.write(Array(".snd".utf8) + [UInt8](repeating: 0, count: 100), to: "tune.au")
        // The loader finds only these files, which are not libraries, next to a copy of the program.
        try FileManager.default.createDirectory(atPath: folder.path("lib"), withIntermediateDirectories: true)
        for name in Self.libraries { _ = try folder.write([], to: "lib/\(name)") }
        let script = "mkdir bin && cp '\(LinnetProgram.path)' bin/linnet && LD_LIBRARY_PATH=$PWD/lib bin/linnet \(words)"
        let run = try ProgramRun.shell(script, folder: folder.url)
        #expect(run.exitCode == 16 && run.errorText.contains(package), "\(run.exitCode): \(run.errorText)")
    }
}
