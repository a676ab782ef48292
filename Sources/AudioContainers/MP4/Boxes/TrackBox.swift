// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioMetadata
#endif

/// A track (`trak`, ISO/IEC 14496-12, 8.3) with its header, edit list and media (`tkhd`, `edts`, `mdia`).
package struct TrackBox: Box, Equatable {
    package static let type: FourCharCode = "trak"
    private static let audio: FourCharCode = "soun"
    private static let name: FourCharCode = "name"

    /// At least 1.
    package var trackID = 1
    /// In movie ticks.
    package var duration = 0
    /// Whether the track is played.
    package var isEnabled = true
    /// Whether players choose one of the tracks (alternate group 1) instead of playing all (group 0); written but never parsed.
    package var isAlternative = true
    /// The name for players, written as the handler's name and as a track name (`udta` with `name`).
    package var name: String?
    package var editList: EditListBox?
    package var mediaTimes = MediaTimes(timescale: 0)
    /// The handler type (`hdlr`).
    package var kind = audio
    /// The access units of an audio track or the samples of a text track.
    package var sampleTable = SampleTableBox()
    /// The total access unit size of a track other than audio, in bytes.
    private(set) var otherByteCount = 0
    var loudness: LoudnessBox?
    #if !hasFeature(Embedded) || LINNET_FILES
    /// The ISO 639-2 language code, or `nil` if it is undetermined.
    private(set) var language: String?
    /// The BCP 47 tag of the extended language box (`elng`), if any.
    private(set) var extendedLanguage: String?
    package var chapterTrackIDs: [Int] = []
    /// The maximum number of chapter tracks.
    ///
    /// There can be titles and pictures in several languages.
    private static let chapterTrackLimit = 64

    package var isText: Bool { kind == "text" || kind == "sbtl" }

    var isVideo: Bool { kind == "vide" }
    var isSubtitle: Bool { isText || kind == "subt" || kind == "subp" || kind == "clcp" }
    #endif

    /// "und" (unknown language), packed into three times five bits.
    private static let undetermined = 0x55C4

    package var isAudio: Bool { kind == Self.audio }

    package init() {}

    package init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case "tkhd":
                let (version, flags) = try body.readFullBox()
                isEnabled = flags & 1 != 0
                try body.skip(version == 1 ? 16 : 8)
                trackID = try body.readInteger(4)
                try body.skip(4)
                duration = try body.readInteger(version == 1 ? 8 : 4)
            case "mdia": try parseMedia(&body)
            case "edts": if var list = try? body.find(EditListBox.type) { editList = try? EditListBox(parsing: &list) }
            #if !hasFeature(Embedded) || LINNET_FILES
            case "tref":
                guard var list = try? body.find("chap") else { continue }
                while list.remaining >= 4, chapterTrackIDs.count < Self.chapterTrackLimit {
                    chapterTrackIDs.append(try list.readInteger(4))
                }
            // Damaged tags do not make the audio unreadable.
            case UserDataBox.type: try? parseUserData(&body)
            #endif
            default: break
            }
        }
    }

    private mutating func parseMedia(_ cursor: inout ByteCursor) throws(ContainerError) {
        var isKnown = false
        var information: ByteCursor?
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case "mdhd":
                mediaTimes = try MediaTimes(parsing: &body)
                #if !hasFeature(Embedded) || LINNET_FILES
                language = (try? body.readInteger(2)).flatMap(Self.language)
                #endif
            #if !hasFeature(Embedded) || LINNET_FILES
            case "elng":
                guard (try? body.readFullBox()) != nil, let text = try? body.readRest().prefix(while: { $0 != 0 }) else { continue }
                let tag = String(decoding: text, as: UTF8.self)
                if LanguageTag.isValid(tag), tag != LanguageTag.undetermined { extendedLanguage = tag }
            #endif
            case "hdlr":
                try body.skip(8)
                kind = try body.readCode()
                isKnown = true
            case "minf": information = body
            default: break
            }
        }
        guard isKnown, var information else { return }
        if isAudio {
            if var body = try information.find(SampleTableBox.type) { sampleTable = try SampleTableBox(parsing: &body) }
        } else if var body = try? information.find(SampleTableBox.type), let found = try? SampleTableBox(parsing: &body) {
            // Other tracks are needed only for their size and for chapter titles. Damage in them is ignored.
            otherByteCount = found.sizes.byteCount
            #if !hasFeature(Embedded) || LINNET_FILES
            if isText { sampleTable = found }
            #endif
        }
    }

    #if !hasFeature(Embedded) || LINNET_FILES
    private mutating func parseUserData(_ cursor: inout ByteCursor) throws(ContainerError) {
        while case (let type, var body)? = try cursor.nextBox() {
            switch type {
            case LoudnessBox.type: loudness = try? LoudnessBox(parsing: &body)
            case Self.name:
                let text = TagText.decode(try body.readRest().prefix { $0 != 0 })
                if !text.isEmpty { name = text }
            default: break
            }
        }
    }

    /// The languages with the numbers 0 to 47 (QuickTime File Format, "Language code values").
    private static let numberedLanguages = """
        eng fra deu ita nld swe spa dan por nor heb jpn ara fin ell isl mlt tur hrv zho urd hin tha kor lit pol hun est lav sme fao fas \
        rus zho nld gle sqi ron ces slk slv yid srp mkd bul ukr bel uzb
        """.split(separator: " ").map(String.init)

    /// Returns the language with a QuickTime number, or with three letters packed into a number, each as its distance from 0x60.
    private static func language(_ packed: Int) -> String? {
        if numberedLanguages.indices.contains(packed) { return numberedLanguages[packed] }
        let letters = [10, 5, 0].map { UInt8(0x60 + (packed >> $0 & 0x1F)) }
        let isText = letters.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return isText && packed != undetermined ? String(decoding: letters, as: UTF8.self) : nil
    }
    #endif

    package func write(to writer: inout BoxWriter) {
        writer.box("tkhd") { writeHeader(to: &$0) }
        if let editList { writer.box("edts") { $0.write(editList) } }
        #if !hasFeature(Embedded) || LINNET_FILES
        if !chapterTrackIDs.isEmpty {
            writer.box("tref") { $0.box("chap") { for trackID in chapterTrackIDs { $0.write(trackID, 4) } } }
        }
        #endif
        writer.box("mdia") { writer in
            writer.box("mdhd") {
                mediaTimes.write(to: &$0)
                $0.write(Self.undetermined, 2)
                $0.write(0, 2)
            }
            writer.handler(kind, name: name ?? (isAudio ? "SoundHandler" : "Chapters"))
            writer.box("minf") { writeInformation(to: &$0) }
        }
        #if !hasFeature(Embedded) || LINNET_FILES
        if name != nil || loudness != nil {
            writer.box(UserDataBox.type) { writer in
                if let name { writer.box(Self.name) { $0.write(name.utf8) } }
                if let loudness { writer.write(loudness) }
            }
        }
        #endif
    }

    private func writeHeader(to writer: inout BoxWriter) {
        let isLong = duration > Int(clamping: UInt32.max)
        let partOfMovie = 2 | 4
        writer.writeFullBox(version: isLong ? 1 : 0, flags: isEnabled ? 1 | partOfMovie : partOfMovie)
        writer.write(repeatElement(0, count: isLong ? 16 : 8))
        writer.write(trackID, 4)
        writer.write(0, 4)
        writer.write(duration, isLong ? 8 : 4)
        writer.write(repeatElement(0, count: 8))
        writer.write(0, 2)  // layer
        writer.write(isAlternative ? 1 : 0, 2)
        writer.write(0x100, 2)  // volume 1
        writer.write(0, 2)
        for value in MovieBox.unitMatrix { writer.write(value, 4) }
        writer.write(repeatElement(0, count: 8))  // no width, no height
    }

    /// Writes the media header, the data reference to this file (`dinf`) and the sample table.
    private func writeInformation(to writer: inout BoxWriter) {
        if isAudio {
            writer.box("smhd") {
                $0.writeFullBox()
                $0.write(0, 4)
            }
        } else {
            writer.box("gmhd") { writer in
                writer.box("gmin") {
                    $0.writeFullBox()
                    $0.write(0x40, 2)  // copies
                    for _ in 0..<3 { $0.write(0x8000, 2) }
                    $0.write(0, 4)
                }
                writer.box("text") { for value in MovieBox.unitMatrix { $0.write(value, 4) } }
            }
        }
        writer.box("dinf") {
            $0.table("dref", [1]) { writer, flags in writer.box("url ") { $0.writeFullBox(flags: flags) } }
        }
        writer.write(sampleTable)
    }
}
