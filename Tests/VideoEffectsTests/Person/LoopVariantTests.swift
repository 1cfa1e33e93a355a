import CEffects
import CoreVideo
import Foundation
import FoundationExtras
import SeededNumbers
import Testing
import VideoEffects

/// The loops of this processor and the plain ones, one after the other.
@Suite("Loops for every processor", .serialized)
struct LoopVariantTests {
  /// Every effect on a noisy picture of a width and height.
  private func results(_ width: Int, _ height: Int) throws -> [Pixels] {
    var numbers = SeededGenerator(usual: 9)
    let person = DrawnPerson(width: width, height: height)
    let matte = PersonMatte()
    var mask = person.refined()
    var picture = try person.picture()
    for step in 0..<3 {
      picture = try person.picture(noise: 9, &numbers)
      _ = try matte.reduced(picture, at: Int64(step) * 40_000_000)
      mask = try matte.mask(from: person.coarse(), of: picture, at: Int64(step) * 40_000_000)
    }
    let targets = try (0..<3).map { _ in try person.target() }
    try PortraitBlur().apply(strength: 0.8, mask: mask, from: picture, to: targets[0])
    try StudioLight().apply(
      strength: 0.7, faces: [.init(x: 0.4, y: 0.2, width: 0.2, height: 0.3)], mask: mask, at: 0,
      from: picture,
      to: targets[1])
    try BackgroundReplacement().apply(
      scenery: person.picture(noise: 60, &numbers), mask: mask, from: picture, to: targets[2])
    return targets.map { Pixels($0) }
  }

  @Test(arguments: [(641, 361), (851, 811)])
  func `every variant gives the same bytes`(_ width: Int, _ height: Int) throws {
    let wide = try results(width, height)
    effects_use_plain_loops(1)
    defer { effects_use_plain_loops(0) }
    #expect(try results(width, height) == wide)
  }

  @Test(arguments: [2, 4, 6, 8, 10]) func `between the middles of cells a mask is a straight line`(
    _ factor: Int
  ) throws {
    let (columns, rows, stride) = (11, 7, 32)
    // From left to right 0.1 a cell, from top to bottom 0.05.
    var base = [Float](repeating: 0, count: stride * rows + 16)
    for y in 0..<rows { for x in 0..<columns { base[y * stride + x] = Float(x) / 16 + Float(y) / 20 } }
    var zeros = [Float](repeating: 0, count: stride * rows + 16)
    var luma = [UInt8](repeating: 0, count: columns * rows * factor * factor)
    var chroma = luma
    let unsure = [UInt8](repeating: 99, count: columns * rows)
    let (width, height) = (columns * factor, rows * factor)
    var mask = [UInt8](repeating: 0, count: width * height)
    var room = [Float](repeating: 0, count: effects_room(Int32(width)))
    zeros.withUnsafeMutableBufferPointer { zeros in
      base.withUnsafeMutableBufferPointer { base in
        func field(_ memory: UnsafeMutableBufferPointer<Float>) -> effects_field {
          effects_field(base: memory.baseAddress, stride: stride, width: Int32(columns), height: Int32(rows))
        }
        unsure.withUnsafeBufferPointer { unsure in
          luma.withUnsafeMutableBufferPointer { luma in
            chroma.withUnsafeMutableBufferPointer { chroma in
              var picture = effects_picture(
                luma: luma.baseAddress, chroma: chroma.baseAddress, lumaStride: width, chromaStride: width,
                width: Int32(width), height: Int32(height))
              let zero = field(zeros)
              var colors = effects_colors(luma: zero, blue: zero, red: zero)
              var lines = effects_lines(
                slopes: colors, base: field(base), low: 0, high: 1)
              mask.withUnsafeMutableBufferPointer { pixels in
                var mask = effects_mask(
                  cells: unsure.baseAddress, columns: Int32(columns), rows: Int32(rows),
                  pixels: pixels.baseAddress)
                effects_matte(
                  &picture, Int32(factor), &lines, &colors, nil, nil, &mask, 0, Int32(height), &room)
              }
            }
          }
        }
      }
    }
    func cell(_ pixel: Int, _ count: Int) -> Double {
      max(0, min(Double(count - 1), (Double(pixel) + 0.5) / Double(factor) - 0.5))
    }
    for y in 0..<height {
      for x in 0..<width {
        let share = min(1, cell(x, columns) / 16 + cell(y, rows) / 20)
        let expected = share * share * (3 - 2 * share) * 255
        #expect(abs(Double(mask[y * width + x]) - expected) <= 1, "\(x) \(y)")
      }
    }
  }
}
