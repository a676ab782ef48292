// SPDX-License-Identifier: Apache-2.0

internal import AudioMeasures

/// The spectra of the last blocks of a reference, one list per channel.
struct ReferenceSpectra {
    let blockFrames: Int
    let blockCount: Int
    /// The spectra of each channel; the block of age `n` is at ``slot(age:)``.
    private(set) var channels: [[HalfSpectrum]]

    private let transform: BlockTransform
    private var newest = 0
    private var previous: [[Double]]
    private var silentBlockCount = 0

    init(_ transform: BlockTransform, channelCount: Int, blockCount: Int) {
        self.transform = transform
        self.blockCount = blockCount
        blockFrames = transform.size / 2
        let spectra = [HalfSpectrum](repeating: HalfSpectrum(binCount: transform.binCount), count: blockCount)
        channels = [[HalfSpectrum]](repeating: spectra, count: channelCount)
        previous = [[Double]](repeating: [Double](repeating: 0, count: blockFrames), count: channelCount)
    }

    /// Whether all blocks are silent, so that there is no echo.
    var isSilent: Bool { silentBlockCount > blockCount }

    /// Returns the index of a block; the age of the newest one is 0.
    func slot(age: Int) -> Int { (newest + age) % blockCount }

    /// Appends a block with ``blockFrames`` samples per channel.
    mutating func append(_ block: [[Double]]) {
        newest = (newest + blockCount - 1) % blockCount
        silentBlockCount = block.allSatisfy { $0.allSatisfy { $0 == 0 } } ? silentBlockCount + 1 : 0
        for channel in channels.indices {
            channels[channel][newest] = transform.forward(previous[channel] + block[channel])
        }
        previous = block
    }
}
