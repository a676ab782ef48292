// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport
import TransformCoding

/// AAC-LC or HE-AAC access units of random quantized spectra, of moderate level.
struct RandomAACStream {
    let configuration: AudioSpecificConfig
    private let bands: ScaleFactorBands
    private var random: SeededRandom
    private var fallsShort = false
    /// Changes each channel before it is written.
    var change: (inout IndividualChannelStream) -> Void = { _ in }
    /// Whether both channels of each pair share their windows.
    var sharesWindows = false
    /// The window sequences to choose from; `nil` for those that can follow.
    var sequences: [WindowSequence]?

    /// The generator of SBR data, if used.
    private var sbr: RandomSBR?
    /// Whether access units contain a parametric stereo extension.
    var hasParametricStereo = false
    /// The access unit that lacks SBR data, if any.
    var unitWithoutSBR: Int?
    private var unitCount = 0

    /// Starts a stream.
    ///
    /// - Parameter sampleRate: The core sample rate, in hertz.
    init(sampleRate: Int, channelCount: Int, seed: UInt64, hasSBR: Bool = false) throws {
        configuration = AudioSpecificConfig(
            sampleRate: sampleRate, channelConfiguration: ChannelConfiguration(rawValue: channelCount),
            extensionConfig: hasSBR ? .hierarchical(sampleRate: 2 * sampleRate, hasParametricStereo: false) : .implicit)
        if hasSBR { sbr = RandomSBR(seed: seed, channelCount: channelCount, rate: 2 * sampleRate) }
        let index = SamplingFrequencyIndex(nearestTo: sampleRate).rawValue
        bands = ScaleFactorBands(samplingFrequencyIndex: index, frameLength: 1024)
        random = SeededRandom(seed: seed)
    }

    /// Returns a LOAS stream of `count` access units.
    mutating func loas(_ count: Int, damage: (Int, inout [UInt8]) -> Void = { _, _ in }) throws -> [UInt8] {
        var writer = try LOASWriter(to: MemorySink(), configuration)
        for number in 0..<count {
            var unit = accessUnit()
            damage(number, &unit)
            try writer.append(AccessUnit(unit))
        }
        try writer.finish(nil)
        return writer.sink.bytes
    }

    private mutating func accessUnit() -> [UInt8] {
        var writer = BitWriter()
        var pair = ChannelPairElement(frameLength: 1024)
        let info = info()
        pair.hasCommonWindow = sharesWindows || Bool.random(using: &random)
        fill(&pair.first, info)
        guard configuration.channelCount == 2 else {
            // SCE with tag 0.
            writer.write(0, count: 7)
            pair.first.write(to: &writer, bands: bands, hasCommonWindow: false)
            writeSBR(to: &writer)
            writer.write(7, count: 3)
            return writer.bytes
        }
        var second = info
        if !pair.hasCommonWindow {
            second.maxSFB = Int.random(in: 0...limit(info), using: &random)
            second.windowShape = .sine
        }
        fill(&pair.second, second)
        if pair.hasCommonWindow {
            pair.midSide.kind = MidSideMask.Kind(rawValue: UInt8.random(in: 0...2, using: &random)) ?? .none
            for band in 0..<ICSInfo.bandCapacity { pair.midSide.flags[band] = Bool.random(using: &random) }
        }
        writer.write(1, count: 3)
        pair.write(to: &writer, bands: bands)
        writeSBR(to: &writer)
        writer.write(7, count: 3)
        return writer.bytes
    }

    /// Writes a fill element with SBR data, with a header in each seventh access unit and another one in each fourteenth.
    private mutating func writeSBR(to writer: inout BitWriter) {
        guard var generator = sbr else { return }
        let hasHeader = unitCount % 7 == 0
        // With such a number of subbands, the noise of each frame starts at the same position in its table.
        if unitCount % 14 == 0 { repeat { generator.changeHeader() } while generator.tables.highBandCount % 16 != 0 }
        defer { unitCount += 1 }
        guard unitCount != unitWithoutSBR else { return }
        let payload = generator.payload()
        var (body, stereo) = (BitWriter(), BitWriter())
        body.write(hasHeader)
        if hasHeader { generator.header.write(to: &body) }
        stereo.write(0, count: 6)
        payload.write(to: &body, header: generator.header, tables: generator.tables, stereo: hasParametricStereo ? stereo : nil)
        let byteCount = (4 + body.bitCount + 7) / 8
        FillElement.writeHeader(byteCount: byteCount, to: &writer)
        writer.write(UInt32(ExtensionType.spectralBandReplication.rawValue), count: 4)
        body.write(to: &writer)
        writer.write(0, count: 8 * byteCount - 4 - body.bitCount)
        sbr = generator
    }

    private mutating func info() -> ICSInfo {
        var info = ICSInfo()
        let usual: [WindowSequence] = fallsShort ? [.eightShort, .longStop] : [.onlyLong, .longStart]
        info.windowSequence = (sequences ?? usual).randomElement(using: &random) ?? .onlyLong
        fallsShort = info.isShort || info.windowSequence == .longStart
        info.windowShape = Bool.random(using: &random) ? .sine : .kaiserBesselDerived
        if info.isShort { info.setGrouping(UInt32.random(in: 0...127, using: &random)) }
        info.maxSFB = Bool.random(using: &random) ? limit(info) : Int.random(in: 0...limit(info), using: &random)
        return info
    }

    /// The bands that TNS can filter in short windows of both codecs.
    private func limit(_ info: ICSInfo) -> Int { info.isShort ? min(bands.shortCount, 14) : bands.longCount }

    private mutating func fill(_ stream: inout IndividualChannelStream, _ info: ICSInfo) {
        stream.info = info
        var factor = Int.random(in: 100...130, using: &random)
        stream.globalGain = factor
        let magnitude = [1, 12, 1200].randomElement(using: &random) ?? 1
        let density = Int.random(in: magnitude == 1200 ? 12...30 : 3...30, using: &random)
        let offsets = info.isShort ? bands.shortOffsets : bands.longOffsets
        var start = 0
        for group in 0..<info.groupCount {
            let windows = info.isShort ? Int(info.groupLengths[group]) : 1
            for sfb in 0..<info.maxSFB {
                let band = group * ICSInfo.bandStride + sfb
                // Also codebooks whose lines are all 0.
                stream.codebooks[band] = Int.random(in: 0..<4, using: &random) == 0 ? 0 : 11
                guard stream.codebooks[band] > 0 else { continue }
                factor = Int.random(in: max(60, factor - 60)...min(140, factor + 60), using: &random)
                stream.scaleFactors[band] = Int16(factor)
                for line in start + Int(offsets[sfb]) * windows..<start + Int(offsets[sfb + 1]) * windows
                where Int.random(in: 0..<density, using: &random) == 0 {
                    stream.quantized[line] = Int16(Int.random(in: -magnitude...magnitude, using: &random))
                }
            }
            start += windows * bands.shortLength
        }
        if !info.isShort && Bool.random(using: &random) {
            var pulse = PulseData()
            (pulse.count, pulse.startBand) = (2, Int.random(in: 0..<20, using: &random))
            (pulse.offsets[0], pulse.offsets[1], pulse.amplitudes[0], pulse.amplitudes[1]) = (3, 17, 9, 15)
            stream.pulse = pulse
        }
        if Bool.random(using: &random) { stream.tns = tns(isShort: info.isShort) }
        change(&stream)
    }

    private mutating func tns(isShort: Bool) -> TNSData {
        var data = TNSData()
        for window in 0..<(isShort ? 8 : 1) {
            data.filterCounts[window] = UInt8.random(in: 0...(isShort ? 1 : 2), using: &random)
            data.resolutions[window] = 4
            for number in 0..<Int(data.filterCounts[window]) {
                var filter = TNSFilter()
                filter.length = UInt8.random(in: 0...(isShort ? 15 : 50), using: &random)
                filter.order = UInt8.random(in: 0...(isShort ? 7 : 12), using: &random)
                filter.isDownward = filter.order > 0 && Bool.random(using: &random)
                for index in 0..<Int(filter.order) { filter.coefficients[index] = Int8.random(in: -2...2, using: &random) }
                data[window, number] = filter
            }
        }
        return data
    }
}
