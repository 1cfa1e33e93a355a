/// A look that photos and films can have: what the preview shows, they have.
package enum PhotoFilter: String, Sendable, Hashable, CaseIterable, Codable {
  case none, mono, noir, sepia, vivid, warm, cool

  /// How its colours follow from the camera's; `nil` for those as they are.
  var matrix: ColorMatrix? {
    // How much red, green and blue give to lightness, after ITU-R BT.709.
    let (red, green, blue) = (0.2126, 0.7152, 0.0722)
    switch self {
    case .none: return nil
    case .mono:
      return ColorMatrix(rows: [(red, green, blue, 0), (red, green, blue, 0), (red, green, blue, 0)])
    case .noir:
      let row = (1.5 * red, 1.5 * green, 1.5 * blue, -48.0)
      return ColorMatrix(rows: [row, row, row])
    case .sepia:
      return ColorMatrix(rows: [
        (0.393, 0.769, 0.189, 0), (0.349, 0.686, 0.168, 0), (0.272, 0.534, 0.131, 0),
      ])
    case .vivid:
      let (more, less) = (1.45, -0.45)
      return ColorMatrix(rows: [
        (more + less * red, less * green, less * blue, 0), (less * red, more + less * green, less * blue, 0),
        (less * red, less * green, more + less * blue, 0),
      ])
    case .warm: return ColorMatrix(rows: [(1.08, 0, 0, 4), (0, 1, 0, 0), (0, 0, 0.86, 0)])
    case .cool: return ColorMatrix(rows: [(0.88, 0, 0, 0), (0, 0.99, 0, 0), (0, 0, 1.08, 4)])
    }
  }
}
