// SPDX-License-Identifier: Apache-2.0

import SystemFiles

/// The free space of the file systems that a recording writes to, and the time until the first is full.
package struct RecordSpace {
    package struct Estimate: Hashable {
        /// The free space of the file system that will be full first.
        package let availableByteCount: Int
        /// The seconds that can still be recorded at the present rate; `nil` before the rate is known.
        package let seconds: Double?

        package init(availableByteCount: Int, seconds: Double?) {
            self.availableByteCount = availableByteCount
            self.seconds = seconds
        }
    }

    /// The recorded time over which the present rate is measured, in seconds.
    private static let window = 30.0
    /// The least recorded time for a rate, in seconds.
    ///
    /// Writers buffer up to a second.
    private static let minimumWindow = 3.0

    private let paths: [String]
    /// The file sizes at positions of the recording, in seconds.
    private var history: [(seconds: Double, byteCounts: [Int])] = []

    /// Creates an estimator without reading anything.
    package init(paths: [String]) { self.paths = paths }

    /// Reads sizes and free space.
    ///
    /// - Returns: `nil` if no output is a file.
    mutating func update(at seconds: Double) -> Estimate? {
        let files = paths.compactMap { path -> (byteCount: Int, device: UInt64, available: Int)? in
            guard let status = try? FileStatus(of: path), let byteCount = status.byteCount, let space = FileSystemSpace(of: path) else {
                return nil
            }
            return (byteCount, status.identity.device, space.availableByteCount)
        }
        guard !files.isEmpty else { return nil }
        return update(at: seconds, byteCounts: files.map(\.byteCount), devices: files.map { ($0.device, $0.available) })
    }

    /// Returns the estimate for known sizes.
    ///
    /// The rate of a file is its growth over the recorded time, up to 30 s of it. The files of a device share its space.
    ///
    /// - Parameters:
    ///   - seconds: The position of the recording. Does not increase during a pause.
    ///   - devices: The file system of each file and its free bytes.
    package mutating func update(at seconds: Double, byteCounts: [Int], devices: [(id: UInt64, available: Int)]) -> Estimate? {
        if history.last?.byteCounts.count != byteCounts.count { history = [] }
        if history.last.map({ $0.seconds < seconds }) ?? true { history.append((seconds, byteCounts)) }
        while history.count > 2, seconds - history[1].seconds >= Self.window { history.removeFirst() }
        let estimates = Set(devices.map(\.id)).compactMap { id -> Estimate? in
            let indices = devices.indices.filter { devices[$0].id == id }
            guard let first = indices.first else { return nil }
            let rate = rate(of: indices)
            let available = devices[first].available
            return Estimate(availableByteCount: available, seconds: rate.flatMap { $0 > 0 ? Double(available) / $0 : nil })
        }
        return estimates.min { ($0.seconds ?? .infinity, $0.availableByteCount) < ($1.seconds ?? .infinity, $1.availableByteCount) }
    }

    /// Returns the growth of files in bytes per recorded second, if it is known.
    private func rate(of indices: [Int]) -> Double? {
        guard let first = history.first, let last = history.last, last.seconds - first.seconds >= Self.minimumWindow else { return nil }
        return indices.reduce(0) { $0 + Double(last.byteCounts[$1] - first.byteCounts[$1]) } / (last.seconds - first.seconds)
    }
}
