// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioFiles
internal import AudioPrimitives
internal import MPEG4Audio

/// The access units of a file by column: their bit rate, and the coding tools that they use.
package struct UnitColumns: Sendable {
    /// A coding tool of AAC whose use is shown over time.
    package enum Tool: Int, CaseIterable, Sendable {
        /// Eight short windows.
        case shortWindows
        /// The windows between long and short ones.
        case transitionWindows
        /// The window of Kaiser and Bessel.
        case kaiserBesselWindows
        /// Middle and side.
        case midSide
        /// Intensity stereo.
        case intensity
        /// Temporal noise shaping.
        case noiseShaping
        /// Perceptual noise substitution.
        case noiseSubstitution
        /// Spectral band replication.
        case bandReplication
        /// Parametric stereo.
        case parametricStereo

        /// The usual name.
        var name: String {
            switch self {
            case .shortWindows: "Short windows"
            case .transitionWindows: "Start, stop windows"
            case .kaiserBesselWindows: "KBD window shape"
            case .midSide: "Middle and side"
            case .intensity: "Intensity stereo"
            case .noiseShaping: "TNS"
            case .noiseSubstitution: "PNS"
            case .bandReplication: "SBR"
            case .parametricStereo: "Parametric stereo"
            }
        }
    }

    /// The bits of access units by second of each column.
    package private(set) var bitRates: [Float]
    /// The share of each tool among the units of a column, tool by tool.
    package private(set) var shares: [[Float]]
    /// Whether units of AAC were seen, whose tools are known.
    package private(set) var hasTools = false
    /// The sizes of the smallest and of the largest unit in bytes.
    private(set) var sizes: ClosedRange<Int>?

    private let grid: ColumnGrid
    private var seconds: [Double]
    private var bits: [Double]
    private var weights: [Float]

    /// Starts without units.
    init(grid: ColumnGrid) {
        self.grid = grid
        bitRates = []
        shares = Tool.allCases.map { _ in Array(repeating: 0, count: grid.columnCount) }
        seconds = Array(repeating: 0, count: grid.columnCount)
        bits = seconds
        weights = Array(repeating: 0, count: grid.columnCount)
    }

    /// Adds an access unit, which follows the one before.
    ///
    /// - Parameters:
    ///   - probed: The unit.
    ///   - start: The time of its first sample in the signal, in seconds; negative for priming.
    mutating func append(_ probed: ProbedUnit, start: Double, duration: Double) {
        let byteCount = probed.unit.accessUnit.payload.count
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
            for column in first...last { shares[tool.rawValue][column] += value }
        }
        for column in first...last { weights[column] += 1 }
    }

    /// Returns the share of each tool that a unit uses: of windows and shapes among its channels, else whether it uses the tool at all.
    private static func values(_ elements: [ElementTools]) -> [(Tool, Float)] {
        let channels = elements.flatMap(\.channels)
        guard !channels.isEmpty else { return [] }
        /// Returns the share of channels that fulfil a condition.
        func share(_ condition: (ChannelTools) -> Bool) -> Float { Float(channels.filter(condition).count) / Float(channels.count) }
        return [
            (.shortWindows, share { $0.windowSequence == .eightShort }),
            (.transitionWindows, share { $0.windowSequence == .longStart || $0.windowSequence == .longStop }),
            (.kaiserBesselWindows, share { $0.windowShape == .kaiserBesselDerived }),
            (.midSide, elements.contains { $0.midSideBandCount > 0 } ? 1 : 0),
            (.intensity, channels.contains { $0.intensityBandCount > 0 } ? 1 : 0),
            (.noiseShaping, share { !$0.tnsOrders.isEmpty }), (.noiseSubstitution, share { $0.noiseBandCount > 0 }),
            (.bandReplication, elements.contains { $0.sbr != nil } ? 1 : 0),
            (.parametricStereo, elements.contains { $0.sbr?.stereo != nil } ? 1 : 0),
        ]
    }

    /// Computes rates and shares after the last unit.
    mutating func finish() {
        bitRates = zip(bits, seconds).map { $1 > 0 ? Float($0 / $1) : 0 }
        for tool in shares.indices {
            for column in weights.indices where weights[column] > 0 { shares[tool][column] /= weights[column] }
        }
    }
}
