import CoreVideo
import DepthMaps
import Foundation
import SeededNumbers
import Testing
import simd

@Suite struct `Point clouds` {
  /// A lens of a hundred pixels of focal length, whose picture has 80 × 60.
  static func lens(table: [Float] = []) -> DepthLens {
    DepthLens(
      intrinsics: matrix_float3x3(
        columns: (simd_float3(100, 0, 0), simd_float3(0, 100, 0), simd_float3(40, 30, 1))),
      width: 80, height: 60, lookupTable: table.isEmpty ? nil : table.withUnsafeBytes { Data($0) })
  }

  private func map(_ width: Int, _ height: Int, _ values: [Float]) -> DepthMap {
    DepthMap(width: width, height: height, quantity: .depth, values: values)
  }

  @Test func `a place becomes the point at its depth on its ray, in metres, with its colour`() {
    // Each place of the map is twenty pixels of the lens's picture: its middle is at 10, 30, 50 and 70.
    let cloud = PointCloud(
      map(4, 3, [1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1]), lens: Self.lens(), colors: (0..<12).map { UInt32($0) })
    #expect(cloud.points.count == 12)
    let point = cloud.points[5]
    #expect(point.z == 2 && abs(point.x - 2 * -0.1) < 1e-6 && abs(point.y) < 1e-6 && point.color == 5)
    #expect(abs(cloud.points[0].x + 0.3) < 1e-6 && abs(cloud.points[0].y + 0.2) < 1e-6)
    #expect(abs(cloud.spacing - 0.2) < 1e-6)
  }

  @Test func `places that are unknown have no point, and disparity gives the same points as depth`() {
    let depth = map(4, 1, [1, .nan, 0, 4])
    let colors: [UInt32] = [1, 2, 3, 4]
    let cloud = PointCloud(depth, lens: Self.lens(), colors: colors)
    #expect(cloud.points.map(\.color) == [1, 4])
    let other = PointCloud(depth.expressed(as: .disparity), lens: Self.lens(), colors: colors)
    #expect(other.points == cloud.points)
    #expect(PointCloud(DepthMap(), lens: Self.lens(), colors: []).points.isEmpty)
  }

  @Test func `the bending of a lens is undone as its table says, and drawn again`() {
    let table: [Float] = (0..<42).map { 0.2 * Float($0 * $0) / (41 * 41) }
    let lens = Self.lens(table: table)
    // The corner is at 50 pixels from the middle, where a radius grows by a fifth.
    let corner = lens.slope(at: SIMD2(80, 60))
    #expect(abs(corner.x - 0.48) < 1e-4 && abs(corner.y - 0.36) < 1e-4)
    // Half way there it grows by a twentieth.
    let half = lens.slope(at: SIMD2(60, 45))
    #expect(abs(half.x - 0.21) < 1e-4)
    var numbers = SeededGenerator(seed: 36)
    for _ in 0..<200 {
      let place = SIMD2(Float.random(in: 0...80, using: &numbers), Float.random(in: 0...60, using: &numbers))
      let back = lens.place(of: lens.slope(at: place)) - place
      #expect(abs(back.x) < 0.01 && abs(back.y) < 0.01, "\(place)")
    }
  }

  @Test func `a lens of a field of view sees its edge at half of it`() {
    let lens = DepthLens(fieldOfView: 90, width: 200, height: 100)
    let edge = lens.slope(at: SIMD2(200, 50))
    #expect(abs(edge.x - 1) < 1e-5 && edge.y == 0)
  }

  @Test func `points between two surfaces are left out when that is asked for, edges of surfaces stay`() {
    let row: [Float] = [1, 1, 1.01, 2, 3, 3, 3.02]
    let values = row + row + row
    let colors = (0..<21).map { UInt32($0) }
    #expect(PointCloud(map(7, 3, values), lens: Self.lens(), colors: colors).points.count == 21)
    let clean = PointCloud(map(7, 3, values), lens: Self.lens(), colors: colors, leavesOutEdges: true)
    #expect(clean.points.map(\.color).filter { $0 < 7 } == [0, 1, 2, 4, 5, 6])
  }

  @Test func `colours are those of the picture's pixels in the middle of each place`() throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(kCFAllocatorDefault, 9, 3, kCVPixelFormatType_32BGRA, nil, &made)
    let picture = try #require(made)
    CVPixelBufferLockBaseAddress(picture, [])
    let base = try #require(CVPixelBufferGetBaseAddress(picture))
    for row in 0..<3 {
      for column in 0..<9 {
        base.storeBytes(
          of: UInt32(row << 8 | column),
          toByteOffset: CVPixelBufferGetBytesPerRow(picture) * row + 4 * column,
          as: UInt32.self)
      }
    }
    CVPixelBufferUnlockBaseAddress(picture, [])
    #expect(
      try PointCloud.colors(of: picture, width: 3, height: 1) == [0xFF00_0101, 0xFF00_0104, 0xFF00_0107])
    var other: CVPixelBuffer?
    CVPixelBufferCreate(kCFAllocatorDefault, 8, 8, kCVPixelFormatType_OneComponent8, nil, &other)
    let grey = try #require(other)
    #expect(throws: DepthMapError.pictureUnsupported(kCVPixelFormatType_OneComponent8)) {
      try PointCloud.colors(of: grey, width: 3, height: 1)
    }
  }

  @Test func `a maker gives the same clouds, also when size and lens change`() {
    var maker = CloudMaker()
    let bent = Self.lens(table: [0, 0.1])
    for (lens, width) in [(Self.lens(), 4), (Self.lens(), 4), (bent, 4), (bent, 2)] {
      let depth = map(width, 2, (0..<2 * width).map { 1 + Float($0) })
      let colors = (0..<2 * width).map { UInt32($0) }
      let cloud = maker.cloud(depth, lens: lens, colors: colors)
      #expect(cloud.points == PointCloud(depth, lens: lens, colors: colors).points)
    }
  }

  @Test func `a PLY file holds each point in metres, y upwards, and its colour`() throws {
    let cloud = PointCloud(
      points: [
        .init(x: 0.5, y: 0.25, z: 2, color: 0xFF10_2030), .init(x: -1, y: 0, z: 0.125, color: 0xFFFF_0001),
      ], spacing: 0.01)
    let file = try PLYReader(cloud.ply)
    #expect(
      file.vertices == [
        .init(x: 0.5, y: -0.25, z: -2, color: [0x10, 0x20, 0x30]),
        .init(x: -1, y: 0, z: -0.125, color: [0xFF, 0, 1]),
      ])
    #expect(file.comments.contains { $0.contains("metres") })
    #expect(try PLYReader(PointCloud(points: [], spacing: 1).ply).vertices.isEmpty)
  }

  @Test func `the range of a cloud leaves out the outermost hundredths`() {
    var points = (0..<1000).map { PointCloud.Point(x: 0, y: 0, z: 1 + Float($0) / 1000, color: 0) }
    points[0].z = 0.001
    points[999].z = 60
    let range = PointCloud(points: points, spacing: 1).depths
    #expect(range.map { $0.lowerBound > 1 && $0.upperBound < 2 } == true)
    #expect(PointCloud(points: [], spacing: 1).depths == nil)
  }
}
