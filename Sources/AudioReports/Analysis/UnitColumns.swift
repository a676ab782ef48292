// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioFiles
internal import AudioPrimitives
internal import MPEG4Audio

/// The bit rate and coding tools of a file's access units, by column.
package struct UnitColumns: Sendable {
    /// An AAC coding tool whose use is shown over time.
    package enum Tool: Int, CaseIterable, Sendable {
        case shortWindows
        /// Start and stop windows.
        case transitionWindows
        case kaiserBesselWindows
        case midSide
        case intensity
        case noiseShaping
        case noiseSubstitution
        case sbr
        case parametricStereo

        var name: String {
            switch self {
            case .shortWindows: "Short windows"
            case .transitionWindows: "Start, stop windows"
            case .kaiserBesselWindows: "KBD window shape"
            case .midSide: "Middle and side"
            case .intensity: "Intensity stereo"
            case .noiseShaping: "TNS"
            case .noiseSubstitution: "PNS"
            case .sbr: "SBR"
            case .parametricStereo: "Parametric stereo"
            }
        }
    }

    package private(set) var bitRates: [Float]
    /// The fraction of access units that use each tool, tool by tool.
    package private(set) var fractions: [[Float]]
    /// Whether there are AAC access units, whose tools are known.
    package private(set) var hasTools = false
    /// The minimum and maximum access unit size in bytes.
    private(set) var sizes: ClosedRange<Int>?

    private let grid: ColumnGrid
    private var seconds: [Double]
    private var bits: [Double]
    private var weights: [Float]

    init(grid: ColumnGrid) {
        self.grid = grid
        bitRates = []
        fractions = Tool.allCases.map { _ in Array(repeating: 0, count: grid.columnCount) }
        seconds = Array(repeating: 0, count: grid.columnCount)
        bits = seconds
        weights = Array(repeating: 0, count: grid.columnCount)
    }

    /// Adds the next access unit.
    ///
    /// - Parameter start: The time of its first sample in the signal, in seconds; negative for priming.
    mutating func append(_ probed: ProbedUnit, start: Double, duration: Double) {
        let byteCount = probed.demuxed.accessUnit.payload.count
        sizes = min(sizes?.lowerBound ?? byteCount, byteCount)...max(sizes?.upperBound ?? byteCount, byteCount)
        guard duration > 0, start < grid.seconds, start + duration > 0 else { return }
        let first = grid.column(atSeconds: max(0, start))
        let last = grid.column(atSeconds: max(0, min(grid.seconds, start + duration) - 1e-9))
        let share = 1 / Double(last - first + 1)
        for column in first...last {
            bits[column] += Double(byteCount * 8) * share
            seconds[column] += duration * share
        }
        guard !probed.tools.isEmpty else { return }
        hasTools = true
        for (tool, value) in Self.values(probed.tools) {
            for column in first...last { fractions[tool.rawValue][column] += value }
        }
        for column in first...last { weights[column] += 1 }
    }

    /// Returns the use of each tool by an access unit: the fraction of channels for windows, shapes, TNS and PNS, otherwise 0 or 1.
    private static func values(_ elements: [ElementTools]) -> [(Tool, Float)] {
        let channels = elements.flatMap(\.channels)
        guard !channels.isEmpty else { return [] }
        /// Returns the fraction of channels that fulfil a condition.
        func share(_ condition: (ChannelTools) -> Bool) -> Float { Float(channels.filter(condition).count) / Float(channels.count) }
        return [
            (.shortWindows, share { $0.windowSequence == .eightShort }),
            (.transitionWindows, share { $0.windowSequence == .longStart || $0.windowSequence == .longStop }),
            (.kaiserBesselWindows, share { $0.windowShape == .kaiserBesselDerived }),
            (.midSide, elements.contains { $0.midSideBandCount > 0 } ? 1 : 0),
            (.intensity, channels.contains { $0.intensityBandCount > 0 } ? 1 : 0),
            (.noiseShaping, share { !$0.tnsOrders.isEmpty }), (.noiseSubstitution, share { $0.noiseBandCount > 0 }),
            (.sbr, elements.contains { $0.sbr != nil } ? 1 : 0),
            (.parametricStereo, elements.contains { $0.sbr?.stereo != nil } ? 1 : 0),
        ]
    }

    /// Computes rates and fractions after the last access unit.
    mutating func finish() {
        bitRates = zip(bits, seconds).map { $1 > 0 ? Float($0 / $1) : 0 }
        for tool in fractions.indices {
            for column in weights.indices where weights[column] > 0 { fractions[tool][column] /= weights[column] }
        }
    }
}
