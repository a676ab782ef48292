// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioPrimitives
import PCMFiles
import Testing

@Suite struct AudioFileErrorTests {
    @Test("An intact file of another codec is not called damaged")
    func otherCodec() {
        #expect(
            AudioFileError(.unsupportedCodec("alac"), path: "a.m4a").description
                == "a.m4a holds ALAC audio, which is not supported; ffmpeg -i a.m4a -vn out.flac converts what it can decode")
        #expect(AudioFileError(.unsupportedCodec(nil), path: "a.mp4").description == "a.mp4 holds no audio")
        #expect(AudioFileError(.damagedInput, path: "a.m4a").description.contains("a.m4a is damaged"))
    }

    @Test("Errors of standard input and output name them")
    func standardStreams() {
        #expect(AudioFileError(.emptyRange, path: "-").description == "the time range lies after the end of standard input")
        #expect(AudioFileError(.invalidSample, path: "-").description == "can't encode standard input")
        #expect(AudioFileError(.unsupportedPicture, path: "-").description == "standard input is not a JPEG, PNG, GIF, BMP or WebP picture")
        #expect(AudioFileError(.noSpace, path: "-").description == "no space left for standard output; nothing was kept")
    }

    @Test("The error of a container becomes the error of the file, and only damage is called damage")
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

    /// An error of no layer.
    private struct UndocumentedError: Error {}

    @Test func `An error that no step documents is an unexpected error of the file, never a trap`() {
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
