import Foundation
import PeopleFinding
import Testing

@Suite("Where models lie")
struct ModelFolderTests {
  @Test func `the folder is the one that is named, else among the user's caches`() {
    #expect(ModelFolder(environment: ["OBSCURA_MODELS": "/m", "HOME": "/h"]).path == "/m")
    #expect(
      ModelFolder(environment: ["OBSCURA_MODELS": "", "XDG_CACHE_HOME": "/c", "HOME": "/h"]).path
        == "/c/obscura/models")
    #expect(
      ModelFolder(environment: ["OBSCURA_MODELS": "~/m", "XDG_CACHE_HOME": "/c", "HOME": "/h"]).path == "/h/m"
    )
    for environment in [["HOME": "/h"], ["HOME": "/h", "XDG_CACHE_HOME": "relative"]] {
      #expect(ModelFolder(environment: environment).path == "/h/.cache/obscura/models")
    }
  }

  /// A folder of its own, gone afterwards.
  private func withFolder(_ files: [String: String], _ body: (ModelFolder) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    for (name, text) in files {
      try Data(text.utf8).write(to: url.appendingPathComponent(name))
    }
    try body(ModelFolder(path: url.path))
  }

  @Test func `without models the sentence says what is missing and how to get it`() throws {
    try withFolder([:]) { folder in
      let obstacle = try #require(folder.obstacle(to: .faces))
      #expect(obstacle.description.contains("face_detection_full_range_sparse.tflite"))
      #expect(obstacle.description.contains("scripts/setup --models"))
      #expect(throws: ModelError.self) { _ = try FaceFinder(folder) }
    }
  }

  @Test func `each subject without its models is named as where it is found`() throws {
    try withFolder([:]) { folder in
      for (subject, word) in [(ModelFolder.Subject.faces, "Faces"), (.bodies, "People"), (.hands, "Hands")] {
        let sentence = try #require(folder.obstacle(to: subject)).description
        #expect(sentence.hasPrefix("\(word) cannot be found in pictures"))
      }
    }
  }

  @Test func `a library that is none is reported, not loaded`() throws {
    try withFolder(["face_detection_full_range_sparse.tflite": "no model", "libLiteRt.so": "no library"]) {
      folder in
      let obstacle = try #require(folder.obstacle(to: .faces))
      #expect(obstacle.description.contains("LiteRT"))
      #expect(obstacle.description.contains("scripts/setup --models"))
      #expect(throws: obstacle) { _ = try FaceFinder(folder) }
    }
  }

  @Test(.enabled(if: hasModels, "there are no models here; run scripts/setup --models"))
  func `a model that is none is reported`() throws {
    try withFolder(["face_detection_full_range_sparse.tflite": "no model"]) { folder in
      try FileManager.default.copyItem(
        atPath: ModelFolder.current.path + "/libLiteRt.so", toPath: folder.path + "/libLiteRt.so")
      #expect(throws: ModelError.self) { _ = try FaceFinder(folder) }
    }
  }
}
