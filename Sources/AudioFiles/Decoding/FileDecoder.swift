// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
package import AudioContainers
package import AudioConversion
internal import AudioMetadata
package import AudioPrimitives
package import MPEG4Audio
package import PCMFiles
internal import SystemFiles
internal import SystemLibrary

/// Decodes encoded audio from any supported container.
///
/// Encoder priming and padding are removed if the container signals them. Damaged access units are concealed and counted in ``statistics``.
/// Use a decoder from one thread at a time.
package final class FileDecoder {
    package let metadata: ContainerMetadata

    /// Counts of decoded, concealed and skipped access units so far.
    package private(set) var statistics = DecodingStatistics()

    /// The loudness metadata of the container or stream, or `nil` if absent and in LOAS before the first access unit.
    package private(set) var statedLoudness: LoudnessInfoSet?

    /// The decoder of the current access units, or `nil` before the first access unit.
    package private(set) var decoder: (any AudioPacketDecoder)?

    private let reader: AccessUnitReader
    private let configuration: FileDecoderConfiguration
    private var trimmer: FrameRangeTrimmer?
    /// The number of access units that failed or are missing before the first intact one.
    ///
    /// They are replaced with silence before ``firstBlock``.
    private var failedAtStart = 0
    /// The first intact block, while silence replaces the access units before it.
    private var firstBlock: PCMBuffer?
    private var hasDecoded = false
    /// The access unit being decoded, which can have several raw data blocks.
    private var coded: DemuxedAccessUnit?
    private var accessUnit: [UInt8] = []
    private var unitOffset = 0
    private var blocksLeft = 0
    /// Estimates the number of access units lost in damaged bytes.
    private var loss = UnitLoss()
    /// The number of missing access units to conceal before the next one is decoded.
    private var concealedLeft = 0
    private var blockFormat: (sampleRate: Int, channelCount: Int)?
    private var converter: PCMBufferConverter?
    /// The gain factor to the requested loudness, or `nil` before the first frames.
    private var gain: Float?
    /// The buffer for ``next()``.
    private var output = PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 0)

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard input.
    ///   - configuration: The part to decode, and the format to decode to.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, or is not a container of encoded audio.
    package convenience init(
        path: String, configuration: FileDecoderConfiguration = FileDecoderConfiguration()
    ) throws(AudioFileError) {
        try self.init(try AccessUnitReader(path: path, audioTrack: configuration.audioTrack), configuration: configuration)
    }

    /// Opens a file in memory.
    ///
    /// - Parameter configuration: The part to decode, and the format to decode to.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the bytes are not a container of encoded audio.
    package convenience init(
        bytes: [UInt8], configuration: FileDecoderConfiguration = FileDecoderConfiguration()
    ) throws(AudioFileError) {
        try self.init(try AccessUnitReader(bytes: bytes, audioTrack: configuration.audioTrack), configuration: configuration)
    }

    init(_ reader: AccessUnitReader, configuration: FileDecoderConfiguration) throws(AudioFileError) {
        self.reader = reader
        self.configuration = configuration
        metadata = reader.metadata
        statedLoudness = metadata.loudness
        guard !metadata.isRearranged || configuration.keepsDelay else {
            throw AudioFileError(.unsupportedEditList, path: reader.path)
        }
    }

    /// Decodes and returns the next nonempty buffer, or `nil` at the end.
    package func next() throws(AudioFileError) -> PCMBuffer? { try read(into: &output) ? output : nil }

    /// Decodes the next sample frames into `buffer`, which is replaced if its format or size does not fit.
    ///
    /// A decoded buffer is never empty. The sample rate and channel count can change between buffers if the stream changes, unless
    /// ``FileDecoderConfiguration/keepsFormat`` is set.
    ///
    /// - Returns: False at the end.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, or has no access unit that can be decoded.
    package func read(into buffer: inout PCMBuffer) throws(AudioFileError) -> Bool {
        while true {
            if let trimmer, trimmer.isFinished {
                try recordRest()
                return false
            }
            guard try nextBuffer(&buffer) else {
                try checkAnythingDecoded()
                return false
            }
            if trimmer == nil {
                trimmer = makeTrimmer(buffer)
                if try seekToStart() { continue }
            }
            trimmer?.apply(to: &buffer)
            guard buffer.frameCount > 0 else { continue }
            if let loudness = configuration.loudness { buffer.scale(by: try gain(to: loudness)) }
            statistics.frameCount += buffer.frameCount
            return true
        }
    }

    /// The integrated loudness in LUFS from the loudness metadata or the ReplayGain tags (reference level -18 LUFS), if present.
    private var integrated: Double? { statedLoudness?.integratedLoudness ?? metadata.tags.replayGain.map { -18 - $0.gain } }

    /// Returns the gain factor to a loudness in LUFS.
    ///
    /// If the peak is also known, it stays below full scale.
    private func gain(to target: Double) throws(AudioFileError) -> Float {
        if let gain { return gain }
        guard let integrated else {
            // The decoder itself applies the level that the stream signals.
            if let aac = decoder as? AACDecoder, aac.programReferenceLevel != nil {
                gain = 1
                return 1
            }
            throw AudioFileError(.noStatedLoudness, path: reader.path)
        }
        let headroom = statedLoudness?.peak.map { -$0 } ?? .infinity
        let factor = Float(pow(10, min(target - integrated, max(0, headroom)) / 20))
        gain = factor
        return factor
    }

    /// Decodes one raw data block and converts it if `keepsFormat` is set.
    ///
    /// Returns false at the end of the file.
    private func nextBuffer(_ buffer: inout PCMBuffer) throws(AudioFileError) -> Bool {
        let isDecoded = try decodeBlock(into: &buffer)
        do throws(CodecError) {
            guard isDecoded else {
                guard let converter else { return false }
                buffer = try converter.finish()
                return buffer.frameCount > 0
            }
            if let blockFormat, blockFormat != (buffer.sampleRate, buffer.channelCount) { statistics.formatChangeCount += 1 }
            blockFormat = (buffer.sampleRate, buffer.channelCount)
            if configuration.keepsFormat { buffer = try convertToFirstFormat(buffer) }
            return true
        } catch {
            throw AudioFileError(.sampleRateChange(from: converter?.sampleRate ?? 0, to: blockFormat?.sampleRate ?? 0), path: reader.path)
        }
    }

    /// Converts a buffer to the sample rate and channels of the first buffer.
    private func convertToFirstFormat(_ buffer: PCMBuffer) throws(CodecError) -> PCMBuffer {
        let layout = decoder?.channelLayout
        let converter =
            self.converter
            ?? PCMBufferConverter(
                sampleRate: buffer.sampleRate, channels: ChannelMatrix.Channels(count: buffer.channelCount, layout: layout))
        self.converter = converter
        return try converter.convert(buffer, layout: layout)
    }

    /// Decodes one raw data block.
    ///
    /// Returns false at the end of the file.
    private func decodeBlock(into buffer: inout PCMBuffer) throws(AudioFileError) -> Bool {
        while true {
            if let firstBlock {
                buffer = firstBlock
                if failedAtStart == 0 {
                    self.firstBlock = nil
                } else {
                    failedAtStart -= 1
                    for index in buffer.samples.indices { buffer.samples[index] = 0 }
                }
                return true
            }
            if blocksLeft == 0 && concealedLeft == 0 {
                guard try nextUnit() else { return false }
            }
            guard let decoder else { continue }
            if concealedLeft > 0 {
                concealedLeft -= 1
                statistics.concealedUnitCount += 1
                _ = decoder.conceal(into: &buffer)
                if buffer.frameCount > 0 { return true }
                continue
            }
            let result = accessUnit.withSpan { decoder.decode($0.extracting(unitOffset..<$0.count), into: &buffer) }
            unitOffset += result.byteCount
            // The position of later blocks is unknown after damage.
            let hasNext = result.damage == nil && unitOffset < accessUnit.count
            let blocksLost = hasNext ? 0 : blocksLeft - 1
            blocksLeft = hasNext ? blocksLeft - 1 : 0
            reader.recordDecoded(byteCount: result.damage == nil ? result.byteCount : nil)
            statistics.accessUnitCount += 1
            if result.lacksHighBand { statistics.highBandLossCount += 1 }
            // A checksum covers a single block only if the container delimits blocks.
            if let coded, coded.checksum != nil, result.damage == nil,
                coded.isChecksumValid(elements: decoder.elementSpans) == false
            {
                statistics.checksumFailureCount += 1
            }
            if let damage = result.damage {
                statistics.damagedUnitCount += 1
                statistics.firstDamage = statistics.firstDamage ?? damage
                if !hasDecoded {
                    failedAtStart += 1 + blocksLost
                    continue
                }
            }
            concealedLeft = blocksLost
            hasDecoded = true
            if let trim = coded?.trim, metadata.gaplessInfo == nil, !configuration.keepsDelay {
                buffer.removeFrames(leading: trim.leading, trailing: trim.trailing)
            }
            guard buffer.frameCount > 0 else { continue }
            guard failedAtStart > 0 else { return true }
            firstBlock = buffer
        }
    }

    /// Records damage after the last sample frame of the whole file, such as a truncated Ogg page.
    private func recordRest() throws(AudioFileError) {
        guard configuration.range == nil else { return }
        for _ in 0..<Self.maximumRest {
            guard let event = try reader.next() else { return }
            if case .skipped(let skipped) = event { statistics.record(skipped) }
        }
    }

    /// Reads the next access unit.
    ///
    /// Returns false at the end.
    private func nextUnit() throws(AudioFileError) -> Bool {
        while let event = try reader.next() {
            // A copy would retain all arrays of the event.
            switch consume event {
            case .configuration(let configuration):
                statedLoudness = metadata.loudness ?? configuration.audioSpecificConfig?.usac?.loudness
                decoder = try makeDecoder(configuration)
                loss = UnitLoss()
            case .skipped(let skipped):
                statistics.record(skipped)
                loss.record(skipped)
            case .accessUnit(let next):
                let lost = loss.run(before: next, estimates: reader.format?.lacksUnitIndex ?? true)
                let count = configuration.keepsDelay ? 0 : lost.concealed
                if count > 0 { statistics.recordGap(lost.gap) }
                if hasDecoded {
                    concealedLeft = count
                } else {
                    failedAtStart += count
                    statistics.concealedUnitCount += count
                }
                accessUnit = next.accessUnit.payload
                unitOffset = 0
                blocksLeft = next.rawDataBlockCount
                coded = consume next
                return true
            }
        }
        return false
    }

    private func makeDecoder(_ stream: CodecConfiguration) throws(AudioFileError) -> any AudioPacketDecoder {
        var options = configuration.decoder
        if let loudness = configuration.loudness { options.referenceLevel = integrated == nil ? loudness : nil }
        do throws(CodecError) {
            return try stream.makeDecoder(aac: options)
        } catch {
            throw AudioFileError(.unsupportedStream, path: reader.path, underlying: error)
        }
    }

    /// Throws if the file ended without a decoded access unit.
    private func checkAnythingDecoded() throws(AudioFileError) {
        guard !hasDecoded else { return }
        if let damage = statistics.firstDamage { throw AudioFileError(.damagedInput, path: reader.path, underlying: damage) }
        throw AudioFileError(.noAccessUnits, path: reader.path)
    }

    /// Seeks close to the first requested frame if it is far away and the container is seekable.
    ///
    /// Returns whether it seeked.
    private func seekToStart() throws(AudioFileError) -> Bool {
        guard let start = trimmer?.start, let decoder, reader.canSeek, start > Self.maximumSkip * decoder.framesPerPacket else {
            return false
        }
        // The container counts frames at the configured rate, which differs if only the stream signals SBR.
        guard decoder.sampleRate == decoder.codecConfiguration.sampleRate else { return false }
        // Parametric stereo and SBR can code levels as differences over many access units.
        let first = max(0, start - decoder.codecConfiguration.cutPrerollFrames(isStored: true))
        let preroll = try reader.seek(toFrame: first)
        decoder.reset()
        firstBlock = nil
        failedAtStart = 0
        statistics = DecodingStatistics()
        (blocksLeft, concealedLeft) = (0, 0)
        loss = UnitLoss()
        trimmer?.move(to: first - preroll)
        return true
    }

    /// The maximum number of access units to decode and discard instead of seeking.
    private static let maximumSkip = 64

    /// The maximum number of events to check for damage after the last sample frame.
    ///
    /// An edit list can cut hours off the end of a file.
    private static let maximumRest = 16

    /// Returns the trimmer for the requested frames.
    ///
    /// Requires the sample rate of the first buffer.
    private func makeTrimmer(_ buffer: PCMBuffer) -> FrameRangeTrimmer {
        var trimmer = FrameRangeTrimmer(start: 0, end: nil)
        if let gapless = metadata.gaplessInfo, !configuration.keepsDelay {
            let factor = decoder?.framesPerCountedFrame ?? 1
            trimmer = FrameRangeTrimmer(
                start: gapless.primingFrames * factor, end: (gapless.primingFrames + gapless.validFrames) * factor,
                omitted: metadata.omittedRanges.map { $0.lowerBound * factor..<$0.upperBound * factor })
        }
        if let frames = configuration.range?.frames(atRate: buffer.sampleRate) {
            trimmer.limit(from: frames.lowerBound, to: frames.upperBound)
        }
        return trimmer
    }
}
