// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that no package that depends on linnet has these names among its modules; README.md says more.
let shared: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// The products of linnet that the module is built on; Apple's systems have a module of their own.
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
        // The C types of Core Audio that Swift code touches
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
