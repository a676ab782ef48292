// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio
internal import TransformCoding
internal import USACCodec

/// Recodes AAC-LC access units as USAC (xHE-AAC) with the same quantized spectra, without decoding them.
///
/// Both decoders have the same delay, so priming and padding remain valid. The samples are identical, except that a decoder may limit lines
/// far above full scale in another way. The output has immediate playout frames at regular intervals.
final class USACRecoder {
    let configuration: AudioSpecificConfig
    /// The number of access units with data stream elements or dynamic range control, which are left out.
    private(set) var metadataUnitCount = 0
    /// The largest number of sample frames between immediate playout frames, if it is much more than usual.
    ///
    /// An immediate playout frame contains two access units, which together can be too long.
    var largeAccessPointDistance: Int? {
        let distance = writer.largestDistance
        return distance > 2 * interval ? distance * 1024 : nil
    }
    private let interval: Int
    private let parser: AACDecoder
    private let element: ChannelElement
    private var converter: QuantizedElementConverter
    private var writer: USACUnitWriter
    private var accessUnitCount = 0

    /// Starts a stream.
    ///
    /// - Parameters:
    ///   - source: The AAC stream.
    ///   - accessPointInterval: The maximum time between immediate playout frames.
    ///   - loudness: Returns the loudness of the stream.
    /// - Throws: ``RecodingProblem``, or the errors of `loudness`.
    init(_ source: CodecConfiguration, accessPointInterval: Duration, loudness: () throws -> LoudnessInfoSet) throws {
        guard case .aac(let config) = source, config.objectType == .aacLC, config.extensionConfig.hasSBR != true else {
            throw RecodingProblem.profile(source.profileName)
        }
        guard let frameLength = config.frameLength, frameLength == 1024 else { throw RecodingProblem.frameLength(config.frameLength ?? 0) }
        guard let channelCount = config.channelCount, 1...2 ~= channelCount else { throw RecodingProblem.channels(config.channelCount) }
        do { parser = try AACDecoder(config) } catch { throw RecodingProblem.damaged(error, accessUnit: 0) }
        let rate = config.sampleRate
        element = channelCount == 1 ? .single : .pair
        let index = SamplingFrequencyIndex(nearestTo: rate).rawValue
        converter = QuantizedElementConverter(bands: ScaleFactorBands(samplingFrequencyIndex: index, frameLength: frameLength))
        let usac = try USACConfig(sampleRate: rate, channelCount: channelCount, hasNoiseFilling: false, loudness: loudness())
        configuration = AudioSpecificConfig(usac)
        interval = max(2, Int(accessPointInterval.inSeconds * Double(rate)) / frameLength)
        writer = USACUnitWriter(usac, interval: interval)
    }

    /// Recodes the next access unit.
    ///
    /// - Throws: ``RecodingProblem``.
    func recode(_ accessUnit: AccessUnit) throws(RecodingProblem) -> AccessUnit {
        let number = accessUnitCount
        accessUnitCount += 1
        let contents: UnitContents
        do {
            contents = try accessUnit.payload.withSpan { (span) throws(CodecError) in try parser.parse(span) }
        } catch {
            throw .damaged(error, accessUnit: number)
        }
        guard contents.elements == [element] else {
            throw .channels(contents.elements.reduce(0) { $0 + $1.channelCount })
        }
        if contents.hasCoupling { throw .tool(.couplingChannels, accessUnit: number) }
        if contents.hasSBR { throw .tool(.bandReplication, accessUnit: number) }
        if contents.hasMetadata { metadataUnitCount += 1 }
        do {
            try parser.withFirstElement { (pair) throws(RecodingProblem.Tool) in try converter.convert(pair, to: &writer.data) }
        } catch {
            throw .tool(error, accessUnit: number)
        }
        var result = AccessUnit(payload: [], presentationTime: accessUnit.presentationTime, duration: accessUnit.duration)
        do { result.payload = try writer.writeUnit() } catch { throw .tooLong(accessUnit: number) }
        return result
    }
}
