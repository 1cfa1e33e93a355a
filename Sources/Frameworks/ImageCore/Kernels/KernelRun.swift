internal import Foundation

/// Runs a program for pixels of one row, up to ``length`` at a time.
///
/// Thread-bound: its registers are its own.
final class KernelRun {
  /// The pixels of a run; with so few the registers of a usual kernel stay in the caches.
  static let length = 128
  /// A loop with more iterations is taken for endless.
  private static let loopLimit = 1 << 16

  private let program: KernelProgram
  /// Of each image the part that the kernel asked for.
  private let images: [Tile?]
  private let extents: [SIMD4<Float>]
  private let registers: UnsafeMutablePointer<SIMD4<Float>>
  /// Which pixels of the run the current steps change.
  private var active = [Bool](repeating: true, count: KernelRun.length)
  private var count = 0
  private var (x, y) = (0, 0)
  /// Whether a loop was given up.
  private(set) var wasEndless = false

  init(_ program: KernelProgram, images: [Tile?], extents: [SIMD4<Float>]) {
    self.program = program
    self.images = images
    self.extents = extents
    registers = .allocate(capacity: program.registerCount * Self.length)
    registers.initialize(repeating: .zero, count: program.registerCount * Self.length)
  }

  deinit { registers.deallocate() }

  subscript(register: KernelProgram.Register) -> UnsafeMutablePointer<SIMD4<Float>> {
    registers + register * Self.length
  }

  /// Computes `count` pixels from (`x`, `y`) on; the registers of parameters must be filled.
  func run(x: Int, y: Int, count: Int) -> UnsafeMutablePointer<SIMD4<Float>> {
    (self.x, self.y, self.count) = (x, y, count)
    for index in 0..<count { active[index] = true }
    run(program.steps)
    return self[program.result]
  }

  private func run(_ steps: [KernelProgram.Step]) {
    for step in steps { run(step) }
  }

  private func run(_ step: KernelProgram.Step) {
    switch step {
    case .constant(let to, let value):
      self[to].update(repeating: value, count: count)
    case .position(let to):
      let to = self[to]
      for index in 0..<count { to[index] = SIMD4(Float(x + index) + 0.5, Float(y) + 0.5, 0, 0) }
    case .swizzle(let to, let from, let order):
      let (to, from) = (self[to], self[from])
      let (a, b, c, d) = (Int(order.x), Int(order.y), Int(order.z), Int(order.w))
      if a == b, b == c, c == d {
        for index in 0..<count { to[index] = SIMD4(repeating: from[index][a]) }
        return
      }
      for index in 0..<count {
        let value = from[index]
        to[index] = SIMD4(value[a], value[b], value[c], value[d])
      }
    case .insert(let to, let at, let from, let place):
      let (to, from) = (self[to], self[from])
      for index in 0..<count { to[index][at] = from[index][place] }
    case .function(let to, let function, let from, let width):
      function.apply(to: self[to], from.map { self[$0] }, count, width: width)
    case .sample(let to, let image, let place):
      sample(self[to], image, self[place])
    case .extent(let to, let image):
      self[to].update(repeating: extents[image], count: count)
    case .store(let to, let from):
      let (to, from) = (self[to], self[from])
      for index in 0..<count where active[index] { to[index] = from[index] }
    case .branch(let condition, let first, let second):
      branch(self[condition], first, second)
    case .loop(let condition, let test, let body, let testsFirst):
      loop(self[condition], test, body, testsFirst: testsFirst)
    case .call(let steps):
      let before = active
      run(steps)
      active = before
    case .finish:
      for index in 0..<count { active[index] = false }
    }
  }

  private func sample(
    _ to: UnsafeMutablePointer<SIMD4<Float>>, _ image: Int, _ places: UnsafeMutablePointer<SIMD4<Float>>
  ) {
    guard let tile = images[image] else {
      to.update(repeating: .zero, count: count)
      return
    }
    let rect = tile.rect
    for index in 0..<count {
      let place = places[index]
      guard place.x.isFinite, place.y.isFinite else {
        to[index] = .zero
        continue
      }
      // Beyond the part the pixels at its edge go on, which are clear at the image's own edge.
      to[index] = tile.between(
        min(max(CGFloat(place.x), CGFloat(rect.x)), CGFloat(rect.maxX)),
        min(max(CGFloat(place.y), CGFloat(rect.y)), CGFloat(rect.maxY)))
    }
  }

  private var isAnyActive: Bool { active[0..<count].contains(true) }

  private func branch(
    _ condition: UnsafeMutablePointer<SIMD4<Float>>, _ first: [KernelProgram.Step],
    _ second: [KernelProgram.Step]
  ) {
    let before = active
    // The steps may write over the condition.
    let holds = (0..<count).map { condition[$0].x != 0 }
    for index in 0..<count { active[index] = before[index] && holds[index] }
    if isAnyActive { run(first) }
    let after = active
    for index in 0..<count { active[index] = before[index] && !holds[index] }
    if isAnyActive { run(second) }
    for index in 0..<count { active[index] = active[index] || after[index] }
  }

  private func loop(
    _ condition: UnsafeMutablePointer<SIMD4<Float>>, _ test: [KernelProgram.Step],
    _ body: [KernelProgram.Step],
    testsFirst: Bool
  ) {
    var ended = [Bool](repeating: false, count: count)
    var turns = 0
    if !testsFirst { run(body) }
    while isAnyActive {
      run(test)
      for index in 0..<count where active[index] && condition[index].x == 0 {
        ended[index] = true
        active[index] = false
      }
      guard isAnyActive else { break }
      turns += 1
      if turns > Self.loopLimit {
        wasEndless = true
        break
      }
      run(body)
    }
    for index in 0..<count { active[index] = active[index] || ended[index] }
  }
}
