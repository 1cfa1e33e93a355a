internal import CPainting

/// A person in one moment, drawn at any size.
struct PersonDrawing: Drawing, Relief {
  let figure: PersonFigure
  var aspect: Double? { Self.aspect }

  static let aspect = Double(PersonFigure.height / PersonFigure.width)

  init(_ person: ScenePerson, at seconds: Double) {
    figure = PersonFigure(PersonColors(person.look), person.posture(at: seconds))
  }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    figure.withPainting { painting_person(run, $0, colors, count) }
  }

  func relief(_ run: painting_run, width: Float, into metres: UnsafeMutablePointer<Float>, count: Int) {
    figure.withPainting { painting_person_relief(run, $0, metres, count) }
  }
}
