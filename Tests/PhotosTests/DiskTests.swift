import Foundation
import FoundationExtras
import Linux
import MovieTools
import Photos
import Testing

/// A private mount namespace: what is mounted in it exists for its own processes alone.
enum PrivateMounts {
  /// Whether this machine lets a test have one.
  static let areAllowed = (try? run("mount -t tmpfs none /mnt && echo yes", ["x"]).contains("yes")) ?? false

  /// The output of a script that ran in one.
  static func run(_ script: String, _ arguments: [String]) throws -> String {
    try Program.run(
      "unshare", ["--user", "--map-root-user", "--mount", "bash", "-c", script] + arguments)
  }
}

extension PhotosTests {
  /// Libraries on disks that are full or cannot be written, made in a mount namespace of their own.
  @Suite("Libraries on full and read-only disks", .serialized, .enabled(if: PrivateMounts.areAllowed))
  struct DiskTests {
    private static let programs = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .path

    @Test func `a disk that fills up is an error, and the library on it stays whole`() throws {
      try withLibrary { test in
        let picture = "\(test.folder)/.picture.jpg"
        try TestLibrary.jpeg(1200, 900).write(to: URL(fileURLWithPath: picture))
        let disk = "\(test.folder)/.disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let text = try PrivateMounts.run(
          """
          mount -t tmpfs -o size=6m none "$2" && export OBSCURA_LIBRARY="$2/library"
          dd if=/dev/zero of="$2/spare" bs=64k count=16 2>/dev/null
          "$0/LibraryWorker" "$1" 7 | grep -e kept -e failed
          dd if=/dev/zero of="$2/rest" bs=4k 2>/dev/null
          "$0/obscura" library import "$1" 2>&1; echo "import $?"
          rm "$2/rest" "$2/spare"; "$0/obscura" library verify --deep; echo "verify $?"
          """, [Self.programs, picture, disk])
        let lines = text.split(separator: "\n").map(String.init)
        let kept = lines.filter { $0.hasPrefix("kept") }.count
        let failure = try #require(lines.first { $0.hasPrefix("failed") })
        #expect(kept > 0 && failure.contains("full"), "\(text)")
        #expect(lines.contains { $0.contains("disk is full") } && !lines.contains("import 0"), "\(text)")
        #expect(lines.last == "verify 0", "\(text)")
      }
    }

    @Test
    func `a library on a disk without a free byte lists what it has, and takes changes once there is room`()
      throws
    {
      try withLibrary { test in
        let picture = "\(test.folder)/.picture.jpg"
        try TestLibrary.jpeg(64, 48).write(to: URL(fileURLWithPath: picture))
        let names = try test.add(2)
        let disk = "\(test.folder)/.disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let copy = { (name: String) in
          try Program.run("cp", ["-r", "\(test.folder)/.catalogue", "\(disk)/\(name)"])
          // The index of the log is made anew, as after a restart of the machine.
          try? FileManager.default.removeItem(atPath: "\(disk)/\(name)/library.sqlite-shm")
        }
        _ = try copy("logged")
        try Connection(test.store.place.database, .readWrite).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        _ = try copy("plain")
        for name in ["logged", "plain"] {
          let log = "\(disk)/\(name)/library.sqlite-wal"
          let bytes = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
          #expect((bytes ?? 0 > 0) == (name == "logged"))
          let text = try PrivateMounts.run(
            """
            mkdir "$2/$3.disk"; mount -t tmpfs -o size=6m none "$2/$3.disk"
            mkdir "$2/$3.disk/library" && export OBSCURA_LIBRARY="$2/$3.disk/library"
            cp -r "$2/$3" "$OBSCURA_LIBRARY/.catalogue"
            dd if=/dev/zero of="$2/$3.disk/rest" bs=4k 2>/dev/null
            "$0/obscura" library list; echo "list $?"
            "$0/obscura" library import "$1" 2>&1; echo "import $?"
            rm "$2/$3.disk/rest"; "$0/obscura" library import "$1" 2>&1; echo "then $?"
            rm -r "$OBSCURA_LIBRARY"/* "$OBSCURA_LIBRARY"/.[a-z]*; cp -r "$2/$3" "$OBSCURA_LIBRARY/.catalogue"
            dd if=/dev/zero of="$2/$3.disk/rest" bs=4k 2>/dev/null
            "$0/LibraryWorker" "$1" 1 "$2/$3.disk/rest" 2>&1
            """, [Self.programs, picture, disk, name])
          for name in names { #expect(text.contains(name.prefix(8).lowercased()), "\(text)") }
          #expect(text.contains("list 0\n") && text.contains("then 0\n"), "\(text)")
          #expect(text.contains("disk is full") && !text.contains("import 0"), "\(text)")
          // The same in one program, which was open all the time.
          #expect(text.hasSuffix("listed 2\nsoon\nlisted 3 of width 64\n"), "\(text)")
        }
      }
    }

    @Test func `a library in a folder that is read-only can be read and not changed`() throws {
      try withLibrary { test in
        let picture = "\(test.folder)/.picture.jpg"
        try TestLibrary.jpeg(64, 48).write(to: URL(fileURLWithPath: picture))
        let names = try test.add(2)
        SharedLibrary.use(nil)
        let text = try PrivateMounts.run(
          """
          mount --bind "$2" "$2" && mount -o remount,bind,ro "$2" && export OBSCURA_LIBRARY="$2"
          "$0/obscura" library list; echo "list $?"
          "$0/obscura" library import "$1" 2>&1; echo "import $?"
          "$0/obscura" library delete newest 2>&1; echo "delete $?"
          """, [Self.programs, picture, test.folder])
        for name in names { #expect(text.contains(name.prefix(8).lowercased()), "\(text)") }
        #expect(text.contains("list 0\n") && !text.contains("import 0") && !text.contains("delete 0"))
        #expect(text.contains("read-only"), "\(text)")
        SharedLibrary.use(try LibraryStore(test.store.place))
        #expect(test.assets.count == 2 && test.files().count == 2)
      }
    }

    @Test(arguments: 1..<Schema.version)
    func `a catalogue of an earlier version is read as it is where it cannot be written`(version: Int) throws
    {
      try withLibrary { test in
        let folder = "\(test.folder)/.old"
        try TestLibrary.makeOldCatalogue(LibraryFolders(folder: folder), version)
        let text = try PrivateMounts.run(
          """
          mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && export OBSCURA_LIBRARY="$1"
          "$0/obscura" library list 2>&1; echo "list $?"
          "$0/obscura" library album 2>&1; echo "album $?"
          """, [Self.programs, folder])
        #expect(text.contains("64") && text.contains("list 0\n") && text.contains("Old"), "\(text)")
        #expect(text.contains("album 0"), "\(text)")
      }
    }
  }
}
