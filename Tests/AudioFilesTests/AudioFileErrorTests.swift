// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioPrimitives
import PCMFiles
import Testing

@Suite struct AudioFileErrorTests {
    @Test("An intact file with an unsupported codec is not reported as damaged")
    func otherCodec() {
        #expect(
            AudioFileError(.unsupportedCodec("alac"), path: "a.m4a").description
                == "unsupported codec 'ALAC' in a.m4a; try converting it: ffmpeg -i a.m4a -vn out.flac")
        #expect(AudioFileError(.unsupportedCodec("agsm"), path: "a.caf").description.hasPrefix("unsupported codec 'agsm' in a.caf"))
        #expect(AudioFileError(.unsupportedCodec(nil), path: "a.mp4").description == "a.mp4 has no audio")
        let family = AudioFileError(reading: "a.opus", ContainerError.codec(.unsupportedMappingFamily(255)))
        #expect(family.description == "cannot decode a.opus: unsupported Opus channel mapping family 255; supported: 0, 1")
        #expect(AudioFileError(.damagedInput, path: "a.m4a").description.contains("a.m4a is damaged"))
    }

    @Test("FLAC rejects pictures by their size and chapter pictures by their kind", arguments: [AudioFileFormat.flac, .oggFLAC])
    func picturesOfFLAC(format: AudioFileFormat) {
        let text = AudioFileError(.tagsNotStorable(["title", "cover"], format), path: "a.flac").description
        #expect(text == "cannot write a.flac: FLAC limits tags and pictures to 16 MiB in total; use smaller pictures, or M4A")
        let other = AudioFileError(.tagsNotStorable(["chapters", "chapter pictures"], format), path: "a.flac").description
        #expect(other.contains("\(format.name) does not support all of these tags: chapters, chapter pictures"))
    }

    @Test("Errors name standard input and output")
    func standardStreams() {
        #expect(
            AudioFileError(.emptyRange, path: "-").description
                == "the time range starts after the end of standard input or is shorter than a sample frame")
        #expect(AudioFileError(.invalidSample, path: "-").description == "cannot encode standard input")
        #expect(AudioFileError(.unsupportedPicture, path: "-").description == "standard input is not a JPEG, PNG, GIF, BMP or WebP picture")
        #expect(AudioFileError(.unsupportedCodec("ac-3"), path: "-").description.hasSuffix(": ffmpeg -i - -vn out.flac"))
        #expect(AudioFileError(.foreignInput(.flashVideo), path: "standard input").description.hasSuffix(": ffmpeg -i - -vn out.flac"))
        #expect(AudioFileError(.noSpace, path: "-").description == "no space left for standard output")
    }

    @Test("Converts container errors; only damage is reported as damage")
    func containerErrors() {
        let codes: [(ContainerError, AudioFileError.Code)] = [
            (.unsupportedCodec("alac"), .unsupportedCodec("alac")), (.unsupportedCodec(nil), .unsupportedCodec(nil)),
            (.inputFailed(code: 5), .cannotRead(systemCode: 5)), (.unsupportedMultiplex(.futureVersion), .unsupportedStream),
            (.missingPart("moov"), .damagedInput),
        ]
        for (error, code) in codes {
            let mapped = AudioFileError(reading: "a.m4a", error)
            #expect(mapped.code == code && mapped.path == "a.m4a")
        }
    }

    /// An error that no layer defines.
    private struct UndocumentedError: Error {}

    @Test func `An undocumented error becomes an unexpected error of the file and never traps`() {
        let read = #expect(throws: AudioFileError.self) { try AudioFileError.attempt("a.m4a") { throw UndocumentedError() } }
        #expect(read?.code == .unexpected && read?.path == "a.m4a" && read?.underlyingError is UndocumentedError)
        let encoded = #expect(throws: AudioFileError.self) {
            try FileConverter(input: "a.wav", output: "a.m4a").attempt { throw UndocumentedError() }
        }
        #expect(encoded?.code == .unexpected && encoded?.path == "a.wav")
        let converted = AudioFileError(UndocumentedError(), input: "a.wav", output: "b.m4a")
        #expect(converted.code == .unexpected)
        #expect(converted.description == "unexpected error with a.wav: UndocumentedError(); please report it")
        let named = #expect(throws: AudioFileError.self) { try AudioFileError.naming("a.wav") { throw UndocumentedError() } }
        #expect(named?.code == .unexpected && named?.underlyingError is UndocumentedError)
    }
}
