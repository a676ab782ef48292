// SPDX-License-Identifier: Apache-2.0

/// Reads single bits, independently of the library's reader so that they share no error.
struct StrictBitReader {
    let bytes: [UInt8]
    /// The position, in bits.
    var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func bit() throws(SyntaxViolation) -> Int {
        guard position < 8 * bytes.count else { throw .truncated(bitPosition: position) }
        defer { position += 1 }
        return Int(bytes[position / 8] >> UInt8(7 - position % 8)) & 1
    }

    /// Reads an unsigned integer, most significant bit first.
    mutating func bits(_ count: Int) throws(SyntaxViolation) -> Int {
        guard position + count <= 8 * bytes.count else { throw .truncated(bitPosition: position) }
        var value = 0
        for _ in 0..<count {
            value = 2 * value + (try bit())
        }
        return value
    }

    mutating func flag() throws(SyntaxViolation) -> Bool { try bit() == 1 }

    mutating func codeword(_ tree: CodeTree) throws(SyntaxViolation) -> Int {
        let start = position
        var node = 0
        while true {
            let next = tree.children[2 * node + (try bit())]
            if next < 0 { return -1 - next }
            guard next > 0 else { throw .invalidCodeword(bitPosition: start) }
            node = next
        }
    }
}

/// A prefix code as a binary tree.
struct CodeTree: Sendable {
    /// Two entries per node: another node, -1 - index for a leaf, or 0 for an unused codeword.
    var children = [0, 0]

    /// Creates the tree of codewords with lengths in bits.
    init(codes: [Int], lengths: [Int]) {
        for (index, (code, length)) in zip(codes, lengths).enumerated() {
            var node = 0
            for shift in stride(from: length - 1, to: 0, by: -1) {
                let slot = 2 * node + (code >> shift & 1)
                if children[slot] == 0 {
                    children[slot] = children.count / 2
                    children += [0, 0]
                }
                node = children[slot]
            }
            children[2 * node + (code & 1)] = -1 - index
        }
    }
}
