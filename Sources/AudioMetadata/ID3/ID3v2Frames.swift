// SPDX-License-Identifier: Apache-2.0

/// The frames of an ID3v2 tag, in order.
struct ID3v2Frames {
    struct Frame {
        /// The four-character ID, also in version 2.2.
        let id: String
        /// The contents, or `nil` if they are compressed or encrypted.
        let contents: ArraySlice<UInt8>?
        /// Whether the contents are in the format of version 2.2.
        let isOld: Bool
    }

    private let header: ID3v2Header
    private var cursor: TagCursor

    /// Starts at the first frame of a tag.
    init(_ header: ID3v2Header, body: ArraySlice<UInt8>) {
        self.header = header
        // In version 2.4, unsynchronisation applies per frame.
        let bytes = header.isUnsynchronised && header.version < 4 ? Self.synchronised(body)[...] : body
        cursor = TagCursor(bytes)
        if header.version > 2, header.hasExtendedHeader { skipExtendedHeader() }
    }

    /// Starts at the first subframe of a frame, such as a chapter.
    init(in tag: ID3v2Header, _ bytes: ArraySlice<UInt8>) {
        // The outer frame is already resynchronised.
        var plain = tag
        plain.flags = 0
        header = plain
        cursor = TagCursor(bytes)
    }

    private mutating func skipExtendedHeader() {
        guard let size = cursor.read(4) else { return }
        if header.version == 3 {
            _ = cursor.readAtMost(size.reduce(0) { $0 << 8 | Int($1) })
        } else if let count = ID3v2Header.syncsafe(size) {
            _ = cursor.readAtMost(count - 4)
        }
    }

    /// Returns the next frame, or `nil` at the end or at padding.
    mutating func next() -> Frame? {
        header.version == 2 ? nextOld() : nextNew()
    }

    private mutating func nextOld() -> Frame? {
        guard let id = cursor.read(3), Self.isID(id), let size = cursor.readBigEndian(3), let contents = cursor.read(size) else {
            return nil
        }
        let name = TagText.latin1(id)
        return Frame(id: Self.newIDs[name] ?? name, contents: contents, isOld: true)
    }

    private mutating func nextNew() -> Frame? {
        guard let id = cursor.read(4), Self.isID(id), let size = cursor.read(4), let flags = cursor.readBigEndian(2) else { return nil }
        guard let contents = cursor.read(byteCount(size)) else { return nil }
        let name = TagText.latin1(id)
        let old = Self.isOldID(id) ? Self.newIDs[TagText.latin1(id.dropLast())] : nil
        return Frame(id: old ?? name, contents: decoded(contents, flags: flags), isOld: false)
    }

    /// Returns the size of a frame.
    ///
    /// Version 2.4 has seven bits per byte, but some programs write eight. The next frame's position shows which.
    private func byteCount(_ size: ArraySlice<UInt8>) -> Int {
        let plain = size.reduce(0) { $0 << 8 | Int($1) }
        guard header.version == 4, let safe = ID3v2Header.syncsafe(size) else { return plain }
        return !isFrameBoundary(safe) && isFrameBoundary(plain) ? plain : safe
    }

    /// Whether a frame, padding or the end follows at a distance.
    private func isFrameBoundary(_ distance: Int) -> Bool {
        guard distance <= cursor.remaining else { return false }
        let next = cursor.rest.dropFirst(distance).prefix(4)
        return next.first ?? 0 == 0 || Self.isID(next)
    }

    /// Returns the contents of a frame without the data that its flags add, or `nil` if they are compressed or encrypted.
    private func decoded(_ contents: ArraySlice<UInt8>, flags: Int) -> ArraySlice<UInt8>? {
        var cursor = TagCursor(contents)
        if header.version == 3 {
            guard flags & 0xC0 == 0 else { return nil }
            if flags & 0x20 != 0 { _ = cursor.readAtMost(1) }
            return cursor.rest
        }
        guard flags & 0x0C == 0 else { return nil }
        if flags & 0x40 != 0 { _ = cursor.readAtMost(1) }
        if flags & 0x01 != 0 { _ = cursor.readAtMost(4) }
        return flags & 0x02 != 0 || header.isUnsynchronised ? Self.synchronised(cursor.rest)[...] : cursor.rest
    }

    private static func isID(_ bytes: ArraySlice<UInt8>) -> Bool {
        isOldID(bytes) || bytes.allSatisfy(isIDCharacter)
    }

    /// Whether the bytes are a version 2.2 ID padded with a space or zero, as iTunes writes into version 2.3 tags.
    private static func isOldID(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 4 && bytes.last.map { $0 == 0 || $0 == UInt8(ascii: " ") } == true && bytes.dropLast().allSatisfy(isIDCharacter)
    }

    private static func isIDCharacter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Reverses unsynchronisation by removing each zero after 0xFF.
    static func synchronised(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var previousByteIsFF = false
        for byte in bytes {
            if !(previousByteIsFF && byte == 0) { result.append(byte) }
            previousByteIsFF = byte == 0xFF
        }
        return result
    }

    /// The frame IDs of version 2.2 and their later equivalents.
    private static let newIDs = [
        "TT1": "TIT1", "TT2": "TIT2", "TT3": "TIT3", "TP1": "TPE1", "TP2": "TPE2", "TP3": "TPE3", "TP4": "TPE4", "TCM": "TCOM",
        "TXT": "TEXT", "TLA": "TLAN", "TCO": "TCON", "TAL": "TALB", "TPA": "TPOS", "TRK": "TRCK", "TRC": "TSRC", "TYE": "TYER",
        "TDA": "TDAT", "TIM": "TIME", "TRD": "TRDA", "TMT": "TMED", "TFT": "TFLT", "TBP": "TBPM", "TCR": "TCOP", "TPB": "TPUB",
        "TEN": "TENC", "TSS": "TSSE", "TOF": "TOFN", "TLE": "TLEN", "TSI": "TSIZ", "TDY": "TDLY", "TKE": "TKEY", "TOT": "TOAL",
        "TOA": "TOPE", "TOL": "TOLY", "TOR": "TORY", "TXX": "TXXX", "WAF": "WOAF", "WAR": "WOAR", "WAS": "WOAS", "WCM": "WCOM",
        "WCP": "WCOP", "WPB": "WPUB", "WXX": "WXXX", "IPL": "IPLS", "MCI": "MCDI", "ETC": "ETCO", "MLL": "MLLT", "STC": "SYTC",
        "ULT": "USLT", "SLT": "SYLT", "COM": "COMM", "RVA": "RVAD", "EQU": "EQUA", "REV": "RVRB", "PIC": "APIC", "GEO": "GEOB",
        "CNT": "PCNT", "POP": "POPM", "BUF": "RBUF", "UFI": "UFID", "TCP": "TCMP", "TST": "TSOT", "TSP": "TSOP", "TSA": "TSOA",
        "TS2": "TSO2", "TSC": "TSOC", "PCS": "PCST", "TCT": "TCAT", "TKW": "TKWD", "TID": "TGID", "WFD": "WFED", "MVN": "MVNM",
        "MVI": "MVIN",
    ]
}
