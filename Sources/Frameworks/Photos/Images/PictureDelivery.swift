internal import Foundation
internal import GraphicsCore
internal import ImageCore
internal import Linux

/// The delivery of a request for a picture: which pictures come, and in which order.
///
/// degraded ─ secondary degraded ─ final. Each is larger than the one before; those that would not be are left out.
struct PictureDelivery: Sendable {
  /// The stage of a picture in its delivery: degraded or final.
  enum Stage: Sendable {
    case degraded
    case final
  }

  /// The client's control of a request that is under way: whether it is still wanted, and how to stop it.
  struct Control {
    /// Whether its pictures are still wanted; asked before each step that takes time.
    let isWanted: () -> Bool
    /// Ends it, as its client's progress handler wants.
    let stop: () -> Void
  }

  let asset: PHAsset
  let sizing: PictureSizing
  let version: PHImageRequestOptionsVersion
  let delivery: PHImageRequestOptionsDeliveryMode
  let allowsSecondary: Bool
  let progress: PHAssetImageProgressHandler?
  /// Pictures made ahead of their requests.
  let cache: PictureCache

  init(
    _ asset: PHAsset, _ sizing: PictureSizing, _ options: PHImageRequestOptions?, _ cache: PictureCache
  ) {
    self.asset = asset
    self.sizing = sizing
    version = options?.version ?? .current
    delivery =
      options?.isSynchronous == true && options?.deliveryMode == .opportunistic
      ? .highQualityFormat : options?.deliveryMode ?? .opportunistic
    allowsSecondary = options?.allowSecondaryDegradedImage ?? false
    progress = options?.progressHandler
    self.cache = cache
  }

  var cacheKey: PictureCache.Key {
    PictureCache.Key(
      uuid: asset.row.uuid, modified: asset.row.modified ?? 0, version: version.rawValue,
      width: sizing.target.width, height: sizing.target.height, mode: sizing.mode.rawValue,
      resize: sizing.resize.rawValue, cropX: sizing.crop.minX, cropY: sizing.crop.minY,
      cropWidth: sizing.crop.width,
      cropHeight: sizing.crop.height)
  }

  /// Makes the pictures and hands each to `deliver`, which says whether to go on; makes none that are not wanted any more.
  ///
  /// - Throws: ``PHPhotosError`` when there is no final picture.
  func run(_ control: Control, _ deliver: (CGImage, Stage) -> Bool) throws(PHPhotosError) {
    guard control.isWanted() else { return }
    if let ready = cache[cacheKey] {
      _ = deliver(ready, .final)
      return
    }
    let files = try AssetFiles(asset)
    guard asset.mediaType == .image else { return try runFilm(files, deliver) }
    let row = files.picture(version)
    let isUnfinished = row?.type == .photoProxy
    guard isUnfinished, let finisher = DeferredFinishing.finisher else {
      return try runPicture(files, row, control, deliver)
    }
    // The proxy is what is there; the photo itself takes a while.
    var largest = 0
    if delivery != .highQualityFormat {
      guard let image = sizing.picture(ofFile: try files.path(row)) else {
        throw unreadable(try files.path(row))
      }
      largest = max(image.width, image.height)
      guard deliver(image, .degraded), delivery != .fastFormat else { return }
    }
    guard report(0, control) else { return }
    if delivery == .opportunistic, allowsSecondary,
      let identifier = ProxyJournal.identifier(of: asset.key, files.store),
      let better = try? finisher.secondaryImage(identifier),
      let image = sizing.sized(better.image, orientation: better.orientation),
      max(image.width, image.height) > largest
    {
      guard deliver(image, .degraded) else { return }
    }
    guard report(0.5, control) else { return }
    _ = try ProxyJournal(files.store, finisher).finish(asset.key)
    guard report(1, control) else { return }
    let finished = try AssetFiles(asset)
    try deliverFinal(finished, finished.picture(version), deliver)
  }

  private func runPicture(
    _ files: AssetFiles, _ row: ResourceRow?, _ control: Control, _ deliver: (CGImage, Stage) -> Bool
  ) throws(PHPhotosError) {
    let path = try files.path(row)
    let edge = sizing.edge(width: row?.width ?? 0, height: row?.height ?? 0)
    let thumbnails = Thumbnails(files.store.place.thumbnails)
    if delivery != .highQualityFormat, sizing.crop.isEmpty,
      let small = Thumbnails.Size.allCases.reversed().lazy.compactMap({ thumbnails.kept(of: path, $0) })
        .first,
      max(small.width, small.height) < edge
    {
      guard deliver(small, .degraded), delivery != .fastFormat else { return }
    }
    guard control.isWanted() else { return }
    try deliverFinal(files, row, deliver)
  }

  private func deliverFinal(
    _ files: AssetFiles, _ row: ResourceRow?, _ deliver: (CGImage, Stage) -> Bool
  ) throws(PHPhotosError) {
    let path = try files.path(row)
    let edge = sizing.edge(width: row?.width ?? 0, height: row?.height ?? 0)
    // A small picture is made once for all programs.
    if !sizing.isOriginal, sizing.crop.isEmpty, edge <= Thumbnails.Size.large.rawValue,
      let kept = Thumbnails(files.store.place.thumbnails).thumbnail(of: path, edge <= 128 ? .normal : .large),
      let image = sizing.sized(kept)
    {
      _ = deliver(image, .final)
      return
    }
    guard let image = sizing.picture(ofFile: path) else { throw unreadable(path) }
    _ = deliver(image, .final)
  }

  private func runFilm(_ files: AssetFiles, _ deliver: (CGImage, Stage) -> Bool) throws(PHPhotosError) {
    let row = files.film(version == .current ? .current : .original)
    let path = try files.path(row)
    let edge =
      sizing.isOriginal
      ? max(asset.pixelWidth, asset.pixelHeight)
      : sizing.edge(width: asset.pixelWidth, height: asset.pixelHeight)
    let size = Thumbnails.Size.allCases.first { $0.rawValue >= edge }
    let whole =
      size.flatMap { Thumbnails(files.store.place.thumbnails).thumbnail(of: path, $0) }
      ?? Thumbnails.make(path, edge: max(1, edge))
    guard let whole, let image = sizing.sized(whole) else { throw unreadable(path) }
    _ = deliver(image, .final)
  }

  private func unreadable(_ path: String) -> PHPhotosError {
    PHPhotosError(.invalidResource, because: "The file \(path) cannot be read as a picture; it is damaged.")
  }

  /// Reports to the client's progress handler; returns whether to go on.
  private func report(_ share: Double, _ control: Control) -> Bool {
    guard control.isWanted() else { return false }
    var stops = ObjCBool(false)
    progress?(share, nil, &stops, nil)
    if stops.boolValue { control.stop() }
    return control.isWanted()
  }
}
