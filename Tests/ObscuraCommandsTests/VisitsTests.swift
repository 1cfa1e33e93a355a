import Foundation
import ObscuraCommands
import Testing

@Suite("Visits")
struct VisitsTests {
  private static let second: Int64 = 1_000_000_000

  private var visits = Visits(looksBeforeEntering: 3, absenceNanoseconds: 2 * Self.second)

  /// What a change is, and of which visit.
  private func words(_ changes: [Visits.Change]) -> [String] {
    changes.map { change in
      switch change {
      case .enter(let visit): "enter \(visit.number)"
      case .leave(let visit): "leave \(visit.number)"
      }
    }
  }

  private func place(_ x: Double) -> CGRect { CGRect(x: x, y: 0.2, width: 0.1, height: 0.3) }

  /// Notes one look, ten of which are made in a second.
  private mutating func look(_ number: Int, _ seen: (track: Int, x: Double)...) -> [String] {
    let moment = Double(number) / 10
    return words(
      visits.note(
        seen.map { Visits.Sighting(track: $0.track, bounds: place($0.x)) },
        at: Int64(number) * Self.second / 10, moment: moment))
  }

  @Test mutating func `a thing enters with the third look that shows it, once`() {
    #expect(look(0, (7, 0.5)) == [])
    #expect(look(1, (7, 0.5)) == [])
    #expect(look(2, (7, 0.5)) == ["enter 1"])
    #expect(look(3, (7, 0.5)) == [])
    #expect(visits.presentCount == 1)
  }

  @Test
  mutating func `missed looks end nothing, and a long absence does, at the moment when it was last seen`() {
    for number in 0..<3 { _ = look(number, (7, 0.5)) }
    for number in 3..<20 { #expect(look(number) == []) }
    #expect(look(20, (7, 0.5)) == [])
    for number in 21...40 { #expect(look(number) == []) }
    let changes = visits.advance(to: 41 * Self.second / 10)
    #expect(words(changes) == ["leave 1"])
    guard case .leave(let visit) = changes.first else { return }
    #expect(visit.began == 0 && visit.lastSeen == 2)
    #expect(visits.presentCount == 0)
  }

  @Test mutating func `a thing that the detector gives another number stays the same visit`() {
    for number in 0..<3 { _ = look(number, (7, 0.5)) }
    for number in 3..<9 { #expect(look(number, (8, 0.52)) == []) }
    #expect(visits.presentCount == 1)
  }

  @Test mutating func `what has not entered is forgotten where a look sees nothing`() {
    for number in 0..<3 { _ = look(number, (7, 0.1)) }
    for number in 3..<9 {
      #expect(look(number, (7, 0.1), (8, 0.8)) == [])
      visits.forgetStrangers()
    }
    #expect(visits.presentCount == 1)
  }

  @Test mutating func `a new number far away is another visit`() {
    for number in 0..<3 { _ = look(number, (7, 0.1)) }
    #expect(look(3, (7, 0.1), (8, 0.8)) == [])
    #expect(look(4, (7, 0.1), (8, 0.8)) == [])
    #expect(look(5, (7, 0.1), (8, 0.8)) == ["enter 2"])
    #expect(visits.presentCount == 2)
  }

  @Test mutating func `what is seen in a single look does not enter, however often`() {
    for number in stride(from: 0, to: 60, by: 6) {
      #expect(look(number, (number, 0.5)) == [])
      for other in 1..<6 { #expect(look(number + other) == []) }
    }
    #expect(words(visits.endAll()) == [])
  }

  @Test mutating func `rare looks, as of a slow machine, let a thing enter`() {
    for number in [0, 15, 30] {
      #expect(look(number, (7, 0.5)) == (number == 30 ? ["enter 1"] : []))
    }
  }

  @Test mutating func `the end of the look ends every visit`() {
    for number in 0..<3 { _ = look(number, (7, 0.1), (8, 0.8)) }
    #expect(words(visits.endAll()).sorted() == ["leave 1", "leave 2"])
    #expect(words(visits.endAll()) == [])
  }
}
