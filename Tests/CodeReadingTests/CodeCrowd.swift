import CodeReading
import Foundation
import SeededNumbers

/// A picture of some codes of any kinds, each anywhere and turned by quarters, several of them equal.
struct CodeCrowd {
  struct Member {
    let kind: CodeKind
    let text: String
    /// The picture with this code alone.
    var alone: CodePicture
  }

  private(set) var picture: CodePicture
  private(set) var members: [Member] = []
  private var places: [CGRect] = []

  static let kinds: [CodeKind] = [
    .qr, .aztec, .dataMatrix, .pdf417, .ean13, .ean8, .upcE, .code39, .code93, .code128, .itf, .codabar,
  ]

  init(of count: Int, _ random: inout SeededGenerator) throws {
    let ground = UInt8.random(in: 160...255, using: &random)
    picture = CodePicture(
      width: .random(in: 320...560, using: &random), height: .random(in: 240...420, using: &random),
      ground: ground)
    let empty = picture
    for _ in 0..<count {
      let last = members.last.flatMap { Bool.random(using: &random) ? ($0.kind, $0.text) : nil }
      let (kind, text) = last ?? Self.content(&random)
      let code = try DrawnCode(kind, text)
      let scale = Int.random(in: 2...3, using: &random)
      let height = kind.isLinear ? Int.random(in: 24...80, using: &random) : code.height * scale
      let turns = Int.random(in: 0..<4, using: &random)
      let size = CGSize(width: code.width * scale, height: height)
      let box = turns % 2 == 0 ? size : CGSize(width: size.height, height: size.width)
      guard let place = free(box, margin: CGFloat(6 * scale), &random) else { continue }
      places.append(place)
      var alone = empty
      for y in 0..<height {
        for x in 0..<code.width * scale {
          let row = kind.isLinear ? 0 : y / scale
          guard code.modules[row * code.width + x / scale] == 0 else { continue }
          let (across, down) =
            switch turns {
            case 0: (x, y)
            case 1: (height - 1 - y, x)
            case 2: (code.width * scale - 1 - x, height - 1 - y)
            default: (y, code.width * scale - 1 - x)
            }
          let index = (Int(place.minY) + down) * picture.width + Int(place.minX) + across
          alone.pixels[index] = 40
          picture.pixels[index] = 40
        }
      }
      members.append(Member(kind: kind, text: text, alone: alone))
    }
  }

  /// A place of that size away from all others; `nil` where none was found.
  private func free(_ size: CGSize, margin: CGFloat, _ random: inout SeededGenerator) -> CGRect? {
    guard Int(size.width) < picture.width, Int(size.height) < picture.height else { return nil }
    for _ in 0..<20 {
      let origin = CGPoint(
        x: Int.random(in: 0...picture.width - Int(size.width), using: &random),
        y: Int.random(in: 0...picture.height - Int(size.height), using: &random))
      let place = CGRect(origin: origin, size: size)
      if !places.contains(where: { $0.intersects(place.insetBy(dx: -margin, dy: -margin)) }) { return place }
    }
    return nil
  }

  private static func content(_ random: inout SeededGenerator) -> (CodeKind, String) {
    let kind = kinds.randomElement(using: &random) ?? .qr
    func digits(_ count: Int, _ random: inout SeededGenerator) -> String {
      (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
    }
    let text =
      switch kind {
      case .ean13: digits(12, &random)
      case .ean8: digits(7, &random)
      case .upcE: "0" + digits(6, &random)
      case .itf: digits(2 * Int.random(in: 3...6, using: &random), &random)
      case .codabar: "A" + digits(.random(in: 4...10, using: &random), &random) + "B"
      case .code39, .code93: digits(.random(in: 3...8, using: &random), &random)
      default: digits(.random(in: 4...16, using: &random), &random)
      }
    return (kind, text)
  }
}
