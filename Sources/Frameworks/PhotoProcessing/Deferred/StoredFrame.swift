internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import Linux

/// A frame as a file describes it; its bytes lie behind the description.
struct StoredFrame: Sendable, Codable {
  /// The rows of one plane, with their padding.
  struct Plane: Sendable, Codable {
    var height: Int
    var bytesPerRow: Int
    var count: Int { height * bytesPerRow }
  }

  var size: FrameSize
  /// `nil` for JPEG.
  var pixelFormat: UInt32?
  var planes: [Plane] = []
  /// Bytes of a JPEG picture.
  var length = 0
  /// The picture's attachments, which give its numbers their meaning, as a binary property list.
  var attachments = Data()
  var timestamp: Int64
  var sequence: UInt32
  var controls: ControlState

  /// All of the frame's bytes in the file.
  var byteCount: Int { planes.reduce(length) { $0 + $1.count } }

  /// The description of `frame`; `nil` for a frame that cannot be stored.
  init?(_ frame: CapturedFrame) {
    timestamp = frame.timestamp.nanoseconds
    sequence = frame.sequence
    controls = frame.conditions.state
    switch frame.picture {
    case .pixels(let pixels):
      size = FrameSize(width: pixels.width, height: pixels.height)
      pixelFormat = pixels.format
      planes = pixels.planes.map { Plane(height: $0.height, bytesPerRow: $0.bytesPerRow) }
      let values = CVBufferCopyAttachments(pixels, .shouldPropagate) ?? [:]
      let storable = values.filter { PropertyListSerialization.propertyList($0.value, isValidFor: .binary) }
      attachments =
        (try? PropertyListSerialization.data(fromPropertyList: storable, format: .binary, options: 0))
        ?? Data()
    case .jpeg(let block, let size):
      self.size = size
      length = CMBlockBufferGetDataLength(block)
    case .coded, .mosaic: return nil
    }
  }

  /// Hands the frame's bytes to `body`, in the order of the file, without a copy where they lie in one piece.
  static func forEachPart(
    of frame: CapturedFrame, _ body: (UnsafeRawBufferPointer) throws(SystemError) -> Void
  ) throws(SystemError) {
    switch frame.picture {
    case .pixels(let pixels):
      for plane in pixels.planes { try body(UnsafeRawBufferPointer(plane.bytes)) }
      withExtendedLifetime(pixels) {}
    case .jpeg(let block, _):
      // Fails only for a block whose bytes were never assigned.
      let bytes = [UInt8]((try? block.dataBytes()) ?? Data())
      try bytes.withUnsafeBytes { bytes in Result { () throws(SystemError) in try body(bytes) } }.get()
    case .coded, .mosaic: break
    }
  }

  /// The frame again, with `bytes` for its picture; `nil` when they do not fit.
  func frame(_ bytes: UnsafeRawBufferPointer) -> CapturedFrame? {
    guard bytes.count == byteCount, let picture = picture(bytes) else { return nil }
    return CapturedFrame(
      picture: picture, timestamp: MonotonicInstant(nanoseconds: timestamp), sequence: sequence,
      conditions: FrameConditions(controls))
  }

  private func picture(_ bytes: UnsafeRawBufferPointer) -> CapturedFrame.Picture? {
    guard let pixelFormat else { return .jpeg(CMBlockBuffer(copying: bytes), size) }
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, size.width, size.height, pixelFormat, nil, &made)
    guard let made, made.planes.count == planes.count else { return nil }
    var offset = 0
    for (plane, stored) in zip(made.planes, planes) {
      let row = min(plane.bytesPerRow, stored.bytesPerRow)
      guard plane.height == stored.height else { return nil }
      for index in 0..<stored.height {
        plane.row(index).copyMemory(
          from: UnsafeRawBufferPointer(
            rebasing: bytes[offset + index * stored.bytesPerRow..<offset + index * stored.bytesPerRow + row]))
      }
      offset += stored.count
    }
    let values = try? PropertyListSerialization.propertyList(from: attachments, format: nil)
    if let values = values as? [String: Any] { CVBufferSetAttachments(made, values, .shouldPropagate) }
    return .pixels(made)
  }
}
