// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AACCodec
public import AudioContainers
public import AudioPrimitives
internal import MPEG4Audio

/// Decodes a file of coded sound, whatever its container, to the sound that went into the encoder.
///
/// Where the container tells, the encoder's priming and padding are left out. Damaged units are concealed and counted.
public final class FileDecoder {
    /// What the file says about its sound.
    public let description: ContainerMetadata

    /// Counts of what was decoded, concealed and skipped so far.
    public private(set) var statistics = DecodingStatistics()

    /// The decoder of the units that came last; nil before the first one.
    public private(set) var decoder: AACDecoder?

    private let reader: AACFileReader
    private let configuration: FileDecoderConfiguration
    private var trim: FrameRangeTrimmer?
    /// Units that failed before the first sound one; silence stands for them.
    private var failedAtStart = 0
    private var hasSound = false
    /// A unit with several raw data blocks, and where the next one begins.
    private var coded: CodedUnit?
    private var unit: [UInt8] = []
    private var unitOffset = 0
    private var blocksLeft = 0
    private var steady = ConstantFormatConverter()

    /// Opens a file; `-` is standard input, of which `head` has been read already.
    ///
    /// Throws ``InputError``, ``CodedFileError`` or ``FileDecodingError``.
    public init(path: String, configuration: FileDecoderConfiguration = FileDecoderConfiguration(), head: [UInt8] = []) throws {
        reader = try AACFileReader(path: path, read: head)
        self.configuration = configuration
        description = reader.description
        guard !description.isRearranged || configuration.keepsDelay else { throw FileDecodingError.rearranged(path: reader.path) }
    }

    /// The container of the file.
    public var format: ContainerFormat? { reader.format }

    /// Decodes the next part of the sound into `buffer`, which is replaced if it does not fit; false at the end.
    ///
    /// Buffers are never empty. Rate and channels can change from one to the next, where the stream changes and its format isn't kept.
    public func read(into buffer: inout PCMBuffer) throws -> Bool {
        while true {
            if let trim, trim.isOver { return false }
            guard try nextBuffer(&buffer) else {
                try checkAnythingDecoded()
                return false
            }
            if trim == nil {
                trim = makeTrim(buffer)
                if try skipAhead() { continue }
            }
            trim?.apply(to: &buffer)
            guard buffer.frameCount > 0 else { continue }
            statistics.frameCount += buffer.frameCount
            return true
        }
    }

    /// Decodes one raw data block, and converts what comes out if the format is kept; false at the end of the file.
    private func nextBuffer(_ buffer: inout PCMBuffer) throws -> Bool {
        if steady.takeWaiting(into: &buffer) { return true }
        let isDecoded = try decodeBlock(into: &buffer)
        do throws(ConstantFormatConverter.Failure) {
            guard isDecoded else { return configuration.keepsFormat ? try steady.finish(into: &buffer) : false }
            if try steady.follow(&buffer, converts: configuration.keepsFormat) { statistics.formatChangeCount += 1 }
            return true
        } catch {
            throw FileDecodingError.rateChange(path: reader.path, from: error.first, to: error.new)
        }
    }

    /// Decodes one raw data block; false at the end of the file.
    private func decodeBlock(into buffer: inout PCMBuffer) throws -> Bool {
        while true {
            if hasSound && failedAtStart > 0 {
                // Silence for the units that could not say what they are.
                failedAtStart -= 1
                for index in buffer.samples.indices { buffer.samples[index] = 0 }
                return true
            }
            if blocksLeft == 0 {
                guard try nextUnit() else { return false }
            }
            guard let decoder else { continue }
            let result = decoder.decode(unit.span.extracting(unitOffset..<unit.count), into: &buffer)
            unitOffset += result.byteCount
            blocksLeft = result.damage == nil && unitOffset < unit.count ? blocksLeft - 1 : 0
            reader.recordDecoded(byteCount: result.damage == nil ? result.byteCount : nil)
            statistics.unitCount += 1
            // Only a unit with one block, or blocks that the container tells apart, has a checksum of its own.
            if let coded, coded.checksum != nil, result.damage == nil,
                coded.isChecksumValid(elements: decoder.elementSpans) == false
            {
                statistics.checksumFailureCount += 1
            }
            if let damage = result.damage {
                statistics.damagedUnitCount += 1
                statistics.firstDamage = statistics.firstDamage ?? damage
                if !hasSound {
                    failedAtStart += 1
                    continue
                }
            }
            hasSound = true
            if buffer.frameCount > 0 { return true }
        }
    }

    /// Goes to the next unit; false at the end.
    private func nextUnit() throws -> Bool {
        while let event = try reader.next() {
            switch event {
            case .configuration(let configuration):
                do {
                    decoder = try AACDecoder(configuration, options: self.configuration.decoder)
                } catch {
                    throw FileDecodingError.unsupported(path: reader.path, error)
                }
            case .skipped(let skipped):
                if skipped.isDamage { statistics.lostByteCount += skipped.byteRange.count }
            case .accessUnit(let next):
                coded = next
                unit = next.accessUnit.payload
                unitOffset = 0
                blocksLeft = next.rawDataBlockCount
                return true
            }
        }
        return false
    }

    private func checkAnythingDecoded() throws {
        guard !hasSound else { return }
        if let damage = statistics.firstDamage { throw FileDecodingError.nothingDecodable(path: reader.path, damage) }
        throw FileDecodingError.noAccessUnits(path: reader.path)
    }

    /// Goes near the first frame that is asked for, where that is far and the container can; true if it went.
    private func skipAhead() throws -> Bool {
        guard let wanted = trim?.start, let decoder, reader.canSeek, wanted > 64 * decoder.frameLength else { return false }
        // The container counts at the rate that the configuration says; what the stream says later is not known to it.
        guard decoder.sampleRate == decoder.configuration.outputSampleRate else { return false }
        let unwanted = try reader.seek(toFrame: wanted)
        decoder.reset()
        statistics.unitCount = 0
        blocksLeft = 0
        trim?.move(to: wanted - unwanted)
        return true
    }

    /// Which decoded frames are asked for, now that the rate is known.
    private func makeTrim(_ buffer: PCMBuffer) -> FrameRangeTrimmer {
        var range = FrameRangeTrimmer(start: 0, end: nil)
        if let gapless = description.gaplessInfo, !configuration.keepsDelay {
            // A container that knows nothing of SBR counts in frames of the core.
            let factor = decoder.map { $0.sampleRate == 2 * $0.configuration.outputSampleRate ? 2 : 1 } ?? 1
            range = FrameRangeTrimmer(
                start: gapless.primingFrames * factor, end: (gapless.primingFrames + gapless.validFrames) * factor,
                omitted: description.omittedRanges.map { $0.lowerBound * factor..<$0.upperBound * factor })
        }
        if let seconds = configuration.seconds {
            let rate = Double(buffer.sampleRate)
            let first = Int((min(max(0, seconds.lowerBound), 1e9) * rate).rounded())
            let last = seconds.upperBound.isFinite ? Int((min(seconds.upperBound, 1e9) * rate).rounded()) : Int.max
            range.limit(from: first, to: last)
        }
        return range
    }
}
