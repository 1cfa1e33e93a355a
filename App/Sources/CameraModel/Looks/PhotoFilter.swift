/// A look that photos and videos can have: what the preview shows, they have.
package enum PhotoFilter: Sendable, Hashable {
  case none, mono, noir, sepia, vivid, warm, cool
  /// A look of the user's, by its name in the ``LookFolder``.
  case cube(String)

  /// The filters that are always there, in the order of the screen.
  package static let builtIn: [PhotoFilter] = [.none, .mono, .noir, .sepia, .vivid, .warm, .cool]

  /// The matrix from the camera's colours to the filter's; `nil` for no change, and for a look.
  var matrix: FilterMatrix? {
    // How much red, green and blue give to lightness, after ITU-R BT.709.
    let (red, green, blue) = (0.2126, 0.7152, 0.0722)
    switch self {
    case .none, .cube: return nil
    case .mono:
      return FilterMatrix(rows: [(red, green, blue, 0), (red, green, blue, 0), (red, green, blue, 0)])
    case .noir:
      let row = (1.5 * red, 1.5 * green, 1.5 * blue, -48.0)
      return FilterMatrix(rows: [row, row, row])
    case .sepia:
      return FilterMatrix(rows: [
        (0.393, 0.769, 0.189, 0), (0.349, 0.686, 0.168, 0), (0.272, 0.534, 0.131, 0),
      ])
    case .vivid:
      let (more, less) = (1.45, -0.45)
      return FilterMatrix(rows: [
        (more + less * red, less * green, less * blue, 0), (less * red, more + less * green, less * blue, 0),
        (less * red, less * green, more + less * blue, 0),
      ])
    case .warm: return FilterMatrix(rows: [(1.08, 0, 0, 4), (0, 1, 0, 0), (0, 0, 0.86, 0)])
    case .cool: return FilterMatrix(rows: [(0.88, 0, 0, 0), (0, 0.99, 0, 0), (0, 0, 1.08, 4)])
    }
  }
}

extension PhotoFilter: Codable {
  /// The prefix of a look's name in the settings.
  private static let cubePrefix = "cube:"

  /// The filter of a word of the settings.
  package init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    if let filter = Self.builtIn.first(where: { $0.word == word }) {
      self = filter
    } else if word.hasPrefix(Self.cubePrefix) {
      self = .cube(String(word.dropFirst(Self.cubePrefix.count)))
    } else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "There is no filter \(word).")
      )
    }
  }

  /// Writes the filter's word.
  package func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(word)
  }

  private var word: String {
    if case .cube(let name) = self { Self.cubePrefix + name } else { String(describing: self) }
  }
}
