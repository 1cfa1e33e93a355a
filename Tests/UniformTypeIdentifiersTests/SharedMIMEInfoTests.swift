import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("The desktop's database of types")
struct SharedMIMEInfoTests {
  /// A database of three types in a folder for temporary files.
  private func database() throws -> (folder: URL, info: SharedMIMEInfo) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mime-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("video"), withIntermediateDirectories: true)
    try """
    # A comment.
    80:video/x-test:*.tst
    50:video/x-other:*.tst
    50:video/x-test:*.test
    50:application/x-odd:[A-Z].odd
    50:application/x-under:*.under
    """.write(to: folder.appendingPathComponent("globs2"), atomically: true, encoding: .utf8)
    try "video/test video/x-test\n".write(
      to: folder.appendingPathComponent("aliases"), atomically: true, encoding: .utf8)
    try "application/x-under text/plain\n".write(
      to: folder.appendingPathComponent("subclasses"), atomically: true, encoding: .utf8)
    try """
    <mime-type type="video/x-test">
      <comment>Test video</comment>
      <comment xml:lang="de">Testvideo</comment>
    </mime-type>
    """.write(to: folder.appendingPathComponent("video/x-test.xml"), atomically: true, encoding: .utf8)
    return (folder, SharedMIMEInfo(folders: [folder]))
  }

  @Test func `an extension has the heaviest MIME type, and a MIME type its first extension`() throws {
    let (folder, info) = try database()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(info.mimeType(ofExtension: "tst") == "video/x-test")
    #expect(info.mimeType(ofExtension: "odd") == nil)
    #expect(info.preferredExtension(ofMIMEType: "video/x-test") == "tst")
    #expect(info.preferredExtension(ofMIMEType: "video/test") == "tst")
  }

  @Test func `a MIME type is below a declared one by the database, or by its first word`() throws {
    let (folder, info) = try database()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(DynamicType.parent(ofMIMEType: "application/x-under", in: info) == "public.plain-text")
    #expect(DynamicType.parent(ofMIMEType: "video/x-test", in: info) == "public.movie")
    #expect(DynamicType.parent(ofMIMEType: "application/x-odd", in: info) == "public.data")
    #expect(DynamicType.parent(ofMIMEType: nil, in: info) == "public.data")
  }

  @Test func `users' words for a type are in their language where the database has it`() throws {
    let (folder, info) = try database()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(info.comment(ofMIMEType: "video/x-test", language: "de") == "Testvideo")
    #expect(info.comment(ofMIMEType: "video/test", language: "ko") == "Test video")
    #expect(info.comment(ofMIMEType: "video/x-none", language: "de") == nil)
    #expect(info.comment(ofMIMEType: "video/../video/x-test", language: "de") == nil)
  }

  @Test func `the database is looked for where the desktop says`() {
    #expect(
      SharedMIMEInfo.folders(["HOME": "/home/a", "XDG_DATA_DIRS": "/usr/share:relative:/opt/share"]).map(
        \.path)
        == ["/home/a/.local/share/mime", "/usr/share/mime", "/opt/share/mime"])
    #expect(
      SharedMIMEInfo.folders(["HOME": "/home/a", "XDG_DATA_HOME": "/data"]).map(\.path)
        == ["/data/mime", "/usr/local/share/mime", "/usr/share/mime"])
  }

  @Test func `a machine without the database knows the declared types all the same`() {
    let info = SharedMIMEInfo(folders: [])
    #expect(info.mimeType(ofExtension: "tst") == nil)
    #expect(info.lineage(ofMIMEType: "a/b") == ["a/b"])
    #expect(UTType(filenameExtension: "heic") == .heic)
  }

  @Test func `all that a declared type conforms to is declared, and no type is below itself`() {
    let records = DeclaredTypes.records + DeclaredTypes.others
    let identifiers = records.map(\.identifier)
    #expect(Set(identifiers).count == identifiers.count)
    for record in records {
      let ancestors = TypeTable.ancestors(of: record.identifier)
      #expect(ancestors.allSatisfy(identifiers.contains))
      #expect(!ancestors.contains(record.identifier))
    }
  }
}
