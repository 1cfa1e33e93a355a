internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import Linux

/// A photo's frames with all that is known of how to finish it, as a file.
///
/// Eight bytes that name the format, eight for the description's length (big-endian), the description as a binary property
/// list, and the frames' bytes one after the other.
struct DeferredPhotoFile {
  private static let mark = Array("ObscDPh1".utf8)

  private struct Description: Codable {
    var request: PhotoProcessingRequest
    var frames: [StoredFrame]
  }

  var request: PhotoProcessingRequest
  var frames: [CapturedFrame]

  init(request: PhotoProcessingRequest, frames: [CapturedFrame]) {
    self.request = request
    self.frames = frames
  }

  // MARK: Writing

  /// The bytes before those of the frames.
  ///
  /// - Throws: ``DeferredPhotoError/unsuitable``.
  func head() throws(DeferredPhotoError) -> (bytes: Data, total: Int) {
    let stored = frames.compactMap(StoredFrame.init)
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    guard stored.count == frames.count, !stored.isEmpty,
      let description = try? encoder.encode(Description(request: request, frames: stored))
    else { throw .unsuitable }
    var head = Data(Self.mark)
    withUnsafeBytes(of: UInt64(description.count).bigEndian) { head.append(contentsOf: $0) }
    head.append(description)
    return (head, stored.reduce(head.count) { $0 + $1.byteCount })
  }

  /// Writes everything to `file`, and waits for the disk.
  func write(_ head: Data, to file: UnfinishedFile) throws(SystemError) {
    try file.append(head)
    for frame in frames {
      try StoredFrame.forEachPart(of: frame) { part throws(SystemError) in try file.append(part) }
    }
    try file.write([])
  }

  // MARK: Reading

  /// What `data` holds; `nil` when that is not a whole file of this kind.
  init?(_ data: Data) {
    let start = Self.mark.count + 8
    guard data.count > start, data.prefix(Self.mark.count).elementsEqual(Self.mark) else { return nil }
    let length = data.dropFirst(Self.mark.count).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard length <= UInt64(data.count - start),
      let description = try? PropertyListDecoder().decode(
        Description.self, from: Data(data.dropFirst(start).prefix(Int(length))))
    else { return nil }
    request = description.request
    frames = []
    var offset = start + Int(length)
    for stored in description.frames {
      guard let frame = Self.frame(stored, in: data, at: &offset) else { return nil }
      frames.append(frame)
    }
    guard !frames.isEmpty, offset == data.count else { return nil }
  }

  private static func frame(_ stored: StoredFrame, in data: Data, at offset: inout Int) -> CapturedFrame? {
    let sizes = stored.planes.map { $0.height.multipliedReportingOverflow(by: $0.bytesPerRow) }
    guard stored.length >= 0, (stored.planes.allSatisfy { $0.height > 0 && $0.bytesPerRow > 0 }),
      sizes.allSatisfy({ !$0.overflow && $0.partialValue <= data.count }),
      stored.byteCount <= data.count - offset
    else { return nil }
    defer { offset += stored.byteCount }
    return data.withUnsafeBytes { bytes in
      stored.frame(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + stored.byteCount]))
    }
  }
}
