// SPDX-License-Identifier: Apache-2.0

package import TransformEncoding

extension AACEncoder {
    /// Starts estimating access unit sizes instead of encoding, until ``finishSizeEstimate()``.
    ///
    /// Supports AAC-LC and xHE-AAC only.
    ///
    /// No access units are produced. A survey takes about 40 % of the encoding time.
    ///
    /// - Parameter bitsPerUnit: The target mean size per access unit, in bits, above 0.
    package func startSizeEstimate(bitsPerUnit: Double) {
        precondition(setup.sbr == nil, "a survey does not support SBR, whose payload depends on previous access units")
        sizeEstimator = SizeEstimator(bitsPerUnit: bitsPerUnit)
    }

    /// Returns whether the survey has at least `count` access units.
    package func hasEstimatedSizes(_ count: Int) -> Bool { sizeEstimator.map { $0.accessUnitCount >= count } ?? true }

    /// Ends the survey and returns it, if one was started.
    ///
    /// Encoding resumes with the next access unit.
    package func finishSizeEstimate() -> SizeEstimator? {
        defer { sizeEstimator = nil }
        return sizeEstimator
    }

    #if !hasFeature(Embedded) || LINNET_USAC
    /// The sizes of access units in a file of xHE-AAC relative to those in surveys.
    ///
    /// With this factor, files of 17 generated clips at 64 kbit/s are on average 0.2 % larger than surveys expect (standard deviation 1.3 %).
    private static let fileShare: Float = 0.992

    /// The interval of access units whose sizes are measured in xHE-AAC.
    ///
    /// The one before each of them is quantized, too, because the arithmetic coder uses its values.
    private static let measuredInterval = 8
    #endif

    /// Whether the next access unit is quantized: all except in a survey.
    var quantizesNext: Bool {
        guard let sizeEstimator else { return true }
        #if !hasFeature(Embedded) || LINNET_USAC
        if extended != nil { return 2...3 ~= sizeEstimator.accessUnitCount % Self.measuredInterval }
        #endif
        return sizeEstimator.codesNext
    }

    /// Adds the frame to the survey, and encodes it if the survey samples its size.
    func estimateFrameSize(_ plan: FramePlan) {
        let isQuantized = quantizesNext
        guard var sizeEstimator = sizeEstimator.take() else { return }
        var bits: Int?
        if isQuantized {
            quantize(plan)
            bits = write()
            #if !hasFeature(Embedded) || LINNET_USAC
            extended?.finish(&writer)
            if let interval = extended?.interval, let coded = bits {
                // Pre-rolls repeat access units.
                let isMeasured = sizeEstimator.accessUnitCount % Self.measuredInterval == 3
                bits = isMeasured ? Int(Float(coded) * (1 + 1 / Float(interval)) * Self.fileShare) : nil
            }
            #endif
        }
        let entropies = rate.entropies(plan, distances: sizeEstimator.distances) { noiseScales in
            var sums: SIMD3<Float> = [0, 0, 0]
            for element in elements { sums += element.core.entropies(noiseScales: noiseScales) }
            return sums
        }
        let first = rate.log2NoiseScale - sizeEstimator.offset
        sizeEstimator.add(entropies, bits: bits)
        rate.log2NoiseScale = first + sizeEstimator.offset
        self.sizeEstimator = sizeEstimator
    }
}
