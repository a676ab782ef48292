// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import MPEG4Audio
internal import TransformCoding
internal import USACCodec

/// Converts the quantized channel element of an AAC access unit to USAC core data with the same spectra.
struct QuantizedElementConverter {
    let bands: ScaleFactorBands
    /// Whether the last frame of each channel has a short falling slope.
    private var fallsShort = [false, false]

    init(bands: ScaleFactorBands) { self.bands = bands }

    /// Converts an element.
    ///
    /// - Throws: ``RecodingProblem/Tool`` for a tool that USAC does not have.
    mutating func convert(_ pair: borrowing ChannelPairElement, to data: inout CoreElementData) throws(RecodingProblem.Tool) {
        try convert(pair.first, channel: 0, to: &data)
        if data.channels.count == 2 { try convert(pair.second, channel: 1, to: &data) }
        data.shareTools()
        guard data.channels.count == 2, pair.hasCommonWindow, pair.midSide.kind != .none else { return }
        let mask = pair.midSide
        data.setMidSide { mask.contains($0) }
    }

    private mutating func convert(
        _ stream: borrowing IndividualChannelStream, channel: Int, to data: inout CoreElementData
    ) throws(RecodingProblem.Tool) {
        if stream.uses(BandCodebook.noise) { throw .noiseSubstitution }
        if stream.uses(BandCodebook.intensityInPhase) || stream.uses(BandCodebook.intensityOutOfPhase) { throw .intensityStereo }
        let info = stream.info
        // After a short slope, USAC has another window for this sequence.
        if info.windowSequence == .longStart && fallsShort[channel] { throw .windowOrder }
        fallsShort[channel] = info.isShort || info.windowSequence == .longStart
        data.channels[channel].adoptStream(stream, bands: bands)
        try setBands(stream.tns, info, limits: data.bands, of: &data.channels[channel])
    }

    /// Sets TNS and the number of sent bands, which also bounds TNS, and completes the scale factors.
    private func setBands(
        _ tns: TNSData?, _ info: ICSInfo, limits: ScaleFactorBands, of channel: inout CoreChannelData
    ) throws(RecodingProblem.Tool) {
        let range = NoiseShapingRange(info, bands: bands)
        let end = tns.map { range.end(of: $0) } ?? 0
        channel.hasTNS = end > 0
        channel.windows.maxSFB = max(end, channel.usedBandCount(bands: bands))
        if !channel.completeScaleFactors(bands: bands) {
            channel.windows.maxSFB = info.maxSFB
            // Never false, because the differences of AAC have the same limit.
            _ = channel.completeScaleFactors(bands: bands)
        }
        guard let tns, channel.hasTNS else { return }
        channel.tns = tns
        let isLimited = info.isShort ? limits.shortTNSBands > bands.shortTNSBands : limits.longTNSBands > bands.longTNSBands
        guard isLimited, channel.windows.maxSFB > (info.isShort ? bands.shortTNSBands : bands.longTNSBands) else { return }
        guard let unlimited = range.withoutLimit(tns) else { throw .noiseShapingRange }
        channel.tns = unlimited
    }
}
