// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import MPEG4Audio

/// The containers that can be written, each with its writer.
public enum WritableContainer: Hashable, Sendable, CaseIterable {
    /// AAC in frames with headers of their own.
    case adts
    /// LATM in a LOAS sync stream.
    case loas
    /// MP4 with an index.
    case m4a
    /// MP4 in fragments.
    case fragmentedM4A
    /// Core Audio Format.
    case caf

    /// Units in a fragment: about a second.
    private static let unitsPerFragment = 43

    /// The container that files with an extension usually have, in any case and without the dot; nil for others.
    public init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "aac", "adts": self = .adts
        case "loas", "latm": self = .loas
        case "m4a", "m4b", "mp4": self = .m4a
        case "caf": self = .caf
        default: return nil
        }
    }

    /// Whether the sink has to allow changes, which pipes do not.
    public var needsOverwriting: Bool { self == .m4a || self == .caf }

    /// What to write to a pipe in place of it.
    public var forPipes: WritableContainer? {
        switch self {
        case .adts, .loas, .fragmentedM4A: self
        case .m4a: .fragmentedM4A
        case .caf: nil
        }
    }

    /// Whether there is a place for all of some tags; the encoder's name may be left out anywhere.
    public func holds(_ tags: AudioTags) -> Bool {
        var asked = tags
        asked.encoder = nil
        switch self {
        case .adts, .loas: return asked.isEmpty
        case .m4a, .fragmentedM4A: return true
        case .caf: return asked.cover == nil
        }
    }

    /// Makes a writer.
    ///
    /// Times in M4A count in sample frames of the core, as in Apple's files: FFmpeg, for one, takes them so in HE-AAC.
    ///
    /// - Parameters:
    ///   - configuration: The codec's configuration.
    ///   - tags: Title, artist and so on, where the container has a place for them.
    ///   - priming: Sample frames of the output rate before the sound; fragments tell it in front.
    ///   - expectedUnitCount: The number of units, if it is known; M4A then has its index in front.
    public func makeWriter(
        _ configuration: AudioSpecificConfig, tags: AudioTags = AudioTags(), priming: Int = 0, expectedUnitCount: Int? = nil
    ) throws(ContainerError) -> any AudioWriter {
        switch self {
        case .adts: return try ADTSWriter(configuration)
        case .loas: return try LOASWriter(configuration)
        case .caf: return try CAFWriter(configuration, tags: tags)
        case .m4a:
            let layout = expectedUnitCount.map { MP4Writer.Layout.indexInFront(expectedUnitCount: $0) } ?? .indexBehind
            return try MP4Writer(configuration, options: .init(layout: layout, tags: tags, usesCoreTimescale: true))
        case .fragmentedM4A:
            let layout = MP4Writer.Layout.fragmented(unitsPerFragment: Self.unitsPerFragment, priming: priming)
            return try MP4Writer(configuration, options: .init(layout: layout, tags: tags, usesCoreTimescale: true))
        }
    }
}
