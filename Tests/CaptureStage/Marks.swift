package import AVFoundation
package import CaptureDevice
package import Foundation
package import SimulatedDevices

/// White squares on black at known places, and finding them again in a picture.
package enum Marks {
  /// A square as it was found: its middle and size in pixels, to a fraction of one.
  package struct Found {
    package var middle: CGPoint
    package var size: CGSize

    package var rect: CGRect {
      CGRect(
        x: middle.x - size.width / 2, y: middle.y - size.height / 2, width: size.width, height: size.height)
    }
  }

  /// Rectangles of whole pixels in a picture of `size`, so that painting them rounds nothing.
  ///
  /// No turn and no mirroring takes the three places to themselves.
  package static func rects(in size: FrameSize) -> [CGRect] {
    let places = [(0.42, 0.40), (0.60, 0.44), (0.46, 0.58)]
    return places.map { x, y in
      CGRect(
        x: (x * Double(size.width)).rounded(), y: (y * Double(size.height)).rounded(), width: 8, height: 8)
    }
  }

  /// A scene that shows the rectangles to a camera of `size`.
  package static func scene(for size: FrameSize) throws -> Scene {
    let white = try ScenePicture(width: 2, height: 2, rgba: [UInt8](repeating: 255, count: 16))
    let layers = rects(in: size).map { rect in
      SceneLayer(
        .picture(white),
        center: CGPoint(x: rect.midX / Double(size.width), y: rect.midY / Double(size.height)),
        width: rect.width / Double(size.width))
    }
    var scene = Scene(
      isStamped: false, isNoisy: false, background: SceneBackground(.color(red: 0, green: 0, blue: 0)),
      layers: layers)
    scene.isStill = true
    return scene
  }

  /// The bright squares of a BGRA picture that do not touch its edges.
  package static func find(in picture: CVPixelBuffer) -> [Found] {
    let width = CVPixelBufferGetWidth(picture), height = CVPixelBufferGetHeight(picture)
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddress(picture) else { return [] }
    let bytes = base.assumingMemoryBound(to: UInt8.self)
    let stride = CVPixelBufferGetBytesPerRow(picture)
    func light(_ x: Int, _ y: Int) -> Int { Int(bytes[y * stride + 4 * x + 1]) }

    var seen = Set<Int>()
    var found: [Found] = []
    for y in 0..<height {
      for x in 0..<width where light(x, y) > 24 && !seen.contains(y * width + x) {
        var open = [(x, y)]
        var members: [(x: Int, y: Int)] = []
        seen.insert(y * width + x)
        while let (x, y) = open.popLast() {
          members.append((x, y))
          for (nx, ny) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
          where nx >= 0 && ny >= 0 && nx < width && ny < height && light(nx, ny) > 24
            && seen.insert(ny * width + nx).inserted
          {
            open.append((nx, ny))
          }
        }
        let touches = members.contains { $0.x == 0 || $0.y == 0 || $0.x == width - 1 || $0.y == height - 1 }
        guard !touches, members.count > 8 else { continue }
        let peak = Double(members.map { light($0.x, $0.y) }.max() ?? 255)
        var sum = 0.0, sx = 0.0, sy = 0.0
        for (x, y) in members {
          let weight = Double(light(x, y)) / peak
          sum += weight
          sx += weight * (Double(x) + 0.5)
          sy += weight * (Double(y) + 0.5)
        }
        let middle = CGPoint(x: sx / sum, y: sy / sum)
        // Rows through the middle have the square's full width, however its edges lie between pixels.
        let row = Int(middle.y), column = Int(middle.x)
        let across = members.filter { $0.y == row }, down = members.filter { $0.x == column }
        func length(_ members: [(x: Int, y: Int)]) -> Double {
          members.reduce(0) { $0 + Double(light($1.x, $1.y)) / peak }
        }
        found.append(
          Found(middle: middle, size: CGSize(width: length(across), height: length(down))))
      }
    }
    return found
  }
}
