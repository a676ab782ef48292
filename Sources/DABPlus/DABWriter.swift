// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
package import AudioPrimitives
package import MPEG4Audio

/// A label with its start time.
public struct TimedLabel: Hashable, Sendable {
    /// The time from the first access unit.
    public var start: Duration
    /// The label, where an empty one removes the previous label.
    public var label: DynamicLabel

    /// Creates a label with its start time.
    public init(start: Duration, label: DynamicLabel) {
        self.start = start
        self.label = label
    }
}

/// Options of a superframe stream.
public struct DABWriterOptions: Hashable, Sendable {
    /// The sub-channel.
    ///
    /// The writer adds its programme-associated data to each access unit.
    public var subchannel: DABSubchannel
    /// The labels, sorted by time.
    ///
    /// They require at least eight bytes of programme-associated data.
    public var labels: [TimedLabel]

    /// Creates options.
    public init(subchannel: DABSubchannel, labels: [TimedLabel] = []) {
        self.subchannel = subchannel
        self.labels = labels
    }
}

/// Writes access units into DAB+ superframes (ETSI TS 102 563).
///
/// The access units of 120 ms must fit into a superframe, which an encoder ensures if its settings contain the sub-channel. If they are
/// shorter, the last one is zero-padded, which decoders ignore. Silence completes the last superframe.
package struct DABWriter<Sink: ByteSink>: ContainerWriter {
    package var sink: Sink

    private let format: DABAudioFormat
    private let labels: [TimedLabel]
    /// The sub-channel, or `nil` until the first superframe determines it.
    private var subchannel: DABSubchannel?
    private var pad: PADWriter
    private var nextLabel = 0
    /// The access units of the pending superframe, without checksums.
    private var accessUnits: [[UInt8]] = []
    private var accessUnitCount = 0
    private let code = ReedSolomonCode.shared

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - sink: The destination. It need not support overwriting.
    ///   - configuration: AAC-LC with a frame length of 960, one or two channels, and an output rate of 32 or 48 kHz, with or without SBR
    ///     and parametric stereo.
    ///   - options: The sub-channel and labels, or `nil` for the lowest bit rate that fits the first superframe, without adding
    ///     programme-associated data.
    /// - Throws: ``/AudioContainers/ContainerError`` for other configurations, invalid sub-channels, and labels with too few data bytes.
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
            guard subchannel.isValid, subchannel.rateGroup.unitsByteCount(format.accessUnitCount) >= format.accessUnitCount else {
                throw .unsupportedBitRate(subchannel.bitRate, dataByteCount: subchannel.padByteCount)
            }
            guard options.labels.isEmpty || subchannel.padByteCount >= PADWriter.minimumLabelByteCount else {
                throw .noRoomForLabels(dataByteCount: subchannel.padByteCount, minimum: PADWriter.minimumLabelByteCount)
            }
        }
        self.sink = sink
        self.format = format
        subchannel = options?.subchannel
        labels = options?.labels ?? []
        pad = PADWriter(byteCount: options?.subchannel.padByteCount ?? 0)
    }

    /// Adds an access unit, and writes the superframe if this completes it.
    ///
    /// - Throws: ``/AudioContainers/ContainerError/emptyAccessUnit``,
    ///   ``/AudioContainers/ContainerError/unitGroupTooLong(byteCount:limit:)`` if the access units exceed the superframe, or
    ///   ``/AudioContainers/ContainerError/outputFailed(code:)``.
    package mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) {
        guard !accessUnit.payload.isEmpty else { throw .emptyAccessUnit }
        try append(accessUnit.payload)
    }

    private mutating func append(_ payload: [UInt8]) throws(ContainerError) {
        advanceLabel()
        let hasData = (subchannel?.padByteCount ?? 0) > 0
        accessUnits.append(hasData ? pad.next().prepended(to: payload) : payload)
        accessUnitCount += 1
        guard accessUnits.count == format.accessUnitCount else { return }
        defer { accessUnits.removeAll(keepingCapacity: true) }
        try sink.append(try superframe())
    }

    /// Starts the next label if it is due.
    private mutating func advanceLabel() {
        guard nextLabel < labels.count else { return }
        // A superframe lasts 120 ms with any number of access units.
        let time = Duration.milliseconds(120) * accessUnitCount / format.accessUnitCount
        while nextLabel < labels.count, labels[nextLabel].start <= time {
            pad.setLabel(labels[nextLabel].label)
            nextLabel += 1
        }
    }

    private mutating func superframe() throws(ContainerError) -> [UInt8] {
        let total = accessUnits.reduce(0) { $0 + $1.count }
        let overhead = format.headerByteCount + format.accessUnitCount * DABAudioFormat.checksumByteCount
        let needed = (total + overhead + ReedSolomonCode.dataByteCount - 1) / ReedSolomonCode.dataByteCount
        let subchannel = subchannel ?? DABSubchannel(bitRate: 8_000 * min(needed, DABSubchannel.bitRates.count))
        self.subchannel = subchannel
        let limit = ReedSolomonCode.dataByteCount * subchannel.index - overhead
        guard total <= limit else { throw .unitGroupTooLong(byteCount: total, limit: limit) }
        var lengths = accessUnits.map { $0.count + DABAudioFormat.checksumByteCount }
        lengths[lengths.count - 1] += limit - total
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ReedSolomonCode.byteCount * subchannel.index)
        SuperframeHeader(format, byteCounts: lengths).append(to: &bytes)
        for index in accessUnits.indices {
            let start = bytes.count
            bytes += accessUnits[index]
            if index + 1 == accessUnits.count { bytes.append(contentsOf: repeatElement(0, count: limit - total)) }
            DABChecksum.accessUnits.append(to: &bytes, from: start)
        }
        SuperframeHeader.protect(&bytes, from: 0)
        code.appendParity(to: &bytes, wordCount: subchannel.index)
        return bytes
    }

    /// Completes the last superframe with silence.
    ///
    /// - Parameter gaplessInfo: Ignored, because superframes cannot store it.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        while !accessUnits.isEmpty { try append(format.silence) }
    }
}

extension DABWriter: Sendable where Sink: Sendable {}

extension DABAudioFormat {
    /// A silent access unit: an SCE or CPE without bands, and the end element.
    fileprivate var silence: [UInt8] {
        var writer = BitWriter(byteCapacity: 16)
        // Element ID (SCE or CPE) and instance tag 0. For a CPE, `common_window` 0.
        writer.write(isStereo ? 1 : 0, count: 3)
        writer.write(0, count: 4)
        if isStereo { writer.write(false) }
        for _ in 0..<(isStereo ? 2 : 1) {
            // Global gain; long sine window without bands or prediction; no pulses, TNS or gain control.
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
