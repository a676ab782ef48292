// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "InputToHLS",
    platforms: [.macOS(.v15)],
    // Elsewhere: .package(url: "https://…/linnet", from: "0.4.0")
    dependencies: [.package(name: "linnet", path: "../..")],
    targets: [
        .executableTarget(
            name: "InputToHLS",
            dependencies: [
                .product(name: "AudioFiles", package: "linnet"),
                .product(name: "LiveAudio", package: "linnet"),
                .product(name: "LiveStreaming", package: "linnet"),
            ])
    ]
)
