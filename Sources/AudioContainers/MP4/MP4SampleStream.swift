// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives

/// The samples of a track of PCM, MPEG audio or FLAC as one stream of bytes, which is read as a file of that format is.
///
/// Sources: QuickTime File Format, the chapter on audio sample descriptions; ISO/IEC 23003-5 (`ipcm`, `fpcm`); "Encapsulation of FLAC in ISO Base Media
/// File Format" (`fLaC`).
package struct MP4SampleStream {
    /// The coding of the stream.
    package enum Coding: Equatable, Sendable {
        /// Samples without compression, interleaved.
        case pcm(SampleEncoding)
        /// Eight bits a sample by ITU-T G.711: mu-law or A-law.
        case companded(isMuLaw: Bool)
        /// Frames of MPEG audio.
        case mpegAudio
        /// Frames of FLAC, and the blocks of metadata that come before them.
        case flac(metadataBlocks: [UInt8])
    }

    /// The coding.
    package let coding: Coding
    /// The name of the sample entry, or that of the codec for `mp4a`.
    package let codec: FourCharCode
    /// The sample rate in hertz.
    package let sampleRate: Int
    /// The number of channels.
    package let channelCount: Int
    /// The bytes of the stream in the file, in their order.
    package let byteRanges: [Range<Int>]
    /// The number of sample frames by the index.
    package let frameCount: Int
    /// The frames that the edit list plays; nil without one.
    package let gaplessInfo: GaplessInfo?
    /// Title, artist and so on.
    package let tags: AudioTags
    #if !hasFeature(Embedded)
    /// The audio tracks in the order of the file.
    package let audioTracks: [AudioTrack]
    #endif

    /// Reads the index of a file.
    ///
    /// - Parameter source: The bytes of the file.
    /// - Returns: nil if the track of audio to read is of another coding.
    /// - Throws: ``ContainerError`` for damaged files.
    package init?(_ source: some ByteSource) throws(ContainerError) {
        let index = try MP4Index(source)
        guard let track = index.audioTrack(where: { $0.isSampleStream || $0.entry?.isSupported == true }) else { return nil }
        let description = track.sampleTable.description
        guard description.isSampleStream, let codec = description.codec, let entry = try Entry(description, codec) else { return nil }
        let timescale = track.mediaTimes.timescale
        let sampleRate = entry.sampleRate > 0 ? entry.sampleRate : timescale
        guard (1...Int(Int32.max)).contains(sampleRate), (1...Self.mostChannels).contains(entry.channelCount) else { return nil }
        coding = entry.coding
        self.codec = codec
        self.sampleRate = sampleRate
        channelCount = entry.channelCount
        tags = index.movie.userData?.tags ?? AudioTags()
        #if !hasFeature(Embedded)
        audioTracks = index.audioTracks(reading: track)
        #endif
        let table = index.sampleTable(of: track, byteCount: source.byteCount)
        // Sizes of 1 stand for whole frames in QuickTime files.
        let frameByteCount = entry.frameByteCount
        let sizes = track.sampleTable.sizes
        let unitByteCount = frameByteCount.flatMap { bytes in sizes.constantSize.map { max($0, bytes) } }
        byteRanges = table.chunkRanges(unitByteCount: unitByteCount, fileByteCount: source.byteCount)
        let timed = TimeRatio(sampleRate, (1...Int(Int32.max)).contains(timescale) ? timescale : sampleRate).applied(to: table.duration)
        // The table has no more units of one size than fit into the file.
        frameCount = frameByteCount == nil || unitByteCount != frameByteCount ? timed : max(table.count, sizes.count)
        gaplessInfo =
            track.editList == nil
            ? nil
            : GaplessMetadata(
                editList: track.editList, movieTimescale: index.movie.times.timescale, mediaTimescale: timescale,
                mediaDuration: table.duration, totalFrames: frameCount, framesPerUnit: nil, sampleRate: sampleRate,
                playsNothing: index.movie.fragmentDefaults == nil && track.duration == 0
            ).info
    }

    /// The most channels of a track.
    private static let mostChannels = 64
    /// Codecs that are MPEG audio: the entry of QuickTime, that of Microsoft's number 0x55, and `mp4a` with an indication of MPEG audio.
    static let mpegAudio: Set<FourCharCode> = [".mp3", "ms\0U"]
    /// FLAC.
    private static let flac: FourCharCode = "fLaC"

    /// The names of the sample entries that are read.
    static let entryTypes: Set<FourCharCode> = mpegAudio.union([
        flac, "raw ", "NONE", "twos", "sowt", "in24", "in32", "fl32", "fl64", "lpcm", "ipcm", "fpcm", "ulaw", "alaw",
    ])
}

extension MP4SampleStream {
    /// The contents of a sample entry.
    private struct Entry {
        let coding: Coding
        private(set) var channelCount = 0
        /// The sample rate in hertz; 0 if it is not said.
        private(set) var sampleRate = 0

        /// The size of a frame of PCM in bytes; nil for other codings.
        var frameByteCount: Int? {
            switch coding {
            case .pcm(let encoding): encoding.byteCount * channelCount
            case .companded: channelCount
            case .mpegAudio, .flac: nil
            }
        }

        /// Reads the first entry of a description; nil if its coding is another one.
        init?(_ description: SampleDescriptionBox, _ codec: FourCharCode) throws(ContainerError) {
            if let entry = description.entry, entry.descriptor?.otherCodec.map(mpegAudio.contains) == true {
                coding = .mpegAudio
                (channelCount, sampleRate) = (entry.channelCount, entry.sampleRate)
                return
            }
            guard !description.streamEntry.isEmpty else { return nil }
            var cursor = ByteCursor(description.streamEntry)
            var fields = try Fields(&cursor, descriptionVersion: description.version)
            while case (let type, var body)? = try cursor.nextBox() { try fields.take(type, &body) }
            (channelCount, sampleRate) = (fields.channelCount, fields.sampleRate)
            guard let coding = fields.coding(codec) else { return nil }
            self.coding = coding
            // A rate above 65535 Hz is written as a divisor of it, and only the stream information has the rate itself.
            if case .flac(let blocks) = coding, blocks.count > FLACMetadata.headByteCount {
                sampleRate = FLACMetadata.sampleRate(Array(blocks[FLACMetadata.headByteCount...]))
            }
        }
    }

    /// The fields of a sample entry, those of QuickTime's versions 1 and 2 included, and of the boxes in it.
    private struct Fields {
        var channelCount: Int
        var sampleRate: Int
        private var bitDepth: Int
        /// The flags of Core Audio (`mFormatFlags`), which version 2 has.
        private var flags: Int?
        private var isLittleEndian = false
        private var pcmConfig: (isLittleEndian: Bool, bitDepth: Int)?
        private var metadataBlocks: [UInt8] = []

        /// Parses the fields before the boxes.
        init(_ cursor: inout ByteCursor, descriptionVersion: Int) throws(ContainerError) {
            let version: Int
            (version, channelCount, bitDepth, sampleRate) = try AudioSampleEntry.head(&cursor, descriptionVersion)
            guard version == 2 else { return }
            try cursor.skip(4)
            let rate = Double(bitPattern: try cursor.readBits(8))
            sampleRate = Int(exactly: rate.rounded()) ?? 0
            channelCount = try cursor.readInteger(4)
            try cursor.skip(4)
            bitDepth = try cursor.readInteger(4)
            flags = try cursor.readInteger(4)
            try cursor.skip(8)
        }

        /// Takes a box of the entry: the byte order of QuickTime (`enda`, perhaps in `wave`), the sample rate (`srat`), the configuration of
        /// PCM (`pcmC`) or that of FLAC (`dfLa`).
        mutating func take(_ type: FourCharCode, _ body: inout ByteCursor) throws(ContainerError) {
            switch type {
            case "wave":
                // No box of this kind is in another one.
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

        /// The coding of a codec; nil for sizes of samples that don't exist.
        func coding(_ codec: FourCharCode) -> Coding? {
            switch codec {
            case "ulaw": .companded(isMuLaw: true)
            case "alaw": .companded(isMuLaw: false)
            case MP4SampleStream.flac: .flac(metadataBlocks: metadataBlocks)
            case _ where MP4SampleStream.mpegAudio.contains(codec): .mpegAudio
            default: encoding(codec).map { .pcm($0) }
            }
        }

        /// The encoding of PCM.
        private func encoding(_ codec: FourCharCode) -> SampleEncoding? {
            switch codec {
            case "raw ", "NONE": bitDepth == 8 ? .unsigned8 : integer(bitDepth, isLittleEndian: false)
            case "twos": integer(bitDepth, isLittleEndian: false)
            case "sowt": integer(bitDepth, isLittleEndian: true)
            case "in24": integer(24, isLittleEndian: isLittleEndian)
            case "in32": integer(32, isLittleEndian: isLittleEndian)
            case "fl32": float(32, isLittleEndian: isLittleEndian)
            case "fl64": float(64, isLittleEndian: isLittleEndian)
            case "ipcm": pcmConfig.flatMap { integer($0.bitDepth, isLittleEndian: $0.isLittleEndian) }
            case "fpcm": pcmConfig.flatMap { float($0.bitDepth, isLittleEndian: $0.isLittleEndian) }
            case "lpcm": linear
            default: nil
            }
        }

        /// The encoding of `lpcm` by Core Audio's flags: floating point 1, most significant byte first 2, signed 4, packed 8.
        private var linear: SampleEncoding? {
            guard let flags else { return integer(bitDepth, isLittleEndian: isLittleEndian) }
            let isLittleEndian = flags & 2 == 0
            if flags & 1 != 0 { return float(bitDepth, isLittleEndian: isLittleEndian) }
            if bitDepth == 8 { return flags & 4 != 0 ? .signed8 : .unsigned8 }
            return flags & 4 != 0 && flags & 8 != 0 ? integer(bitDepth, isLittleEndian: isLittleEndian) : nil
        }

        /// The encoding of signed integers.
        private func integer(_ bitDepth: Int, isLittleEndian: Bool) -> SampleEncoding? {
            switch bitDepth {
            case 8: .signed8
            case 16: SampleEncoding(.int16, isBigEndian: !isLittleEndian)
            case 24: SampleEncoding(.int24, isBigEndian: !isLittleEndian)
            case 32: SampleEncoding(.int32, isBigEndian: !isLittleEndian)
            default: nil
            }
        }

        /// The encoding of floating point.
        private func float(_ bitDepth: Int, isLittleEndian: Bool) -> SampleEncoding? {
            switch bitDepth {
            case 32: SampleEncoding(.float32, isBigEndian: !isLittleEndian)
            case 64: SampleEncoding(.float64, isBigEndian: !isLittleEndian)
            default: nil
            }
        }
    }
}
