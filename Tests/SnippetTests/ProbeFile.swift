// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Linnet

/// Reads a file and reports what it contains; returns the number of its access units.
func probeFile(_ path: String) throws -> Int {
    // snippet: probe-file
    let report = try FileProbe.run(path: path)
    print(report.configuration.sampleRate, "Hz,", report.unitCount, "access units")
    // end
    return report.unitCount
}
