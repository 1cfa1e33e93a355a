internal import FoundationExtras
internal import ImageIO

/// The metadata of a depth map, in the names of Apple's files.
struct DepthMetadata {
  static let namespace = "http://ns.apple.com/depthData/1.0/"
  private static let prefix = "depthData"
  /// The version of the names that files of today state.
  private static let version = "65541"

  private let metadata: CGMutableImageMetadata

  /// Nothing yet.
  init() {
    metadata = CGImageMetadataCreateMutable()
    set("DepthDataVersion", Self.version)
  }

  /// What a client or a file says.
  init?(_ metadata: CGImageMetadata) {
    guard let copy = CGImageMetadataCreateMutableCopy(metadata) else { return nil }
    self.metadata = copy
    register()
  }

  /// The metadata as ImageIO has them.
  var image: CGImageMetadata { metadata }

  private func register() {
    _ = CGImageMetadataRegisterNamespaceForPrefix(metadata, Self.namespace, Self.prefix, nil)
  }

  func set(_ name: String, _ value: Any) {
    register()
    _ = CGImageMetadataSetValueWithPath(metadata, nil, "\(Self.prefix):\(name)", value)
  }

  private func tag(_ name: String) -> CGImageMetadataTag? {
    let tags = CGImageMetadataCopyTags(metadata) as? [CGImageMetadataTag]
    return tags?.first {
      CGImageMetadataTagCopyNamespace($0) == Self.namespace && CGImageMetadataTagCopyName($0) == name
    }
  }

  func text(_ name: String) -> String? { tag(name).flatMap(CGImageMetadataTagCopyValue) as? String }

  func number(_ name: String) -> Double? {
    text(name).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }

  /// A list of so many numbers; `nil` when it is another one.
  func numbers(_ name: String, count: Int? = nil) -> [Float]? {
    let items = tag(name).flatMap(CGImageMetadataTagCopyValue) as? [CGImageMetadataTag]
    let numbers = items?.compactMap {
      (CGImageMetadataTagCopyValue($0) as? String).flatMap(Float.init).flatMap { $0.isFinite ? $0 : nil }
    }
    guard let numbers, numbers.count == items?.count, count == nil || count == numbers.count else {
      return nil
    }
    return numbers
  }
}
