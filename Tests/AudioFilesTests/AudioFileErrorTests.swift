// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioPrimitives
import Testing

@testable import AudioFiles

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
        #expect(AudioFileError(.unsupportedPicture, path: "-").description == "standard input is neither JPEG nor PNG")
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
}
