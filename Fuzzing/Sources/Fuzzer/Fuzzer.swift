// SPDX-License-Identifier: Apache-2.0

import FuzzTargets
import SystemLibrary

/// The target named by LINNET_FUZZ_TARGET.
private let target: FuzzTarget = {
    let name = getenv("LINNET_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else { fatalError("unknown fuzz target \(name)") }
    return target
}()

/// Passes an input from libFuzzer to the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.test(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
