// SPDX-License-Identifier: Apache-2.0

import AudioReports

extension FuzzTarget {
    /// Lists the parts of a file: they are ordered, within the file and their parent, and limited in number.
    static let containerTree = FuzzTarget("container-tree") { bytes in
        let tree = ContainerTree(byteCount: bytes.count) { range in
            precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count && range.count <= 16)
            return Array(bytes[range])
        }
        guard let tree else { return }
        var partCount = 0
        /// Checks the parts within a range.
        func check(_ parts: [ContainerTree.Part], _ range: Range<Int>) {
            var offset = range.lowerBound
            for part in parts {
                precondition(part.offset >= offset && part.byteCount >= 0 && part.offset + part.byteCount <= range.upperBound)
                offset = part.offset + part.byteCount
                partCount += 1
                check(part.parts, part.offset..<offset)
            }
        }
        check(tree.parts, 0..<bytes.count)
        precondition(partCount <= ContainerTree.limit + 1)
    }
}
