// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that packages that depend on linnet do not get modules with these names (README.md).
let shared: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The linnet products that the module uses.
///
/// Apple's systems have their own module.
func linnet(_ products: String...) -> [Target.Dependency] {
    products.map { .product(name: $0, package: "linnet", condition: .when(platforms: [.linux])) }
}

let package = Package(
    name: "linnet-avfaudio",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "LinnetAVFAudio", targets: ["LinnetAVFAudio"])
    ],
    dependencies: [.package(name: "linnet", path: "..")],
    targets: [
        // The C types of Core Audio that Swift code uses
        .target(name: "CLinnetAudioTypes"),
        .target(
            name: "LinnetAVFAudio",
            dependencies: ["CLinnetAudioTypes"]
                + linnet(
                    "AACCodec", "AudioContainers", "AudioConversion", "AudioDevices", "AudioFiles", "AudioMetadata", "AudioPrimitives",
                    "MPEG4Audio",
                    "OpusCodec", "PCMFiles"),
            swiftSettings: shared),
        .testTarget(
            name: "LinnetAVFAudioTests", dependencies: ["LinnetAVFAudio"] + linnet("AudioDevices", "AudioPrimitives"),
            swiftSettings: shared),
    ]
)
