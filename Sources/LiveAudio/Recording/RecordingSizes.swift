// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import PCMFiles

/// Upper bounds for the sizes of the files of a recorded signal.
///
/// They include the audio that the encoder still holds, so that a file never exceeds its limit.
struct RecordingSizes {
    private struct Counts {
        var frames = 0
        var accessUnits = 0
        var payload = 0
    }

    private let growth: [FileGrowth]
    private let framesPerUnit: Int
    /// The access units that a file repeats before its first frame, without those of ``unitsAfterAccessPoint``.
    private let prerollUnits: Int
    /// The access units from the last access point on, if decoding can start only at some.
    private var unitsAfterAccessPoint = 0
    private let fileLimit: Int?

    private var file = Counts()
    private var finishedByteCount = 0
    private var frameCount = 0
    private var unitCount = 0
    private var largestUnit = 0

    /// Creates bounds.
    ///
    /// - Parameters:
    ///   - growth: The growth of each output file.
    ///   - fileLimit: The maximum size of a file, in bytes.
    init(_ growth: [FileGrowth], _ format: RecordingFormat, fileLimit: Int?) {
        self.growth = growth
        self.fileLimit = fileLimit
        framesPerUnit = max(1, format.framesPerUnit)
        let preroll = format.configuration.cutPrerollFrames(isStored: true)
        prerollUnits = (preroll + framesPerUnit - 1) / framesPerUnit + 1
    }

    /// Whether the largest file would exceed its limit with more frames.
    func isFull(with frames: Int) -> Bool { fileLimit.map { (byteCounts(adding: frames).max() ?? 0) > $0 } ?? false }

    /// Returns the size of all files with more frames.
    func totalByteCount(with frames: Int) -> Int { finishedByteCount + byteCounts(adding: frames).reduce(0, +) }

    /// Adds recorded frames.
    ///
    /// - Parameter startsFile: Whether a file begins at or before these frames.
    mutating func add(_ frames: Int, startsFile: Bool) {
        if startsFile, frameCount > 0 {
            finishedByteCount += byteCounts(adding: 0).reduce(0, +)
            let repeated = prerollUnits + (unitsAfterAccessPoint > 0 ? unitsAfterAccessPoint + heldUnits(adding: 0) : 0)
            file = Counts(accessUnits: repeated, payload: repeated * largestUnit)
        }
        frameCount += frames
        file.frames += frames
    }

    /// Adds an encoded access unit.
    ///
    /// - Parameter isAccessPoint: Whether decoding can start there; `nil` if it can start everywhere.
    mutating func addUnit(byteCount: Int, isAccessPoint: Bool?) {
        if let isAccessPoint { unitsAfterAccessPoint = isAccessPoint ? 1 : unitsAfterAccessPoint + 1 }
        unitCount += 1
        file.accessUnits += 1
        file.payload += byteCount
        largestUnit = max(largestUnit, byteCount)
    }

    /// Returns the maximum number of access units that the encoder still holds.
    private func heldUnits(adding frames: Int) -> Int { max(0, (frameCount + frames) / framesPerUnit + 4 - unitCount) }

    private func byteCounts(adding frames: Int) -> [Int] {
        let heldUnits = heldUnits(adding: frames)
        return growth.map {
            $0.byteCount(
                frames: file.frames + frames, accessUnits: file.accessUnits + heldUnits, payload: file.payload + heldUnits * largestUnit)
        }
    }
}
