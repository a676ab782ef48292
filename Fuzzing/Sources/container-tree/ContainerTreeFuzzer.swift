// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioReportsParts

/// Lists the parts of a file: they lie within the file and within the part around them, in order, and there are not too many.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let tree = ContainerTree(byteCount: count) { range in
        precondition(range.lowerBound >= 0 && range.upperBound <= count && range.count <= 16)
        return Array(bytes[range])
    }
    guard let tree else { return 0 }
    var partCount = 0
    /// Checks parts within a range.
    func check(_ parts: [ContainerTree.Part], _ range: Range<Int>) {
        var offset = range.lowerBound
        for part in parts {
            precondition(part.offset >= offset && part.byteCount >= 0 && part.offset + part.byteCount <= range.upperBound)
            offset = part.offset + part.byteCount
            partCount += 1
            check(part.parts, part.offset..<offset)
        }
    }
    check(tree.parts, 0..<count)
    precondition(partCount <= ContainerTree.limit + 1)
    return 0
}
