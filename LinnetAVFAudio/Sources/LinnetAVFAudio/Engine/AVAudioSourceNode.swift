// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import CLinnetAudioTypes
public import Foundation

/// Renders audio.
///
/// The arguments are a silence flag to set, the time, the number of frames, and the memory to fill.
public typealias AVAudioSourceNodeRenderBlock = (
    UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// A node that plays the audio of a render block.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing {
    private let block: AVAudioSourceNodeRenderBlock
    private let ownFormat: AVAudioFormat?

    /// Creates a node that renders in the format of its connection.
    public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        self.block = block
        ownFormat = nil
    }

    /// Creates a node that renders in a given format.
    public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        self.block = block
        ownFormat = format
    }

    override var format: AVAudioFormat { ownFormat ?? super.format }

    /// Calls the render block.
    ///
    /// An error becomes silence.
    override func render(into buffer: AVAudioPCMBuffer, at time: AVAudioTime) {
        var isSilent = ObjCBool(false)
        var stamp = time.audioTimeStamp
        let status = block(&isSilent, &stamp, buffer.frameLength, buffer.mutableAudioBufferList)
        guard status != noErr || isSilent.boolValue else { return }
        for part in buffer.wholeList { part.mData.map { _ = memset($0, 0, Int(part.mDataByteSize)) } }
    }
}
#endif
