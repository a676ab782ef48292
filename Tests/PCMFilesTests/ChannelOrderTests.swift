// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import Foundation
import PCMFiles
import TestSupport
import Testing

/// Files whose channels have another order than those of WAV files.
@Suite struct ChannelOrderTests {
    /// The tone of each channel in the order of WAV files, in hertz; the fourth is that of low frequencies.
    private static let tones = [200, 300, 400, 60, 600, 700, 800, 900]

    /// Returns the frequency in `tones` that is the strongest in some samples at 48 kHz.
    private func tone(_ samples: [Float]) -> Int? {
        Self.tones.max { power($0, samples) < power($1, samples) }
    }

    private func power(_ frequency: Int, _ samples: [Float]) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, sample) in samples.enumerated() {
            let phase = 2 * Double.pi * Double(frequency) * Double(frame) / 48_000
            real += Double(sample) * cos(phase)
            imaginary += Double(sample) * sin(phase)
        }
        return real * real + imaginary * imaginary
    }

    @Test(arguments: [(3, "3.0"), (5, "5.0"), (6, "5.1"), (7, "6.1"), (8, "7.1")])
    func `Vorbis has the order of WAV files, from files and pipes`(channelCount: Int, layout: String) throws {
        let folder = try TemporaryFolder()
        let signals = Self.tones.prefix(channelCount).map { "0.3*sin(2*PI*\($0)*t)" }.joined(separator: "|")
        let make = "ffmpeg -v error -f lavfi -i \"aevalsrc=\(signals):c=\(layout):s=48000:d=0.5\" -c:a libvorbis -q:a 6 a.ogg"
        let run = try ProgramRun.shell(make, folder: folder.url)
        try #require(run.exitCode == 0, "\(run.errorText)")
        for read in [try readAll(folder.path("a.ogg")), try readThroughPipe(try bytes(ofFile: folder.path("a.ogg")))] {
            #expect(read.channels.map(tone) == Self.tones.prefix(channelCount).map { $0 })
            let speakers = try #require(read.reader.properties.channelLayout?.speakers)
            #expect(speakers.map(\.rawValue) == speakers.map(\.rawValue).sorted())
        }
    }
}
