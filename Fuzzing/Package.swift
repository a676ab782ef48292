// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because its programs only link with `--sanitize=fuzzer`; README.md says how to run them.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// A fuzz target: one program that is named after the parser it feeds, as its folder and its corpus are.
func fuzzer(_ name: String, _ products: String..., others: [Target.Dependency] = []) -> Target {
    .executableTarget(
        name: name, dependencies: products.map { .product(name: $0, package: "linnet") } + others,
        swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(
    name: "fuzzing",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "linnet", path: "..")],
    targets: [
        .target(
            name: "Expectations", dependencies: [.product(name: "AudioContainers", package: "linnet")], swiftSettings: settings),
        // Parsers that are not public, compiled here from the same sources, by way of links
        .target(
            name: "AudioFilesParts",
            dependencies: [
                "JSONTextParts", .product(name: "AudioPrimitives", package: "linnet"), .product(name: "PCMFiles", package: "linnet"),
            ],
            swiftSettings: settings + [.unsafeFlags(["-enable-testing", "-module-alias", "JSONText=JSONTextParts"])]),
        .target(name: "AudioReportsParts", swiftSettings: settings),
        .target(
            name: "BatchEncodingParts", sources: ["Manifest/CSVReader.swift", "Manifest/ManifestProblem.swift"], swiftSettings: settings),
        .target(name: "JSONTextParts", swiftSettings: settings),
        .target(
            name: "LiveStreamingParts",
            sources: [
                "HLS/HLSDate.swift", "HLS/HLSFileNames.swift", "HLS/HLSMediaPlaylist.swift", "HLS/HLSMediaPlaylist+Reading.swift",
                "HLS/HLSMediaPlaylist+Text.swift", "Network/ServerURL.swift", "Network/Unicode.Scalar+Terminal.swift",
                "RTMP/AMF0Value.swift", "RTMP/RTMPAddress.swift", "RTMP/RTMPChunkReader.swift", "RTMP/RTMPChunkWriter.swift",
                "RTMP/RTMPMessage.swift", "RTMP/RTMPPublishingSession.swift", "Network/ServerText.swift",
            ], swiftSettings: settings),
        .target(name: "MemoryFiles", dependencies: ["SystemFilesParts"], swiftSettings: settings),
        .target(
            name: "PCMFilesParts",
            dependencies: ["SystemFilesParts", .product(name: "AudioPrimitives", package: "linnet")],
            sources: [
                "MPEGAudio", "PCMFileError.swift", "PCMFileFormat.swift", "PCMFileTags.swift", "PCMOutputFormat.swift",
                "WAVE/WAVEHeader.swift", "WAVE/WAVEInformation.swift",
            ],
            swiftSettings: settings + [.unsafeFlags(["-enable-testing", "-module-alias", "SystemFiles=SystemFilesParts"])]),
        // The product has the module of the C library among its targets.
        .target(name: "SystemFilesParts", dependencies: [.product(name: "PCMFiles", package: "linnet")], swiftSettings: settings),
        fuzzer("adts", "AudioContainers", others: ["Expectations"]),
        fuzzer("alac", "ALACCodec", "AudioPrimitives"),
        fuzzer("asc", "MPEG4Audio"),
        fuzzer("caf", "AudioContainers", others: ["Expectations"]),
        fuzzer("container-tree", others: ["AudioReportsParts"]),
        fuzzer("csv", others: ["BatchEncodingParts"]),
        fuzzer("decode", "AACCodec", "AudioPrimitives", "MPEG4Audio"),
        fuzzer("ilbc", "AudioContainers", "AudioPrimitives", "ILBCCodec", others: ["Expectations"]),
        fuzzer("json", others: ["JSONTextParts"]),
        fuzzer("latm", "AudioContainers", others: ["Expectations"]),
        fuzzer("mp4", "AudioContainers", others: ["Expectations"]),
        fuzzer("amf0", others: ["LiveStreamingParts"]),
        fuzzer("hls-playlist", others: ["LiveStreamingParts"]),
        fuzzer("mpeg-audio", others: ["MemoryFiles", "PCMFilesParts"]),
        fuzzer("ogg", "AudioContainers", others: ["Expectations"]),
        fuzzer("rtmp-chunks", others: ["LiveStreamingParts"]),
        fuzzer("rtmp-session", others: ["LiveStreamingParts"]),
        fuzzer("segments", others: ["AudioFilesParts"]),
        fuzzer("ts", "AudioContainers", others: ["Expectations"]),
        fuzzer("sbr", "AACCodec", "AudioPrimitives", "MPEG4Audio"),
        fuzzer("wav", others: ["MemoryFiles", "PCMFilesParts"]),
    ]
)
