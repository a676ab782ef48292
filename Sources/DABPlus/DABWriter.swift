// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
package import AudioPrimitives
package import MPEG4Audio

/// A label, and the time from which on it is shown.
public struct TimedLabel: Hashable, Sendable {
    /// The time from the first access unit on.
    public var start: Duration
    /// The label; an empty one removes the label before.
    public var label: DynamicLabel

    /// Creates a label with its time.
    public init(start: Duration, label: DynamicLabel) {
        self.start = start
        self.label = label
    }
}

/// Options of a stream of superframes.
public struct DABWriterOptions: Hashable, Sendable {
    /// The bit rate of the sub-channel, and the bytes of programme-associated data that the writer adds to each unit.
    public var subchannel: DABSubchannel
    /// The labels in the order of their times; they need programme-associated data of eight bytes or more.
    public var labels: [TimedLabel]

    /// Creates options.
    public init(subchannel: DABSubchannel, labels: [TimedLabel] = []) {
        self.subchannel = subchannel
        self.labels = labels
    }
}

/// Writes access units into superframes of DAB+ (ETSI TS 102 563).
///
/// The units of 120 ms have to fit a superframe, as those of an encoder do that has a sub-channel in its settings. The last one is padded with
/// zeros, which decoders ignore, where they are shorter; an incomplete last superframe is completed with silence.
package struct DABWriter<Sink: ByteSink>: ContainerWriter {
    /// The destination of the superframes.
    package var sink: Sink

    private let format: DABAudioFormat
    private let labels: [TimedLabel]
    /// The sub-channel; nil before the first superframe if it follows from that.
    private var subchannel: DABSubchannel?
    private var pad: PADWriter
    /// The next label.
    private var nextLabel = 0
    /// The units of the superframe in progress, with their checksums.
    private var units: [[UInt8]] = []
    /// The units so far.
    private var unitCount = 0
    private let code = ReedSolomonCode.shared

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - sink: The destination of the superframes; it need not support overwriting.
    ///   - configuration: The configuration of the stream: AAC-LC in frames of 960 samples, one or two channels, at 32 or 48 kHz, with or without
    ///     SBR and parametric stereo.
    ///   - options: The bit rate, and labels; nil for the lowest bit rate at which the units of the first superframe fit, without programme-associated
    ///     data beside those that units have.
    /// - Throws: ``/AudioContainers/ContainerError`` for other configurations and sub-channels, and labels without room for them.
    package init(to sink: Sink, _ configuration: AudioSpecificConfig, options: DABWriterOptions? = nil) throws(ContainerError) {
        guard configuration.objectType == .aacLC else { throw .unsupportedObjectType(configuration.objectType, allowed: [.aacLC]) }
        guard configuration.frameLength == 960 else { throw .unsupportedFrameLength(configuration.frameLength ?? 0, allowed: [960]) }
        let channels = configuration.channelConfiguration?.rawValue ?? 0
        guard (1...2).contains(channels) else { throw .unsupportedChannelConfiguration(channels, allowed: 1...2) }
        guard let format = DABAudioFormat(configuration) else {
            throw .unsupportedSampleRate(configuration.outputSampleRate, allowed: DABAudioFormat.sampleRates)
        }
        if let options {
            let subchannel = options.subchannel
            guard subchannel.isValid, subchannel.rateGroup.unitsByteCount(format.unitCount) >= format.unitCount else {
                throw .unsupportedBitRate(subchannel.bitRate, dataByteCount: subchannel.padByteCount)
            }
            guard options.labels.isEmpty || subchannel.padByteCount >= PADWriter.leastLabelByteCount else {
                throw .noRoomForLabels(dataByteCount: subchannel.padByteCount, minimum: PADWriter.leastLabelByteCount)
            }
        }
        self.sink = sink
        self.format = format
        subchannel = options?.subchannel
        labels = options?.labels ?? []
        pad = PADWriter(byteCount: options?.subchannel.padByteCount ?? 0)
    }

    /// Adds an access unit, and writes the superframe that it completes.
    ///
    /// - Parameter unit: The access unit.
    /// - Throws: ``/AudioContainers/ContainerError/emptyAccessUnit``, ``/AudioContainers/ContainerError/unitGroupTooLong(byteCount:limit:)`` if the units of a superframe do not fit
    ///   into it, or ``/AudioContainers/ContainerError/outputFailed(code:)``.
    package mutating func append(_ unit: AccessUnit) throws(ContainerError) {
        guard !unit.payload.isEmpty else { throw .emptyAccessUnit }
        try append(unit.payload)
    }

    /// Adds the bytes of an access unit.
    private mutating func append(_ payload: [UInt8]) throws(ContainerError) {
        advanceLabel()
        let hasData = (subchannel?.padByteCount ?? 0) > 0
        units.append(hasData ? pad.next().prepended(to: payload) : payload)
        unitCount += 1
        guard units.count == format.unitCount else { return }
        defer { units.removeAll(keepingCapacity: true) }
        try sink.append(try superframe())
    }

    /// Begins the next label if its time has come.
    private mutating func advanceLabel() {
        guard nextLabel < labels.count else { return }
        // A superframe takes 120 ms, whatever its units.
        let time = Duration.milliseconds(120) * unitCount / format.unitCount
        while nextLabel < labels.count, labels[nextLabel].start <= time {
            pad.setLabel(labels[nextLabel].label)
            nextLabel += 1
        }
    }

    /// Returns the superframe of the units in progress.
    private mutating func superframe() throws(ContainerError) -> [UInt8] {
        let total = units.reduce(0) { $0 + $1.count }
        let overhead = format.headerByteCount + format.unitCount * DABAudioFormat.checksumByteCount
        let needed = (total + overhead + ReedSolomonCode.dataByteCount - 1) / ReedSolomonCode.dataByteCount
        let subchannel = subchannel ?? DABSubchannel(bitRate: 8_000 * min(needed, DABSubchannel.bitRates.count))
        self.subchannel = subchannel
        let limit = ReedSolomonCode.dataByteCount * subchannel.index - overhead
        guard total <= limit else { throw .unitGroupTooLong(byteCount: total, limit: limit) }
        var lengths = units.map { $0.count + DABAudioFormat.checksumByteCount }
        lengths[lengths.count - 1] += limit - total
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ReedSolomonCode.byteCount * subchannel.index)
        SuperframeHeader(format, byteCounts: lengths).append(to: &bytes)
        for index in units.indices {
            let start = bytes.count
            bytes += units[index]
            if index + 1 == units.count { bytes.append(contentsOf: repeatElement(0, count: limit - total)) }
            DABChecksum.units.append(to: &bytes, from: start)
        }
        SuperframeHeader.protect(&bytes, from: 0)
        code.appendParity(to: &bytes, wordCount: subchannel.index)
        return bytes
    }

    /// Completes the last superframe with silence.
    ///
    /// - Parameter gaplessInfo: Ignored: superframes can't store it.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        while !units.isEmpty { try append(format.silence) }
    }
}

extension DABWriter: Sendable where Sink: Sendable {}

extension DABAudioFormat {
    /// An access unit without any signal: a channel element without bands, and the end.
    fileprivate var silence: [UInt8] {
        var writer = BitWriter(byteCapacity: 16)
        // The identifier of a single channel or a pair, and the tag 0; of a pair that it has no common window.
        writer.write(isStereo ? 1 : 0, count: 3)
        writer.write(0, count: 4)
        if isStereo { writer.write(false) }
        for _ in 0..<(isStereo ? 2 : 1) {
            // The global gain; a long window of the sine shape with no band, no prediction; no pulses, noise shaping or gain control.
            writer.write(0, count: 8)
            writer.write(0, count: 11)
            writer.write(0, count: 3)
        }
        writer.write(7, count: 3)
        writer.alignToByte()
        var bytes: [UInt8] = []
        writer.append(to: &bytes)
        return bytes
    }
}
