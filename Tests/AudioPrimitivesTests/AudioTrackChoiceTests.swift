// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Testing

/// Choices of one of several audio tracks.
@Suite struct AudioTrackChoiceTests {
    /// Returns tracks with languages; indices choose the supported and the default ones.
    private func tracks(_ languages: [String?], supported: Set<Int>? = nil, preferred: Int? = nil) -> [AudioTrack] {
        languages.enumerated().map { index, language in
            var track = AudioTrack(number: index + 1, codecName: "AAC", language: language, isRead: false)
            track.isSupported = supported?.contains(index) ?? true
            track.isDefault = preferred.map { $0 == index }
            return track
        }
    }

    @Test(
        "All codes of a language match each other",
        arguments: [
            ("de", "deu"), ("ger", "deu"), ("deu", "ger"), ("de-DE", "deu"), ("DE_de", "de"), ("deu", "de-CH"), ("zh", "chi"),
            ("zho", "zh-Hant-TW"), ("pt-BR", "por"), ("fil", "fil"), ("und", nil),
        ])
    func equal(wanted: String, found: String?) {
        #expect(AudioTrackChoice(wanted).track(in: tracks(["eng", found]))?.number == 2)
    }

    @Test(
        "Other languages and regions do not match",
        arguments: [("de", "dut"), ("en", "enm"), ("pt-BR", "pt-PT"), ("eng", nil), ("d", "deu")])
    func different(wanted: String, found: String?) {
        #expect(AudioTrackChoice(wanted).track(in: tracks([found])) == nil)
    }

    @Test("Of several tracks in a language, supported ones precede others, and then the default one the first")
    func order() {
        let languages = ["eng", "deu", "deu", "deu"]
        #expect(AudioTrackChoice("de").track(in: tracks(languages))?.number == 2)
        #expect(AudioTrackChoice("de").track(in: tracks(languages, supported: [0, 2, 3]))?.number == 3)
        #expect(AudioTrackChoice("de").track(in: tracks(languages, preferred: 3))?.number == 4)
        #expect(AudioTrackChoice("de").track(in: tracks(languages, supported: [2], preferred: 3))?.number == 3)
        #expect(AudioTrackChoice("de").track(in: tracks(languages, supported: [0]))?.number == 2)
    }

    @Test("A number counts all tracks from 1")
    func numbers() {
        let all = tracks(["eng", nil], supported: [0])
        #expect(["1", "2", "3", "0", "-1"].map { AudioTrackChoice($0).track(in: all)?.number } == [1, 2, nil, nil, nil])
    }

    @Test("Numbers from 1 and language tags are valid")
    func validity() {
        let texts = ["1", "12", "deu", "de", "de-DE", "zh-Hant-TW", "0", "-1", "a:1", "0:a:1", "", "d", "german", "de-", "1.5", "größe"]
        #expect(texts.filter { AudioTrackChoice($0).isValid } == ["1", "12", "deu", "de", "de-DE", "zh-Hant-TW"])
    }
}
