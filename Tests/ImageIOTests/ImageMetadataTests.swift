import Foundation
import FoundationExtras
import ImageIO
import Testing

@Suite("CGImageMetadata")
struct ImageMetadataTests {
  private static let mine = "http://example.org/mine/"

  private func metadata() throws -> CGMutableImageMetadata {
    let metadata = CGImageMetadataCreateMutable()
    try #require(CGImageMetadataRegisterNamespaceForPrefix(metadata, Self.mine, "my", nil))
    return metadata
  }

  private func text(_ metadata: CGImageMetadata, _ path: String) -> String? {
    CGImageMetadataCopyStringValueWithPath(metadata, nil, path as CFString)
  }

  @Test func `values of every kind are read by their paths`() throws {
    let metadata = try metadata()
    #expect(CGImageMetadataCopyTags(metadata) == nil)
    let values: [(String, Any)] = [
      ("my:text", "words"), ("my:whole", 7), ("my:number", 1.5), ("my:truth", true),
      ("my:boxed", NSNumber(value: 1)), ("my:list", [1.5, 2] as CFArray),
      ("my:fields", ["w": 3, "h": "4"] as CFDictionary), ("exif:UserComment", "known to all"),
    ]
    for (path, value) in values { #expect(CGImageMetadataSetValueWithPath(metadata, nil, path, value)) }
    #expect(text(metadata, "my:text") == "words" && text(metadata, "my:whole") == "7")
    #expect(text(metadata, "my:number") == "1.5" && text(metadata, "my:truth") == "True")
    #expect(text(metadata, "my:boxed") == "1")
    #expect(text(metadata, "my:list") == nil && text(metadata, "my:list[1]") == "2")
    #expect(text(metadata, "my:fields.my:w") == "3" && text(metadata, "my:list[2]") == nil)
    #expect(text(metadata, "exif:UserComment") == "known to all")
    let names = (CGImageMetadataCopyTags(metadata) as? [CGImageMetadataTag])?.map {
      CGImageMetadataTagCopyName($0)
    }
    #expect(names == ["text", "whole", "number", "truth", "boxed", "list", "fields", "UserComment"])
  }

  @Test func `a tag says its name, its kind and its value`() throws {
    let tag = try #require(
      CGImageMetadataTagCreate(Self.mine, "my", "list", .arrayUnordered, ["a", "b"] as CFArray))
    #expect(CGImageMetadataTagCopyNamespace(tag) == Self.mine && CGImageMetadataTagCopyPrefix(tag) == "my")
    #expect(CGImageMetadataTagCopyName(tag) == "list" && CGImageMetadataTagGetType(tag) == .arrayUnordered)
    let items = try #require(CGImageMetadataTagCopyValue(tag) as? [CGImageMetadataTag])
    #expect(items.map { CGImageMetadataTagCopyValue($0) as? String } == ["a", "b"])
    let fields = try #require(
      CGImageMetadataTagCreate(Self.mine, nil, "size", .structure, ["w": tag] as CFDictionary))
    #expect(CGImageMetadataTagCopyPrefix(fields) == nil && CGImageMetadataTagGetType(fields) == .structure)
    let inner = (CGImageMetadataTagCopyValue(fields) as? [String: CGImageMetadataTag])?["w"]
    #expect(inner.map(CGImageMetadataTagGetType) == .arrayUnordered)
    #expect(CGImageMetadataTagCreate("", "my", "a", .string, "b") == nil)
    #expect(CGImageMetadataTagCreate(Self.mine, "my", "a", .string, Date()) == nil)
  }

  @Test func `a change replaces, a removal removes, and a copy is another one`() throws {
    let metadata = try metadata()
    #expect(CGImageMetadataSetValueWithPath(metadata, nil, "my:a", "1"))
    #expect(CGImageMetadataSetValueWithPath(metadata, nil, "my:a", "2"))
    let copy = try #require(CGImageMetadataCreateMutableCopy(metadata))
    #expect(CGImageMetadataRemoveTagWithPath(metadata, nil, "my:a"))
    #expect(!CGImageMetadataRemoveTagWithPath(metadata, nil, "my:a"))
    #expect(text(metadata, "my:a") == nil && text(copy, "my:a") == "2")
    #expect(CGImageMetadataSetValueWithPath(copy, nil, "my:b", "3"))
    let tag = try #require(CGImageMetadataCopyTagWithPath(copy, nil, "my:b"))
    #expect(CGImageMetadataTagCopyValue(tag) as? String == "3")
  }

  @Test func `paths and names that mean nothing change nothing`() throws {
    let metadata = try metadata()
    for path in ["", "a", "my:", ":a", "my:a:b", "other:a", "my:a[1]", "my:a[x]", "my:a.my:b"] {
      #expect(!CGImageMetadataSetValueWithPath(metadata, nil, path as CFString, "1"))
    }
    #expect(!CGImageMetadataRegisterNamespaceForPrefix(metadata, "http://example.org/other/", "my", nil))
    #expect(CGImageMetadataRegisterNamespaceForPrefix(metadata, Self.mine, "my", nil))
    #expect(!CGImageMetadataRegisterNamespaceForPrefix(metadata, Self.mine, "a:b", nil))
    #expect(CGImageMetadataCopyTags(metadata) == nil)
  }

  @Test func `a packet holds all of it`() throws {
    let metadata = try metadata()
    #expect(CGImageMetadataSetValueWithPath(metadata, nil, "my:list", ["a", "b & c"] as CFArray))
    let packet = try #require(CGImageMetadataCreateXMPData(metadata, nil))
    let back = try #require(CGImageMetadataCreateFromXMPData(packet))
    #expect(text(back, "my:list[1]") == "b & c")
    #expect(CGImageMetadataCreateFromXMPData(Data("no packet".utf8) as CFData) == nil)
  }
}
