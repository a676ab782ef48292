// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Measures conversions; `Scripts/measure-conversion` runs it.
@main
struct ConversionMeasurement {
    /// Runs one conversion, or prints the tables.
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard words.first == "convert", let conversion = RawConversion(words.dropFirst()) else {
            print("usage: ConversionMeasurement convert ENCODING RATE ENCODING RATE CHANNELS QUALITY DITHER <IN >OUT")
            exit(2)
        }
        try conversion.run()
    }
}
