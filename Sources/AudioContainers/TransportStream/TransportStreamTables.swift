// SPDX-License-Identifier: Apache-2.0

/// The program association and map tables at the start of a transport stream.
struct TransportStreamTables: Sendable {
    /// A program map table.
    struct Map: Sendable {
        let streams: [ElementaryStreamDescription]
        /// The number of the table in the order of arrival.
        let arrival: Int
    }

    /// The programs in the order of the first association table.
    private(set) var programs: [UInt16] = []
    private var known: Set<UInt16> = []
    /// The first map table of each program.
    private(set) var maps: [UInt16: Map] = [:]
    private var associationCount = 0

    /// The number of association tables after which a missing map table is not expected.
    private static let associationLimit = 3

    mutating func append(_ section: ProgramSection) {
        if section.tableID == ProgramSection.associationTable {
            associationCount += 1
            for (program, _) in section.programs where known.insert(program).inserted { programs.append(program) }
        } else if section.tableID == ProgramSection.mapTable, maps[section.identifier] == nil {
            maps[section.identifier] = Map(streams: section.elementaryStreams, arrival: maps.count)
        }
    }

    /// Whether there is audio, and no map table is missing or likely to follow.
    var isComplete: Bool {
        guard maps.values.contains(where: { map in map.streams.contains { $0.codec != nil } }) else { return false }
        return associationCount >= Self.associationLimit || programs.allSatisfy { maps[$0] != nil }
    }
}
