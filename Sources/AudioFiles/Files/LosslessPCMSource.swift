// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioConversion
internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// An Apple Lossless file with more than 24 bits, decoded to 32-bit integers.
final class LosslessPCMSource: PCMFileSource {
    let properties: PCMFileProperties
    let encoding = SampleEncoding.int32
    /// True, because packets are independent.
    let seeksExactly = true
    /// Damage that was concealed or skipped.
    var warnings: [PCMFileWarning] { statistics.warnings(path: reader.path) }

    private(set) var statistics = DecodingStatistics()

    private let reader: AccessUnitReader
    private let converter: AudioConverter
    private let gapless: GaplessInfo?
    /// Determines the number of packets that are missing after damage.
    private var loss = UnitLoss()
    /// The number of decoded frames to discard before the next frame.
    private var framesToDrop: Int
    /// The number of remaining frames before the padding.
    private var framesLeft: Int
    private var bytes: [UInt8] = []

    /// Reopens an Apple Lossless file with more than 24 bits.
    ///
    /// Returns `nil` for other and non-seekable files, and if only a part is decoded or a gain is applied.
    init?(_ file: CodedAudioFile) throws {
        guard case .alac(let configuration) = file.configuration, configuration.bitDepth > 24, file.canSeek, file.decodesAll else {
            return nil
        }
        properties = file.properties
        reader = try AccessUnitReader(try file.input.openedAgain(), audioTrack: file.options.audioTrack)
        let format = AudioFormat(
            encoding, sampleRate: properties.sampleRate, channelCount: properties.channelCount, channelLayout: properties.channelLayout)
        converter = try AudioConverter(from: .packets(file.configuration), to: .pcm(format))
        gapless = reader.metadata.gaplessInfo
        framesToDrop = gapless?.primingFrames ?? 0
        framesLeft = gapless?.validFrames ?? .max
    }

    /// Reads the next sample frames as bytes.
    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        let count = min(frameCount, framesLeft)
        while converter.availableFrameCount < framesToDrop + count, !converter.isFinished {
            do { try decodeUnit() } catch { throw pcmError(error) }
        }
        if framesToDrop > 0 { framesToDrop -= converter.read(framesToDrop, into: &bytes) }
        let found = converter.read(framesToDrop > 0 ? 0 : count, into: &bytes)
        framesLeft -= found
        statistics.frameCount += found
    }

    /// Reads the next sample frames into `buffer`, rounded to single precision.
    func read(into buffer: inout PCMBuffer) throws {
        try read(buffer.frameCapacity, into: &bytes)
        bytes.withSpan { encoding.decode($0.bytes, into: &buffer) }
    }

    func seek(toFrame frame: Int) throws {
        guard reader.canSeek else { throw SystemFileError.notSeekable }
        do {
            try converter.reset()
            loss = UnitLoss()
            statistics = DecodingStatistics()
            framesToDrop = try reader.seek(toFrame: (gapless?.primingFrames ?? 0) + frame)
        } catch {
            throw pcmError(error)
        }
        framesLeft = gapless.map { max(0, $0.validFrames - frame) } ?? .max
    }

    /// Converts an error to ``/PCMFiles/AudioFileError``.
    private func pcmError(_ error: any Error) -> AudioFileError {
        if let error = error as? AudioFileError { return error }
        let position = gapless.map { $0.validFrames - framesLeft } ?? 0
        return AudioFileError(.damaged(frame: position, reason: String(describing: error)), path: reader.path)
    }

    /// Decodes the next access unit, or finishes the stream.
    private func decodeUnit() throws {
        switch try reader.next() {
        case .accessUnit(let demuxed):
            let lost = loss.run(before: demuxed, estimates: false)
            for _ in 0..<lost.concealed { try converter.appendLostPacket() }
            statistics.concealedUnitCount += lost.concealed
            statistics.recordGap(lost.gap)
            try demuxed.accessUnit.payload.withSpan { (span) throws(CodecError) in try converter.append(packet: span) }
            statistics.accessUnitCount += 1
            statistics.damagedUnitCount = converter.damagedPacketCount
            statistics.firstDamage = converter.firstDamage
        case .skipped(let skipped):
            statistics.record(skipped)
            loss.record(skipped)
        case .configuration: break
        case nil: try converter.finish()
        }
    }
}
