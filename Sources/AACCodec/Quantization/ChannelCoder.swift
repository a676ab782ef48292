// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Codes the lines of one channel for a price of a bit: scale factors, codebooks and quantised values.
struct ChannelCoder: ~Copyable {
    /// The lines to code, the noise targets, which set the weight of errors, and the bands that are sent without lines.
    var spectrum = ChannelSpectrum()

    /// What is derived from the lines.
    private var lines = SpectralLines()

    /// What comes of it, ready to be written; window shape and TNS are set by the analysis.
    var stream = IndividualChannelStream()

    private var curves = CostCurves()
    private var search = ScaleFactorSearch()
    private var jointSearch = JointSearch()
    private var sectioning = Sectioning()
    private var quantizer = TupleQuantizer()
    /// What a unit of squared error costs in each band, in bits.
    private var weights = [120 of Float](repeating: 0)
    private var codebooks = [120 of UInt8](repeating: 0)

    /// The price of a bit for a quality: at the best allocation a bit more takes 2 ln 2 of the weighted noise away.
    static let bitPriceOfQuality: Float = 1.386_294_4

    /// What leaving a band out costs more than its energy.
    static let zeroPenalty: Float = 1.5

    /// Gets a frame ready, once before anything else; returns its entropy with noise `quality` times the targets.
    mutating func prepare(quality: Float, layout: borrowing BandLayout) -> Float {
        quantizer.startFrame()
        return lines.prepare(&spectrum, layout: layout, quality: quality)
    }

    /// What the frame's bits will be in proportion to, with noise `quality` times the targets.
    mutating func entropy(quality: Float, layout: borrowing BandLayout) -> Float {
        PerceptualEntropy.bits(
            spectrum.lines.span, noise: spectrum.noiseTargets.span, replacements: spectrum.replacements.codebooks.span, quality: quality,
            layout: layout)
    }

    /// Adds what each band costs by itself at the best scale factor, in bits, errors at their price included.
    mutating func addCosts(
        quality: Float, layout: borrowing BandLayout, effort: SearchEffort, to costs: inout MutableSpan<Float>
    ) {
        _ = lines.prepare(&spectrum, layout: layout, quality: quality)
        setWeights(quality: quality, layout: layout)
        curves.measure(
            lines.quads.span, lines.bands.span, noise: spectrum.noiseTargets.span, quality: quality, effort: effort, layout: layout)
        for band in 0..<layout.count {
            let weight = weights.span[band]
            let zeroCost = weight * lines.bands.span[band].energy * Self.zeroPenalty
            costs[band] += min(zeroCost, curves.lowestCost(band, weight: weight, effort: effort) + Self.scaleFactorBits)
        }
    }

    /// About what the scale factor of a band takes.
    private static let scaleFactorBits: Float = 2

    /// Codes the frame with noise `quality` times the targets.
    mutating func code(quality: Float, layout: borrowing BandLayout, effort: SearchEffort) {
        setWeights(quality: quality, layout: layout)
        curves.measure(
            lines.quads.span, lines.bands.span, noise: spectrum.noiseTargets.span, quality: quality, effort: effort, layout: layout)
        search.search(
            (curves.distortions.span, curves.bits.span), firsts: curves.firstScaleFactors.span, bands: lines.bands.span,
            weights: weights.span, effort: effort,
            bandCount: layout.count)
        if effort.searchesCodebooks { searchJointly(layout: layout, effort: effort) }
        finish(layout: layout, effort: effort)
    }

    /// Codes the frame once more with all scale factors higher by so many, and the price of a bit that goes with `quality`.
    ///
    /// What was searched for stays, so this takes a part of the time.
    mutating func coarsen(by steps: Int, quality: Float, layout: borrowing BandLayout, effort: SearchEffort) {
        setWeights(quality: quality, layout: layout)
        for band in 0..<layout.count where search.scaleFactors.span[band] >= 0 {
            search.scaleFactors[band] = Int16(min(255, Int(search.scaleFactors.span[band]) + steps))
        }
        finish(layout: layout, effort: effort)
    }

    private mutating func setWeights(quality: Float, layout: borrowing BandLayout) {
        let bitPrice = quality * Self.bitPriceOfQuality
        for band in 0..<layout.count {
            weights[band] = Float(layout.width(band)) / (spectrum.noiseTargets.span[band] * bitPrice)
        }
    }

    /// Turns scale factors into codebooks and values.
    private mutating func finish(layout: borrowing BandLayout, effort: SearchEffort) {
        chooseCodebooks(layout: layout, effort: effort)
        var chosen = codebooks.mutableSpan
        search.limitDifferences(&chosen, bandCount: layout.count)
        quantize(layout: layout, effort: effort)
        fillStream(layout: layout)
    }

    /// Searches again around the scale factors found, with the codebooks and the rounding of each.
    private mutating func searchJointly(layout: borrowing BandLayout, effort: SearchEffort) {
        jointSearch.makeRoom()
        let quads = lines.quads.span
        for band in 0..<layout.count {
            let found = Int(search.scaleFactors.span[band])
            let weight = weights.span[band]
            let middle = found >= 0 ? found : curves.cheapest(band, weight: weight, effort: effort)
            let first = min(max(0, middle - JointSearch.candidatesBelow), 255 - JointSearch.candidateCount)
            var trial = TupleQuantizer.Trial(layout.lines(band), lines.bands[band], scaleFactor: first, weight: weight)
            jointSearch.setBand(band, first: first, zeroCost: trial.zeroCost)
            guard !spectrum.replacements.contains(band) else { continue }
            for candidate in 0..<JointSearch.candidateCount {
                trial.scaleFactor = first + candidate
                guard quantizer.canCode(trial) else { continue }
                jointSearch.setCosts(band, candidate: candidate, quantizer.measure(quads, trial, effort: effort))
            }
        }
        var scaleFactors = search.scaleFactors.mutableSpan
        jointSearch.search(layout: layout, into: &scaleFactors)
    }

    private mutating func chooseCodebooks(layout: borrowing BandLayout, effort: SearchEffort) {
        let quads = lines.quads.span
        let scaleFactors = search.scaleFactors.span
        for band in 0..<layout.count {
            codebooks[band] = spectrum.replacements.codebooks.span[band]
            let scaleFactor = Int(scaleFactors[band])
            guard scaleFactor >= 0 else {
                sectioning.setCosts(band, BookCosts(zeroLines: layout.width(band)))
                continue
            }
            let trial = TupleQuantizer.Trial(layout.lines(band), lines.bands[band], scaleFactor: scaleFactor, weight: weights[band])
            let count = effort.lowersValues ? nil : curves.count(band, scaleFactor: scaleFactor, effort: effort)
            sectioning.setCosts(band, quantizer.measure(quads, trial, count: count, effort: effort))
        }
        var chosen = codebooks.mutableSpan
        sectioning.choose(&chosen, layout: layout)
    }

    private mutating func quantize(layout: borrowing BandLayout, effort: SearchEffort) {
        let quads = lines.quads.span
        let scaleFactors = search.scaleFactors.span
        var quantized = stream.quantized.mutableSpan
        for band in 0..<layout.count {
            let range = layout.lines(band)
            let scaleFactor = Int(scaleFactors[band])
            let codebook = Int(codebooks.span[band])
            if codebook == 0 || codebook > BandCodebook.escape || scaleFactor < 0 {
                for line in range { quantized[line] = 0 }
            } else {
                let trial = TupleQuantizer.Trial(layout.lines(band), lines.bands[band], scaleFactor: scaleFactor, weight: weights[band])
                quantizer.quantize(quads, trial, codebook: codebook, into: &quantized, effort: effort)
            }
        }
    }

    /// Puts scale factors and codebooks where the syntax wants them.
    private mutating func fillStream(layout: borrowing BandLayout) {
        stream.info.windowSequence = layout.sequence
        stream.info.groupCount = layout.groupCount
        stream.info.groupLengths = layout.groupLengths
        stream.info.maxSFB = layout.bandsPerGroup
        var isFirst = true
        var current: Int16 = 100
        for group in 0..<layout.groupCount {
            for sfb in 0..<layout.bandsPerGroup {
                let band = group * layout.bandsPerGroup + sfb
                let place = group * ICSInfo.bandStride + sfb
                stream.codebooks[place] = codebooks.span[band]
                if spectrum.replacements.contains(band) {
                    stream.scaleFactors[place] = spectrum.replacements.values[band]
                    continue
                }
                // Bands of zeros inside a section repeat the scale factor before them.
                if codebooks.span[band] != 0 && search.scaleFactors[band] >= 0 {
                    current = search.scaleFactors[band]
                    if isFirst { stream.globalGain = Int(current) }
                    isFirst = false
                }
                stream.scaleFactors[place] = current
            }
        }
        if isFirst { stream.globalGain = Int(current) }
        backfill(layout: layout)
    }

    /// Gives bands of zeros that are sent before the first band with lines the scale factor of that band.
    private mutating func backfill(layout: borrowing BandLayout) {
        for group in 0..<layout.groupCount {
            for sfb in 0..<layout.bandsPerGroup {
                let place = group * ICSInfo.bandStride + sfb
                let band = group * layout.bandsPerGroup + sfb
                if spectrum.replacements.contains(band) { continue }
                if codebooks.span[band] != 0 && search.scaleFactors[band] >= 0 { return }
                stream.scaleFactors[place] = Int16(stream.globalGain)
            }
        }
    }
}
