internal import CodeReading
internal import CoreVideo
internal import Foundation
internal import PeopleFinding

/// One kind of search in a picture; used by one thread at a time.
protocol FeatureSearch: AnyObject {
  /// The features that are found; empty where the picture cannot be searched.
  func features(in picture: CVPixelBuffer, _ place: PictureToImageTransform, _ options: DetectorOptions)
    -> [CIFeature]
}

/// The map from a rendered picture's coordinates to those of its image, whose y goes upwards.
struct PictureToImageTransform {
  let extent: CGRect

  func point(_ point: CGPoint) -> CGPoint {
    CGPoint(x: extent.minX + point.x, y: extent.maxY - point.y)
  }

  func rect(_ rect: CGRect) -> CGRect {
    CGRect(x: extent.minX + rect.minX, y: extent.maxY - rect.maxY, width: rect.width, height: rect.height)
  }

  /// The least longer side of a feature that is reported.
  func leastSide(_ share: Double) -> Double { share * min(extent.width, extent.height) }
}

/// The options of a detector or a search, as read from a client's dictionary.
struct DetectorOptions {
  var isAccurate = false
  var tracks = false
  var leastShare: Double?
  var mostFeatures: Int?
  var aspect: Double?

  init(_ options: [String: Any]?) {
    func number(_ key: String) -> Double? {
      let value = options?[key]
      return (value as? NSNumber)?.doubleValue ?? (value as? Double) ?? (value as? Int).map(Double.init)
    }
    isAccurate = options?[CIDetectorAccuracy] as? String == CIDetectorAccuracyHigh
    tracks = options?[CIDetectorTracking] as? Bool ?? (number(CIDetectorTracking) ?? 0 != 0)
    leastShare = number(CIDetectorMinFeatureSize).map { min(max($0, 0), 1) }
    mostFeatures = number(CIDetectorMaxFeatureCount).map { Int(min(max($0, 1), 256)) }
    aspect = number(CIDetectorAspectRatio).map { min(max($0, 0), 2) }
  }
}

/// QR codes.
final class CodeSearch: FeatureSearch {
  private let reader = CodeReader(kinds: [.qr])
  private let effort: CodeReader.Effort

  init(_ options: DetectorOptions) {
    effort = options.isAccurate ? .thorough : .light
  }

  func features(in picture: CVPixelBuffer, _ place: PictureToImageTransform, _ options: DetectorOptions)
    -> [CIFeature]
  {
    // The reader refuses pixel formats only, and this one it knows.
    let codes = try? reader.codes(in: picture, effort: effort)
    return (codes ?? []).map { CIQRCodeFeature($0, corners: $0.corners.map(place.point)) }
  }
}

/// Faces.
final class FaceSearch: FeatureSearch {
  private enum Finder {
    /// Whatever the image before was.
    case single(FaceFinder, isThorough: Bool)
    case tracking(LiveFaceFinder)
  }

  private let finder: Finder
  private let leastShare: Double
  /// How many images each number was seen in.
  private var seen: [Int: Int] = [:]

  /// `nil` without a model of faces.
  init?(_ options: DetectorOptions) {
    do {
      finder =
        options.tracks
        ? .tracking(try LiveFaceFinder()) : .single(try FaceFinder(), isThorough: options.isAccurate)
    } catch {
      return nil
    }
    leastShare = options.leastShare ?? 0.15
  }

  func features(in picture: CVPixelBuffer, _ place: PictureToImageTransform, _ options: DetectorOptions)
    -> [CIFeature]
  {
    let least = place.leastSide(options.leastShare ?? leastShare)
    // A picture that cannot be searched has no faces that are known of.
    let faces = (try? faces(in: picture)) ?? []
    return faces.filter { max($0.face.bounds.width, $0.face.bounds.height) >= least }
      .map { CIFaceFeature($0.face, place, tracking: $0.number.map { ($0, seen[$0] ?? 1) }) }
  }

  private func faces(in picture: CVPixelBuffer) throws -> [(face: FoundFace, number: Int?)] {
    let whole = CGRect(
      x: 0, y: 0, width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
    switch finder {
    case .single(let finder, let isThorough):
      guard !isThorough else { return try finder.faces(in: picture).map { ($0, nil) } }
      return try finder.detections(in: picture, part: whole).compactMap(FoundFace.init).map { ($0, nil) }
    case .tracking(let finder):
      let tracked = try finder.faces(in: picture, part: whole)
      seen = Dictionary(tracked.map { ($0.id, (seen[$0.id] ?? 0) + 1) }) { first, _ in first }
      return tracked.map { ($0.face, $0.id) }
    }
  }
}
