internal import CaptureDevice
internal import CodeReading
internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms

/// Finds metadata objects in frames; used on one queue.
final class FrameSearcher: @unchecked Sendable {  // Safe because one queue at a time uses it.
  private let opener = FrameOpener(bufferLimit: 2)
  private var reader: LiveCodeReader?
  private var kinds: Set<CodeKind> = []
  private var route: FrameRoute?

  /// The share of a frame's time that a search may take, so that none has to be skipped.
  private static let budgetShare = 0.8

  /// What is found in the frame; `nil` when its picture cannot be read.
  func objects(
    in frame: CapturedFrame, over route: FrameRoute, _ search: Recognition.Search
  ) -> [AVMetadataObject]? {
    guard !search.types.isEmpty else { return [] }
    do {
      let pixels = try opener.open(frame)
      let size = CGSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
      guard let part = PixelRect(search.rectOfInterest, of: size) else { return [] }
      let codes = try reader(for: Set(search.types.compactMap(\.codeKind)), over: route).codes(
        in: pixels, part: part)
      let source = route.connection.inputPorts.first?.input.id ?? route.connection.id
      return codes.compactMap { code in
        AVMetadataObject.ObjectType(code, among: search.types).map { type in
          AVMetadataMachineReadableCodeObject(
            code, type: type, in: size, time: CMTime(frame.timestamp), source: source)
        }
      }
    } catch {
      // A broken picture is a lost frame, and counted as one; the search goes on with the next.
      return nil
    }
  }

  private func reader(for kinds: Set<CodeKind>, over route: FrameRoute) -> LiveCodeReader {
    if let reader, self.kinds == kinds, self.route === route { return reader }
    let duration = Double(route.plan.stream.frameDuration.nanoseconds)
    let reader = LiveCodeReader(kinds: kinds, budgetNanoseconds: Int64(duration * Self.budgetShare))
    self.reader = reader
    self.kinds = kinds
    self.route = route
    return reader
  }
}

extension PixelRect {
  /// The pixels that a part of the unit square touches in a picture of `size`; `nil` when there are none.
  fileprivate init?(_ unit: CGRect, of size: CGSize) {
    let left = max(0, (unit.minX * size.width).rounded(.down))
    let top = max(0, (unit.minY * size.height).rounded(.down))
    let right = min(size.width, (unit.maxX * size.width).rounded(.up))
    let bottom = min(size.height, (unit.maxY * size.height).rounded(.up))
    guard right > left, bottom > top else { return nil }
    self.init(x: Int(left), y: Int(top), width: Int(right - left), height: Int(bottom - top))
  }
}
