// SPDX-License-Identifier: Apache-2.0

package import TransformEncoding

extension AACEncoder {
    /// Starts estimating access unit sizes instead of encoding, until ``endSurvey()``.
    ///
    /// Supports AAC-LC only.
    ///
    /// No access units are produced. A survey takes about 40 % of the encoding time.
    ///
    /// - Parameter bitsPerUnit: The target mean size per access unit, in bits, above 0.
    package func beginSurvey(bitsPerUnit: Double) {
        precondition(setup.sbr == nil, "a survey does not support SBR, whose payload depends on previous access units")
        survey = SizeSurvey(bitsPerUnit: bitsPerUnit)
    }

    /// Returns whether the survey has at least `count` access units.
    package func surveyed(_ count: Int) -> Bool { survey.map { $0.accessUnitCount >= count } ?? true }

    /// Ends the survey and returns it, if one was started.
    ///
    /// Encoding resumes with the next access unit.
    package func endSurvey() -> SizeSurvey? {
        defer { survey = nil }
        return survey
    }

    /// Adds the frame to the survey, and encodes it if the survey samples its size.
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
