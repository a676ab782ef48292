// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import PCMFiles
import SystemFiles

extension FuzzTarget {
    /// Reads PCM in AIFF and CAF to the end: there are no more samples than the file has bytes for.
    static let pcmChunks = FuzzTarget("pcm-chunks") { bytes in
        guard let source = (try? PlainPCMSource(chunksOf: FileInput(bytes))) ?? nil else { return }
        let (channelCount, sampleRate) = (source.properties.channelCount, source.properties.sampleRate)
        precondition((1...1024).contains(channelCount) && sampleRate > 0)
        let frameSize = channelCount * source.encoding.byteCount
        var (samples, total) = ([UInt8](), 0)
        while (try? source.read(256, into: &samples)) != nil, !samples.isEmpty { total += samples.count }
        precondition(total <= bytes.count && total % frameSize == 0)
    }
}
