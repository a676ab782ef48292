// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles
internal import SystemFiles
internal import TransformCoding
internal import USACCodec

/// The access units of a file with their level fields.
struct GainUnits {
    /// An access unit and its level fields.
    struct Unit {
        let index: Int
        let demuxed: DemuxedAccessUnit
        let fields: GainFields
        /// The position of the payload in the file, in bits.
        let firstBit: Int
        /// The elements, for the checksum of ADTS.
        let elements: [ElementSpan]
    }

    private enum Parser {
        case aac(AACDecoder)
        case usac(USACDecoder)
    }

    let reader: AccessUnitReader
    private var parser: Parser?
    /// The active configuration of xHE-AAC.
    private(set) var usac: USACConfig?
    private var count = 0
    /// The end of the last access unit in the file, in bits.
    private var end = 0
    /// The number of bytes that should have been access units.
    private(set) var lostByteCount = 0

    static let formats: Set<AudioFileFormat> = [.adts, .loas, .m4a, .fragmentedM4A, .mp4, .threeGPP, .quickTime, .caf]

    /// Opens a file in memory.
    init(_ bytes: [UInt8], path: String) throws {
        reader = try AccessUnitReader(FileInput(bytes: bytes, path: path))
        if let format = reader.format, !Self.formats.contains(format) { throw GainProblem.container(format) }
        try reader.requireDelimitedUnits()
    }

    /// Returns the next access unit, or `nil` at the end.
    ///
    /// - Throws: ``GainProblem`` if the access unit cannot be parsed or has a wrong checksum.
    mutating func next() throws -> Unit? {
        while let event = try reader.next() {
            switch event {
            case .configuration(let configuration): try start(configuration)
            case .skipped(let skipped): if skipped.isDamage { lostByteCount += skipped.byteRange.count }
            case .accessUnit(let demuxed): return try unit(demuxed)
            }
        }
        return nil
    }

    private mutating func start(_ configuration: CodecConfiguration) throws {
        guard case .aac(let aac) = configuration else { throw GainProblem.codec(configuration.formatID) }
        usac = aac.usac
        parser = try aac.usac == nil ? .aac(AACDecoder(aac)) : .usac(USACDecoder(aac))
    }

    private mutating func unit(_ demuxed: DemuxedAccessUnit) throws -> Unit {
        guard demuxed.rawDataBlockCount == 1 else { throw AudioFileError(.undelimitedAccessUnits, path: reader.path) }
        let problem = GainProblem.damaged(accessUnit: count)
        // Overlapping access units would be changed twice.
        guard let firstBit = demuxed.payloadBit, firstBit >= end, let parser else { throw problem }
        let payload = demuxed.accessUnit.payload
        let fields: GainFields
        var elements: [ElementSpan] = []
        do {
            switch parser {
            case .aac(let decoder):
                fields = try payload.withSpan { (span) throws(CodecError) in try decoder.gainFields(of: span) }
                elements = decoder.elementSpans
            case .usac(let decoder):
                fields = try payload.withSpan { (span) throws(CodecError) in try decoder.gainFields(of: span) }
            }
        } catch {
            throw problem
        }
        guard demuxed.isChecksumValid(elements: elements) ?? true else { throw problem }
        for part in fields.preRoll + [fields] {
            if let obstacle = part.obstacle { throw GainProblem.tool(obstacle, accessUnit: count) }
        }
        end = firstBit + 8 * payload.count
        defer { count += 1 }
        return Unit(index: count, demuxed: demuxed, fields: fields, firstBit: firstBit, elements: elements)
    }
}
