// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
/// Decompresses zlib data (RFC 1950 and 1951).
///
/// No system library, so that a file means the same everywhere.
struct Inflater {
    /// The maximum size of the result, in bytes.
    static let byteLimit = 1 << 24

    private let bytes: [UInt8]
    private var position: Int
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    /// Returns decompressed bytes, or `nil` if they are damaged or longer than ``byteLimit``.
    static func inflate(zlib bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count > 6, bytes[0] & 0x0F == 8, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0, bytes[1] & 0x20 == 0 else {
            return nil
        }
        var inflater = Inflater(bytes: bytes, position: 2)
        guard inflater.run() else { return nil }
        let checksum = bytes.dropFirst(inflater.position).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return checksum == adler32(inflater.output) ? inflater.output : nil
    }

    private init(bytes: [UInt8], position: Int) {
        self.bytes = bytes
        self.position = position
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (first, second) = (UInt32(1), UInt32(0))
        for byte in bytes {
            first = (first + UInt32(byte)) % 65_521
            second = (second + first) % 65_521
        }
        return second << 16 | first
    }

    /// A prefix code with the symbols in order of their code lengths (RFC 1951, 3.2.2).
    private struct Code {
        var counts = [Int](repeating: 0, count: 16)
        var symbols: [Int] = []

        init(_ lengths: some Collection<Int>) {
            for length in 1..<16 {
                for (symbol, other) in lengths.enumerated() where other == length { symbols.append(symbol) }
            }
            for length in lengths where length > 0 { counts[length] += 1 }
        }
    }

    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let lengthBases = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
    ]
    private static let lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    private static let distanceBases = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12_289,
        16_385, 24_577,
    ]
    private static let fixed = (
        Code((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }), Code(Array(repeating: 5, count: 30))
    )

    private mutating func read(_ count: Int) -> Int? {
        while bitCount < count {
            guard position < bytes.count else { return nil }
            bits |= UInt32(bytes[position]) << UInt32(bitCount)
            position += 1
            bitCount += 8
        }
        defer {
            bits >>= UInt32(count)
            bitCount -= count
        }
        return Int(bits & ((1 << UInt32(count)) - 1))
    }

    private mutating func symbol(_ code: Code) -> Int? {
        var (value, first, index) = (0, 0, 0)
        for length in 1..<16 {
            guard let bit = read(1) else { return nil }
            value |= bit
            let count = code.counts[length]
            if value - count < first {
                let place = index + value - first
                return code.symbols.indices.contains(place) ? code.symbols[place] : nil
            }
            index += count
            first = (first + count) << 1
            value <<= 1
        }
        return nil
    }

    /// Decompresses all blocks.
    ///
    /// Returns false if they are damaged.
    private mutating func run() -> Bool {
        while true {
            guard let isLast = read(1), let kind = read(2) else { return false }
            switch kind {
            case 0: guard copyStored() else { return false }
            case 1: guard expand(Self.fixed) else { return false }
            case 2: guard let codes = readCodes(), expand(codes) else { return false }
            default: return false
            }
            if isLast == 1 { return true }
        }
    }

    private mutating func copyStored() -> Bool {
        (bits, bitCount) = (0, 0)
        guard position + 4 <= bytes.count else { return false }
        let count = Int(bytes[position]) | Int(bytes[position + 1]) << 8
        guard count == ~(Int(bytes[position + 2]) | Int(bytes[position + 3]) << 8) & 0xFFFF else { return false }
        position += 4
        guard position + count <= bytes.count, output.count + count <= Self.byteLimit else { return false }
        output += bytes[position..<position + count]
        position += count
        return true
    }

    /// Reads the codes of a block: literals with lengths, and distances (RFC 1951, 3.2.7).
    private mutating func readCodes() -> (Code, Code)? {
        guard let literals = read(5), let distances = read(5), let lengthCount = read(4) else { return nil }
        var order = [Int](repeating: 0, count: 19)
        for index in 0..<lengthCount + 4 {
            guard let length = read(3) else { return nil }
            order[Self.lengthOrder[index]] = length
        }
        let code = Code(order)
        var lengths: [Int] = []
        let total = literals + 257 + distances + 1
        while lengths.count < total {
            guard let symbol = symbol(code) else { return nil }
            let (value, base, extra) =
                switch symbol {
                case 16: (lengths.last, 3, read(2))
                case 17: (0, 3, read(3))
                case 18: (0, 11, read(7))
                default: (symbol, 1, 0)
                }
            guard let value, let extra else { return nil }
            lengths += Array(repeating: value, count: base + extra)
        }
        guard lengths.count == total else { return nil }
        return (Code(lengths.prefix(literals + 257)), Code(lengths.dropFirst(literals + 257)))
    }

    private mutating func expand(_ codes: (Code, Code)) -> Bool {
        while true {
            guard let symbol = symbol(codes.0) else { return false }
            if symbol == 256 { return true }
            guard output.count < Self.byteLimit else { return false }
            if symbol < 256 {
                output.append(UInt8(symbol))
                continue
            }
            guard symbol - 257 < Self.lengthBases.count, let moreLength = read(Self.lengthBits[symbol - 257]),
                let place = self.symbol(codes.1), place < Self.distanceBases.count, let moreDistance = read(max(0, place / 2 - 1))
            else { return false }
            let distance = Self.distanceBases[place] + moreDistance
            guard distance <= output.count else { return false }
            for _ in 0..<Self.lengthBases[symbol - 257] + moreLength { output.append(output[output.count - distance]) }
        }
    }
}
#endif
