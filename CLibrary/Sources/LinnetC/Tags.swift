// SPDX-License-Identifier: Apache-2.0

#if LINNET_FILES
internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
public import CLinnet

/// The tags that a handle refers to, with memory for its results.
final class TagsHandle {
    private let fields: [AudioTags.Field]
    private let chapters: [AudioTags.Chapter]
    private let pictures: [AudioTags.Picture]
    private let (first, second, bytes) = (LentMemory<UInt8>(), LentMemory<UInt8>(), LentMemory<UInt8>())

    fileprivate init(_ tags: AudioTags) { (fields, chapters, pictures) = (tags.fieldsWithGains, tags.chapters, tags.pictures) }

    /// Returns the name and the value of a text.
    fileprivate func lendText(at index: Int) -> (name: UnsafePointer<CChar>, value: UnsafePointer<CChar>)? {
        guard fields.indices.contains(index) else { return nil }
        return unsafe (first.lend(text: fields[index].key.description), second.lend(text: fields[index].value))
    }

    fileprivate func lendChapter(at index: Int) -> (start: Double, title: UnsafePointer<CChar>)? {
        guard chapters.indices.contains(index) else { return nil }
        return unsafe (chapters[index].seconds, first.lend(text: chapters[index].title))
    }

    fileprivate func lendPicture(at index: Int) -> linnet_picture? {
        guard pictures.indices.contains(index) else { return nil }
        let picture = pictures[index]
        return unsafe linnet_picture(
            bytes: bytes.lend(picture.bytes), size: picture.bytes.count, media_type: first.lend(text: picture.mediaType),
            description: second.lend(text: picture.text), kind: UInt32(clamping: picture.kind.rawValue), reserved: 0)
    }
}

extension AudioTags {
    /// Reads the tags of a file.
    ///
    /// - Throws: ``ContainerError`` for unknown formats and damaged files.
    fileprivate init(of source: LibrarySource) throws(ContainerError) {
        switch try ContainerProbe.format(of: source) {
        case nil: throw .unsupportedCodec(nil)
        case .matroska: self = try MatroskaReader(source).metadata.tags
        case let format? where format.isMP4: self = try MP4Reader(source).metadata.tags
        default:
            self.init(reading: TagSource(byteCount: source.byteCount) { (try? source.bytes(in: $0)) ?? [] })
            extractGains()
        }
    }
}

/// Reads the tags of a file.
@c @implementation
public func linnet_tags_open(_ path: UnsafePointer<CChar>?, _ tags: UnsafeMutablePointer<OpaquePointer?>?) -> Int32 {
    guard let path = unsafe path, let tags = unsafe tags else { return LINNET_ERROR_ARGUMENT.code }
    unsafe tags.pointee = nil
    guard let opened = unsafe OpenFile.open(path: path) else { return LINNET_ERROR_FILE.code }
    return unsafe open(.file(opened), tags)
}

/// Reads the tags of a copy of bytes in memory.
@c @implementation
public func linnet_tags_open_memory(
    _ bytes: UnsafePointer<UInt8>?, _ size: Int, _ tags: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let tags = unsafe tags else { return LINNET_ERROR_ARGUMENT.code }
    unsafe tags.pointee = nil
    guard let copy = unsafe Array(bytes, count: size) else { return LINNET_ERROR_ARGUMENT.code }
    return unsafe open(.memory(copy), tags)
}

/// Reads tags and stores their handle.
private func open(_ source: LibrarySource, _ tags: UnsafeMutablePointer<OpaquePointer?>) -> ResultCode {
    do throws(ContainerError) {
        unsafe tags.pointee = Handle.make(TagsHandle(try AudioTags(of: source)))
    } catch {
        return error.resultCode
    }
    return LINNET_OK.code
}

/// Closes tags.
@c @implementation
public func linnet_tags_close(_ tags: OpaquePointer?) { unsafe Handle.destroy(tags, TagsHandle.self) }

/// Returns a text with its name.
@c @implementation
public func linnet_tags_text(
    _ tags: OpaquePointer?, _ index: Int, _ name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ value: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
    guard let handle: TagsHandle = unsafe Handle.object(tags), let name = unsafe name, let value = unsafe value,
        let text = unsafe handle.lendText(at: index)
    else { return LINNET_ERROR_ARGUMENT.code }
    unsafe (name.pointee, value.pointee) = (text.name, text.value)
    return LINNET_OK.code
}

/// Returns a chapter.
@c @implementation
public func linnet_tags_chapter(
    _ tags: OpaquePointer?, _ index: Int, _ start: UnsafeMutablePointer<Double>?,
    _ title: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
    guard let handle: TagsHandle = unsafe Handle.object(tags), let start = unsafe start, let title = unsafe title,
        let chapter = unsafe handle.lendChapter(at: index)
    else { return LINNET_ERROR_ARGUMENT.code }
    unsafe (start.pointee, title.pointee) = (chapter.start, chapter.title)
    return LINNET_OK.code
}

/// Returns a picture.
@c @implementation
public func linnet_tags_picture(_ tags: OpaquePointer?, _ index: Int, _ picture: UnsafeMutablePointer<linnet_picture>?) -> Int32 {
    guard let handle: TagsHandle = unsafe Handle.object(tags), let picture = unsafe picture,
        let found = unsafe handle.lendPicture(at: index)
    else { return LINNET_ERROR_ARGUMENT.code }
    unsafe picture.pointee = found
    return LINNET_OK.code
}
#endif
