// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
package import AudioFiles
internal import AudioPrimitives
package import PCMFiles
internal import Synchronization
internal import SystemFiles

/// The measured properties of a file in a report.
package struct FileAnalysis: Sendable {
    /// The path, or the name of bytes in memory.
    let name: String
    package let signal: SignalAnalysis
    /// The access units; nil for PCM.
    package let units: UnitColumns?
    /// Stream and container; nil for PCM.
    package let probe: ProbeSummary?
    /// The PCM format; nil for encoded audio.
    let format: PCMFileProperties?
    /// The structure; nil for containers without parts.
    let tree: ContainerTree?
    let byteCount: Int
    /// The noise relative to the reference; nil without a reference.
    var noise: NoiseColumns?

    /// The result of reading the access units.
    private final class Units: Sendable {
        let result = Mutex<(ProbeSummary, UnitColumns)?>(nil)
    }

    /// Analyzes a file on several threads.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, or after cancellation.
    package init(
        _ input: AudioFileInput, threadCount: Int, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(AudioFileError) {
        name = input.name
        let summary = try Self.probe(input, isCancelled)
        let units = Units()
        let prober = summary.map { summary in
            WorkerThreads(count: 1) {
                let found = try? Self.readUnits(input, summary, isCancelled)
                units.result.withLock { $0 = found }
            }
        }
        let outcome: Result<SignalAnalysis, AudioFileError>
        do throws(AudioFileError) {
            let seconds = summary.map { $0.duration / .seconds(1) }
            let signalThreads = max(1, threadCount - 1)
            outcome = .success(try SignalAnalysis(input, seconds: seconds, threadCount: signalThreads, isCancelled: isCancelled))
        } catch {
            outcome = .failure(error)
        }
        prober?.join()
        signal = try outcome.get()
        guard !isCancelled() else { throw AudioFileError(.cancelled, path: name) }
        let found = units.result.withLock { $0 }
        probe = found?.0 ?? summary
        self.units = found?.1
        format = summary == nil ? (try? PCMFileReader.reading(input))?.properties : nil
        tree = ContainerTree(input)
        byteCount = (try? input.open())?.fileSize ?? 0
    }

    /// Reads the access units of a file without decoding them.
    ///
    /// Returns nil if the file can only be PCM.
    private static func probe(
        _ input: AudioFileInput, _ isCancelled: () -> Bool
    ) throws(AudioFileError) -> ProbeSummary? {
        do throws(AudioFileError) {
            return try ProbeSummary(of: input) { _ throws(AudioFileError) in
                if isCancelled() { throw AudioFileError(.cancelled, path: input.name) }
            }
        } catch {
            switch error.code {
            case .unsupportedInput, .unsupportedCodec, .noAccessUnits: return nil
            default: throw error
            }
        }
    }

    /// Decodes all access units, and collects their sizes and tools.
    private static func readUnits(
        _ input: AudioFileInput, _ summary: ProbeSummary, _ isCancelled: () -> Bool
    ) throws(AudioFileError) -> (ProbeSummary, UnitColumns) {
        let rate = Double(summary.outputSampleRate)
        let countingRate = Double(max(1, summary.configuration.sampleRate))
        let seconds = summary.gaplessInfo.map { Double($0.validFrames) / countingRate } ?? summary.duration / .seconds(1)
        let grid = ColumnGrid(frameCount: Int((seconds * rate).rounded()), sampleRate: summary.outputSampleRate)
        var columns = UnitColumns(grid: grid)
        var time = summary.gaplessInfo.map { -Double($0.primingFrames) / countingRate } ?? 0
        let result = try ProbeSummary(of: input, [.decoding, .tools]) { probed throws(AudioFileError) in
            if isCancelled() { throw AudioFileError(.cancelled, path: input.name) }
            let duration = Double(probed.frameCount) / rate
            columns.append(probed, start: time, duration: duration)
            time += duration
        }
        columns.finish()
        return (result, columns)
    }

    /// Returns all figures, starting with the signal's.
    ///
    /// - Parameter targetBitRate: The requested bit rate, in bits per second; nil if unknown.
    func figures(targetBitRate: Int?) -> [Figure] {
        let names = signal.channelLayout.map { layout in layout.speakers.map(\.abbreviation) } ?? []
        let figures = SignalFigures(analysis: signal, channelNames: signal.columns.channelCount == 2 ? ["L", "R"] : names)
        let stream = StreamFigures(
            grid: signal.columns.grid, units: units, noise: noise, targetBitRate: targetBitRate,
            averageBitRate: probe?.averageBitRate ?? 0)
        let image = [figures.directions, figures.correlation].compactMap { $0 }
        return [figures.waveform] + figures.spectrograms + [figures.loudness] + stream.all + image
    }
}
