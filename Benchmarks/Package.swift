// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who uses the library builds it. Scripts/Measure/speed runs it.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "linnet", path: "..")],
    targets: [
        // Whole programs side by side: knows no module of the library, only its command.
        .executableTarget(name: "CodecComparison", swiftSettings: settings),
        .executableTarget(name: "CaptureComparison", swiftSettings: settings),
        // The quality of encoders side by side, for Scripts/Measure/quality.
        .executableTarget(
            name: "QualityComparison",
            dependencies: [
                .product(name: "AudioContainers", package: "linnet"), .product(name: "AudioMeasures", package: "linnet"),
                .product(name: "AudioPrimitives", package: "linnet"), .product(name: "AudioFiles", package: "linnet"),
            ],
            swiftSettings: settings),
        // Noise, aliasing and speed of PCM conversion, for Scripts/Measure/conversion.
        .executableTarget(
            name: "ConversionMeasurement",
            dependencies: [
                .product(name: "AudioConversion", package: "linnet"), .product(name: "AudioPrimitives", package: "linnet"),
                .product(name: "PCMFiles", package: "linnet"),
            ],
            swiftSettings: settings),
        // Frames and nothing else, for Scripts/Check/allocations.
        .executableTarget(
            name: "AllocationProbe",
            dependencies: [
                .product(name: "AACCodec", package: "linnet"), .product(name: "AudioPrimitives", package: "linnet"),
            ],
            swiftSettings: settings),
        // The slowest frame against the mean.
        .executableTarget(
            name: "FrameTimes",
            dependencies: [
                .product(name: "AACCodec", package: "linnet"), .product(name: "AudioPrimitives", package: "linnet"),
            ],
            swiftSettings: settings),
        // Inner kernels, through @testable import: build with -Xswiftc -enable-testing.
        .executableTarget(
            name: "TransformBenchmark", dependencies: [.product(name: "AACCodec", package: "linnet")],
            swiftSettings: settings),
    ]
)
