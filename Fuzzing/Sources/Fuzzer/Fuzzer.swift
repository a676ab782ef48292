// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import SystemLibrary

/// The target that LINNET_FUZZ_TARGET names.
private let target: FuzzTarget = {
    let name = getenv("LINNET_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { fatalError("there is no fuzz target \(name)") }
    return target
}()

/// Feeds an input of libFuzzer to the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
