// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding
package import TransformEncoding

#if !hasFeature(Embedded) || LINNET_USAC
internal import USACCodec
#endif

/// Quantizes and codes one channel's spectrum: chooses the scale factors, codebooks and quantized values that minimize distortion + λ ·
/// bits.
package struct ChannelCoder: ~Copyable {
    /// The lines to code, their noise targets, which weight the distortion, and the bands coded without lines.
    package var spectrum: ChannelSpectrum

    /// The functions of the lines that quantization needs.
    private var lines: SpectralLines

    /// The coded channel, ready to be written.
    ///
    /// The analysis sets window shape and TNS.
    package var stream: IndividualChannelStream

    /// The distortion and bits of each band's candidates.
    private var curves = CostCurves()

    /// The noise scale for which the candidates of ``curves`` were chosen.
    private var curvesNoiseScale: Float = 0

    private var codebookCurves = CodebookCurves()

    private var search = ScaleFactorSearch()

    /// The joint search for scale factors and codebooks.
    private var jointSearch = JointSearch()

    package var restoration = EnergyRestoration()

    private var sectioning = Sectioning()

    private var quantizer: TupleQuantizer

    #if !hasFeature(Embedded) || LINNET_USAC
    /// The quantizer for the contexts of the arithmetic coder, if used.
    var contextual: ContextualQuantizer?
    #endif

    /// Whether codebooks code the values, instead of the arithmetic coder of xHE-AAC.
    private var hasCodebooks = true

    /// The cost of one unit of squared error in each band, in bits.
    private var weights = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    private var codebooks = FixedArray<UInt8>(repeating: 0, count: BandLayout.maximumCount)

    package init(lineCount: Int) {
        spectrum = ChannelSpectrum(frameLength: lineCount)
        stream = IndividualChannelStream(frameLength: lineCount)
        lines = SpectralLines(lineCount: lineCount, tupleWeights: SpectralBitTables.Indices.weights)
        quantizer = TupleQuantizer(lineCount: lineCount)
    }

    #if !hasFeature(Embedded) || LINNET_USAC
    /// Selects the arithmetic coder of xHE-AAC.
    mutating func useArithmeticCoder(_ effort: SearchEffort) {
        hasCodebooks = false
        guard effort.usesContexts else { return }
        contextual = ContextualQuantizer(frameLength: spectrum.lines.count, pathCount: effort.pathCount)
    }

    /// Sets the first line of the frame that a decoder replaces by noise if it is zero; `Int.max` for none.
    mutating func setFirstFilledLine(_ line: Int) { if contextual != nil { lines.firstFilledLine = line } }
    #endif

    /// The Lagrange multiplier λ of the bits at a noise scale of 1: 2 ln 2.
    ///
    /// It is the relative decrease of a line's noise per bit, because one more bit divides the noise by four.
    static let lagrangeMultiplier: Float = 1.386_294_4

    /// Returns the energy of the lines of a band that may be coded.
    func energy(_ band: Int) -> Float { lines.bands[band].energy }

    /// Prepares the coding of a frame.
    ///
    /// Call it once after the analysis.
    ///
    /// - Parameter noiseScale: The ratio of noise energy to noise target.
    /// - Returns: The frame's perceptual entropy, in bits.
    package mutating func prepare(noiseScale: Float, layout: borrowing BandLayout) -> Float {
        quantizer.startFrame()
        return lines.prepare(&spectrum, layout: layout, noiseScale: noiseScale)
    }

    /// Returns the frame's perceptual entropy at another noise scale, in bits.
    package func entropy(noiseScale: Float, layout: borrowing BandLayout) -> Float {
        PerceptualEntropy.bits(
            spectrum.lines.span, noiseTargets: spectrum.noiseTargets.span, replacements: spectrum.replacements.codebooks.span,
            noiseScale: noiseScale, layout: layout)
    }

    /// Returns the frame's perceptual entropies at three noise scales, in bits.
    func entropies(noiseScales: SIMD3<Float>, layout: borrowing BandLayout) -> SIMD3<Float> {
        PerceptualEntropy.bits(
            spectrum.lines.span, noiseTargets: spectrum.noiseTargets.span, replacements: spectrum.replacements.codebooks.span,
            noiseScales: noiseScales, layout: layout)
    }

    /// Adds the rate-distortion cost of each band at its best scale factor, in bits.
    package mutating func addCosts(
        noiseScale: Float, layout: borrowing BandLayout, effort: SearchEffort, to costs: inout MutableSpan<Float>
    ) {
        _ = lines.prepare(&spectrum, layout: layout, noiseScale: noiseScale)
        setWeights(noiseScale: noiseScale, layout: layout)
        measureCurves(noiseScale: noiseScale, layout: layout, effort: effort)
        for band in 0..<layout.count {
            let weight = weights[band]
            let zeroCost = lines.bands[band].zeroCost(weight: weight)
            costs[band] += min(zeroCost, curves.lowestCost(band, weight: weight, effort: effort) + Self.scaleFactorBits)
        }
    }

    /// The typical size of a scale factor, in bits.
    private static let scaleFactorBits: Float = 2

    /// Codes the frame.
    ///
    /// - Parameter noiseScale: The ratio of noise energy to noise target.
    package mutating func code(noiseScale: Float, layout: borrowing BandLayout, effort: SearchEffort) {
        setWeights(noiseScale: noiseScale, layout: layout)
        measureCurves(noiseScale: noiseScale, layout: layout, effort: effort)
        chooseScaleFactors(layout: layout, effort: effort)
    }

    /// Chooses scale factors from the measured candidates, and fills ``stream``.
    private mutating func chooseScaleFactors(layout: borrowing BandLayout, effort: SearchEffort) {
        search.search(
            (curves.distortions.span, curves.bits.span), firstScaleFactors: curves.firstScaleFactors.span, bands: lines.bands.span,
            weights: weights.span, effort: effort, bandCount: layout.count)
        if effort.searchesCodebooks { searchJointly(layout: layout, effort: effort) }
        finish(layout: layout, effort: effort)
    }

    /// Codes the frame again at another noise scale, with the same candidates.
    ///
    /// Measured in RateControl.md#superframes.
    ///
    /// - Parameter noiseScale: The ratio of noise energy to noise target.
    package mutating func recode(noiseScale: Float, layout: borrowing BandLayout, effort: SearchEffort) {
        if effort.candidateCount > CodebookCurves.countedCandidates {
            measureCurves(noiseScale: curvesNoiseScale, layout: layout, effort: effort, isComplete: true)
        }
        setWeights(noiseScale: noiseScale, layout: layout)
        chooseScaleFactors(layout: layout, effort: effort)
    }

    /// Codes the frame again with higher scale factors.
    ///
    /// Faster than ``code(noiseScale:layout:effort:)``, because the search is not repeated.
    ///
    /// - Parameters:
    ///   - steps: The amount to add to every scale factor, or `nil` to code no lines.
    ///   - noiseScale: The ratio of noise energy to noise target, which sets the Lagrange multiplier.
    package mutating func requantizeCoarser(by steps: Int?, noiseScale: Float, layout: borrowing BandLayout, effort: SearchEffort) {
        setWeights(noiseScale: noiseScale, layout: layout)
        for band in 0..<layout.count where search.scaleFactors[band] >= 0 {
            search.scaleFactors[band] = steps.map { Int16(min(255, Int(search.scaleFactors[band]) + $0)) } ?? ScaleFactorSearch.notCoded
        }
        finish(layout: layout, effort: effort)
    }

    /// Sets the weight of each band's distortion, limited by the finest step that the band's maximum line allows.
    private mutating func setWeights(noiseScale: Float, layout: borrowing BandLayout) {
        let lagrangeMultiplier = noiseScale * Self.lagrangeMultiplier
        let noiseTargets = spectrum.noiseTargets.span(first: BandLayout.maximumCount)
        let bands = lines.bands.span(first: BandLayout.maximumCount)
        var weights = weights.mutableSpan(first: BandLayout.maximumCount)
        for band in 0..<layout.count {
            let noise = (noiseTargets[band] * lagrangeMultiplier).maximum(bands[band].minimumNoise * Self.lagrangeMultiplier)
            weights[band] = Float(layout.width(band)) / noise
        }
    }

    /// Measures the distortion and bits of each band's candidates.
    ///
    /// - Parameter isComplete: Whether to include candidates that the current weights make useless.
    private mutating func measureCurves(noiseScale: Float, layout: borrowing BandLayout, effort: SearchEffort, isComplete: Bool = false) {
        curvesNoiseScale = noiseScale
        codebookCurves.measure(
            lines.quads.span, lines.bands.span, peak: lines.peak, noiseTargets: spectrum.noiseTargets.span, noiseScale: noiseScale,
            weights: weights.span, isComplete: isComplete, effort: effort, layout: layout, into: &curves)
        #if !hasFeature(Embedded) || LINNET_USAC
        contextual?.measure(lines.quads.span, effort: effort, layout: layout, into: &curves)
        #endif
    }

    /// Chooses codebooks and quantized values for the scale factors, and fills ``stream``.
    private mutating func finish(layout: borrowing BandLayout, effort: SearchEffort) {
        if hasCodebooks {
            chooseCodebooks(layout: layout, effort: effort)
        } else {
            setEscapeCodebooks(layout: layout)
        }
        search.limitDifferences(codebooks.span, bandCount: layout.count, margin: restoration.margin)
        #if !hasFeature(Embedded) || LINNET_USAC
        if contextual != nil {
            quantizeInContext(layout: layout)
            return fillStream(layout: layout)
        }
        #endif
        quantize(layout: layout, effort: effort)
        fillStream(layout: layout)
    }

    /// Refines the scale factors by a joint search that evaluates every codebook and quantized value.
    ///
    /// The set of omitted bands does not change. Deciding it again by exact costs is worse at all rates up to 64 kbit/s.
    ///
    /// Measured in Search.md#the-second-search.
    private mutating func searchJointly(layout: borrowing BandLayout, effort: SearchEffort) {
        jointSearch.allocate()
        let quads = lines.quads.span
        for band in 0..<layout.count {
            let found = Int(search.scaleFactors[band])
            let weight = weights[band]
            let middle = found >= 0 ? found : curves.cheapest(band, weight: weight, effort: effort)
            let first = min(max(0, middle - JointSearch.candidatesBelow), 255 - JointSearch.candidateCount)
            jointSearch.setBand(band, first: first, zeroCost: found >= 0 ? JointSearch.omissionCost : 0)
            guard found >= 0 && !spectrum.replacements.contains(band) else { continue }
            var trial = TupleQuantizer.Trial(layout.lines(band), lines.bands[band], scaleFactor: first, weight: weight)
            for candidate in 0..<JointSearch.candidateCount {
                trial.scaleFactor = first + candidate
                guard quantizer.canCode(trial) else { continue }
                jointSearch.setCosts(band, candidate: candidate, quantizer.measureLowered(quads, trial))
            }
        }
        var scaleFactors = search.scaleFactors.mutableSpan
        jointSearch.search(layout: layout, into: &scaleFactors)
    }

    /// Selects the largest codebook for all bands with lines, because the arithmetic coder has no codebooks.
    private mutating func setEscapeCodebooks(layout: borrowing BandLayout) {
        for band in 0..<layout.count {
            let isCoded = search.scaleFactors[band] >= 0 && !spectrum.replacements.contains(band)
            codebooks[band] = isCoded ? BandCodebook.escape : spectrum.replacements.codebooks[band]
        }
    }

    #if !hasFeature(Embedded) || LINNET_USAC
    /// Quantizes all bands for their scale factors and the contexts of the arithmetic coder.
    private mutating func quantizeInContext(layout: borrowing BandLayout) {
        let quads = lines.quads.span
        contextual?.start()
        for band in 0..<layout.count where codebooks[band] == BandCodebook.escape {
            contextual?.round(
                band, quads, scaleFactor: Int(search.scaleFactors[band]), weight: weights[band], isFilled: lines.bands[band].isFilled,
                layout: layout)
        }
        var quantized = stream.quantized.mutableSpan
        contextual?.finish(&quantized, layout: layout)
    }
    #endif

    private mutating func chooseCodebooks(layout: borrowing BandLayout, effort: SearchEffort) {
        let (quads, bands) = (lines.quads.span, lines.bands.span(first: BandLayout.maximumCount))
        let hasTNS = stream.tns != nil
        let scaleFactors = search.scaleFactors.span(first: BandLayout.maximumCount)
        let replacements = spectrum.replacements.codebooks.span(first: BandLayout.maximumCount)
        let weights = weights.span(first: BandLayout.maximumCount)
        var chosen = codebooks.mutableSpan(first: BandLayout.maximumCount)
        var quantized = stream.quantized.mutableSpan
        for band in 0..<layout.count {
            chosen[band] = replacements[band]
            let scaleFactor = Int(scaleFactors[band])
            guard scaleFactor >= 0 else {
                if chosen[band] == 0 && restoration.sendsNoise(band, sums: bands[band], hasTNS: hasTNS, layout: layout) {
                    chosen[band] = BandCodebook.noise
                }
                sectioning.setCosts(band, CodebookCosts(zeroLines: layout.width(band)))
                continue
            }
            let trial = TupleQuantizer.Trial(layout.lines(band), bands[band], scaleFactor: scaleFactor, weight: weights[band])
            guard !effort.lowersValues else {
                sectioning.setCosts(band, quantizer.measureLowered(quads, trial))
                continue
            }
            let count = codebookCurves.count(band, scaleFactor: scaleFactor, of: curves, effort: effort)
            sectioning.setCosts(band, quantizer.measureNearest(quads, trial, count: count, into: &quantized))
        }
        sectioning.choose(&chosen, layout: layout)
    }

    /// Quantizes each band for its scale factor and codebook.
    private mutating func quantize(layout: borrowing BandLayout, effort: SearchEffort) {
        let (quads, bands) = (lines.quads.span, lines.bands.span(first: BandLayout.maximumCount))
        let scaleFactors = search.scaleFactors.span(first: BandLayout.maximumCount)
        let codebooks = codebooks.span(first: BandLayout.maximumCount)
        let weights = weights.span(first: BandLayout.maximumCount)
        var quantized = stream.quantized.mutableSpan
        for band in 0..<layout.count {
            let range = layout.lines(band)
            let scaleFactor = Int(scaleFactors[band])
            let codebook = Int(codebooks[band])
            if codebook == 0 || codebook > BandCodebook.escape || scaleFactor < 0 {
                var zeros = quantized._mutatingExtracting(range)
                zeros.update(repeating: 0)
            } else {
                let trial = TupleQuantizer.Trial(range, bands[band], scaleFactor: scaleFactor, weight: weights[band])
                quantizer.quantize(quads, trial, codebook: codebook, into: &quantized, effort: effort)
            }
        }
    }

    /// Stores scale factors and codebooks in ``stream``, whose arrays have a fixed stride per group.
    private mutating func fillStream(layout: borrowing BandLayout) {
        stream.info.windowSequence = layout.sequence
        stream.info.groupCount = layout.groupCount
        stream.info.groupLengths = layout.groupLengths
        stream.info.maxSFB = layout.bandsPerGroup
        var isFirst = true
        var current: Int16 = 100
        var lastNoise: Int?
        for group in 0..<layout.groupCount {
            for sfb in 0..<layout.bandsPerGroup {
                let band = group * layout.bandsPerGroup + sfb
                let index = group * ICSInfo.bandStride + sfb
                stream.codebooks[index] = codebooks[band]
                if codebooks[band] > BandCodebook.escape {
                    stream.scaleFactors[index] = replacementValue(band, groupLength: Int(layout.groupLengths[group]), lastNoise: &lastNoise)
                    continue
                }
                // A zero band within a section repeats the previous scale factor, which needs one bit.
                if codebooks[band] != 0 && search.scaleFactors[band] >= 0 {
                    current = raisedScaleFactor(band, layout: layout)
                    if isFirst { stream.globalGain = Int(current) }
                    isFirst = false
                }
                stream.scaleFactors[index] = current
            }
        }
        if isFirst { stream.globalGain = Int(current) }
        fillLeadingZeros(layout: layout)
    }

    /// Returns the value that is sent for a band without lines: its noise energy or its intensity position.
    ///
    /// - Parameter lastNoise: The previous noise band's energy. Updated if `band` is a noise band.
    private func replacementValue(_ band: Int, groupLength: Int, lastNoise: inout Int?) -> Int16 {
        guard codebooks[band] == BandCodebook.noise else { return spectrum.replacements.values[band] }
        let wanted =
            spectrum.replacements.contains(band)
            ? spectrum.replacements.values[band]
            : EnergyRestoration.noiseValue(energy: lines.bands[band].energy, groupLength: groupLength)
        let value = ScaleFactorTransitions.limit(Int(wanted), after: lastNoise)
        lastNoise = value
        return Int16(value)
    }

    /// Returns the scale factor of a coded band, raised to restore the energy that its quantized lines lack.
    private func raisedScaleFactor(_ band: Int, layout: borrowing BandLayout) -> Int16 {
        let scaleFactor = Int(search.scaleFactors[band])
        guard restoration.margin > 0 else { return Int16(scaleFactor) }
        let raise = restoration.raise(
            band, energy: lines.bands[band].energy, quantized: stream.quantized.span, scaleFactor: scaleFactor, layout: layout)
        return Int16(min(scaleFactor + raise, 255))
    }

    /// Sets the scale factors of zero bands before the first coded band to that band's scale factor.
    private mutating func fillLeadingZeros(layout: borrowing BandLayout) {
        for group in 0..<layout.groupCount {
            for sfb in 0..<layout.bandsPerGroup {
                let index = group * ICSInfo.bandStride + sfb
                let band = group * layout.bandsPerGroup + sfb
                if codebooks[band] > BandCodebook.escape { continue }
                if codebooks[band] != 0 && search.scaleFactors[band] >= 0 { return }
                stream.scaleFactors[index] = Int16(stream.globalGain)
            }
        }
    }
}
