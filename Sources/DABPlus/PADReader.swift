// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// Collects dynamic labels, and data groups such as those of a slideshow, from the programme-associated data of access units in order.
///
/// No input can make it trap.
public struct PADReader: Sendable {
    /// The result of the data of one or more units.
    public enum Item: Hashable, Sendable {
        /// A label, whether it is new or repeated.
        case label(DynamicLabel)
        /// The request to remove the label.
        case labelRemoval
        /// A data group of multimedia objects, whose checksum fits.
        case dataGroup([UInt8])
    }

    /// The access units that had programme-associated data.
    package private(set) var unitCount = 0
    /// The bytes of it.
    package private(set) var byteCount = 0
    /// The latest label.
    public private(set) var label: DynamicLabel?
    /// The segments and data groups whose checksum was wrong.
    package private(set) var damagedCount = 0

    /// The application and the length of the last subfield, which one without a list of contents continues.
    private var last: (application: UInt8, length: Int)?
    /// The segment of a label in progress.
    private var segment: [UInt8]?
    /// The segments of the label in progress, by number.
    private var labelSegments: [[UInt8]?] = []
    private var labelToggle: Bool?
    private var labelCharacterSet = 0
    private var labelSegmentCount: Int?
    /// The announced length of the next data group.
    private var groupLength: Int?
    /// The data group in progress.
    private var group: [UInt8]?
    private var items: [Item] = []

    /// Creates a reader before the first unit.
    public init() {}

    /// Reads the data of the next access unit, and returns what is complete with it: nothing of a unit without any.
    public mutating func read(_ unit: AccessUnit) -> [Item] { ProgrammeAssociatedData(inUnit: unit.payload).map { read($0) } ?? [] }

    /// Reads the data of the next unit, and returns what is complete with it.
    package mutating func read(_ data: ProgrammeAssociatedData) -> [Item] {
        unitCount += 1
        byteCount += data.bytes.count
        items.removeAll(keepingCapacity: true)
        let bytes = data.extensionBytes
        switch data.extensionKind {
        case .short: readShort(bytes, hasList: data.hasContentsList)
        case .variable: readVariable(bytes, hasList: data.hasContentsList)
        case .some(.none), nil: last = nil
        }
        return items
    }

    /// Reads an extension of four bytes.
    private mutating func readShort(_ bytes: [UInt8], hasList: Bool) {
        guard bytes.count >= 4 else { return }
        if hasList {
            take(bytes[1..<4], application: bytes[0] & 31)
        } else if let last {
            take(bytes[0..<4], application: Self.continuation(last.application))
        }
    }

    /// Reads an extension with any number of subfields.
    private mutating func readVariable(_ bytes: [UInt8], hasList: Bool) {
        guard hasList else {
            guard let last, last.length <= bytes.count else { return }
            return take(bytes[0..<last.length], application: Self.continuation(last.application))
        }
        var contents: [(application: UInt8, length: Int)] = []
        var position = 0
        while position < bytes.count, contents.count < 4 {
            let indicator = bytes[position]
            position += 1
            guard indicator & 31 != 0 else { break }
            contents.append((indicator & 31, PADApplication.lengths[Int(indicator >> 5)]))
        }
        for content in contents {
            guard position + content.length <= bytes.count else { return }
            take(bytes[position..<position + content.length], application: content.application)
            position += content.length
        }
    }

    /// Returns the application that continues one.
    private static func continuation(_ application: UInt8) -> UInt8 {
        switch application {
        case PADApplication.labelStart: PADApplication.labelContinuation
        case PADApplication.objectStart: PADApplication.objectContinuation
        default: application
        }
    }

    /// Takes the bytes of a subfield.
    private mutating func take(_ bytes: ArraySlice<UInt8>, application: UInt8) {
        last = (application, bytes.count)
        switch application {
        case PADApplication.labelStart:
            segment = Array(bytes)
            completeSegment()
        case PADApplication.labelContinuation:
            segment?.append(contentsOf: bytes)
            completeSegment()
        case PADApplication.dataGroupLength:
            groupLength = nil
            guard bytes.count >= 4 else { return }
            let start = bytes.startIndex
            guard DABChecksum.units.isValid(bytes[start..<start + 4]) else { return damagedCount += 1 }
            groupLength = Int(bytes[start] & 0x3F) << 8 | Int(bytes[start + 1])
        case PADApplication.objectStart:
            group = groupLength == nil ? nil : Array(bytes)
            completeGroup()
        case PADApplication.objectContinuation:
            group?.append(contentsOf: bytes)
            completeGroup()
        default: break
        }
    }

    /// Ends the data group in progress if it has all its bytes.
    private mutating func completeGroup() {
        guard let length = groupLength, let bytes = group, bytes.count >= length else { return }
        group = nil
        groupLength = nil
        let whole = bytes[0..<length]
        // A flag of the header says whether there is a checksum.
        guard length > 2, whole[0] & 0x40 == 0 || DABChecksum.units.isValid(whole) else { return damagedCount += 1 }
        items.append(.dataGroup(Array(whole)))
    }

    /// Ends the segment in progress if it has all its bytes.
    private mutating func completeSegment() {
        guard let bytes = segment, bytes.count >= 2 else { return }
        let isCommand = bytes[0] & 0x10 != 0
        let length = isCommand ? 0 : Int(bytes[0] & 15) + 1
        guard bytes.count >= 4 + length else { return }
        segment = nil
        guard DABChecksum.units.isValid(bytes[0..<4 + length]) else { return damagedCount += 1 }
        if isCommand {
            guard bytes[0] & 15 == 1 else { return }
            label = nil
            labelToggle = nil
            items.append(.labelRemoval)
            return
        }
        take(segment: bytes[2..<2 + length], header: (bytes[0], bytes[1]))
    }

    /// Takes a segment of a label.
    private mutating func take(segment: ArraySlice<UInt8>, header: (UInt8, UInt8)) {
        let (toggle, isFirst, isLast) = (header.0 & 0x80 != 0, header.0 & 0x40 != 0, header.0 & 0x20 != 0)
        if toggle != labelToggle {
            labelToggle = toggle
            labelSegments = Array(repeating: nil, count: 8)
            labelSegmentCount = nil
        }
        let number = isFirst ? 0 : Int(header.1 >> 4 & 7)
        labelSegments[number] = Array(segment)
        if isFirst { labelCharacterSet = Int(header.1 >> 4) }
        if isLast { labelSegmentCount = number + 1 }
        guard let count = labelSegmentCount, isLast || label == nil else { return }
        var bytes: [UInt8] = []
        for index in 0..<count {
            guard let part = labelSegments[index] else { return }
            bytes += part
        }
        let found = DynamicLabel(bytes: bytes, characterSetNumber: labelCharacterSet)
        label = found
        items.append(.label(found))
    }
}
