// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioPrimitives
import Testing

@Suite struct WritableContainerTests {
    @Test("Extensions tell the container")
    func extensions() {
        #expect(WritableContainer(fileExtension: "AAC") == .adts)
        #expect(WritableContainer(fileExtension: "loas") == .loas)
        #expect(WritableContainer(fileExtension: "m4a") == .m4a)
        #expect(WritableContainer(fileExtension: "caf") == .caf)
        #expect(WritableContainer(fileExtension: "wav") == nil)
    }

    @Test("Every container gets a writer whose files are known for what they are", arguments: WritableContainer.allCases)
    func writers(container: WritableContainer) throws {
        var writer = try container.makeWriter(MP4Tests.config, expectedUnitCount: 5)
        var bytes: [UInt8] = []
        for unit in MP4Tests.units(5) { try writer.append(unit, to: &bytes) }
        try writer.finish(GaplessInfo(primingFrames: 0, validFrames: 5120, remainderFrames: 0), to: &bytes)
        let expected: [WritableContainer: ContainerFormat] = [
            .adts: .adts, .loas: .loas, .m4a: .mp4(brand: "M4A "), .fragmentedM4A: .mp4(brand: "M4A "), .caf: .caf,
        ]
        #expect(ContainerProbe.format(of: bytes, isWhole: true) == expected[container])
    }

    @Test("What needs no changes can be written to a pipe, and M4A has a stand-in", arguments: WritableContainer.allCases)
    func pipes(container: WritableContainer) throws {
        guard let piped = container.forPipes else { return #expect(container == .caf) }
        #expect(!piped.needsOverwriting)
        var writer = try piped.makeWriter(MP4Tests.config)
        var pipe = Pipe()
        for unit in MP4Tests.units(5) { try writer.append(unit, to: &pipe) }
        try writer.finish(nil, to: &pipe)
        #expect(pipe.byteCount > 0)
    }
}
