// SPDX-License-Identifier: Apache-2.0

/// The broadcast extension of a WAV file (`bext`, EBU Tech 3285, versions 0 to 2), as texts with FFmpeg's names.
enum BroadcastExtension {
    /// The sample frames from midnight to the first frame of the file.
    static let timeReference: AudioTags.Key = "TIME_REFERENCE"
    private static let identifier: AudioTags.Key = "UMID"
    private static let codingHistory: AudioTags.Key = "CODING_HISTORY"

    /// The texts, with their bytes in the chunk.
    private static let texts: [(key: AudioTags.Key, bytes: Range<Int>)] = [
        ("DESCRIPTION", 0..<256), ("ORIGINATOR", 256..<288), ("ORIGINATOR_REFERENCE", 288..<320), ("ORIGINATION_DATE", 320..<330),
        ("ORIGINATION_TIME", 330..<338),
    ]
    private static let timeBytes = 338..<346
    private static let versionBytes = 346..<348
    /// The identifier of the material (SMPTE 330M), from version 1 on.
    private static let identifierBytes = 348..<412
    /// Loudness values of version 2, in hundredths.
    static let loudness: [(key: AudioTags.Key, bytes: Range<Int>)] = [
        ("LOUDNESS_VALUE", 412..<414), ("LOUDNESS_RANGE", 414..<416), ("MAX_TRUE_PEAK_LEVEL", 416..<418),
        ("MAX_MOMENTARY_LOUDNESS", 418..<420), ("MAX_SHORT_TERM_LOUDNESS", 420..<422),
    ]
    /// The value of a loudness that is not stated.
    private static let unstated = Int16.max
    /// The size without the coding history.
    private static let byteCount = 602

    /// Returns the texts of a chunk; none if it is truncated.
    static func tags(_ body: [UInt8]) -> AudioTags {
        var tags = AudioTags()
        guard body.count >= byteCount else { return tags }
        for text in texts { tags.add(TagText.decode(body[text.bytes].prefix { $0 != 0 }), for: text.key) }
        tags.add(String(number(body[timeBytes])), for: timeReference)
        let version = number(body[versionBytes])
        let material = body[identifierBytes]
        if version >= 1, material.contains(where: { $0 != 0 }) { tags.add(hexadecimal(material), for: identifier) }
        for value in loudness where version >= 2 {
            let hundredths = Int16(truncatingIfNeeded: Int(number(body[value.bytes])))
            if hundredths != unstated { tags.add(decimal(Int(hundredths)), for: value.key) }
        }
        tags.add(TagText.decode(body[byteCount...].prefix { $0 != 0 }), for: codingHistory)
        return tags
    }

    /// Returns a chunk with its header, or nothing for tags without a time reference; removes the tags that the chunk states exactly.
    static func chunk(_ tags: inout AudioTags) -> [UInt8] {
        guard let time = tags.first(timeReference).flatMap({ UInt64($0) }) else { return [] }
        var body = [UInt8](repeating: 0, count: byteCount)
        func store(_ bytes: some Collection<UInt8>, at offset: Int) {
            for (index, byte) in bytes.enumerated() { body[offset + index] = byte }
        }
        store((0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * UInt64($0))) }, at: timeBytes.lowerBound)
        for text in texts { store((tags.first(text.key) ?? "").utf8Prefix(text.bytes.count), at: text.bytes.lowerBound) }
        var version = 0
        if let material = tags.first(identifier).flatMap(bytes(hexadecimal:)), material.count == identifierBytes.count {
            version = 1
            store(material, at: identifierBytes.lowerBound)
        }
        let values = loudness.map { value in tags.first(value.key).flatMap(hundredths) }
        if values.contains(where: { $0 != nil }) {
            version = 2
            for (value, found) in zip(loudness, values) {
                let bits = UInt16(bitPattern: found ?? unstated)
                store([UInt8(bits & 255), UInt8(bits >> 8)], at: value.bytes.lowerBound)
            }
        }
        body[versionBytes.lowerBound] = UInt8(version)
        body += (tags.first(codingHistory) ?? "").utf8Prefix(maximumByteCount - byteCount - 1)
        if body.count > byteCount { body.append(0) }
        let stated = Self.tags(body)
        for key in Set(stated.fields.map { $0.key }) where tags[key] == stated[key] { tags[key] = [] }
        return [UInt8](chunk: "bext", body)
    }

    /// The maximum size of a chunk to read, in bytes.
    static let maximumByteCount = 1 << 20

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns a time in sample frames at another first frame and sample rate, or `nil` if it exceeds 64 bits.
    static func moved(_ time: UInt64, to frame: Int, rate: Int, newRate: Int) -> UInt64? {
        let (moved, overflow) = time.addingReportingOverflow(UInt64(max(0, frame)))
        let product = moved.multipliedFullWidth(by: UInt64(newRate))
        guard !overflow, product.high < UInt64(rate) else { return nil }
        let (quotient, remainder) = UInt64(rate).dividingFullWidth(product)
        let (rounded, exceeds) = quotient.addingReportingOverflow(remainder >= UInt64(rate) - remainder ? 1 : 0)
        return exceeds ? nil : rounded
    }

    /// Returns the bytes of hexadecimal digits, with or without the `0x` that FFmpeg writes.
    private static func bytes(hexadecimal text: String) -> [UInt8]? {
        let digits = Array(text.utf8.dropFirst(text.hasPrefix("0x") ? 2 : 0)).map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0)) }
    }

    /// Returns hundredths as a decimal number, such as -23.00.
    private static func decimal(_ hundredths: Int) -> String {
        let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        return (hundredths < 0 ? "-" : "") + "\(whole)." + (rest < 10 ? "0" : "") + "\(rest)"
    }

    private static func hundredths(_ text: String) -> Int16? {
        Double(text).flatMap { abs($0) < 327 ? Int16(($0 * 100).rounded()) : nil }
    }
}

extension AudioTags {
    /// Moves the time reference of a broadcast file, and the times and rate in its iXML, to another first frame and sample rate.
    ///
    /// - Parameters:
    ///   - frame: The first frame at `rate`.
    ///   - rate: The sample rate of the file, in hertz.
    ///   - newRate: The new sample rate, in hertz.
    package mutating func moveTimeReference(to frame: Int, rate: Int, newRate: Int) {
        guard rate > 0, newRate > 0, frame > 0 || rate != newRate else { return }
        let key = BroadcastExtension.timeReference
        if let time = first(key).flatMap({ UInt64($0) }),
            let moved = BroadcastExtension.moved(time, to: frame, rate: rate, newRate: newRate)
        {
            self[key] = [String(moved)]
        }
        guard self[WAVETags.ixml].count == 1, let text = first(WAVETags.ixml) else { return }
        var numbers = IXMLNumbers(text)
        numbers.move(to: frame, rate: rate, newRate: newRate)
        self[WAVETags.ixml] = [numbers.text]
    }

    /// Removes the loudness of a broadcast file, after a change of level.
    package mutating func removeBroadcastLoudness() {
        for value in BroadcastExtension.loudness { self[value.key] = [] }
    }
}
