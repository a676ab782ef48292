// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives

/// The samples of a PCM, MPEG audio, FLAC or Vorbis track of MP4 or Matroska as one byte stream, which can be read like a file of that format.
///
/// Sources: QuickTime File Format, chapter on audio sample descriptions; ISO/IEC 23003-5 (`ipcm`, `fpcm`); "Encapsulation of FLAC in ISO
/// Base Media File Format" (`fLaC`).
package struct TrackSampleStream {
    package enum Coding: Equatable, Sendable {
        /// Interleaved uncompressed samples.
        case pcm(SampleEncoding)
        /// ITU-T G.711, eight bits per sample: mu-law or A-law.
        case companded(isMuLaw: Bool)
        case mpegAudio
        /// FLAC frames and the metadata blocks to write before them.
        case flac(metadataBlocks: [UInt8])
        /// Vorbis packets and their three header packets, in Matroska only.
        case vorbis(headers: [[UInt8]])
    }

    package let coding: Coding
    /// The sample entry type or, for `mp4a`, the code of the codec.
    package let codec: FourCharCode
    /// In hertz.
    package let sampleRate: Int
    package let channelCount: Int
    /// The file ranges that form the stream, in order.
    package let byteRanges: [Range<Int>]
    package let frameCount: Int
    /// The gapless information of the edit list, if any.
    package let gaplessInfo: GaplessInfo?
    /// Title, artist and other tags.
    package let tags: AudioTags
    #if !hasFeature(Embedded)
    package let audioTracks: [AudioTrack]
    /// The transformations of each range.
    var encodings = ContentEncodings()
    #endif
    /// The number of bytes that damage has removed.
    package internal(set) var lostByteCount = 0
    /// The sample frames at the end of the last Vorbis packet that are not part of the signal.
    var remainderFrames = 0

    /// Reads the index of a file.
    ///
    /// Returns `nil` if the selected audio track has another codec.
    ///
    /// - Parameter number: The number of the track to read among the audio tracks, from 1, or `nil` for the default.
    /// - Throws: ``ContainerError`` for damaged files.
    package init?(_ source: some ByteSource, audioTrack number: Int? = nil) throws(ContainerError) {
        let index = try MP4Index(source)
        guard let track = index.audioTrack(number, where: { $0.isSampleStream || $0.entry?.isSupported == true }) else { return nil }
        let description = track.sampleTable.description
        guard description.isSampleStream, let codec = description.codec else { return nil }
        let entry = try Entry(description)
        guard let coding = entry.coding(codec) else { return nil }
        let timescale = track.mediaTimes.timescale
        let sampleRate = entry.sampleRate > 0 ? entry.sampleRate : timescale
        guard (1...Int(Int32.max)).contains(sampleRate), (1...Self.mostChannels).contains(entry.channelCount) else { return nil }
        self.coding = coding
        self.codec = codec
        self.sampleRate = sampleRate
        channelCount = entry.channelCount
        tags = index.movie.userData?.tags ?? AudioTags()
        #if !hasFeature(Embedded)
        audioTracks = index.audioTracks(reading: track)
        #endif
        let table = index.sampleTable(of: track, byteCount: source.byteCount)
        // QuickTime files store a size of 1 for whole frames.
        let frameByteCount =
            switch coding {
            case .pcm(let encoding): encoding.byteCount * channelCount
            case .companded: channelCount
            case .mpegAudio, .flac, .vorbis: nil as Int?
            }
        let sizes = track.sampleTable.sizes
        let unitByteCount = frameByteCount.flatMap { bytes in sizes.constantSize.map { max($0, bytes) } }
        byteRanges = table.chunkRanges(unitByteCount: unitByteCount, fileByteCount: source.byteCount)
        let timed = TimeRatio(sampleRate, (1...Int(Int32.max)).contains(timescale) ? timescale : sampleRate).applied(to: table.duration)
        // The table has no more equal access units than fit into the file.
        frameCount = frameByteCount == nil || unitByteCount != frameByteCount ? timed : max(table.count, sizes.count)
        gaplessInfo =
            track.editList == nil
            ? nil
            : GaplessMetadata(
                index.movie, track, mediaTimescale: timescale, mediaDuration: table.duration, totalFrames: frameCount,
                sampleRate: sampleRate
            ).info
    }

    private static let mostChannels = 64
    /// Codes of MPEG audio: QuickTime's entry type and Microsoft's (WAVE format tag 0x55).
    ///
    /// The first also stands for MPEG audio in `mp4a`.
    static let mpegAudio: Set<FourCharCode> = [".mp3", "ms\0U"]
    private static let flac: FourCharCode = "fLaC"

    static let entryTypes: Set<FourCharCode> = mpegAudio.union([
        flac, "raw ", "NONE", "twos", "sowt", "in24", "in32", "fl32", "fl64", "lpcm", "ipcm", "fpcm", "ulaw", "alaw",
    ])
}

extension TrackSampleStream {
    /// Returns the channel count and sample rate in a sample description, or `nil` if its codec is unsupported.
    static func format(of description: SampleDescriptionBox) -> (channelCount: Int?, sampleRate: Int)? {
        guard description.isSampleStream, let entry = try? Entry(description), entry.sampleRate > 0 else { return nil }
        // The field is a constant in `mp4a`, which has other codecs than AAC (ISO/IEC 14496-14, 5.6.1).
        return (description.entry == nil ? entry.channelCount : nil, entry.sampleRate)
    }

    /// The fields of a sample entry, including QuickTime versions 1 and 2, and of its boxes.
    private struct Entry {
        private(set) var channelCount: Int
        /// In hertz, or 0 if unspecified.
        private(set) var sampleRate: Int
        private var bitDepth: Int
        /// Core Audio's `mFormatFlags`, in version 2 only.
        private var flags: Int?
        private var isLittleEndian = false
        private var pcmConfig: (isLittleEndian: Bool, bitDepth: Int)?
        private var metadataBlocks: [UInt8] = []

        init(_ description: SampleDescriptionBox) throws(ContainerError) {
            if let entry = description.entry, entry.descriptor?.otherCodec.map(mpegAudio.contains) == true {
                (channelCount, bitDepth, sampleRate) = (entry.channelCount, entry.bitDepth, entry.sampleRate)
                return
            }
            var cursor = ByteCursor(description.streamEntry)
            let version: Int
            (version, channelCount, bitDepth, sampleRate) = try AudioSampleEntry.head(&cursor, description.version)
            if version == 2 { try readVersion2(&cursor) }
            while case (let type, var body)? = try cursor.nextBox() { try take(type, &body) }
            // The entry cannot hold rates above 65 535 Hz. The FLAC stream information always has the rate.
            if metadataBlocks.count > FLACMetadata.headByteCount {
                sampleRate = FLACMetadata.sampleRate(Array(metadataBlocks[FLACMetadata.headByteCount...]))
            }
        }

        /// Parses the fields of QuickTime version 2.
        private mutating func readVersion2(_ cursor: inout ByteCursor) throws(ContainerError) {
            try cursor.skip(4)
            let rate = Double(bitPattern: try cursor.readBits(8))
            sampleRate = Int(exactly: rate.rounded()) ?? 0
            channelCount = try cursor.readInteger(4)
            try cursor.skip(4)
            bitDepth = try cursor.readInteger(4)
            flags = try cursor.readInteger(4)
            try cursor.skip(8)
        }

        /// Parses a box of the entry: byte order (`enda`, possibly in `wave`), sample rate (`srat`), PCM configuration (`pcmC`) or FLAC
        /// configuration (`dfLa`).
        private mutating func take(_ type: FourCharCode, _ body: inout ByteCursor) throws(ContainerError) {
            switch type {
            case "wave":
                // Boxes of this type are not nested.
                while case (let inner, var innerBody)? = try body.nextBox() {
                    if inner != type { try take(inner, &innerBody) }
                }
            case "enda": isLittleEndian = try body.readInteger(2) == 1
            case "srat":
                _ = try body.readFullBox()
                sampleRate = try body.readInteger(4)
            case "pcmC":
                _ = try body.readFullBox()
                let flags = try body.readInteger(1)
                pcmConfig = (flags & 1 != 0, try body.readInteger(1))
            case "dfLa":
                _ = try body.readFullBox()
                metadataBlocks = try body.readRest()
            default: break
            }
        }

        /// Returns the encoding for a codec, or `nil` for invalid sample sizes.
        func coding(_ codec: FourCharCode) -> Coding? {
            switch codec {
            case "ulaw": .companded(isMuLaw: true)
            case "alaw": .companded(isMuLaw: false)
            case TrackSampleStream.flac: .flac(metadataBlocks: metadataBlocks)
            case _ where TrackSampleStream.mpegAudio.contains(codec): .mpegAudio
            default: encoding(codec).map { .pcm($0) }
            }
        }

        private func encoding(_ codec: FourCharCode) -> SampleEncoding? {
            switch codec {
            case "raw ", "NONE": bitDepth == 8 ? .unsigned8 : samples(bitDepth, isLittleEndian: false)
            case "twos": samples(bitDepth, isLittleEndian: false)
            case "sowt": samples(bitDepth, isLittleEndian: true)
            case "in24": samples(24, isLittleEndian: isLittleEndian)
            case "in32": samples(32, isLittleEndian: isLittleEndian)
            case "fl32": samples(32, isFloat: true, isLittleEndian: isLittleEndian)
            case "fl64": samples(64, isFloat: true, isLittleEndian: isLittleEndian)
            case "ipcm", "fpcm": pcmConfig.flatMap { samples($0.bitDepth, isFloat: codec == "fpcm", isLittleEndian: $0.isLittleEndian) }
            case "lpcm": linear
            default: nil
            }
        }

        /// The encoding of `lpcm` from Core Audio's flags: 1 floating point, 2 big-endian, 4 signed, 8 packed.
        private var linear: SampleEncoding? {
            guard let flags else { return samples(bitDepth, isLittleEndian: isLittleEndian) }
            let isLittleEndian = flags & 2 == 0
            if flags & 1 != 0 { return samples(bitDepth, isFloat: true, isLittleEndian: isLittleEndian) }
            if bitDepth == 8 { return flags & 4 != 0 ? .signed8 : .unsigned8 }
            return flags & 4 != 0 && flags & 8 != 0 ? samples(bitDepth, isLittleEndian: isLittleEndian) : nil
        }

        /// Returns the encoding of signed integers or floating point, or `nil` for invalid sizes.
        private func samples(_ bitDepth: Int, isFloat: Bool = false, isLittleEndian: Bool) -> SampleEncoding? {
            switch (bitDepth, isFloat) {
            case (8, false): .signed8
            case (16, false): SampleEncoding(.int16, isBigEndian: !isLittleEndian)
            case (24, false): SampleEncoding(.int24, isBigEndian: !isLittleEndian)
            case (32, false): SampleEncoding(.int32, isBigEndian: !isLittleEndian)
            case (32, true): SampleEncoding(.float32, isBigEndian: !isLittleEndian)
            case (64, true): SampleEncoding(.float64, isBigEndian: !isLittleEndian)
            default: nil
            }
        }
    }
}
