import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Types of data")
struct UTTypeTests {
  @Test(arguments: [
    ("jpg", UTType.jpeg, "image/jpeg"), ("JPEG", .jpeg, "image/jpeg"), ("heic", .heic, "image/heic"),
    ("png", .png, "image/png"), ("dng", .dng, "image/x-adobe-dng"),
    ("mov", .quickTimeMovie, "video/quicktime"),
    ("mp4", .mpeg4Movie, "video/mp4"), ("wav", .wav, "audio/vnd.wave"), ("json", .json, "application/json"),
    ("txt", .plainText, "text/plain"), ("pdf", .pdf, "application/pdf"), ("zip", .zip, "application/zip"),
  ])
  func `a file name extension has its type, and the type its MIME type`(
    name: String, type: UTType, mimeType: String
  ) {
    #expect(UTType(filenameExtension: name) == type)
    #expect(UTType(mimeType: mimeType) == type)
    #expect(type.preferredMIMEType == mimeType)
    #expect(UTType(type.identifier) == type)
    #expect(type.isDeclared && !type.isDynamic)
  }

  @Test func `types have Apple's identifiers and preferred extensions`() {
    #expect(UTType.jpeg.identifier == "public.jpeg")
    #expect(UTType.jpeg.preferredFilenameExtension == "jpeg")
    #expect(UTType.heic.identifier == "public.heic")
    #expect(UTType.mpeg4Movie.identifier == "public.mpeg-4")
    #expect(UTType.quickTimeMovie.identifier == "com.apple.quicktime-movie")
    #expect(UTType.quickTimeMovie.preferredFilenameExtension == "mov")
    #expect(UTType.rawImage.identifier == "public.camera-raw-image")
    #expect(UTType.livePhoto.preferredFilenameExtension == nil)
    #expect(UTType.jpeg.tags[.filenameExtension] == ["jpeg", "jpg", "jpe"])
  }

  @Test func `types of other programs have Apple's identifiers, extensions and places among the others`() {
    #expect(UTType.usdz.identifier == "com.pixar.universal-scene-description-mobile")
    #expect(UTType(filenameExtension: "usdz") == .usdz && UTType.usdz.conforms(to: .threeDContent))
    #expect(UTType(filenameExtension: "sh") == .shellScript && UTType.shellScript.conforms(to: .sourceCode))
    #expect(UTType(mimeType: "text/javascript") == .javaScript)
    #expect(
      UTType.applicationBundle.conforms(to: .application) && UTType.applicationBundle.conforms(to: .bundle))
    #expect(UTType.emailMessage.isSubtype(of: .message) && !UTType.emailMessage.conforms(to: .text))
  }

  @Test func `a type is below those that it conforms to`() {
    #expect(UTType.heic.conforms(to: .image))
    #expect(UTType.heic.isSubtype(of: .data) && UTType.data.isSupertype(of: .heic))
    #expect(UTType.jpeg.conforms(to: .jpeg) && !UTType.jpeg.isSubtype(of: .jpeg))
    #expect(!UTType.jpeg.conforms(to: .movie))
    #expect(UTType.quickTimeMovie.supertypes == [.movie, .audiovisualContent, .content, .data, .item])
    #expect(UTType.mpeg4Audio.conforms(to: .audio) && UTType.mpeg4Audio.conforms(to: .mpeg4Movie))
  }

  @Test func `of several types of an extension the one below a type is taken`() {
    #expect(UTType(filenameExtension: "mp4", conformingTo: .audio) == .mpeg4Audio)
    #expect(UTType(filenameExtension: "mp4", conformingTo: .movie) == .mpeg4Movie)
    #expect(
      UTType.types(tag: "mp4", tagClass: .filenameExtension, conformingTo: nil) == [.mpeg4Movie, .mpeg4Audio])
  }

  @Test func `an identifier that is not known is no type`() {
    #expect(UTType("com.example.nothing") == nil)
    #expect(UTType("dyn.nothing") == nil)
    #expect(UTType(filenameExtension: "") == nil)
  }

  @Test func `what is not declared is a dynamic type that keeps its tag`() throws {
    let type = try #require(UTType(filenameExtension: "obscuretest", conformingTo: .image))
    #expect(type.isDynamic && !type.isDeclared)
    #expect(type.preferredFilenameExtension == "obscuretest")
    #expect(type.conforms(to: .image))
    #expect(UTType(type.identifier) == type)
    #expect(UTType(filenameExtension: "obscuretest") != type)
    let sound = try #require(UTType(mimeType: "audio/x-obscuretest"))
    #expect(sound.conforms(to: .audio) && sound.preferredMIMEType == "audio/x-obscuretest")
  }

  @Test func `a program's own type is known once it is declared`() {
    #expect(UTType("org.example.capture") == nil)
    let type = UTType(exportedAs: "org.example.capture", conformingTo: .package)
    #expect(UTType("org.example.capture") == type)
    #expect(type.conforms(to: .directory) && type.isDeclared && !type.isPublic)
  }

  @Test func `a type is encoded as its identifier`() throws {
    let data = try JSONEncoder().encode([UTType.jpeg])
    #expect(String(decoding: data, as: UTF8.self) == #"["public.jpeg"]"#)
    #expect(try JSONDecoder().decode([UTType].self, from: data) == [.jpeg])
  }

  @Test func `file names get the extension of a type`() {
    let folder = URL(fileURLWithPath: "/tmp/a")
    #expect(folder.appendingPathComponent("b", conformingTo: .quickTimeMovie).path == "/tmp/a/b.mov")
    #expect(folder.appendingPathComponent("b.jpg", conformingTo: .jpeg).path == "/tmp/a/b.jpg")
    #expect(folder.appendingPathExtension(for: .png).path == "/tmp/a.png")
    var url = folder
    url.appendPathExtension(for: .livePhoto)
    #expect(url == folder)
  }
}
