// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

extension AACEncoder {
    /// Estimates the sizes of the units from now on in place of coding all of them, until ``endSurvey()``; only in AAC-LC.
    ///
    /// Closures for access units are not called. It takes some 40 % of the time of coding.
    package func beginSurvey() {
        precondition(setup.sbr == nil, "the payload of SBR depends on the units before")
        survey = SizeSurvey()
    }

    /// Returns whether the survey has so many units or more.
    package func surveyed(_ count: Int) -> Bool { survey.map { $0.unitCount >= count } ?? true }

    /// Returns the survey of the units since ``beginSurvey()``; units are coded again from the next on.
    package func endSurvey() -> SizeSurvey {
        defer { survey = nil }
        return survey ?? SizeSurvey()
    }

    /// Adds the frame to the survey, coded or not.
    func surveyFrame(_ plan: FramePlan) {
        var bits: Int?
        if survey?.codesNext == true {
            quantize(plan)
            bits = write()
        }
        let entropies = rate.entropies(offsets: SizeSurvey.offsets) { noiseScale in
            elements.reduce(0) { $0 + $1.core.entropy(noiseScale: noiseScale) }
        }
        survey?.add(entropies, bits: bits)
    }
}
