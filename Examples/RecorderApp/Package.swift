// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "RecorderApp",
    platforms: [.macOS(.v15), .iOS(.v18)],
    // Elsewhere: .package(url: "https://…/linnet", from: "0.4.0")
    dependencies: [.package(name: "linnet", path: "../..")],
    targets: [
        .target(
            name: "RecorderApp",
            dependencies: [
                .product(name: "AACCodec", package: "linnet"),
                .product(name: "AudioDevices", package: "linnet"),
                .product(name: "LiveAudio", package: "linnet"),
                .product(name: "LiveStreaming", package: "linnet"),
            ])
    ]
)
