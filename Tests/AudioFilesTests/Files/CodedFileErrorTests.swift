// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioFiles
import AudioPrimitives
import Testing

@Suite struct CodedFileErrorTests {
    @Test("An intact file of another codec is not called damaged")
    func otherCodec() {
        #expect(CodedFileError.container(path: "a.m4a", .noAACAudio(found: "alac")).description == "a.m4a holds ALAC audio, not AAC")
        #expect(CodedFileError.container(path: "a.mp4", .noAACAudio(found: nil)).description == "a.mp4 holds no audio")
        #expect(CodedFileError.container(path: "a.m4a", .missingPart("moov")).description.contains("a.m4a is damaged"))
    }
}
