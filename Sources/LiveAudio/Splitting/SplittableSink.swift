// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import PCMFiles

protocol SplittableSink: AnyObject, Sendable {
    /// Adds the next boundaries, on the sink's thread.
    ///
    /// The boundary of frame 0 comes before any audio.
    ///
    /// - Parameters:
    ///   - boundaries: The boundaries, in order.
    ///   - decidedFrame: All boundaries before this frame are known.
    func split(at boundaries: [FileBoundary], decidedFrame: Int)
}

/// A sink whose size can be estimated.
protocol GrowingSink: AnyObject {
    func growth(_ format: RecordingFormat) -> FileGrowth
}

extension RecorderSink {
    var splittable: (any SplittableSink)? {
        switch self {
        case .samples(let sink): sink as? any SplittableSink
        case .accessUnits(let sink): sink as? any SplittableSink
        case .signal(_, let sink): sink.splittable
        }
    }

    /// The growth of the output; `nil` if it is not a file.
    func growth(_ format: RecordingFormat) -> FileGrowth? {
        switch self {
        case .samples(let sink): (sink as? any GrowingSink)?.growth(format)
        case .accessUnits(let sink): (sink as? any GrowingSink)?.growth(format)
        case .signal(_, let sink): sink.growth(format)
        }
    }

    /// Returns a sink that creates its files as the configuration demands; unchanged if it is not a file or needs only one with a known name.
    func splitting(
        _ configuration: RecorderConfiguration, names: UsedNames, report: @escaping @Sendable (RecorderEvent) -> Void
    ) -> RecorderSink {
        let isDeferred = configuration.startLevel != nil
        let applies = isDeferred || configuration.splitting != nil
        func series<File>(_ file: File) -> FileSeries<File> {
            FileSeries(file, isDeferred: isDeferred, clock: configuration.wallClock, names: names, report: report)
        }
        switch self {
        case .samples(let sink as PCMFileSink) where (applies || sink.isPattern) && sink.isRepeatable:
            return .samples(to: SplitSampleSink(series(sink)))
        case .accessUnits(let sink as ContainerFileSink) where (applies || sink.isPattern) && sink.isRepeatable:
            return .accessUnits(to: SplitAccessUnitSink(series(sink), isExact: sink.container?.storesGaplessInfo ?? false))
        default: return self
        }
    }
}
