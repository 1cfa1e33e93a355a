internal import CPainting
internal import CaptureDevice

/// A drawing as a matte of one part of people shows it: that part white, all else of it black.
struct PartDrawing: Drawing {
  let drawing: any Drawing
  let share: painting_share

  var aspect: Double? { drawing.aspect }

  /// `nil` for parts that no drawn person has.
  init?(_ drawing: any Drawing, _ part: PersonPart) {
    guard let share = Self.share(part) else { return nil }
    self.drawing = drawing
    self.share = share
  }

  /// The parts that drawn people have: their mouths are closed, and they wear no glasses.
  static let parts = Set(PersonPart.allCases.filter { share($0) != nil })

  private static func share(_ part: PersonPart) -> painting_share? {
    switch part {
    case .skin: painting_skin_share
    case .hair: painting_hair_share
    case .teeth, .glasses: nil
    }
  }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    if let person = drawing as? PersonDrawing {
      return person.figure.withPainting { painting_person_share(run, $0, share, colors, count) }
    }
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: count) { own in
      guard let base = own.baseAddress else { return }
      own.initialize(repeating: .zero)
      drawing.paint(run, over: base, count: count)
      painting_lay_black(base, colors, count)
    }
  }
}
