// SPDX-License-Identifier: Apache-2.0

package import TransformEncoding

extension AACEncoder {
    /// Estimates the sizes of the units from now on in place of coding all of them, until ``endSurvey()``; only in AAC-LC.
    ///
    /// Closures for access units are not called. It takes some 40 % of the time of coding.
    ///
    /// - Parameter bitsPerUnit: The mean size wanted, in bits, above 0.
    package func beginSurvey(bitsPerUnit: Double) {
        precondition(setup.sbr == nil, "the payload of SBR depends on the units before")
        survey = SizeSurvey(bitsPerUnit: bitsPerUnit)
    }

    /// Returns whether the survey has so many units or more.
    package func surveyed(_ count: Int) -> Bool { survey.map { $0.unitCount >= count } ?? true }

    /// Returns the survey of the units since ``beginSurvey(bitsPerUnit:)``, if one was begun; units are coded again from the next on.
    package func endSurvey() -> SizeSurvey? {
        defer { survey = nil }
        return survey
    }

    /// Adds the frame to the survey, coded or not.
    func surveyFrame(_ plan: FramePlan) {
        guard var survey = survey.take() else { return }
        var bits: Int?
        if survey.codesNext {
            quantize(plan)
            bits = write()
        }
        let entropies = rate.entropies(plan, distances: survey.distances) { noiseScale in
            elements.reduce(0) { $0 + $1.core.entropy(noiseScale: noiseScale) }
        }
        let first = rate.log2NoiseScale - survey.offset
        survey.add(entropies, bits: bits)
        rate.log2NoiseScale = first + survey.offset
        self.survey = survey
    }
}
