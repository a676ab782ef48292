// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioFiles
import AudioPrimitives
import Testing

@Suite struct AudioFileErrorTests {
    @Test("An intact file of another codec is not called damaged")
    func otherCodec() {
        #expect(AudioFileError(.noAACAudio(found: "alac"), path: "a.m4a").description == "a.m4a holds ALAC audio, not AAC")
        #expect(AudioFileError(.noAACAudio(found: nil), path: "a.mp4").description == "a.mp4 holds no audio")
        #expect(AudioFileError(.damagedInput, path: "a.m4a").description.contains("a.m4a is damaged"))
    }
}
