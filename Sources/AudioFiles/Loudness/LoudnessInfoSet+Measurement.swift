// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
internal import MPEG4Audio

extension LoudnessInfoSet {
    /// Creates the metadata of a measured programme.
    init(_ loudness: LoudnessSummary) {
        self.init(integrated: loudness.integrated, truePeak: loudness.truePeak, isMeasured: true)
    }

    /// Creates the metadata of a programme whose integrated loudness is stated, in LUFS.
    init(stated: Double) { self.init(integrated: stated, truePeak: nil, isMeasured: false) }
}
