// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives

/// A reader of dynamic labels and data groups, such as slideshows, in the programme-associated data of consecutive access units.
///
/// It never traps on invalid input.
public struct PADReader: Sendable {
    /// A complete label or data group.
    public enum Item: Hashable, Sendable {
        /// A label, new or repeated.
        case label(DynamicLabel)
        /// A command to remove the label.
        case labelRemoval
        /// A multimedia data group with a valid checksum, if it has one.
        case dataGroup([UInt8])
    }

    /// The number of access units with programme-associated data.
    package private(set) var accessUnitCount = 0
    /// The total size of these data, in bytes.
    package private(set) var byteCount = 0
    /// The latest label.
    public private(set) var label: DynamicLabel?
    /// The number of segments and data groups with an invalid checksum.
    package private(set) var damagedCount = 0

    /// The application and length of the last subfield, which a subfield without a contents list continues.
    private var last: (application: UInt8, length: Int)?
    /// The pending label segment.
    private var segment: [UInt8]?
    /// The pending label's segments, by number.
    private var labelSegments: [[UInt8]?] = []
    private var labelToggle: Bool?
    private var labelCharacterSet = 0
    private var labelSegmentCount: Int?
    /// The signalled length of the next data group.
    private var groupLength: Int?
    /// The pending data group.
    private var group: [UInt8]?
    private var items: [Item] = []

    /// Creates a reader.
    public init() {}

    /// Reads the data of the next access unit and returns the items that it completes.
    public mutating func read(_ accessUnit: AccessUnit) -> [Item] {
        ProgrammeAssociatedData(inUnit: accessUnit.payload).map { read($0) } ?? []
    }

    /// Reads the data of the next access unit and returns the items that they complete.
    package mutating func read(_ data: ProgrammeAssociatedData) -> [Item] {
        accessUnitCount += 1
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

    private mutating func readShort(_ bytes: [UInt8], hasList: Bool) {
        guard bytes.count >= 4 else { return }
        if hasList {
            take(bytes[1..<4], application: bytes[0] & 31)
        } else if let last {
            take(bytes[0..<4], application: Self.continuation(last.application))
        }
    }

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

    private static func continuation(_ application: UInt8) -> UInt8 {
        switch application {
        case PADApplication.labelStart: PADApplication.labelContinuation
        case PADApplication.objectStart: PADApplication.objectContinuation
        default: application
        }
    }

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
            (groupLength, group) = (nil, nil)
            guard bytes.count >= 4 else { return }
            let start = bytes.startIndex
            guard DABChecksum.accessUnits.isValid(bytes[start..<start + 4]) else { return damagedCount += 1 }
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

    /// Reports the pending data group if it is complete.
    private mutating func completeGroup() {
        guard let length = groupLength, let bytes = group, bytes.count >= length else { return }
        group = nil
        groupLength = nil
        let whole = bytes[0..<length]
        // A header flag signals the checksum.
        guard length > 2, whole[0] & 0x40 == 0 || DABChecksum.accessUnits.isValid(whole) else { return damagedCount += 1 }
        items.append(.dataGroup(Array(whole)))
    }

    private mutating func completeSegment() {
        guard let bytes = segment, bytes.count >= 2 else { return }
        let isCommand = bytes[0] & 0x10 != 0
        let length = isCommand ? Self.commandLength(bytes[0] & 15, second: bytes[1]) : Int(bytes[0] & 15) + 1
        guard bytes.count >= 4 + length else { return }
        segment = nil
        guard DABChecksum.accessUnits.isValid(bytes[0..<4 + length]) else { return damagedCount += 1 }
        if isCommand {
            guard bytes[0] & 15 == PADApplication.removalCommand else { return }
            label = nil
            labelToggle = nil
            items.append(.labelRemoval)
            return
        }
        take(segment: bytes[2..<2 + length], header: (bytes[0], bytes[1]))
    }

    /// Returns the number of bytes between the header and the checksum of a command.
    ///
    /// The parts of a label that DL Plus describes (ETSI TS 102 980) have a length in the second byte of the header.
    private static func commandLength(_ command: UInt8, second: UInt8) -> Int {
        command == PADApplication.labelPartsCommand ? Int(second & 15) + 1 : 0
    }

    /// Adds a label segment, and reports the label if it is complete.
    private mutating func take(segment: ArraySlice<UInt8>, header: (UInt8, UInt8)) {
        let (toggle, isFirst, isLast) = (header.0 & 0x80 != 0, header.0 & 0x40 != 0, header.0 & 0x20 != 0)
        let number = isFirst ? 0 : Int(header.1 >> 4 & 7)
        // After lost segments, the label before the previous one has the same toggle.
        if toggle != labelToggle || labelSegments[number].map({ $0[...] != segment }) == true {
            labelToggle = toggle
            labelSegments = Array(repeating: nil, count: 8)
            labelSegmentCount = nil
        }
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
