// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
/// Identifiers of Matroska elements (RFC 9559, 5.1).
enum MatroskaID {
    static let ebml: UInt32 = 0x1A45_DFA3
    static let maximumIDLength: UInt32 = 0x42F2
    static let maximumSizeLength: UInt32 = 0x42F3
    static let readVersion: UInt32 = 0x42F7
    static let docType: UInt32 = 0x4282
    static let docTypeReadVersion: UInt32 = 0x4285
    static let void: UInt32 = 0xEC
    static let checksum: UInt32 = 0xBF

    static let segment: UInt32 = 0x1853_8067
    static let seekHead: UInt32 = 0x114D_9B74
    static let info: UInt32 = 0x1549_A966
    static let tracks: UInt32 = 0x1654_AE6B
    static let cluster: UInt32 = 0x1F43_B675
    static let cues: UInt32 = 0x1C53_BB6B
    static let chapters: UInt32 = 0x1043_A770
    static let tags: UInt32 = 0x1254_C367
    static let attachments: UInt32 = 0x1941_A469

    static let timestampScale: UInt32 = 0x2AD7B1
    static let title: UInt32 = 0x7BA9
    static let writingApplication: UInt32 = 0x5741

    static let timestamp: UInt32 = 0xE7
    static let silentTracks: UInt32 = 0x5854
    static let position: UInt32 = 0xA7
    static let previousSize: UInt32 = 0xAB
    static let simpleBlock: UInt32 = 0xA3
    static let encryptedBlock: UInt32 = 0xAF
    static let blockGroup: UInt32 = 0xA0
    static let block: UInt32 = 0xA1
    static let discardPadding: UInt32 = 0x75A2

    /// The parts of a segment that form the index.
    static let sections: Set<UInt32> = [info, tracks, chapters, tags, attachments]
    /// All elements that can follow each other in a segment or a cluster.
    static let known: Set<UInt32> = sections.union([
        ebml, segment, seekHead, cluster, cues, void, checksum, timestamp, silentTracks, position, previousSize, simpleBlock,
        encryptedBlock,
        blockGroup,
    ])
    /// The elements of known size that contain audio.
    static let blocks: Set<UInt32> = [simpleBlock, blockGroup]

    // Tracks
    static let trackEntry: UInt32 = 0xAE
    static let trackNumber: UInt32 = 0xD7
    static let trackUID: UInt32 = 0x73C5
    static let trackType: UInt32 = 0x83
    static let isEnabled: UInt32 = 0xB9
    static let isDefault: UInt32 = 0x88
    static let name: UInt32 = 0x536E
    static let language: UInt32 = 0x22B59C
    static let languageBCP47: UInt32 = 0x22B59D
    static let codecID: UInt32 = 0x86
    static let codecPrivate: UInt32 = 0x63A2
    static let codecDelay: UInt32 = 0x56AA
    static let seekPreRoll: UInt32 = 0x56BB
    static let audio: UInt32 = 0xE1
    static let samplingFrequency: UInt32 = 0xB5
    static let outputSamplingFrequency: UInt32 = 0x78B5
    static let channels: UInt32 = 0x9F
    static let bitDepth: UInt32 = 0x6264
    static let contentEncodings: UInt32 = 0x6D80
    static let contentEncoding: UInt32 = 0x6240
    static let encodingOrder: UInt32 = 0x5031
    static let encodingScope: UInt32 = 0x5032
    static let encodingType: UInt32 = 0x5033
    static let compression: UInt32 = 0x5034
    static let compressionAlgorithm: UInt32 = 0x4254
    static let compressionSettings: UInt32 = 0x4255

    // Chapters
    static let edition: UInt32 = 0x45B9
    static let isDefaultEdition: UInt32 = 0x45DB
    static let chapterAtom: UInt32 = 0xB6
    static let chapterStart: UInt32 = 0x91
    static let isHiddenChapter: UInt32 = 0x98
    static let isEnabledChapter: UInt32 = 0x4598
    static let chapterDisplay: UInt32 = 0x80
    static let chapterString: UInt32 = 0x85

    // Attachments
    static let attachedFile: UInt32 = 0x61A7
    static let fileDescription: UInt32 = 0x467E
    static let fileName: UInt32 = 0x466E
    static let fileMediaType: UInt32 = 0x4660
    static let fileData: UInt32 = 0x465C

    // Tags
    static let tag: UInt32 = 0x7373
    static let targets: UInt32 = 0x63C0
    static let targetTypeValue: UInt32 = 0x68CA
    static let tagTrackUID: UInt32 = 0x63C5
    static let tagChapterUID: UInt32 = 0x63C4
    static let tagAttachmentUID: UInt32 = 0x63C6
    static let simpleTag: UInt32 = 0x67C8
    static let tagName: UInt32 = 0x45A3
    static let tagString: UInt32 = 0x4487
}
#endif
