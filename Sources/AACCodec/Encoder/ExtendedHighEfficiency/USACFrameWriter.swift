// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_USAC
internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
internal import TransformEncoding
internal import USACCodec

/// Writes the quantized frames of an encoder as access units of xHE-AAC.
struct USACFrameWriter: ~Copyable {
    private var writer: USACUnitWriter

    /// The kind of the next access unit.
    private var kind = USACUnitWriter.Kind.immediate

    private var noise = NoiseFillingPlanner()

    /// The amplitudes of noise, if the configuration permits it.
    private let amplitudes: NoiseFillingPlanner.Amplitudes?

    private let tables: FrequencyBandTables?

    /// The energy of each band of a channel if it is dropped.
    private var energies = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// Whether silence would be heard in each band of a channel if it is dropped.
    private var needsNoise = FixedArray<Bool>(repeating: true, count: BandLayout.maximumCount)

    /// The energy of side noise that is heard, relative to the mean energy of left and right.
    ///
    /// Measured in Tools.md#noise-filling.
    private static let leastSideNoise: Float = 0.3

    /// The number of access units per immediate playout frame.
    let interval: Int

    /// The smallest part of a nominal access unit, and of the largest one, that an immediate playout frame leaves for its own content.
    private static let leastContent = (ofNominal: 0.6, ofMaximum: 0.4)

    /// The bits of an access unit besides its pre-roll, at most: the configuration and headers.
    private static let overhead = 512

    /// Starts a stream; `nil` in other profiles than xHE-AAC.
    init?(_ setup: EncoderSetup) {
        guard setup.profile == .extendedHighEfficiency, case .usac(let usac) = setup.audioSpecificConfig.specificConfig else { return nil }
        interval = Self.interval(setup)
        amplitudes = usac.elements[1].hasNoiseFilling ? setup.tuning.noiseFilling : nil
        tables = setup.sbr?.tables
        let silence = setup.sbr.map { EnhancedSBRData($0.header, tables: $0.tables, channelCount: usac.elements[1].sbrChannelCount) }
        writer = USACUnitWriter(usac, sbr: silence, interval: interval)
        writer.comparesContexts = setup.configuration.settings.effort == .best
    }

    /// Returns the number of access units per immediate playout frame, more than in a pre-roll.
    ///
    /// They have the same duration with and without SBR, so that players can switch between the streams of a set.
    private static func interval(_ setup: EncoderSetup) -> Int {
        let seconds = min(max(setup.configuration.settings.accessPointInterval, 0), 60)
        let longUnitCount = Int(seconds * Double(setup.configuration.sampleRate)) / (2 * setup.frameLength)
        return max(preRollCount(setup) + 1, longUnitCount * 2 * setup.frameLength / setup.framesPerAccessUnit)
    }

    /// Returns the number of access units in a pre-roll.
    static func preRollCount(_ setup: EncoderSetup) -> Int { USACUnitWriter.preRollCount(hasSBR: setup.sbr != nil) }

    /// Creates the decoder configuration of a validated configuration.
    static func makeConfiguration(
        _ configuration: AACEncoderConfiguration, sbr: SBRTuning?, surround: MPEGSurround212Config?
    ) -> USACConfig {
        let stated = configuration.settings.statedLoudness.map { LoudnessInfoSet(stated: $0) }
        return USACConfig(
            sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
            hasNoiseFilling: configuration.settings.usesNoiseSubstitution,
            sbr: sbr.map { USACSBRConfig(defaultHeader: USACSBRHeaderFields($0.header)) }, surround: surround,
            loudness: configuration.measuredLoudness ?? stated, streamIdentifier: configuration.streamIdentifier)
    }

    /// The bits of SBR and MPEG Surround in the last access unit.
    var sideBitCount: Int { writer.sideBitCount }

    /// Whether the next access unit does not depend on previous ones.
    var isIndependent: Bool { kind != .dependent }

    /// Chooses the kind of the next access unit.
    ///
    /// - Parameter rate: The rate control, whose limits can postpone an immediate playout frame.
    /// - Returns: The bits of the access unit besides its content.
    mutating func startUnit(_ position: SegmentPosition, isFirstOfStream: Bool, rate: RateController) -> Int {
        if position.isFirst && !isFirstOfStream || position.startsPreRoll { writer.startSegment() }
        kind = writer.nextKind
        guard kind == .immediate else { return 0 }
        let (extraBits, maximum) = (writer.preRollBitCount, Double(rate.maximumFrameBitCount))
        let ofMaximum = Self.leastContent.ofMaximum * maximum
        let least = rate.nominalBits > 0 ? min(Self.leastContent.ofNominal * rate.nominalBits, ofMaximum) : ofMaximum
        guard maximum - Double(extraBits) < least else { return extraBits }
        kind = .independent
        return 0
    }

    /// Sets the contexts before the next access unit.
    func setContexts(of element: inout ElementEncoder) {
        element.first.coder.contextual?.setContext(writer.contexts[0], isIndependent: isIndependent)
        guard element.kind == .pair else { return }
        element.second.coder.contextual?.setContext(writer.contexts[1], isIndependent: isIndependent)
    }

    /// Returns the maximum size of the next access unit without padding, in bits: half of the largest one, or with SBR a third, if a following
    /// unit contains it, too.
    ///
    /// A peak bit rate that leaves less than a quarter postpones that unit instead.
    ///
    /// - Parameter largest: The maximum size of any access unit, in bits.
    func maximumContentBitCount(_ largest: Int) -> Int? {
        guard kind == .independent else { return nil }
        let count = 1 + USACUnitWriter.preRollCount(hasSBR: tables != nil)
        let limit = (largest - Self.overhead) / count
        return 4 * limit >= largest ? limit : (writer.maximumBitCount - Self.overhead) / count
    }

    /// Writes the frame of an element, padded to the minimum size.
    ///
    /// - Returns: The size of the frame without padding and pre-roll, in bits.
    mutating func write(
        _ element: borrowing ElementEncoder, sbr: SBRElementEncoder?, stereo: ParametricStereoEncoder?, bands: ScaleFactorBands,
        minimumBitCount: Int, extraBits: Int, to sink: inout BitWriter
    ) -> Int {
        if let tables { sbr?.withPayload { writer.sbr?.set($0, tables: tables) } }
        if let stereo { writer.setSurround(stereo.payload) }
        setChannel(0, element.first, element, bands: bands)
        if element.kind == .pair { setChannel(1, element.second, element, bands: bands) }
        writer.data.shareTools()
        if element.kind == .pair { setStereo(element) }
        return writer.write(kind, minimumBitCount: minimumBitCount, to: &sink) - extraBits
    }

    private mutating func setStereo(_ element: borrowing ElementEncoder) {
        // Groups are dense in the encoder. A long window has more bands than the distance of groups in USAC.
        let (isShort, bandsPerGroup) = (element.layout.sequence == .eightShort, element.layout.bandsPerGroup)
        func index(_ band: Int) -> Int {
            isShort ? band / WindowDivision.bandStride * bandsPerGroup + band % WindowDivision.bandStride : band
        }
        guard element.prediction.isUsed else {
            let midSide = element.midSide.usesMidSide.span
            return writer.data.setMidSide { midSide[index($0)] }
        }
        let coefficients = element.prediction.choice.coefficients.span
        writer.setPrediction(isReversed: element.prediction.choice.isReversed) { coefficients[index($0)] }
    }

    /// Makes the written access unit final.
    mutating func finish(_ unit: borrowing BitWriter) { writer.finish(unit) }

    private mutating func setChannel(
        _ index: Int, _ channel: borrowing ChannelState, _ element: borrowing ElementEncoder, bands: ScaleFactorBands
    ) {
        writer.data.channels[index].adoptStream(channel.coder.stream, bands: bands)
        let tns = channel.coder.stream.tns
        writer.data.channels[index].hasTNS = tns != nil
        if let tns { writer.data.channels[index].tns = tns }
        let bandCount = writer.data.channels[index].windows.maxSFB
        if !writer.data.channels[index].windows.isShort {
            for band in 0..<bandCount {
                energies[band] = element.energy(band, ofChannel: index, channel)
                needsNoise[band] = index == 0 || energies[band] >= Self.leastSideNoise * element.energyBesideSide(band)
            }
        }
        // The sent bands also bound TNS.
        noise.plan(
            &writer.data.channels[index], lines: channel.coder.spectrum.lines.span, energies: energies.span, isNeeded: needsNoise.span,
            bandCount: bandCount, tnsEnd: tns == nil ? 0 : min(bandCount, bands.longTNSBands),
            amplitudes: element.fillsNoise ? amplitudes : nil, bands: bands)
    }
}

extension ElementEncoder {
    /// Returns the energy of a channel's band whose lines are dropped or replaced by noise.
    fileprivate func energy(_ band: Int, ofChannel index: Int, _ channel: borrowing ChannelState) -> Float {
        if prediction.isUsed { return prediction.energies[band][index] }
        guard channel.coder.spectrum.replacements.contains(band) else { return channel.coder.energy(band) }
        guard kind == .pair && midSide.usesMidSide[band] else { return channel.analysis.energy[band] }
        return (first.analysis.energy[band] + second.analysis.energy[band]) / 4
    }

    /// Returns the mean energy of left and right in a band whose second channel is a side signal or a residual; 0 in other bands.
    fileprivate func energyBesideSide(_ band: Int) -> Float {
        guard prediction.isUsed || midSide.usesMidSide[band] else { return 0 }
        return (first.analysis.energy[band] + second.analysis.energy[band]) / 2
    }
}

extension AACEncoder {
    /// Chooses the kind of the next access unit of xHE-AAC and returns its bits besides its content; 0 in other profiles.
    func startExtendedUnit(_ position: SegmentPosition) -> Int {
        let bits = extended?.startUnit(position, isFirstOfStream: nextFrame == 1, rate: rate) ?? 0
        extended?.setContexts(of: &elements[0].core)
        return bits
    }

    /// Writes the frame as an access unit of xHE-AAC.
    ///
    /// - Returns: The size of the frame without padding and pre-roll, in bits.
    func writeExtendedUnit() -> Int {
        extended?.write(
            elements[0].core, sbr: elements[0].sbr, stereo: elements[0].stereo, bands: tables.bands,
            minimumBitCount: rate.minimumFrameBitCount, extraBits: rate.extraBits, to: &writer) ?? 0
    }
}
#endif
