import Foundation
import PixelTransforms
import SeededNumbers
import Testing
import VideoEffects

@Suite("Center Stage")
struct CenterStageTests {
  /// The face of a person whose middle is at a place, from the hairline to the chin.
  private func face(_ x: Double, _ y: Double = 0.4, height: Double = 0.14) -> CGRect {
    let width = height * 9 / 16 * 0.75
    return CGRect(x: x - width / 2, y: y - height / 2, width: width, height: height)
  }

  /// The windows of so many seconds at 30 pictures a second, whose faces are looked for in every third.
  private func windows(
    _ stage: CenterStage, seconds: Double, from start: Double = 0,
    in frame: CenterStage.Frame = CenterStage.Frame(), _ faces: (Double) -> [CGRect]
  ) -> [CGRect] {
    var seen: [CGRect] = []
    return (0..<Int(seconds * 30)).map { index in
      let time = start + Double(index) / 30
      if index % 3 == 0 { seen = faces(time) }
      return stage.follow(seen, frame, at: Int64((time * 1e9).rounded()))
    }
  }

  /// The most that the middle and the side accelerate, in pictures a second squared.
  private func acceleration(_ windows: [CGRect]) -> Double {
    zip(zip(windows, windows.dropFirst()), windows.dropFirst(2)).map { pair, third in
      let (first, second) = pair
      func change(_ value: (CGRect) -> CGFloat) -> Double {
        Double(value(third) - 2 * value(second) + value(first)) * 900
      }
      let (x, y, side) = (change(\.midX), change(\.midY), change(\.width))
      return (x * x + y * y + side * side).squareRoot()
    }.max() ?? 0
  }

  private let whole = CGRect(x: 0, y: 0, width: 1, height: 1)

  private func isNear(_ one: CGRect, _ other: CGRect, within most: Double = 1e-6) -> Bool {
    abs(one.minX - other.minX) < most && abs(one.minY - other.minY) < most
      && abs(one.width - other.width) < most && abs(one.height - other.height) < most
  }

  /// Whether one lies in the other, but for rounding.
  private func isInside(_ one: CGRect, _ other: CGRect) -> Bool {
    one.isNull
      || (one.minX >= other.minX - 1e-9 && one.maxX <= other.maxX + 1e-9 && one.minY >= other.minY - 1e-9
        && one.maxY <= other.maxY + 1e-9)
  }

  @Test func `one person is shown from above the hair to the chest, the face in the upper half`() {
    let face = face(0.3)
    let window = CenterStage.window(showing: [face], CenterStage.Frame())
    #expect(window.width == window.height, "its shape is the picture's")
    #expect((0.5..<0.6).contains(window.height))
    #expect(abs(window.midX - 0.3) < 0.01 && window.minY < face.minY - 0.6 * face.height)
    #expect((0.3..<0.45).contains((face.midY - window.minY) / window.height))
    #expect(window.maxY > face.maxY + 1.5 * face.height)
  }

  @Test func `everyone is inside, inside the picture, and nothing is enlarged more than twice`() {
    var numbers = SeededGenerator(usual: 35)
    for _ in 0..<2000 {
      let faces = (0..<Int.random(in: 1...5, using: &numbers)).map { _ in
        face(
          Double.random(in: 0.05...0.95, using: &numbers), Double.random(in: 0.1...0.8, using: &numbers),
          height: Double.random(in: 0.03...0.2, using: &numbers))
      }
      let window = CenterStage.window(showing: faces, CenterStage.Frame())
      #expect(isInside(window, whole) && window.width >= 0.5)
      #expect(
        faces.allSatisfy { isInside($0.intersection(whole), window) },
        "\(faces) in \(window)")
    }
    #expect(CenterStage.window(showing: [], CenterStage.Frame()) == whole)
  }

  @Test func `the picture rests while people move a little and their boxes waver`() {
    var numbers = SeededGenerator(usual: 3)
    let stage = CenterStage(startsWhole: false)
    let windows = windows(stage, seconds: 20) { time in
      func waver(_ most: Double) -> Double { Double.random(in: -most...most, using: &numbers) }
      return [0.42, 0.6].map { x in
        face(
          x + 0.012 * sin(time) + waver(0.004), 0.4 + waver(0.006), height: 0.14 * (1 + waver(0.06)))
      }
    }
    #expect(windows[0].width < 0.8, "they are framed")
    #expect(Set(windows.dropFirst(30).map { "\($0)" }).count == 1, "and nothing moves")
  }

  /// Two people: one walks to and fro, the other comes in from the right at 4 s and goes out at 12 s.
  private func walk(_ time: Double) -> [CGRect] {
    var faces = [face(0.3 + 0.12 * sin(time * 0.9))]
    let coming = max(0.75, 1.04 - 0.2 * max(0, time - 4))
    let other = time < 12 ? coming : 0.75 + 0.2 * (time - 12)
    if other < 1.02 { faces.append(face(other, 0.36, height: 0.15)) }
    return faces
  }

  @Test
  func `two people walk: it accelerates evenly, and from a second after they came all faces are inside`() {
    let windows = windows(CenterStage(startsWhole: false), seconds: 18, walk)
    #expect(acceleration(windows) <= 4.01, "\(acceleration(windows))")
    for (index, window) in windows.enumerated() {
      let time = Double(index) / 30
      #expect(isInside(window, whole), "\(time): \(window)")
      // The second one is whole in view at 4.2 s, and is about to leave at 13 s.
      let faces = time < 5.2 || time > 13 ? Array(walk(time).prefix(1)) : walk(time)
      for face in faces { #expect(isInside(face, window), "\(time): \(face) in \(window)") }
    }
    #expect(windows[110].width < 0.56 && windows[300].width > 0.59 && windows[539].width < 0.56)
  }

  @Test func `it follows one who walks without stopping on the way`() {
    let windows = windows(CenterStage(startsWhole: false), seconds: 6) { time in
      [face(min(0.3 + 0.1 * max(0, time - 1), 0.7))]
    }
    // From 1 s to 5 s she walks, and once the picture has set out so does it, at her pace.
    let steps = zip(windows[75..<135], windows[76..<136]).map { Double($1.midX - $0.midX) * 30 }
    #expect(steps.allSatisfy { (0.04..<0.25).contains($0) }, "\(steps)")
    #expect(acceleration(windows) <= 4.01 && abs(windows[179].midX - 0.7) < 0.03)
  }

  @Test func `who turns away for a moment stays in view, and without anyone it slowly shows all`() {
    let stage = CenterStage(startsWhole: false)
    let framed = windows(stage, seconds: 3) { _ in [face(0.3)] }
    let hidden = windows(stage, seconds: 1.4, from: 3) { _ in [] }
    #expect(Set((framed.suffix(30) + hidden).map { "\($0)" }).count == 1)
    let back = windows(stage, seconds: 1, from: 4.4) { _ in [face(0.3)] }
    #expect(Set(back.map { "\($0)" }).count == 1)
    let empty = windows(stage, seconds: 8, from: 5.4) { _ in [] }
    #expect(isNear(empty[0], framed[89]) && isNear(empty[239], whole, within: 0.001))
    #expect(acceleration(empty) <= 0.81, "\(acceleration(empty))")
    #expect(zip(empty, empty.dropFirst()).allSatisfy { $1.width >= $0.width - 1e-9 }, "it never goes back")
  }

  @Test func `a face that is seen once, or now and then missed, moves nothing`() {
    let stage = CenterStage(startsWhole: false)
    let windows = windows(stage, seconds: 12) { time in
      let step = Int((time * 10).rounded())
      return (step % 4 == 1 ? [] : [face(0.3)]) + (step % 13 == 5 ? [face(0.9)] : [])
    }
    #expect(Set(windows.dropFirst(30).map { "\($0)" }).count == 1)
  }

  @Test func `a stream that is watched already goes to the people from the whole, another begins with them`()
  {
    let watched = windows(CenterStage(startsWhole: true), seconds: 4) { _ in [face(0.3)] }
    let fresh = windows(CenterStage(startsWhole: false), seconds: 4) { _ in [face(0.3)] }
    #expect(watched[0] == whole && isNear(watched[119], fresh[0], within: 0.02))
    #expect(acceleration(watched) <= 0.81 && isNear(fresh[0], fresh[119]))
  }

  @Test func `after a gap it begins anew`() {
    let stage = CenterStage(startsWhole: true)
    _ = windows(stage, seconds: 4) { _ in [face(0.3)] }
    let later = windows(stage, seconds: 1, from: 9) { _ in [face(0.7)] }
    #expect(abs(later[0].midX - 0.7) < 0.03 && isNear(later[0], later[29]))
  }

  @Test(arguments: QuarterTurn.allCases) func `a picture that is turned is followed as one that is upright`(
    _ turn: QuarterTurn
  ) {
    // The stored picture is turned by `turn` to be upright: what is upright lies there turned back.
    func stored(_ rect: CGRect) -> CGRect {
      switch turn {
      case .none: rect
      case .clockwise90: CGRect(x: rect.minY, y: 1 - rect.maxX, width: rect.height, height: rect.width)
      case .half: CGRect(x: 1 - rect.maxX, y: 1 - rect.maxY, width: rect.width, height: rect.height)
      case .clockwise270: CGRect(x: 1 - rect.maxY, y: rect.minX, width: rect.height, height: rect.width)
      }
    }
    let upright = windows(CenterStage(startsWhole: false), seconds: 8, walk)
    let turned = windows(CenterStage(startsWhole: false), seconds: 8, in: CenterStage.Frame(turn: turn)) {
      time in
      walk(time).map(stored)
    }
    #expect(zip(upright, turned).allSatisfy { isNear(stored($0), $1, within: 1e-9) })
  }

  @Test(arguments: [
    CGRect(x: 0.25, y: 0, width: 0.5, height: 1), CGRect(x: 0, y: 0.2, width: 1, height: 0.5),
    CGRect(x: 0.1, y: 0.3, width: 0.4, height: 0.4),
  ])
  func `in a part of the picture people are framed by its shape`(_ rect: CGRect) {
    let frame = CenterStage.Frame(rectOfInterest: rect)
    let windows = windows(CenterStage(startsWhole: false), seconds: 12, in: frame, walk)
    for (index, window) in windows.enumerated() {
      #expect(abs(window.width * rect.height - window.height * rect.width) < 1e-9)
      #expect(isInside(window, whole), "\(window)")
      #expect(window.width >= rect.width / 2 - 1e-9, "nothing is enlarged more than twice")
      let time = Double(index) / 30
      if time < 4 { #expect(isInside(walk(time)[0], window), "\(time): \(window)") }
    }
    #expect(acceleration(windows) <= 4.01)
  }

  @Test func `a still has the window of its moment, and without a stream the best one`() {
    let stage = CenterStage(startsWhole: false)
    let alone = stage.window(at: 0, CenterStage.Frame(), faces: [face(0.7)])
    #expect(alone == CenterStage.window(showing: [face(0.7)], CenterStage.Frame()))
    let windows = windows(stage, seconds: 6, walk)
    for index in [100, 130, 150, 179] {
      let time = Int64((Double(index) / 30 * 1e9).rounded())
      #expect(stage.window(at: time, CenterStage.Frame(), faces: []) == windows[index])
      #expect(stage.window(at: time + 9_000_000, CenterStage.Frame(), faces: []) == windows[index])
    }
  }
}
