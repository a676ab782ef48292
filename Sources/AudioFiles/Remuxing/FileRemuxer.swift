// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// What stops access units from moving to another container.
public enum RemuxingError: Error, Hashable, Sendable {
    /// The stream changes its configuration at this unit, which a container with one configuration can't hold.
    case configurationChange(path: String, unit: Int)
    /// The unit ends where only a decoder can tell.
    case unitsWithoutEnds(path: String)
    /// The container can't hold the stream.
    case container(path: String, ContainerError)
}

extension RemuxingError: CustomStringConvertible {
    /// One line: what can't be done with which file, and why.
    public var description: String {
        switch self {
        case .configurationChange(let path, let unit): "\(path) changes rate, channels or profile at access unit \(unit)"
        case .unitsWithoutEnds(let path): "\(path) does not say where its access units end; decode it and encode anew"
        case .container(let path, let error): "can't write \(path): \(error)"
        }
    }
}

/// Moves access units from one container to another, untouched.
public struct FileRemuxer {
    /// What was moved.
    public struct Summary: Hashable, Sendable {
        /// Access units.
        public var unitCount = 0
        /// Sample frames that they decode to.
        public var frameCount = 0
        /// Bytes of the output.
        public var byteCount = 0
        /// Bytes of the input that held no access unit and should have.
        public var lostByteCount = 0
        /// Whether the output has no place for tags that the input has.
        public var losesTags = false
    }

    private let input: String
    private let output: String
    private let container: ContainerFormat
    private let overwrites: Bool

    /// Prepares to move the units of `input` to `output`; `-` stands for standard input and output.
    public init(input: String, output: String, container: ContainerFormat, overwrites: Bool = false) {
        self.input = input
        self.output = output
        self.container = container
        self.overwrites = overwrites
    }

    /// Moves all units.
    ///
    /// If anything goes wrong, nothing is left of the output. Throws ``InputError``, ``CodedFileError``, ``OutputError`` and
    /// ``RemuxingError``.
    public func run() throws -> Summary {
        let reader = try AACFileReader(path: input)
        guard reader.format != .adif else { throw RemuxingError.unitsWithoutEnds(path: reader.path) }
        let file = try OutputFile(path: output, overwrites: overwrites, input: input)
        do {
            var summary = try move(reader, to: file)
            try file.commit()
            summary.byteCount = file.byteCount
            return summary
        } catch let error as ContainerError {
            throw OutputError(error, path: file.path) ?? RemuxingError.container(path: file.path, error) as any Error
        }
    }

    private func move(_ reader: AACFileReader, to file: OutputFile) throws -> Summary {
        guard let container = file.canOverwrite ? container : container.streamable else { throw ContainerError.sinkCannotOverwrite }
        let description = reader.description
        var writer: (any ContainerWriter<BufferedByteSink>)?
        var summary = Summary()
        var options = ContainerWriterOptions()
        options.tags = description.tags
        options.priming = description.gaplessInfo?.primingFrames ?? 0
        options.expectedUnitCount = description.accessUnitCount
        summary.losesTags = !container.canStore(description.tags)
        while let event = try reader.next() {
            switch event {
            case .configuration(let configuration):
                guard writer == nil else { throw RemuxingError.configurationChange(path: reader.path, unit: summary.unitCount) }
                writer = try container.makeWriter(to: BufferedByteSink(file: file), configuration, options: options)
            case .accessUnit(let unit):
                guard unit.rawDataBlockCount == 1 else { throw RemuxingError.unitsWithoutEnds(path: reader.path) }
                try writer?.append(unit.accessUnit)
                summary.unitCount += 1
                summary.frameCount += unit.accessUnit.duration
                if let waiting = writer?.sink.waiting.count, waiting > 32_768 { try writer?.sink.flush() }
            case .skipped(let skipped):
                if skipped.isDamage { summary.lostByteCount += skipped.byteRange.count }
            }
        }
        guard summary.unitCount > 0 else { throw InputError.noAccessUnits(path: reader.path) }
        try writer?.finish(description.gaplessInfo)
        try writer?.sink.flush()
        return summary
    }
}
