// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import PCMFiles

/// Tracks the format of decoded buffers, and converts them to that of the first one.
struct ConstantFormatConverter {
    /// The error for a sample rate that can't be converted to the first one; rates are in hertz.
    struct Failure: Error {
        /// The first sample rate.
        var first: Int
        /// The sample rate that follows.
        var new: Int
    }

    /// Sample rate in hertz and channel count.
    private typealias Format = (sampleRate: Int, channelCount: Int)

    private var first: Format?
    private var latest: Format?
    private var converter: FormatConverter?
    /// The buffer that follows the rest of another format.
    private var pending: PCMBuffer?

    /// Replaces `buffer` by the pending one; returns false if there is none.
    mutating func dequeuePending(into buffer: inout PCMBuffer) -> Bool {
        guard let next = pending else { return false }
        pending = nil
        buffer = next
        return true
    }

    /// Converts the next buffer if `converts` is true; returns whether its format differs from that of the previous buffer.
    ///
    /// - Parameter layout: The speakers of the buffer's channels, if known.
    mutating func follow(_ buffer: inout PCMBuffer, layout: ChannelLayout? = nil, converts: Bool) throws(Failure) -> Bool {
        let format = (sampleRate: buffer.sampleRate, channelCount: buffer.channelCount)
        guard let first, let latest else {
            self.first = format
            self.latest = format
            return false
        }
        let hasChanged = latest != format
        self.latest = format
        guard converts, hasChanged || converter != nil else { return hasChanged }
        do throws(PCMFileError) {
            var rest: PCMBuffer?
            if hasChanged {
                rest = try converter?.finish()
                converter = first == format ? nil : try FormatConverter(from: format, to: first, layout: layout)
            }
            let converted = try converter?.convert(buffer) ?? buffer
            if let rest, rest.frameCount > 0 {
                pending = converted
                buffer = rest
            } else {
                buffer = converted
            }
        } catch {
            throw Failure(first: first.sampleRate, new: format.sampleRate)
        }
        return hasChanged
    }

    /// Replaces `buffer` by the frames that the converter still holds at the end; returns false if there are none.
    mutating func finish(into buffer: inout PCMBuffer) throws(Failure) -> Bool {
        guard let converter, let first, let latest else { return false }
        self.converter = nil
        do throws(PCMFileError) {
            guard let rest = try converter.finish(), rest.frameCount > 0 else { return false }
            buffer = rest
            return true
        } catch {
            throw Failure(first: first.sampleRate, new: latest.sampleRate)
        }
    }
}
