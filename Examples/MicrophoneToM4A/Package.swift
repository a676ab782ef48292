// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MicrophoneToM4A",
    platforms: [.macOS(.v15)],
    // Elsewhere: .package(url: "https://…/linnet", from: "0.4.0")
    dependencies: [.package(name: "linnet", path: "../..")],
    targets: [
        .executableTarget(
            name: "MicrophoneToM4A",
            dependencies: [.product(name: "LiveAudio", package: "linnet")])
    ]
)
