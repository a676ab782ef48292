// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// All comparisons of a run, with the machine's name.
struct Report {
    let commit: String
    let rounds: Int
    let seconds: Int
    var sections: [(title: String, results: [Result])] = []

    /// The results as a text table.
    var text: String {
        var lines = ["\(machineName()), commit \(commit), \(seconds) s of 48 kHz stereo, median of \(rounds) rounds"]
        for section in sections {
            lines.append("")
            lines.append(row(section.title, "CPU s", "x real time", "x \(section.results[0].name)", "peak MiB", "kb/s"))
            for result in section.results {
                lines.append(
                    row(
                        result.name, decimal(result.processorSeconds, 2), decimal(result.timesRealTime, 0),
                        decimal(result.timesReference, 2), decimal(Double(result.peakResidentBytes) / 1_048_576, 1),
                        decimal(Double(result.outputBytes) * 8 / Double(seconds) / 1000, 1)))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The results as JSON.
    var json: String {
        let parts = sections.map { section in
            let results = section.results.map { result in
                "{\"name\": \"\(result.name)\", \"processorSeconds\": \(decimal(result.processorSeconds, 4)), "
                    + "\"timesRealTime\": \(decimal(result.timesRealTime, 1)), "
                    + "\"timesReference\": \(decimal(result.timesReference, 3)), "
                    + "\"peakResidentBytes\": \(result.peakResidentBytes), \"outputBytes\": \(result.outputBytes)}"
            }
            return "    \"\(section.title)\": [\n      \(results.joined(separator: ",\n      "))\n    ]"
        }
        return """
            {
              "machine": "\(machineName())",
              "commit": "\(commit)",
              "rounds": \(rounds),
              "seconds": \(seconds),
              "comparisons": {
            \(parts.joined(separator: ",\n"))
              }
            }
            """
    }

    private func row(_ cells: String...) -> String {
        var line = cells[0] + String(repeating: " ", count: max(1, 26 - cells[0].count))
        for cell in cells.dropFirst() {
            line += String(repeating: " ", count: max(1, 14 - cell.count)) + cell
        }
        return line
    }
}

/// Returns a number with `places` decimals.
func decimal(_ value: Double, _ places: Int) -> String {
    var scale = 1
    for _ in 0..<places {
        scale *= 10
    }
    let scaled = Int((value * Double(scale)).rounded())
    guard places > 0 else { return "\(scaled)" }
    let digits = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: places - digits.count) + digits
}

/// Returns the size of a file in bytes, or 0 if it does not exist.
func fileSize(_ path: String) -> Int {
    var information = stat()
    return stat(path, &information) == 0 ? Int(information.st_size) : 0
}

/// Returns the processor's name and the number of processors.
func machineName() -> String {
    var name = "unknown processor"
    if let file = fopen("/proc/cpuinfo", "r") {
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("model name"), let colon = text.firstIndex(of: ":") else { continue }
            name = String(text[text.index(after: colon)...].drop { $0 == " " }.prefix { $0 != "\n" })
            break
        }
    }
    return "\(name), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) processors"
}
