// SPDX-License-Identifier: Apache-2.0

package import AudioFiles
package import AudioLoudness
internal import AudioPrimitives
package import PCMFiles
internal import Synchronization
internal import SystemLibrary

/// The measured properties of a file's signal.
package struct SignalAnalysis: Sendable {
    let channelLayout: ChannelLayout?
    package var columns: SignalColumns
    /// Integrated loudness, loudness range and related values.
    package let loudness: LoudnessSummary
    /// The loudness of each 100 ms.
    let series: LoudnessSeries
    /// Problems of the file, such as damage.
    let warnings: [PCMFileWarning]
    /// The largest true peak, as an amplitude.
    package var truePeak: Float { columns.truePeaks.max() ?? 0 }

    private static let readFrames = 16_384

    /// Results shared by the threads.
    private final class Results: Sendable {
        let columns: Mutex<SignalColumns>
        let loudness: Mutex<(summary: LoudnessSummary, series: LoudnessSeries)>

        /// Starts with silence.
        init(_ columns: SignalColumns) {
            self.columns = Mutex(columns)
            loudness = Mutex(LoudnessMeter.summary(of: []))
        }
    }

    /// Reads a file and measures its signal on several threads.
    ///
    /// One thread decodes, one measures loudness, and the others measure columns.
    ///
    /// Reads the file again if its length was unknown or wrong.
    ///
    /// - Parameters:
    ///   - seconds: The duration, if the file does not store its length.
    ///   - threadCount: The number of threads for columns.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, or after cancellation.
    package init(
        _ input: AudioFileInput, seconds: Double?, threadCount: Int, isCancelled: () -> Bool = { false }
    ) throws(AudioFileError) {
        let file = try AudioFile(input)
        let length = file.frameCount ?? seconds.map { Int(($0 * Double(file.sampleRate)).rounded()) } ?? 0
        let grid = ColumnGrid(frameCount: length, sampleRate: file.sampleRate)
        var frameCount = 0
        try self.init(file, grid, path: input.name, threadCount: threadCount, isCancelled: isCancelled, frameCount: &frameCount)
        let actual = ColumnGrid(frameCount: frameCount, sampleRate: file.sampleRate)
        guard actual != grid else { return }
        try self.init(
            AudioFile(input), actual, path: input.name, threadCount: threadCount, isCancelled: isCancelled, frameCount: &frameCount)
    }

    /// Measures a signal in the columns of a grid, and counts the sample frames of the file.
    private init(
        _ file: AudioFile, _ grid: ColumnGrid, path: String, threadCount: Int, isCancelled: () -> Bool, frameCount: inout Int
    ) throws(AudioFileError) {
        let results = Results(SignalColumns(grid: grid, channelCount: file.channelCount))
        let parts = BoundedQueue<SignalPart>(capacity: 2 * threadCount)
        let workers = WorkerThreads(count: threadCount) {
            var analyzer = ColumnAnalyzer(grid: grid)
            while let part = parts.dequeue() {
                let measures = part.columns.map { ($0, analyzer.measure(part, column: $0)) }
                results.columns.withLock { columns in for (column, values) in measures { columns.set(column, values) } }
            }
        }
        let loudnessParts = BoundedQueue<SignalPart>(capacity: 4)
        channelLayout = file.channelLayout
        let (rate, channelCount, layout) = (file.sampleRate, file.channelCount, channelLayout)
        let listener = WorkerThreads(count: 1) {
            let meter = LoudnessMeter(sampleRate: rate, channelCount: channelCount, layout: layout, measuresTruePeak: false)
            while let part = loudnessParts.dequeue() { meter.add(part, grid) }
            results.loudness.withLock { $0 = LoudnessMeter.summary(of: [meter]) }
        }
        let failure =
            workers.count > 0 && listener.count > 0
            ? Self.read(file, grid, &frameCount) { part throws(AudioFileError) in
                guard !isCancelled() else { throw AudioFileError(.cancelled, path: path) }
                parts.enqueue(part)
                loudnessParts.enqueue(part)
            }
            // The system could not start a thread.
            : AudioFileError(.cannotRead(systemCode: EAGAIN), path: path)
        parts.finish(readers: workers.count)
        loudnessParts.finish(readers: listener.count)
        workers.join()
        listener.join()
        if let failure { throw failure }
        warnings = file.warnings
        columns = results.columns.withLock { $0 }
        (loudness, series) = results.loudness.withLock { $0 }
    }

    /// Reads the file in parts.
    ///
    /// Returns the error that ended it, if any.
    private static func read(
        _ file: AudioFile, _ grid: ColumnGrid, _ frameCount: inout Int, _ body: (SignalPart) throws(AudioFileError) -> Void
    ) -> AudioFileError? {
        var partition = SignalPartition(grid: grid, channelCount: file.channelCount)
        var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: readFrames)
        frameCount = 0
        do throws(AudioFileError) {
            while true {
                try file.read(into: &buffer)
                guard buffer.frameCount > 0 else { break }
                frameCount += buffer.frameCount
                for channel in 0..<file.channelCount {
                    partition.append(buffer.samples[buffer.range(ofChannel: channel)], channel: channel)
                }
                while let part = partition.next() { try body(part) }
            }
            partition.finish()
            while let part = partition.next() { try body(part) }
        } catch {
            return error
        }
        return nil
    }
}

extension LoudnessMeter {
    /// Measures the columns of a part, without the samples around them.
    fileprivate func add(_ part: SignalPart, _ grid: ColumnGrid) {
        let first = grid.start(ofColumn: part.columns.lowerBound) - part.origin
        let count = grid.start(ofColumn: part.columns.upperBound) - part.origin - first
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: count)
        for channel in 0..<channelCount {
            for frame in 0..<count { buffer.samples[channel * count + frame] = part.samples[channel][first + frame] }
        }
        add(buffer)
    }
}
