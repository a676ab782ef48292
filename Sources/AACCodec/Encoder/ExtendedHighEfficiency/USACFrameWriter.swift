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

    private let amplitudes: NoiseFillingPlanner.Amplitudes

    /// The energy of each band of a channel if it is dropped.
    private var energies = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The number of access units per immediate playout frame.
    let interval: Int

    /// The smallest part of a nominal access unit that an immediate playout frame leaves for its own content.
    private static let leastContent = 0.6

    /// Starts a stream; `nil` in other profiles than xHE-AAC.
    init?(_ setup: EncoderSetup) {
        guard setup.profile == .extendedHighEfficiency, case .usac(let usac) = setup.audioSpecificConfig.specificConfig else { return nil }
        interval = Self.interval(setup.configuration)
        amplitudes = setup.tuning.noiseFilling
        writer = USACUnitWriter(usac, interval: interval)
        writer.comparesContexts = setup.configuration.settings.effort == .best
    }

    /// Returns the number of access units per immediate playout frame, at least 2.
    private static func interval(_ configuration: AACEncoderConfiguration) -> Int {
        let seconds = min(max(configuration.settings.accessPointInterval, 0), 60)
        return max(2, Int(seconds * Double(configuration.sampleRate)) / configuration.settings.frameLength)
    }

    /// Creates the decoder configuration of a validated configuration.
    static func makeConfiguration(_ configuration: AACEncoderConfiguration) -> USACConfig {
        USACConfig(sampleRate: configuration.sampleRate, channelCount: configuration.channelCount, hasNoiseFilling: true)
    }

    /// Chooses the kind of the next access unit.
    ///
    /// - Parameter rate: The rate control, whose limits can postpone an immediate playout frame.
    /// - Returns: The bits of the access unit besides its content.
    mutating func startUnit(_ position: SegmentPosition, isFirstOfStream: Bool, rate: RateController) -> Int {
        if position.isFirst && !isFirstOfStream || position.precedesEntry { writer.startSegment() }
        kind = writer.nextKind
        guard kind == .immediate else { return 0 }
        let extraBits = writer.preRollBitCount
        guard Double(rate.maximumFrameBitCount - extraBits) < Self.leastContent * rate.nominalBits else { return extraBits }
        kind = .independent
        return 0
    }

    /// Writes the frame of an element, padded to the minimum size.
    ///
    /// - Returns: The size of the frame without padding and pre-roll, in bits.
    mutating func write(
        _ element: borrowing ElementEncoder, bands: ScaleFactorBands, minimumBitCount: Int, extraBits: Int, to sink: inout BitWriter
    ) -> Int {
        setChannel(0, element.first, bands: bands)
        if element.kind == .pair { setChannel(1, element.second, bands: bands) }
        writer.data.shareTools()
        if element.kind == .pair {
            let (layout, midSide) = (element.layout.bandsPerGroup, element.midSide.usesMidSide.span)
            writer.data.setMidSide { midSide[$0 / WindowDivision.bandStride * layout + $0 % WindowDivision.bandStride] }
        }
        return writer.write(kind, minimumBitCount: minimumBitCount, to: &sink) - extraBits
    }

    /// Makes the written access unit final.
    mutating func finish(_ unit: inout BitWriter) { writer.finish(&unit) }

    private mutating func setChannel(_ index: Int, _ channel: borrowing ChannelState, bands: ScaleFactorBands) {
        writer.data.channels[index].adopt(channel.coder.stream, bands: bands)
        let tns = channel.coder.stream.tns
        writer.data.channels[index].hasTNS = tns != nil
        if let tns { writer.data.channels[index].tns = tns }
        let bandCount = writer.data.channels[index].windows.maxSFB
        if !writer.data.channels[index].windows.isShort {
            for band in 0..<bandCount { energies[band] = channel.energyWithoutLines(band) }
        }
        // The sent bands also bound TNS.
        noise.plan(
            &writer.data.channels[index], lines: channel.coder.spectrum.lines.span, energies: energies.span, bandCount: bandCount,
            tnsEnd: tns == nil ? 0 : min(bandCount, bands.longTNSBands), amplitudes: amplitudes, bands: bands)
    }
}

extension ChannelState {
    /// Returns the energy of a band if its lines are dropped or replaced by noise.
    fileprivate func energyWithoutLines(_ band: Int) -> Float {
        coder.spectrum.replacements.contains(band) ? analysis.energy[band] : coder.energy(band)
    }
}

extension EncoderSetup {
    /// Creates the scale factor bands of the core.
    ///
    /// They differ in the limits of TNS.
    func makeBands() -> ScaleFactorBands {
        profile == .extendedHighEfficiency
            ? ScaleFactorBands(coreRate: coreSampleRate, frameLength: frameLength)
            : ScaleFactorBands(samplingFrequencyIndex: samplingFrequencyIndex, frameLength: frameLength)
    }
}

extension AACEncoder {
    /// Chooses the kind of the next access unit of xHE-AAC and returns its bits besides its content; 0 in other profiles.
    func startExtendedUnit(_ position: SegmentPosition) -> Int {
        extended?.startUnit(position, isFirstOfStream: nextFrame == 1, rate: rate) ?? 0
    }

    /// Writes the frame as an access unit of xHE-AAC.
    ///
    /// - Returns: The size of the frame without padding and pre-roll, in bits.
    func writeExtendedUnit() -> Int {
        extended?.write(
            elements[0].core, bands: tables.bands, minimumBitCount: rate.minimumFrameBitCount, extraBits: rate.extraBits, to: &writer) ?? 0
    }
}
#endif
