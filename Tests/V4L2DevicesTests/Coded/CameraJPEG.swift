import CoreVideo
import Foundation
import SeededNumbers
import StillCodecs

/// JPEG frames as webcams send them, and what becomes of them on a bad cable.
enum CameraJPEG {
  static let width = 160
  static let height = 128

  /// A picture with edges, slopes and grain, compressed as `number` says: 4:2:2 or 4:2:0, fine or coarse, with its Huffman
  /// tables or without them.
  static func frame(_ number: Int) throws -> [UInt8] {
    var dice = SeededGenerator(seed: UInt64(number))
    let is422 = number % 2 == 0
    let buffer = try CVPixelBuffer(
      format: is422
        ? kCVPixelFormatType_422YpCbCr8BiPlanarFullRange : kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      width: width, height: height)
    let slopes = (0..<3).map { _ in
      (Int.random(in: -3...3, using: &dice), Int.random(in: -3...3, using: &dice))
    }
    let boxes = (0..<12).map { _ in
      (
        Int.random(in: 0..<width, using: &dice), Int.random(in: 0..<height, using: &dice),
        Int.random(in: 8..<70, using: &dice), Int.random(in: 0...255, using: &dice)
      )
    }
    for (index, plane) in buffer.planes.enumerated() {
      let rowBytes = index == 0 ? width : width / 2 * 2
      for y in 0..<plane.height {
        let row = plane.row(y)
        for x in 0..<rowBytes {
          let place = (x: x, y: index == 0 || is422 ? y : 2 * y)
          var level =
            128 + (slopes[index].0 * (place.x - width / 2) + slopes[index].1 * (place.y - height / 2)) / 4
          for (left, top, size, boxLevel) in boxes
          where place.x >= left && place.x < left + size && place.y >= top && place.y < top + size {
            level = index == 0 || x % 2 == 0 ? boxLevel : 255 - boxLevel
          }
          row[x] = UInt8(clamping: level + Int.random(in: -4...4, using: &dice))
        }
      }
    }
    var options = JPEGEncoder.Options()
    options.quality = [0.5, 0.7, 0.85][number % 3]
    let file = try JPEGEncoder.encode(buffer, options: options)
    return Array(number % 4 < 2 ? file : withoutTables(file))
  }

  static func withoutTables(_ file: Data) -> Data {
    var frame = Data()
    var position = file.startIndex
    for segment in JPEGSegments(file) where segment.marker == 0xC4 {
      frame.append(file[position..<segment.start])
      position = segment.body.upperBound
    }
    frame.append(file[position...])
    return frame
  }

  /// A fault between a camera and its driver.
  ///
  /// Whole packets of USB, the places where frames begin and end, the headers. Bits do not flip there: USB's own checksums
  /// see to that.
  enum Fault: CaseIterable {
    case cutOff, cutOffAndEnded, packetLost, packetsLost, packetRepeated, packetOfGarbage, packetOfZeros
    case startLost, runTogether, startMarkerGone, endMarkerGone, markerChanged, lengthChanged, sizeChanged
    case codesChanged, zeroQuantizers
  }

  /// The frame with the fault; `other` is the next frame of the camera.
  static func damage(_ frame: [UInt8], _ fault: Fault, other: [UInt8], _ dice: inout SeededGenerator)
    -> [UInt8]
  {
    var bytes = frame
    let file = Data(frame)
    let segments = Array(JPEGSegments(file))
    let scan = segments.last?.body.upperBound ?? 0
    let packet =
      [188, 512, 1024, 3060].filter { scan + 2 * $0 < frame.count }.randomElement(using: &dice) ?? 64
    func inScan(_ dice: inout SeededGenerator) -> Int {
      Int.random(in: scan..<frame.count - packet - 2, using: &dice)
    }
    func segment(_ markers: ClosedRange<UInt8>, _ dice: inout SeededGenerator) -> JPEGSegments.Segment? {
      segments.filter { markers.contains($0.marker) }.randomElement(using: &dice)
    }
    switch fault {
    case .cutOff: bytes.removeLast(Int.random(in: 8..<frame.count - scan, using: &dice))
    case .cutOffAndEnded:
      bytes.removeLast(Int.random(in: 8..<frame.count - scan, using: &dice))
      bytes += [0xFF, 0xD9]
    case .packetLost:
      let at = inScan(&dice)
      bytes.removeSubrange(at..<at + packet)
    case .packetsLost:
      for _ in 0..<3 where bytes.count > scan + 2 * packet {
        let at = Int.random(in: scan..<bytes.count - packet - 2, using: &dice)
        bytes.removeSubrange(at..<at + packet)
      }
    case .packetRepeated:
      let at = inScan(&dice)
      bytes.insert(contentsOf: frame[at..<at + packet], at: at)
    case .packetOfGarbage:
      for index in inScan(&dice)..<frame.count - 2 where index < scan + packet || index % 7 != 0 {
        bytes[index] = UInt8.random(in: 0...255, using: &dice)
      }
    case .packetOfZeros:
      let at = inScan(&dice)
      for index in at..<at + packet { bytes[index] = 0 }
    case .startLost: bytes.removeFirst(Int.random(in: 1..<scan, using: &dice))
    case .runTogether:
      bytes = Array(frame[..<inScan(&dice)]) + other
    case .startMarkerGone:
      bytes[Int.random(in: 0...1, using: &dice)] = UInt8.random(in: 0...0xD0, using: &dice)
    case .endMarkerGone: bytes.replaceSubrange(frame.count - 2..<frame.count, with: [0x12, 0x34])
    case .markerChanged:
      // Not the first segment, which any may be.
      if let segment = segment(0xC0...0xDB, &dice) { bytes[segment.start + 1] = 0x02 }
    case .lengthChanged:
      if let segment = segment(0xC0...0xDB, &dice) {
        bytes[segment.start + 3] ^= 1 << UInt8.random(in: 0..<6, using: &dice)
      }
    case .sizeChanged:
      if let segment = segment(0xC0...0xC2, &dice) {
        bytes[segment.body.lowerBound + (Bool.random(using: &dice) ? 2 : 4)] ^= 0x50
      }
    case .codesChanged:
      // How many codes there are of a length; a frame without tables gets some that are not its own.
      if let segment = segment(0xC4...0xC4, &dice) {
        bytes[segment.body.lowerBound + 2 + Int.random(in: 1..<4, using: &dice)] += 1
      } else {
        let start = segments.last?.start ?? 0
        let table: [UInt8] = [0xFF, 0xC4, 0, 21, 0, 0, 2] + Array(repeating: 0, count: 14) + [0, 1]
        bytes.insert(contentsOf: table, at: start)
      }
    case .zeroQuantizers:
      if let segment = segment(0xDB...0xDB, &dice) {
        for index in segment.body.dropFirst() { bytes[index] = 0 }
      }
    }
    return bytes
  }
}
