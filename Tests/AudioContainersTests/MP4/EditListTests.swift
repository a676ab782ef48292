// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Testing

/// Gapless information from edit lists, for ten access units of 1024 frames at 48 kHz.
@Suite struct EditListTests {
    private func metadata(_ edits: [EditListBox.Edit], movieTimescale: Int = 48_000) -> GaplessMetadata {
        var movie = MovieBox()
        movie.times.timescale = movieTimescale
        var track = TrackBox()
        (track.editList, track.duration) = (EditListBox(edits: edits), 10_240)
        var metadata = GaplessMetadata(
            movie, track, mediaTimescale: 48_000, mediaDuration: 10_240, totalFrames: 10_240, sampleRate: 48_000)
        metadata.framesPerUnit = 1024
        return metadata
    }

    @Test func oneEditIsPrimingAndRemainder() {
        let found = metadata([.init(duration: 0, mediaTime: -1), .init(duration: 9000, mediaTime: 1024)])
        #expect(found.info == GaplessInfo(primingFrames: 1024, validFrames: 9000, remainderFrames: 216))
        #expect(found.omittedRanges.isEmpty && !found.isRearranged)
    }

    @Test func anEditOfLength0IsAllOrNothing() {
        var found = metadata([.init(duration: 0, mediaTime: 1024)])
        #expect(found.info == GaplessInfo(primingFrames: 1024, validFrames: 9216, remainderFrames: 0))
        found.playsNothing = true
        #expect(found.info == GaplessInfo(primingFrames: 1024, validFrames: 0, remainderFrames: 9216))
        #expect(found.omittedRanges.isEmpty && !found.isRearranged)
    }

    @Test func whatLiesBetweenEditsIsLeftOut() {
        let found = metadata([
            .init(duration: 1000, mediaTime: 1024), .init(duration: 500, mediaTime: -1), .init(duration: 2000, mediaTime: 3000),
            .init(duration: 0, mediaTime: 6000),
        ])
        #expect(found.info == GaplessInfo(primingFrames: 1024, validFrames: 10_240 - 1024, remainderFrames: 0))
        #expect(found.omittedRanges == [2024..<3000, 5000..<6000])
        #expect(!found.isRearranged)
    }

    @Test func editsThatJoinWithinTheirRoundingLeaveNothingOut() {
        // One millisecond is 48 frames.
        let found = metadata([.init(duration: 21, mediaTime: 1024), .init(duration: 100, mediaTime: 2048)], movieTimescale: 1000)
        #expect(found.omittedRanges.isEmpty && !found.isRearranged)
    }

    @Test func aCoarseMediaTimescaleRemovesNothingAtTheEnd() {
        // 10 240 frames last 213.3 ms.
        var found = metadata([.init(duration: 0, mediaTime: 0)])
        (found.mediaTimescale, found.mediaDuration) = (1000, 213)
        #expect(found.info == GaplessInfo(primingFrames: 0, validFrames: 10_240, remainderFrames: 0))
        found.editList = nil
        #expect(found.info == nil)
        // One tick of 24 kHz is exact.
        (found.mediaTimescale, found.mediaDuration) = (24_000, 5119)
        #expect(found.info == GaplessInfo(primingFrames: 0, validFrames: 10_238, remainderFrames: 2))
    }

    @Test func editsThatGoBackAreSaidToBe() {
        let found = metadata([.init(duration: 4000, mediaTime: 5000), .init(duration: 3000, mediaTime: 1000)])
        #expect(found.isRearranged && found.omittedRanges.isEmpty)
        #expect(metadata([.init(duration: 4000, mediaTime: 1000), .init(duration: 4000, mediaTime: 1000)]).isRearranged)
    }

    @Test func wildNumbersDoNoHarm() {
        for edit in [
            EditListBox.Edit(duration: Int.max, mediaTime: 10_239), .init(duration: 0, mediaTime: Int.max),
            .init(duration: 1, mediaTime: -5),
        ] {
            let found = metadata([edit, .init(duration: 7, mediaTime: 3), edit], movieTimescale: 1)
            #expect(found.info.map { $0.totalFrames == 10_240 } ?? true)
            #expect(found.omittedRanges.allSatisfy { $0.upperBound <= 10_240 })
        }
    }
}
