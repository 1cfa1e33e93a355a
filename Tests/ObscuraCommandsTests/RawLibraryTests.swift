import Foundation
import ObscuraCommands
import Testing

extension CommandTests {
  @Suite("obscura library, raw pictures")
  struct RawLibraryTests {
    private let photo = ["photo", "--immediate", "--preset", "vga", "--devices", "simulated"]

    @Test
    func `a DNG alone is taken in, listed, given out and verified, and one beside its photo is a part of it`()
      throws
    {
      try withTemporaryFolder { folder in
        let environment = ["OBSCURA_LIBRARY": folder.path + "/library"]
        func run(_ words: String...) throws -> Run { try Run(["library"] + words, environment: environment) }
        let (alone, jpeg) = (folder.path + "/a.dng", folder.path + "/b.jpg")
        try #require(try Run(photo + ["-o", alone]).exitCode == .done)
        try #require(try Run(photo + ["--raw", "-o", jpeg]).exitCode == .done)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: alone))
        let taken = try run("import", alone, jpeg, folder.path + "/b.dng", "--json")
        try #require(taken.exitCode == .done, "\(taken.messages)")
        let assets = try taken.json()
        #expect(assets.map { ($0["files"] as? [[String: Any]])?.count } == [1, 2])
        let name = try #require(assets.first?["identifier"] as? String)
        #expect(assets.first?["kind"] as? String == "photo")
        #expect(try run("show", name).text.contains(".dng"))
        #expect(try run("list").text.split(separator: "\n").count == 2)
        let given = try run("export", name, "-o", folder.path)
        let out = given.text.trimmingCharacters(in: .newlines)
        #expect(out.hasSuffix(".dng") && FileManager.default.contents(atPath: out) == bytes)
        let verified = try run("verify", "--deep")
        #expect(verified.exitCode == .done, "\(verified.text)")
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: folder.path + "/c.dng"))
        let refused = try run("import", folder.path + "/c.dng")
        #expect(refused.exitCode == .otherFailure && refused.messages.count == 1)
        #expect(refused.messages.first?.contains("ends before its numbers do") == true, "\(refused.messages)")
      }
    }

    @Test func `photo, raw picture and movie of one press are one asset, in whatever order they are named`()
      throws
    {
      try withTemporaryFolder { folder in
        let environment = ["OBSCURA_LIBRARY": folder.path + "/library"]
        try #require(try Run(photo + ["--raw", "--live", "-o", folder.path + "/a.jpg"]).exitCode == .done)
        let files = ["dng", "mov", "jpg"].map { "\(folder.path)/a.\($0)" }
        let taken = try Run(["library", "import"] + files + ["--json"], environment: environment)
        try #require(taken.exitCode == .done, "\(taken.messages)")
        let assets = try taken.json()
        #expect(assets.count == 1)
        let kinds = (assets.first?["files"] as? [[String: Any]])?.compactMap { $0["uniformType"] as? String }
        #expect(
          Set(kinds ?? []) == ["public.jpeg", "com.adobe.raw-image", "com.apple.quicktime-movie"],
          "\(kinds ?? [])")
      }
    }

    @Test func `a raw photo alone goes into the library`() throws {
      try withTemporaryFolder { folder in
        let environment = ["OBSCURA_LIBRARY": folder.path + "/library"]
        let run = try Run(photo + ["--library", "--format", "dng"], environment: environment)
        #expect(run.exitCode == .done && run.text.hasSuffix(".dng\n"), "\(run.messages)")
        #expect(try Run(["library", "list"], environment: environment).text.contains(".dng"))
      }
    }
  }
}
