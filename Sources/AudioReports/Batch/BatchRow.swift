// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The table row of one file in the results of `linnet batch`.
struct BatchRow: Sendable {
    var input: String, output: String
    /// The status, such as `done` or `failed`.
    var status: String
    var seconds: Double?
    /// The average and requested bit rate, in bits per second.
    var bitRate: Double?, targetBitRate: Double?
    var inputBytes: Double?, bytes: Double?
    /// The processing time in seconds.
    var elapsed: Double?
    /// The noise-to-mask ratio in decibels: the mean, and the value that 5 % of the frames exceed.
    var noiseToMaskRatio: Double?, noiseToMask95: Double?
    /// The fraction of frames with audible noise, 0 to 1.
    var audibleShare: Double?
    /// Error message, notes and warnings.
    var remark: String
    /// The distance from the other files, larger for files that need attention.
    var distance = 0.0

    /// Parses a line of the results (Documentation/Guides/Batch.md); nil if it is not an object with an input and a status.
    init?(line: some Sequence<UInt8>) {
        guard let value = try? JSONValue(parsing: line), let input = value["input"]?.text, let status = value["status"]?.text else {
            return nil
        }
        self.input = input
        self.status = status
        output = value["output"]?.text ?? ""
        seconds = Self.number(value["seconds"])
        bitRate = Self.number(value["bitRate"])
        targetBitRate = Self.number(value["targetBitRate"])
        inputBytes = Self.number(value["inputBytes"])
        bytes = Self.number(value["bytes"])
        elapsed = Self.number(value["elapsedSeconds"])
        let measures = value["measures"]
        noiseToMaskRatio = Self.number(measures?["noiseToMaskMean"])
        noiseToMask95 = Self.number(measures?["noiseToMask95"])
        audibleShare = Self.number(measures?["audibleShare"])
        let texts = ["warnings", "notes"].flatMap { value[$0]?.elements?.compactMap(\.text) ?? [] }
        remark = ([value["error"]?["message"]?.text].compactMap { $0 } + texts).joined(separator: "; ")
    }

    /// Returns a number that a batch can write; nil for others, because their sums could overflow.
    private static func number(_ value: JSONValue?) -> Double? {
        value?.number.flatMap { abs($0) <= maximumNumber ? $0 : nil }
    }

    /// More bytes than all disks of a cluster.
    private static let maximumNumber = 1e15

    /// Whether the file has no output.
    var isFailed: Bool { status == "failed" || status == "interrupted" }
}

/// Distances of results from the median.
enum BatchOutliers {
    /// The distance of a file without an output, which is listed first.
    static let failed = 1e9

    /// Sets the distance of each result, and sorts by descending distance.
    ///
    /// The distance is the larger of two deviations from the median, in median deviations: of the bit rate relative to the requested one,
    /// in
    /// both directions, and of the noise-to-mask ratio that 5 % of the frames exceed, only upwards.
    static func sort(_ results: inout [BatchRow]) {
        let rates = Spread(results.compactMap(relativeRate), smallest: 0.01)
        let noise = Spread(results.compactMap(\.noiseToMask95), smallest: 0.5)
        for index in results.indices {
            let result = results[index]
            let rate = relativeRate(result).map { abs(rates.deviation($0)) } ?? 0
            let ratio = result.noiseToMask95.map { noise.deviation($0) } ?? 0
            results[index].distance = result.isFailed ? failed : max(0, rate, ratio)
        }
        results.sort { ($0.distance, $1.input) > ($1.distance, $0.input) }
    }

    /// Returns the bit rate relative to the requested one, or the rate itself if none was requested.
    private static func relativeRate(_ result: BatchRow) -> Double? {
        guard let rate = result.bitRate, rate > 0 else { return nil }
        return rate / (result.targetBitRate.flatMap { $0 > 0 ? $0 : nil } ?? 100_000)
    }

    /// The median of values, and the median of their distances from it.
    struct Spread {
        let median: Double
        /// The median distance, with a minimum.
        let width: Double

        init(_ values: [Double], smallest: Double) {
            let sorted = values.sorted()
            let middle = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
            let distances = sorted.map { abs($0 - middle) }.sorted()
            median = middle
            width = max(smallest, distances.isEmpty ? 0 : distances[distances.count / 2])
        }

        /// Returns the distance of a value from the median, in median distances.
        func deviation(_ value: Double) -> Double { (value - median) / width }
    }
}
