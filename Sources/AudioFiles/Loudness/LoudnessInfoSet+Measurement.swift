// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
internal import MPEG4Audio

extension LoudnessInfoSet {
    /// Creates the metadata of a measured programme.
    init(_ loudness: LoudnessSummary) {
        self.init(integrated: loudness.integrated, truePeak: loudness.truePeak, isMeasured: true)
    }
}
