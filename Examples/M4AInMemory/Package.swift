// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "M4AInMemory",
    platforms: [.macOS(.v15), .iOS(.v18)],
    // Elsewhere: .package(url: "https://…/linnet", from: "0.4.0")
    dependencies: [.package(name: "linnet", path: "../..")],
    targets: [
        .executableTarget(
            name: "M4AInMemory",
            dependencies: [
                .product(name: "AACCodec", package: "linnet"),
                .product(name: "AudioContainers", package: "linnet"),
                .product(name: "AudioPrimitives", package: "linnet"),
            ])
    ]
)
