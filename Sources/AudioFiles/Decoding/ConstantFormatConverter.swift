// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import PCMFiles

/// Follows the format of decoded buffers, and brings them to that of the first one.
struct ConstantFormatConverter {
    /// A sample rate that can't be converted to the first one.
    struct Failure: Error {
        var first: Int
        var new: Int
    }

    private typealias Format = (sampleRate: Int, channelCount: Int)

    private var first: Format?
    private var latest: Format?
    private var converter: FormatConverter?
    /// What comes behind the rest of another format.
    private var waiting: PCMBuffer?

    /// Replaces `buffer` by one that has to come first; false if there is none.
    mutating func takeWaiting(into buffer: inout PCMBuffer) -> Bool {
        guard let next = waiting else { return false }
        waiting = nil
        buffer = next
        return true
    }

    /// Takes the next buffer and converts it if that is wanted; returns whether its format is another than that of the one before.
    mutating func follow(_ buffer: inout PCMBuffer, converts: Bool) throws(Failure) -> Bool {
        let format = (sampleRate: buffer.sampleRate, channelCount: buffer.channelCount)
        guard let first, let latest else {
            self.first = format
            self.latest = format
            return false
        }
        let hasChanged = latest != format
        self.latest = format
        guard converts, hasChanged || converter != nil else { return hasChanged }
        do throws(Resampler.Failure) {
            var rest: PCMBuffer?
            if hasChanged {
                rest = try converter?.finish()
                converter = first == format ? nil : try FormatConverter(from: format, to: first)
            }
            let converted = try converter?.convert(buffer) ?? buffer
            if let rest, rest.frameCount > 0 {
                waiting = converted
                buffer = rest
            } else {
                buffer = converted
            }
        } catch {
            throw Failure(first: first.sampleRate, new: format.sampleRate)
        }
        return hasChanged
    }

    /// Replaces `buffer` by what is still inside at the end; false if that is nothing.
    mutating func finish(into buffer: inout PCMBuffer) throws(Failure) -> Bool {
        guard let converter, let first, let latest else { return false }
        self.converter = nil
        do throws(Resampler.Failure) {
            guard let rest = try converter.finish(), rest.frameCount > 0 else { return false }
            buffer = rest
            return true
        } catch {
            throw Failure(first: first.sampleRate, new: latest.sampleRate)
        }
    }
}
