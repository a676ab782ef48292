// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
public import Foundation

/// Renders audio: whether it is silent, the time, the number of frames, the memory to fill.
public typealias AVAudioSourceNodeRenderBlock = (
    UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// A node whose audio a function of the program makes.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing {
    private let block: AVAudioSourceNodeRenderBlock
    private let ownFormat: AVAudioFormat?

    /// Creates a node that renders in the format of its connection.
    public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        self.block = block
        ownFormat = nil
    }

    /// Creates a node that renders in a format.
    public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        self.block = block
        ownFormat = format
    }

    /// The format of the rendered audio.
    override var format: AVAudioFormat { ownFormat ?? super.format }

    /// Calls the function; its errors become silence.
    override func render(into buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        var isSilent = ObjCBool(false)
        var stamp = time.audioTimeStamp
        let status = block(&isSilent, &stamp, buffer.frameLength, buffer.mutableAudioBufferList)
        guard status != noErr || isSilent.boolValue else { return }
        for part in buffer.wholeList { part.mData.map { _ = memset($0, 0, Int(part.mDataByteSize)) } }
    }
}
#endif
