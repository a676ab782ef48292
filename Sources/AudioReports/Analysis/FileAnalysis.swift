// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioContainers
internal import AudioFiles
internal import AudioPrimitives
internal import PCMFiles
internal import Synchronization
internal import SystemFiles

/// Everything that a report tells about a file.
struct FileAnalysis: Sendable {
    /// The file's path.
    let path: String
    /// The signal.
    let signal: SignalAnalysis
    /// The access units; nil for PCM.
    let units: UnitColumns?
    /// The stream and the container; nil for PCM.
    let probe: ProbeSummary?
    /// The format of PCM; nil for coded audio.
    let format: PCMFileProperties?
    /// The structure; nil where there are no parts.
    let tree: ContainerTree?
    /// The size in bytes.
    let byteCount: Int
    /// The noise against the reference; nil without one.
    var noise: NoiseColumns?

    /// The result of reading the access units.
    private final class Units: Sendable {
        let result = Mutex<(ProbeSummary, UnitColumns)?>(nil)
    }

    /// Analyzes a file, on several threads.
    ///
    /// - Throws: ``/AudioFiles/AudioFileError`` if it can't be read.
    init(path: String, threadCount: Int) throws(AudioFileError) {
        self.path = path
        let summary = try Self.probe(path)
        let units = Units()
        let prober = summary.map { summary in
            WorkerThreads(count: 1) {
                let found = try? Self.readUnits(path, summary)
                units.result.withLock { $0 = found }
            }
        }
        let outcome: Result<SignalAnalysis, AudioFileError>
        do throws(AudioFileError) {
            let seconds = summary.map { $0.duration / .seconds(1) }
            outcome = .success(try SignalAnalysis(path: path, seconds: seconds, threadCount: max(1, threadCount - 1)))
        } catch {
            outcome = .failure(error)
        }
        prober?.join()
        signal = try outcome.get()
        let found = units.result.withLock { $0 }
        probe = found?.0 ?? summary
        self.units = found?.1
        format = summary == nil ? (try? PCMFileReader(path: path))?.properties : nil
        tree = ContainerTree(path: path)
        byteCount = (try? FileStatus(of: path))?.byteCount ?? 0
    }

    /// Reads the access units of a file without decoding them; returns nil if it can only be one of PCM.
    private static func probe(_ path: String) throws(AudioFileError) -> ProbeSummary? {
        do {
            return try ProbeSummary(contentsOf: path)
        } catch {
            switch error.code {
            case .unsupportedInput, .unsupportedCodec, .noAccessUnits: return nil
            default: throw error
            }
        }
    }

    /// Decodes all access units, and collects their sizes and tools.
    private static func readUnits(_ path: String, _ summary: ProbeSummary) throws -> (ProbeSummary, UnitColumns) {
        let rate = Double(summary.outputSampleRate)
        let countingRate = Double(max(1, summary.configuration.sampleRate))
        let seconds = summary.gaplessInfo.map { Double($0.validFrames) / countingRate } ?? summary.duration / .seconds(1)
        let grid = ColumnGrid(frameCount: Int((seconds * rate).rounded()), sampleRate: summary.outputSampleRate)
        var columns = UnitColumns(grid: grid)
        var time = summary.gaplessInfo.map { -Double($0.primingFrames) / countingRate } ?? 0
        let result = try ProbeSummary(contentsOf: path, [.decoding, .tools]) { probed in
            let duration = Double(probed.frameCount) / rate
            columns.append(probed, start: time, duration: duration)
            time += duration
        }
        columns.finish()
        return (result, columns)
    }

    /// Returns all figures, the signal's first.
    ///
    /// - Parameter targetBitRate: The bit rate that was asked for in bit/s; nil if it is unknown.
    func figures(targetBitRate: Int?) -> [Figure] {
        let names = signal.channelLayout.map { layout in layout.speakers.map(\.abbreviation) } ?? []
        let figures = SignalFigures(analysis: signal, channelNames: signal.columns.channelCount == 2 ? ["L", "R"] : names)
        let stream = StreamFigures(
            grid: signal.columns.grid, units: units, noise: noise, targetBitRate: targetBitRate,
            averageBitRate: probe?.averageBitRate ?? 0)
        let image = [figures.directions, figures.correlation].compactMap { $0 }
        return [figures.waveform, figures.spectrogram] + [figures.loudness].compactMap { $0 } + stream.all + image
    }
}
