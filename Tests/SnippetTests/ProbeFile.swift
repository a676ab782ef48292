// SPDX-License-Identifier: Apache-2.0

import Linnet

/// Reads a file and reports its contents.
///
/// Returns the number of access units.
func probeFile(_ path: String) throws -> Int {
    // snippet: probe-file
    let summary = try ProbeSummary(contentsOf: path)
    print(summary.configuration.sampleRate, "Hz,", summary.accessUnitCount, "access units")
    // end
    return summary.accessUnitCount
}
