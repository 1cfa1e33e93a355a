internal import CameraFrames
internal import CaptureDevice
internal import CodeReading
internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PeopleFinding

/// Finds metadata objects in frames; used on one queue.
final class FrameSearcher: @unchecked Sendable {  // Safe because one queue at a time uses it.
  private var reader: LiveCodeReader?
  private var kinds: Set<CodeKind> = []
  private var route: MediaRoute?
  private var faceFinder: LiveFaceFinder?
  private var bodyFinder: LiveBodyFinder?
  /// What was loaded, or could not be: nothing is tried again for every frame.
  private var loaded: Set<ModelFolder.Subject> = []

  /// The share of a frame's time that a search may take, so that none has to be skipped.
  private static let budgetShare = 0.8

  /// What is found in the frame; `nil` when its picture cannot be read.
  func objects(
    in frame: CapturedFrame, over route: MediaRoute, _ search: Recognition.Search
  ) -> [AVMetadataObject]? {
    guard !search.types.isEmpty else { return [] }
    do {
      let pixels = try route.processor.picture(of: frame)
      let size = CGSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
      let interest = search.rectOfInterest.intersection(CGRect(x: 0, y: 0, width: 1, height: 1))
      guard !interest.isEmpty else { return [] }
      renew(for: route)
      let picture = Picture(
        pixels: pixels, size: size, time: CMTime(frame.timestamp),
        source: route.connection.inputPorts.first?.input.id ?? route.connection.id)
      let found =
        try codes(in: picture, search, interest, over: route) + faces(in: picture, search)
        + bodies(in: picture, search)
      return found.filter { $0.bounds.intersects(interest) }
    } catch {
      // A broken picture is a lost frame, and counted as one; the search goes on with the next.
      return nil
    }
  }

  /// Loads what a search needs, so that the first picture does not wait for it.
  func prepare(for search: Recognition.Search) {
    do {
      if search.types.contains(.face), loaded.insert(.faces).inserted {
        faceFinder = try LiveFaceFinder()
      }
      if search.wantsBodies, loaded.insert(.bodies).inserted { bodyFinder = try LiveBodyFinder() }
    } catch {
      // Offered when the types were set, and gone since then.
      Log.note("\(error)")
    }
  }

  private struct Picture {
    var pixels: CVPixelBuffer
    var size: CGSize
    var time: CMTime
    var source: NodeID

    var rect: CGRect { CGRect(origin: .zero, size: size) }
  }

  private func codes(
    in picture: Picture, _ search: Recognition.Search, _ interest: CGRect, over route: MediaRoute
  ) throws -> [AVMetadataObject] {
    let kinds = Set(search.types.compactMap(\.codeKind))
    guard !kinds.isEmpty else { return [] }
    let region = interest.applying(
      CGAffineTransform(scaleX: picture.size.width, y: picture.size.height))
    return try reader(for: kinds, over: route).codes(in: picture.pixels, touching: region).compactMap {
      code in
      AVMetadataObject.ObjectType(code, among: search.types).map { type in
        AVMetadataMachineReadableCodeObject(
          code, type: type, in: picture.size, time: picture.time, source: picture.source)
      }
    }
  }

  private func faces(in picture: Picture, _ search: Recognition.Search) throws -> [AVMetadataObject] {
    guard search.types.contains(.face) else { return [] }
    prepare(for: search)
    return try faceFinder?.faces(in: picture.pixels, part: picture.rect).map { face in
      AVMetadataFaceObject(face, in: picture.size, time: picture.time, source: picture.source)
    } ?? []
  }

  private func bodies(in picture: Picture, _ search: Recognition.Search) throws -> [AVMetadataObject] {
    guard search.wantsBodies else { return [] }
    prepare(for: search)
    return try bodyFinder?.bodies(in: picture.pixels, part: picture.rect).flatMap { body in
      AVMetadataBodyObject.objects(
        of: body, among: search.types, in: picture.size, time: picture.time, source: picture.source)
    } ?? []
  }

  /// Forgets what was known of another stream.
  private func renew(for route: MediaRoute) {
    guard self.route !== route else { return }
    self.route = route
    reader = nil
    faceFinder?.forget()
    bodyFinder?.forget()
  }

  private func reader(for kinds: Set<CodeKind>, over route: MediaRoute) -> LiveCodeReader {
    if let reader, self.kinds == kinds { return reader }
    let duration = Double(route.plan.stream.frameDuration.nanoseconds)
    let reader = LiveCodeReader(kinds: kinds, budgetNanoseconds: Int64(duration * Self.budgetShare))
    self.reader = reader
    self.kinds = kinds
    return reader
  }
}
