// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// Finds access units in a stream that arrives in chunks of any size, as from a pipe.
public protocol AudioStreamReader: Sendable {
    /// Takes the next bytes; traps after ``finish()``.
    mutating func append(_ bytes: some Collection<UInt8>)

    /// Says that the stream is over.
    mutating func finish()

    /// The next event; nil if more bytes are needed or, after ``finish()``, there is nothing more.
    mutating func next() -> ReaderEvent?
}

/// Reads the access units of a file in order, or from a chosen place on.
public protocol AudioReader {
    /// What the file says about its sound beyond the codec's configuration.
    var description: FileDescription { get }

    /// The next event; nil at the end.
    mutating func next() throws(ContainerError) -> ReaderEvent?

    /// Goes to the unit that holds a decoded sample frame, counted from the first of the first unit, priming included.
    ///
    /// The next unit may come before it, for the decoder to settle on: of what it decodes to, so many sample frames come
    /// before the wanted one as is returned. Past the end, nothing comes and 0 is returned.
    mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int
}

/// What a file says about its sound beyond the codec's configuration.
public struct FileDescription: Hashable, Sendable {
    /// Which decoded sample frames are sound, where the file tells.
    ///
    /// It counts frames of ``MPEG4Audio/AudioSpecificConfig/outputSampleRate``. Where a decoder finds SBR that the configuration does
    /// not tell of, it puts out twice as many.
    public var gaplessInfo: GaplessInfo?

    /// Runs of decoded sample frames within the sound that the file leaves out, in order; counted as those of ``gaplessInfo``.
    public var omittedRanges: [Range<Int>] = []

    /// Whether the file wants parts of the sound played in another order, or again.
    public var isRearranged = false

    /// The number of access units, where the file tells.
    public var accessUnitCount: Int?

    /// Title, artist and so on.
    public var tags = AudioTags()

    /// Makes an empty description.
    public init() {}
}
