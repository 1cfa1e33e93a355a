import AVFoundation
import Foundation
import ImageIO
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura photo --depth")
  struct DepthPhotoTests {
    private let photo = ["photo", "--immediate", "--preset", "vga", "--depth", "--json"]

    @Test(arguments: ["jpg", "heic"])
    func `the file holds the map, which is read back in metres`(name: String) throws {
      // A grey wall two metres away.
      try withGreyScene { devices, folder in
        let path = "\(folder.path)/a.\(name)"
        let run = try Run(photo + ["--devices", devices, "-o", path])
        try #require(run.exitCode == .done, "\(run.messages)")
        let answer = try #require(run.json().first)
        let size = try #require(answer["depth"] as? [String: Int])
        let source = try #require(CGImageSourceCreateWithURL(URL(fileURLWithPath: path) as CFURL, nil))
        let info = try #require(
          CGImageSourceCopyAuxiliaryDataInfoAtIndex(source, 0, kCGImageAuxiliaryDataTypeDisparity))
        let depth = try AVDepthData(fromDictionaryRepresentation: info as [AnyHashable: Any])
          .converting(toDepthDataType: kCVPixelFormatType_DepthFloat32)
        let map = depth.depthDataMap
        #expect(CVPixelBufferGetWidth(map) == size["width"] && CVPixelBufferGetHeight(map) == size["height"])
        let row = map.planes[0].row(CVPixelBufferGetHeight(map) / 2).bindMemory(to: Float.self)
        #expect(abs(row[CVPixelBufferGetWidth(map) / 2] - 2) < 0.1)
      }
    }

    @Test func `a photo in the library keeps its map`() throws {
      try withGreyScene { devices, folder in
        let run = try Run(
          photo + ["--devices", devices, "--library"],
          environment: ["OBSCURA_LIBRARY": folder.path + "/library"])
        try #require(run.exitCode == .done, "\(run.messages)")
        #expect(try run.json().first?["depth"] != nil)
      }
    }

    @Test func `a camera that measures none is one sentence before any photo`() throws {
      try withTemporaryFolder { folder in
        let path = folder.path + "/a.jpg"
        let run = try Run(photo + ["--devices", "simulated", "-d", "simulated.back.wide", "-o", path])
        #expect(run.exitCode == .formatNotSupported && run.messages.count == 1, "\(run.messages)")
        #expect(run.messages.first?.contains("measures no depth") == true)
        #expect(!FileManager.default.fileExists(atPath: path))
      }
    }

    @Test(arguments: [["-o", "a.png"], ["--format", "dng"]])
    func `is not for files without room for a map`(words: [String]) throws {
      let run = try Run(photo + ["--devices", "simulated"] + words)
      #expect(run.exitCode == .usage && run.messages.first?.contains("--depth") == true)
    }
  }
}
