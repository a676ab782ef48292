// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import PCMFiles

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Measures conversions; `Scripts/Measure/conversion` runs it.
@main
struct ConversionMeasurement {
    static func main() {
        do {
            try run()
        } catch {
            _ = "\(error)\n".withCString { write(2, $0, strlen($0)) }
            exit(1)
        }
    }

    /// Runs one conversion, or prints the tables.
    private static func run() throws {
        let words = CommandLine.arguments.dropFirst()
        switch words.first {
        case "noise":
            print(try DepthTable.text().joined(separator: "\n"))
            for quality in words.dropFirst().compactMap(SampleRateConverterQuality.init(rawValue:)) {
                print("Quality: \(quality.rawValue)\n")
                print(try RateTable.text(quality).joined(separator: "\n"))
            }
        case "filters":
            print(try FilterTable.text().joined(separator: "\n"))
        case "speed":
            guard let folder = words.dropFirst().first else { fallthrough }
            let table = SpeedTable(program: CommandLine.arguments[0], folder: folder, seconds: 120, rounds: 7)
            print(try table.text().joined(separator: "\n"))
        case "convert":
            guard let conversion = RawConversion(words.dropFirst()) else { fallthrough }
            try conversion.run()
        default:
            print(
                """
                usage: ConversionMeasurement noise [QUALITY...]
                       ConversionMeasurement filters
                       ConversionMeasurement speed FOLDER
                       ConversionMeasurement convert ENCODING RATE ENCODING RATE CHANNELS QUALITY DITHER <IN >OUT
                """)
            exit(2)
        }
    }
}
