// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The data with which a gain is undone, stored in the file as JSON.
struct GainRecord: Equatable {
    /// The gain, in steps of 2^(1/4) in amplitude.
    var steps: Int
    /// The level fields that the gain did not change by ``steps``.
    var exceptions: [Exception]
    /// The bytes of loudness metadata that the gain replaced, with their offsets.
    var replaced: [LevelMetadata.Replacement]
    /// The size of the original file, in bytes.
    var byteCount: Int
    /// The hash of the original file.
    var hash: UInt64

    private static let version = 1

    /// Consecutive fields with their own change.
    struct Exception: Equatable {
        /// The numbers of the fields.
        var fields: Range<Int>
        /// The change of the fields' values.
        let change: Int

        /// The change of the fields' values that undoes this one.
        var reversed: Exception { Exception(fields: fields, change: -change) }
    }

    init(steps: Int, exceptions: [Exception], replaced: [LevelMetadata.Replacement], original: [UInt8]) {
        (self.steps, self.exceptions, self.replaced) = (steps, exceptions, replaced)
        (byteCount, hash) = (original.count, Self.hash(original))
    }

    /// Parses a record, or returns `nil` if it is invalid.
    init?(parsing bytes: [UInt8]) {
        guard let json = try? JSONValue(parsing: bytes), json["version"]?.integer == Self.version, let steps = json["steps"]?.integer,
            (-255...255).contains(steps), let byteCount = json["bytes"]?.integer, byteCount >= 0,
            let hash = json["hash"]?.text.flatMap({ UInt64($0, radix: 16) }), let exceptions = json["exceptions"]?.elements,
            let replaced = json["replaced"]?.elements
        else { return nil }
        (self.steps, self.byteCount, self.hash, self.exceptions, self.replaced) = (steps, byteCount, hash, [], [])
        for item in exceptions {
            guard let first = item[0], let count = item[1], let change = item[2], first >= self.exceptions.last?.fields.upperBound ?? 0,
                count > 0, count < 1 << 48, first < 1 << 48, (-255...255).contains(change)
            else { return nil }
            self.exceptions.append(Exception(fields: first..<first + count, change: change))
        }
        for item in replaced {
            guard let offset = item["at"]?.integer, let bytes = item["bytes"]?.elements?.map(\.integer), offset >= 0,
                bytes.allSatisfy({ $0.map((0...255).contains) ?? false }), offset <= byteCount - bytes.count
            else { return nil }
            self.replaced.append(LevelMetadata.Replacement(offset: offset, bytes: bytes.map { UInt8($0 ?? 0) }))
        }
    }

    var serialized: [UInt8] {
        let json = JSONValue.object([
            ("version", .integer(Self.version)), ("steps", .integer(steps)), ("bytes", .integer(byteCount)),
            ("hash", .string(String(hash, radix: 16))),
            (
                "exceptions",
                .array(
                    exceptions.map { .array([.integer($0.fields.lowerBound), .integer($0.fields.count), .integer($0.change)]) })
            ),
            (
                "replaced",
                .array(
                    replaced.map {
                        .object([("at", .integer($0.offset)), ("bytes", .array($0.bytes.map { .integer(Int($0)) }))])
                    })
            ),
        ])
        return Array(json.line.utf8)
    }

    func isOriginal(_ bytes: [UInt8]) -> Bool { bytes.count == byteCount && Self.hash(bytes) == hash }

    /// The FNV-1a hash of bytes.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension JSONValue {
    fileprivate subscript(_ index: Int) -> Int? {
        guard let elements, elements.indices.contains(index) else { return nil }
        return elements[index].integer
    }
}
