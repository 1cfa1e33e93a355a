/// The boxes that say nothing about tracks.
extension MovieWriter {
  /// The file type, and room for the large box's header.
  static func start(_ container: MovieContainer) -> [UInt8] {
    var out = BoxWriter()
    out.box("ftyp") { out in
      let brands: [String]
      switch container {
      case .quickTime:
        out.code("qt  ")
        out.u32(0)
        brands = ["qt  "]
      case .mpeg4:
        out.code("mp42")
        out.u32(1)
        brands = ["isom", "iso5", "mp41", "mp42"]
      case .appleVideo:
        out.code("M4V ")
        out.u32(1)
        brands = ["M4V ", "isom", "iso5", "mp42"]
      case .appleAudio:
        out.code("M4A ")
        out.u32(0)
        brands = ["M4A ", "isom", "iso5", "mp42"]
      }
      for brand in brands { out.code(brand) }
    }
    out.box("free") { $0.zeros(8) }
    return out.bytes
  }

  /// Bytes that reach the disk together.
  static let page = 4096

  /// A box that keeps a fragment's header within a page: after a power cut a file ends between pages, and programs refuse one that
  /// ends in such a header.
  static func filling(at place: Int, before count: Int) -> [UInt8] {
    let size = fillingSize(at: place, before: count)
    guard size > 0 else { return [] }
    var out = BoxWriter()
    out.box("free") { $0.zeros(size - 8) }
    return out.bytes
  }

  /// The bytes of that box; 0 where none is needed.
  static func fillingSize(at place: Int, before count: Int) -> Int {
    let left = page - place % page
    guard count > left, count <= page else { return 0 }
    return left >= 8 ? left : left + page
  }
}
