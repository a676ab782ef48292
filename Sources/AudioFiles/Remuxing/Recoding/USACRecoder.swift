// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
internal import USACCodec

/// Recodes AAC-LC and HE-AAC access units as USAC (xHE-AAC) with the same quantized spectra and envelopes, without decoding them.
///
/// Both decoders have the same delay, so priming and padding remain valid. The samples of AAC-LC are identical, except that a decoder may
/// limit lines far above full scale in another way. With SBR, the noise of the high band has other phases. The output has immediate playout
/// frames at regular intervals.
final class USACRecoder {
    /// The output's configuration, known after the first access unit.
    private(set) var configuration: AudioSpecificConfig?
    /// The number of access units with data stream elements or dynamic range control, which are left out.
    private(set) var metadataUnitCount = 0
    /// The largest number of sample frames between immediate playout frames, if it is much more than usual.
    ///
    /// An immediate playout frame contains two or three access units, which together can be too long.
    var largeAccessPointDistance: Int? {
        let distance = writer?.largestDistance ?? 0
        return distance > 2 * interval ? distance * unitDuration : nil
    }
    private let interval: Int
    private let loudness: LoudnessInfoSet
    private let parser: AACDecoder
    private let element: ChannelElement
    /// The output sample rate with SBR, in hertz; `nil` without SBR.
    private let sbrRate: Int?
    private let coreRate: Int
    private var converter: QuantizedElementConverter
    private var sbrConverter: SBRPayloadConverter?
    private var writer: USACUnitWriter?
    private var accessUnitCount = 0
    private var unitDuration = 0

    /// Starts a stream.
    ///
    /// - Parameters:
    ///   - source: The AAC stream.
    ///   - accessPointInterval: The maximum time between immediate playout frames.
    /// - Throws: ``RecodingProblem``, or the errors of `loudness`.
    init(_ source: CodecConfiguration, accessPointInterval: Duration, loudness: () throws -> LoudnessInfoSet) throws {
        guard case .aac(let config) = source, config.objectType == .aacLC, config.extensionConfig.hasParametricStereo != true else {
            throw RecodingProblem.profile(source.profileName)
        }
        guard let frameLength = config.frameLength, frameLength == 1024 else { throw RecodingProblem.frameLength(config.frameLength ?? 0) }
        guard let channelCount = config.channelCount, 1...2 ~= channelCount else { throw RecodingProblem.channels(config.channelCount) }
        coreRate = config.sampleRate
        sbrRate = config.extensionConfig.hasSBR == true ? config.outputSampleRate : nil
        // Downsampled SBR has the core's rate.
        guard sbrRate == nil || sbrRate == 2 * coreRate else {
            throw RecodingProblem.profile("\(source.profileName) at the rate of its core")
        }
        do { parser = try AACDecoder(config) } catch { throw RecodingProblem.damaged(error, accessUnit: 0) }
        element = channelCount == 1 ? .single : .pair
        let index = SamplingFrequencyIndex(nearestTo: coreRate).rawValue
        converter = QuantizedElementConverter(bands: ScaleFactorBands(samplingFrequencyIndex: index, frameLength: frameLength))
        self.loudness = try loudness()
        interval = max(3, Int(accessPointInterval.inSeconds * Double(coreRate)) / frameLength)
    }

    /// Recodes the next access unit.
    ///
    /// - Throws: ``RecodingProblem``.
    func recode(_ accessUnit: AccessUnit) throws(RecodingProblem) -> AccessUnit {
        let number = accessUnitCount
        accessUnitCount += 1
        unitDuration = accessUnit.duration
        try parse(accessUnit.payload, number)
        var result = AccessUnit(payload: [], presentationTime: accessUnit.presentationTime, duration: accessUnit.duration)
        do throws(RecodingProblem.Tool) {
            if writer == nil { writer = try start() }
            try convert()
        } catch {
            throw .tool(error, accessUnit: number)
        }
        do { result.payload = try writer?.writeUnit() ?? [] } catch { throw .tooLong(accessUnit: number) }
        return result
    }

    /// Converts the access unit that was parsed last.
    private func convert() throws(RecodingProblem.Tool) {
        guard var writer = self.writer.take() else { return }
        try parser.withFirstElement { (pair) throws(RecodingProblem.Tool) in try converter.convert(pair, to: &writer.data) }
        writer.sbr = try sbrConverter?.convert(parser.firstSBRElement)
        self.writer = consume writer
    }

    private func parse(_ payload: [UInt8], _ number: Int) throws(RecodingProblem) {
        let contents: UnitContents
        do {
            contents = try payload.withSpan { (span) throws(CodecError) in try parser.parse(span) }
        } catch {
            throw .damaged(error, accessUnit: number)
        }
        guard contents.elements == [element] else {
            throw .channels(contents.elements.reduce(0) { $0 + $1.channelCount })
        }
        if contents.hasCoupling { throw .tool(.couplingChannels, accessUnit: number) }
        if contents.hasSBR && sbrRate == nil { throw .tool(.unannouncedSBR, accessUnit: number) }
        if !contents.hasSBR && sbrRate != nil { throw .tool(.missingSBR, accessUnit: number) }
        if contents.hasDamagedSBR { throw .damaged(.invalidSBRData, accessUnit: number) }
        if contents.hasMetadata { metadataUnitCount += 1 }
    }

    /// Creates configuration and writer after the first access unit, whose SBR header becomes the default.
    private func start() throws(RecodingProblem.Tool) -> USACUnitWriter {
        if let sbrRate {
            var header: SBRHeader?
            parser.firstSBRElement?.withReader { (reader) throws(Never) in header = reader.header }
            sbrConverter = try SBRPayloadConverter(header, rate: sbrRate, channelCount: element.channelCount)
        }
        let usac = USACConfig(
            sampleRate: sbrRate ?? coreRate, channelCount: element.channelCount, hasNoiseFilling: false, sbr: sbrConverter?.configuration,
            loudness: loudness)
        configuration = AudioSpecificConfig(usac)
        return USACUnitWriter(usac, sbr: sbrConverter?.silence, interval: interval)
    }
}
