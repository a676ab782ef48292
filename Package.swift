// swift-tools-version: 6.2
import PackageDescription

let shared: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
/// Codec and containers read untrusted bytes: every unsafe construct in them must be marked.
let memorySafe: [SwiftSetting] =
    shared + [.strictMemorySafety(), .enableExperimentalFeature("Lifetimes")]

/// Whether to include tests, benchmarks and fuzz targets, so that one build serves all; set by Scripts/test.
let isDevelopment = Context.environment["LINNET_DEVELOPMENT"] != nil
/// Test expectations need no optimiser, which would dominate the build time.
let tests = isDevelopment ? shared + [.unsafeFlags(["-Onone"])] : shared

let package = Package(
    name: "linnet",
    // For Mutex and Atomic.
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        // Five modules without dependencies, each usable alone
        .library(name: "AudioPrimitives", targets: ["AudioPrimitives"]),
        .library(name: "MPEG4Audio", targets: ["MPEG4Audio"]),
        .library(name: "AACCodec", targets: ["AACCodec"]),
        .library(name: "USACCodec", targets: ["USACCodec"]),
        .library(name: "AudioMetadata", targets: ["AudioMetadata"]),
        .library(name: "AudioContainers", targets: ["AudioContainers"]),
        // Superframes of digital radio
        .library(name: "DABPlus", targets: ["DABPlus"]),
        // Speech at 8 kHz
        .library(name: "ILBCCodec", targets: ["ILBCCodec"]),
        // Speech and music from 6 to 510 kbit/s
        .library(name: "OpusCodec", targets: ["OpusCodec"]),
        // Apple Lossless
        .library(name: "ALACCodec", targets: ["ALACCodec"]),
        // Measures of a signal relative to its reference, also without dependencies
        .library(name: "AudioMeasures", targets: ["AudioMeasures"]),
        // Loudness and true peaks, by EBU R 128
        .library(name: "AudioLoudness", targets: ["AudioLoudness"]),
        // Conversion between any two formats: PCM and codecs
        .library(name: "AudioConversion", targets: ["AudioConversion"]),
        // Pages and pictures about files
        .library(name: "AudioReports", targets: ["AudioReports"]),
        // Whole files, without devices: encoding, decoding, remuxing and inspection
        .library(name: "PCMFiles", targets: ["PCMFiles"]),
        .library(name: "AudioFiles", targets: ["AudioFiles"]),
        .library(name: "BatchEncoding", targets: ["BatchEncoding"]),
        // Capture and playback
        .library(name: "AudioDevices", targets: ["AudioDevices"]),
        .library(name: "LiveAudio", targets: ["LiveAudio"]),
        // Live servers: RTMP, HLS, Icecast, SRT and RTP
        .library(name: "LiveStreaming", targets: ["LiveStreaming"]),
        // All of them with one import, and the command line tool
        .library(name: "Linnet", targets: ["Linnet"]),
        .executable(name: "linnet", targets: ["LinnetCommand"]),
    ],
    targets: [
        // The system's C library, under one name
        .target(name: "SystemLibrary", swiftSettings: memorySafe),
        // Library
        .target(name: "AudioPrimitives", swiftSettings: memorySafe),
        .target(name: "MPEG4Audio", dependencies: ["AudioPrimitives"], swiftSettings: memorySafe),
        // The shared part of transform codecs: mathematics, filter banks, prefix codes, bands, TNS, SBR
        .target(name: "TransformCoding", dependencies: ["AudioPrimitives", "MPEG4Audio"], swiftSettings: memorySafe),
        // The shared part of transform encoders: psychoacoustics, window decision, noise allocation, rate control, scale factors, SBR
        .target(
            name: "TransformEncoding", dependencies: ["AudioPrimitives", "MPEG4Audio", "TransformCoding"], swiftSettings: memorySafe),
        // Tags and pictures of files
        .target(name: "AudioMetadata", dependencies: ["AudioPrimitives"], swiftSettings: memorySafe),
        // Unified speech and audio coding (USAC), the xHE-AAC codec
        .target(
            name: "USACCodec", dependencies: ["AudioPrimitives", "MPEG4Audio", "TransformCoding"], swiftSettings: memorySafe,
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]),
        .target(
            name: "AACCodec", dependencies: ["AudioPrimitives", "MPEG4Audio", "TransformCoding", "TransformEncoding", "USACCodec"],
            swiftSettings: memorySafe,
            // Rounding and square roots call it where they are not inlined.
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]),
        .target(name: "AudioContainers", dependencies: ["AudioMetadata", "AudioPrimitives", "MPEG4Audio"], swiftSettings: memorySafe),
        // DAB+ superframes, and their requirements for an encoder
        .target(name: "DABPlus", dependencies: ["AudioContainers", "AudioPrimitives", "MPEG4Audio"], swiftSettings: memorySafe),
        .target(name: "ALACCodec", dependencies: ["AudioPrimitives"], swiftSettings: memorySafe),
        .target(
            name: "ILBCCodec", dependencies: ["AudioPrimitives", "SystemLibrary"], swiftSettings: memorySafe,
            // Cosines, powers and logarithms.
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]),
        // The difference of a signal from its reference; for tests, tuning and `linnet compare`
        .target(
            name: "AudioMeasures", dependencies: ["SystemLibrary"], swiftSettings: memorySafe,
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]),
        // Sample rate conversion, by a polyphase filter
        .target(
            name: "SampleRateConversion", dependencies: ["AudioMeasures", "SystemLibrary", "TransformCoding"], swiftSettings: memorySafe,
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]),
        // JSON values, read and written; only for this package
        .target(name: "JSONText", swiftSettings: memorySafe),
        // Loudness and the true peak limiter
        .target(
            name: "AudioLoudness",
            dependencies: ["AudioPrimitives", "SystemLibrary"], swiftSettings: shared,
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux, .android]))]),
        // File input and output; only for this package
        .target(name: "SystemFiles", dependencies: ["SystemLibrary"], swiftSettings: shared),
        // Functions of libraries loaded at run time, one module per user. We declare them, so that a build needs no headers.
        .target(name: "CRuntimeLibraries", path: "Sources/CShims/CRuntimeLibraries"),
        // FLAC through libFLAC, MP3 through libmpg123, other PCM files through libsndfile, sample rates through libsoxr
        .target(name: "CPCMLibraries", dependencies: ["CRuntimeLibraries"], path: "Sources/CShims/CPCMLibraries"),
        .target(
            name: "PCMFiles",
            dependencies: [
                "AudioContainers", "AudioMetadata", "AudioPrimitives", "CLinnet", "SampleRateConversion", "SystemFiles", "SystemLibrary",
                .target(name: "CPCMLibraries", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: shared),
        // Opus through libopus, loaded at run time
        .target(name: "COpusLibrary", dependencies: ["CRuntimeLibraries"], path: "Sources/CShims/COpusLibrary"),
        .target(
            name: "OpusCodec", dependencies: ["AudioPrimitives", .target(name: "COpusLibrary", condition: .when(platforms: [.linux]))],
            swiftSettings: memorySafe),
        // Conversion between PCM formats and codecs, and the codec list
        .target(
            name: "AudioConversion",
            dependencies: [
                "AudioPrimitives", "MPEG4Audio", "AACCodec", "AudioContainers", "ALACCodec", "ILBCCodec", "OpusCodec", "PCMFiles",
                "SampleRateConversion", "SystemLibrary", "USACCodec",
            ],
            swiftSettings: memorySafe),
        // Capture and playback. libpulse, libasound and liblinnet-echo are loaded at run time.
        .target(name: "CLinuxAudio", dependencies: ["CRuntimeLibraries"], path: "Sources/CShims/CLinuxAudio"),
        .target(
            name: "AudioDevices",
            dependencies: [
                "AudioMeasures", "AudioPrimitives", "SystemFiles", "SystemLibrary",
                .target(name: "CLinuxAudio", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: shared),
        // The header of the C library, which defines the version
        .systemLibrary(name: "CLinnet", path: "CLibrary/Sources/CLinnet"),
        // Whole files
        .target(
            name: "AudioFiles",
            dependencies: [
                "AudioPrimitives", "MPEG4Audio", "AACCodec", "AudioContainers", "AudioConversion", "AudioLoudness", "AudioMeasures",
                "AudioMetadata", "DABPlus", "JSONText", "OpusCodec", "PCMFiles", "SystemFiles", "SystemLibrary", "TransformCoding",
                "TransformEncoding", "USACCodec",
                .target(name: "CRuntimeLibraries", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: shared),
        // Many files
        .target(
            name: "BatchEncoding",
            dependencies: [
                "AACCodec", "AudioContainers", "AudioConversion", "AudioFiles", "AudioMeasures", "AudioMetadata", "JSONText", "PCMFiles",
                "SystemFiles",
                "SystemLibrary",
            ],
            swiftSettings: shared),
        // Recorder and player
        .target(
            name: "LiveAudio",
            dependencies: [
                "AudioMetadata", "AudioPrimitives", "MPEG4Audio", "AACCodec", "AudioContainers", "AudioConversion", "AudioDevices",
                "AudioLoudness", "OpusCodec", "PCMFiles", "SampleRateConversion", "SystemFiles", "SystemLibrary", "DABPlus",
            ],
            swiftSettings: shared),
        // Live servers as sinks of the recorder. Protocol libraries are loaded at run time.
        .target(name: "CStreamingLibraries", dependencies: ["CRuntimeLibraries"], path: "Sources/CShims/CStreamingLibraries"),
        .target(
            name: "LiveStreaming",
            dependencies: [
                "AudioMetadata", "AudioPrimitives", "MPEG4Audio", "AACCodec", "AudioContainers", "AudioConversion", "AudioDevices",
                "LiveAudio", "PCMFiles", "SystemFiles", "SystemLibrary",
                .target(name: "CStreamingLibraries", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: shared),
        // Pictures and pages about files. zlib is loaded at run time.
        .target(name: "CCompression", dependencies: ["CRuntimeLibraries"], path: "Sources/CShims/CCompression"),
        .target(
            name: "AudioReports",
            dependencies: [
                "AACCodec", "AudioContainers", "AudioConversion", "AudioFiles", "AudioLoudness", "AudioMeasures", "AudioMetadata",
                "AudioPrimitives", "JSONText", "MPEG4Audio", "PCMFiles",
                "SystemFiles", "SystemLibrary", .target(name: "CCompression", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: shared),
        // All of the above with one import, and the command line tool
        .target(
            name: "Linnet",
            dependencies: [
                "AudioMetadata", "AudioPrimitives", "MPEG4Audio", "AACCodec", "AudioContainers", "AudioConversion", "AudioDevices",
                "AudioFiles",
                "ALACCodec", "AudioLoudness", "AudioMeasures", "AudioReports", "BatchEncoding", "ILBCCodec", "LiveAudio", "LiveStreaming",
                "OpusCodec",
                "PCMFiles", "USACCodec", "DABPlus",
            ],
            swiftSettings: shared),
        .systemLibrary(name: "CGetopt", path: "Sources/CShims/CGetopt"),
        .executableTarget(
            name: "LinnetCommand",
            dependencies: [
                "AudioMetadata", "AudioPrimitives", "MPEG4Audio", "AACCodec", "AudioContainers", "AudioConversion", "AudioDevices",
                "AudioFiles",
                "AudioLoudness", "AudioMeasures", "AudioReports", "BatchEncoding", "JSONText", "LiveAudio", "LiveStreaming", "OpusCodec",
                "PCMFiles", "SystemFiles", "SystemLibrary",
                "CGetopt", "DABPlus",
            ],
            swiftSettings: shared),
        // Tests
        .target(
            name: "TestSupport", dependencies: ["AudioPrimitives", "SystemLibrary", "TransformCoding"], path: "Tests/TestSupport",
            resources: [.copy("Resources")], swiftSettings: shared),
        .testTarget(
            name: "AudioPrimitivesTests", dependencies: ["AudioPrimitives", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "MPEG4AudioTests", dependencies: ["AudioPrimitives", "MPEG4Audio", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "TransformCodingTests", dependencies: ["AudioPrimitives", "MPEG4Audio", "TestSupport", "TransformCoding"],
            swiftSettings: tests),
        .testTarget(
            name: "TransformEncodingTests",
            dependencies: ["AudioPrimitives", "MPEG4Audio", "TestSupport", "TransformCoding", "TransformEncoding"], swiftSettings: tests),
        .testTarget(
            name: "AACCodecTests",
            dependencies: [
                "AACCodec", "AudioPrimitives", "MPEG4Audio", "TestSupport", "TransformCoding", "TransformEncoding", "USACCodec",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "USACCodecTests", dependencies: ["USACCodec", "AudioPrimitives", "MPEG4Audio", "TestSupport", "TransformCoding"],
            swiftSettings: tests),
        .testTarget(
            name: "AudioMetadataTests", dependencies: ["AudioMetadata", "AudioPrimitives", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "AudioContainersTests",
            dependencies: ["AudioMetadata", "AudioPrimitives", "MPEG4Audio", "AudioContainers", "TestSupport"],
            swiftSettings: tests),
        .testTarget(
            name: "DABPlusTests",
            dependencies: ["DABPlus", "AACCodec", "AudioContainers", "AudioPrimitives", "MPEG4Audio", "TestSupport", "TransformCoding"],
            swiftSettings: tests),
        .testTarget(name: "ALACCodecTests", dependencies: ["ALACCodec", "AudioPrimitives", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "ILBCCodecTests", dependencies: ["ILBCCodec", "AudioContainers", "AudioPrimitives", "TestSupport"], swiftSettings: tests),
        .testTarget(name: "OpusCodecTests", dependencies: ["OpusCodec", "AudioPrimitives", "TestSupport"], swiftSettings: tests),
        .testTarget(name: "AudioMeasuresTests", dependencies: ["AudioMeasures", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "SampleRateConversionTests", dependencies: ["SampleRateConversion", "TestSupport"], swiftSettings: tests),
        .testTarget(name: "JSONTextTests", dependencies: ["JSONText", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "AudioLoudnessTests", dependencies: ["AudioLoudness", "AudioPrimitives", "TestSupport", "SystemLibrary"],
            swiftSettings: tests),
        .testTarget(
            name: "AudioReportsTests",
            dependencies: [
                "AudioReports", "AACCodec", "AudioContainers", "AudioFiles", "AudioLoudness", "AudioMetadata", "AudioPrimitives",
                "PCMFiles", "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(name: "SystemFilesTests", dependencies: ["SystemFiles", "TestSupport"], swiftSettings: tests),
        .testTarget(
            name: "PCMFilesTests",
            dependencies: [
                "PCMFiles", "AudioContainers", "AudioMetadata", "AudioPrimitives", "MPEG4Audio", "SampleRateConversion", "SystemFiles",
                "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "AudioConversionTests",
            dependencies: [
                "AudioConversion", "AACCodec", "AudioContainers", "AudioPrimitives", "ILBCCodec", "MPEG4Audio", "OpusCodec", "PCMFiles",
                "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "AudioFilesTests",
            dependencies: [
                "AudioFiles", "AACCodec", "AudioContainers", "AudioConversion", "AudioLoudness", "AudioMetadata", "AudioPrimitives",
                "JSONText",
                "MPEG4Audio", "PCMFiles",
                "SystemFiles",
                "TestSupport", "TransformCoding", "DABPlus",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "BatchEncodingTests",
            dependencies: [
                "BatchEncoding", "AACCodec", "AudioContainers", "AudioFiles", "AudioMetadata", "AudioPrimitives", "JSONText", "MPEG4Audio",
                "PCMFiles",
                "SystemFiles",
                "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "LiveAudioTests",
            dependencies: [
                "LiveAudio", "AACCodec", "AudioContainers", "AudioDevices", "AudioFiles", "AudioMetadata", "AudioPrimitives", "MPEG4Audio",
                "PCMFiles",
                "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "LiveStreamingTests",
            dependencies: [
                "LiveStreaming", "AACCodec", "AudioContainers", "AudioConversion", "AudioDevices", "AudioFiles", "AudioMeasures",
                "AudioPrimitives", "LiveAudio", "MPEG4Audio", "OpusCodec",
                "SystemFiles", "SystemLibrary", "TestSupport",
                .target(name: "CStreamingLibraries", condition: .when(platforms: [.linux])),
            ],
            resources: [.copy("Resources")], swiftSettings: tests),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "LinnetCommand", "AACCodec", "AudioContainers", "AudioFiles", "AudioMeasures", "AudioMetadata", "AudioPrimitives",
                "JSONText", "LiveAudio",
                "MPEG4Audio", "PCMFiles",
                "TestSupport",
            ],
            swiftSettings: tests),
        .testTarget(
            name: "AudioDevicesTests", dependencies: ["AudioDevices", "AudioPrimitives", "CAllocationCounter", "LiveAudio", "TestSupport"],
            swiftSettings: tests),
        .target(name: "CAllocationCounter", path: "Tests/CAllocationCounter"),
        // The programs quoted in the documentation, with the users' access
        .testTarget(name: "SnippetTests", dependencies: ["Linnet", "TestSupport"], packageAccess: false, swiftSettings: tests),
        // Optimised: these tests process whole streams, and need four times the CPU time at -Onone.
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "AACCodec", "AudioContainers", "AudioPrimitives", "MPEG4Audio", "TestSupport", "TransformCoding", "TransformEncoding",
            ],
            swiftSettings: shared),
    ]
)

if isDevelopment {
    // Scripts/build links the command itself.
    package.products.removeAll { $0.name == "linnet" }
    /// The Foundation modules for programs with static libraries (Scripts/Support/development).
    let foundationLibraries = (Context.environment["LINNET_FOUNDATION_LIBRARIES"] ?? "").split(separator: ",").map(String.init)
    /// A program that sees only public declarations, unless it has package access.
    func user(_ name: String, _ dependencies: [Target.Dependency] = [], packageAccess: Bool = false) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, path: "Benchmarks/Sources/\(name)", packageAccess: packageAccess, swiftSettings: shared,
            linkerSettings: foundationLibraries.map { .linkedLibrary($0) })
    }
    package.targets += [
        // Benchmarks of whole programs; they use the command, not the library
        user("CodecComparison"),
        user("CaptureComparison"),
        // The quality of several encoders, for Scripts/Measure/quality
        user("QualityComparison", ["AudioContainers", "AudioMeasures", "AudioPrimitives", "AudioFiles"], packageAccess: true),
        // Constants of rate control, for Scripts/Measure/calibrate
        user("Calibration", ["AACCodec", "AudioFiles", "AudioMeasures", "AudioPrimitives", "TransformEncoding"], packageAccess: true),
        // Noise, aliasing and speed of PCM conversion, for Scripts/Measure/conversion
        user("ConversionMeasurement", ["AudioConversion", "AudioPrimitives", "PCMFiles", "SampleRateConversion"], packageAccess: true),
        // Only frames, for Scripts/Check/allocations
        user("AllocationProbe", ["AACCodec", "AudioPrimitives"]),
        // Only frames that are hard to code, for Scripts/Check/frame-costs
        user("FrameCosts", ["AACCodec", "AudioPrimitives"]),
        // Inner kernels
        user("TransformBenchmark", ["AACCodec", "TransformCoding"], packageAccess: true),
        // Targets for random bytes from Fuzzing/run, and for the seeds in a test
        .target(
            name: "FuzzTargets",
            dependencies: [
                "AACCodec", "ALACCodec", "AudioContainers", "AudioFiles", "AudioMetadata", "AudioPrimitives", "AudioReports",
                "BatchEncoding", "ILBCCodec",
                "JSONText", "LiveStreaming", "MPEG4Audio", "PCMFiles", "SystemFiles", "SystemLibrary", "USACCodec", "DABPlus",
            ],
            path: "Fuzzing/Sources/FuzzTargets", swiftSettings: shared),
        .testTarget(name: "FuzzTargetTests", dependencies: ["FuzzTargets"], swiftSettings: tests),
    ]
}

if Context.environment["LINNET_FUZZING"] != nil {
    // libFuzzer has the main function: this links only with --sanitize=fuzzer.
    package.targets.append(
        .executableTarget(
            name: "Fuzzer", dependencies: ["FuzzTargets", "SystemLibrary"], path: "Fuzzing/Sources/Fuzzer",
            swiftSettings: shared + [.unsafeFlags(["-parse-as-library"])]))
}

if let names = Context.environment["LINNET_TESTS"] {
    // Only these targets and their dependencies.
    var kept = Set(names.split(separator: ",").map(String.init))
    var pending = Array(kept)
    while let name = pending.popLast() {
        for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): if kept.insert(name).inserted { pending.append(name) }
            default: break
            }
        }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
} else {
    // No other target depends on benchmarks. Name one in LINNET_TESTS to build it.
    package.targets.removeAll { $0.path?.hasPrefix("Benchmarks/") == true }
}
