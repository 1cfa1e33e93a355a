import Foundation
import Linux
import Testing

@Suite("The folders of a user")
struct UserFoldersTests {
  private static let account = getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } ?? "/"

  @Test(arguments: [
    (["HOME": "/h"], "/h"), (["HOME": "/h//"], "/h"), (["HOME": "/"], "/"), (["HOME": "h"], account),
    (["HOME": "~"], account), (["HOME": ""], account), ([:], account),
  ])
  func `the home is the one that is named, else that of the user's account`(
    environment: [String: String], home: String
  ) {
    #expect(UserFolders(environment).home == home)
  }

  @Test func `each folder is the one that is named, else a standard one in the home`() {
    let standard = UserFolders(["HOME": "/h"])
    #expect(standard.configuration("a") == "/h/.config/a" && standard.data("a") == "/h/.local/share/a")
    #expect(standard.caches("a/b") == "/h/.cache/a/b" && standard.pictures == "/h/Pictures")
    let named = UserFolders([
      "HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "/d/", "XDG_CACHE_HOME": "/e//",
      "XDG_PICTURES_DIR": "/p/",
    ])
    #expect(named.configuration("a") == "/c/a" && named.data("a") == "/d/a" && named.caches("a") == "/e/a")
    #expect(named.pictures == "/p")
    let root = UserFolders(["HOME": "/", "XDG_DATA_HOME": "/"])
    #expect(root.data("a") == "/a" && root.caches("a") == "/.cache/a" && root.pictures == "/Pictures")
  }

  @Test(arguments: ["", "d", "./d", "~/d", "$HOME/d"])
  func `a variable that is empty or holds no absolute path counts as not set`(value: String) {
    let names = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_PICTURES_DIR"]
    let folders = UserFolders(["HOME": "/h"].merging(names.map { ($0, value) }) { $1 })
    #expect(folders.configuration("a") == "/h/.config/a" && folders.data("a") == "/h/.local/share/a")
    #expect(folders.caches("a") == "/h/.cache/a" && folders.pictures == "/h/Pictures")
  }

  // MARK: The desktop's list

  /// The folder of pictures where the desktop's list holds these bytes.
  private func pictures(_ list: Data, _ variables: [String: String] = [:]) throws -> String {
    try withConfiguration { folder in
      try list.write(to: URL(fileURLWithPath: "\(folder)/user-dirs.dirs"))
      return UserFolders(["HOME": "/h", "XDG_CONFIG_HOME": folder].merging(variables) { $1 }).pictures
    }
  }

  private func withConfiguration<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = NSTemporaryDirectory() + "folders-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
  }

  @Test(arguments: [
    (#"XDG_PICTURES_DIR="$HOME/Bilder""#, "/h/Bilder"),
    (
      "# of a localised desktop\nXDG_MUSIC_DIR=\"$HOME/Musik\"\n  XDG_PICTURES_DIR = \"$HOME/사진\" \n", "/h/사진"
    ),
    ("XDG_PICTURES_DIR=\"/data/pictures/\"\r\nXDG_VIDEOS_DIR=\"/v\"\r\n", "/data/pictures"),
    (#"XDG_PICTURES_DIR="$HOME/My \"best\" \$ \\ \`pictures\`""#, #"/h/My "best" $ \ `pictures`"#),
    (#"XDG_PICTURES_DIR="$HOME/""#, "/h"), (#"XDG_PICTURES_DIR="$HOME""#, "/h"),
    ("XDG_PICTURES_DIR=$HOME/Bilder # mine", "/h/Bilder"),
    ("XDG_PICTURES_DIR=\"/old\"\nXDG_PICTURES_DIR=\"/new\"", "/new"),
    ("XDG_PICTURES_DIR=\"/new\"\nXDG_PICTURES_DIR=\"relative\"", "/new"),
    (#"XDG_PICTURES_DIR="$HOMES/a""#, "/h/Pictures"), (#"XDG_PICTURES_DIR="\$HOME/a""#, "/h/Pictures"),
    (#"XDG_PICTURES_DIR="~/a""#, "/h/Pictures"), ("XDG_PICTURES_DIR=", "/h/Pictures"),
    (#"#XDG_PICTURES_DIR="/p""#, "/h/Pictures"), (#"MY_XDG_PICTURES_DIR="/p""#, "/h/Pictures"),
    ("XDG_PICTURES_DIR", "/h/Pictures"), ("", "/h/Pictures"),
  ])
  func `the desktop's list names the folder of pictures`(list: String, path: String) throws {
    #expect(try pictures(Data(list.utf8)) == path)
  }

  @Test func `the environment goes before the desktop's list, and what is not UTF-8 names nothing`() throws {
    let list = Data("XDG_PICTURES_DIR=\"/list\"".utf8)
    #expect(try pictures(list, ["XDG_PICTURES_DIR": "/variable"]) == "/variable")
    #expect(try pictures(list, ["XDG_PICTURES_DIR": "relative"]) == "/list")
    #expect(
      try pictures(Data("XDG_PICTURES_DIR=\"/im\u{e1}genes\"".unicodeScalars.map { UInt8($0.value) }))
        == "/h/Pictures")
  }

  @Test(.timeLimit(.minutes(1)))
  func `a list that is no file is none, and does not block`() throws {
    try withConfiguration { folder in
      let folders = UserFolders(["HOME": "/h", "XDG_CONFIG_HOME": folder])
      #expect(mkfifo("\(folder)/user-dirs.dirs", 0o600) == 0)
      #expect(folders.pictures == "/h/Pictures")
      unlink("\(folder)/user-dirs.dirs")
      #expect(mkdir("\(folder)/user-dirs.dirs", 0o700) == 0)
      #expect(folders.pictures == "/h/Pictures")
    }
  }

  // MARK: Users' words

  @Test(arguments: [
    ("~", "/home/ann"), ("~/a.jpg", "/home/ann/a.jpg"), ("a~.jpg", "a~.jpg"), ("./~/a.jpg", "./~/a.jpg"),
    ("/~/a.jpg", "/~/a.jpg"), ("", ""), ("~root/a.jpg", "/root/a.jpg"), ("~root", "/root"),
    ("~no such user/a.jpg", "~no such user/a.jpg"),
  ])
  func `a tilde at the start is a home folder`(path: String, expanded: String) {
    #expect(UserFolders(["HOME": "/home/ann"]).expanded(path) == expanded)
  }

  @Test func `a variable of this house may have a tilde, or count from the working folder`() {
    func named(_ word: String?) -> String? {
      UserFolders(["HOME": "/h", "OURS": word].compactMapValues { $0 }).named("OURS")
    }
    #expect(named(nil) == nil && named("") == nil)
    #expect(named("/a//") == "/a" && named("~") == "/h" && named("~/a/") == "/h/a" && named("/") == "/")
    #expect(named("a/b") == FileManager.default.currentDirectoryPath + "/a/b")
  }

  // MARK: The library

  @Test func `the library lies where the user's folders are, or all of it where it is named`() throws {
    let plain = LibraryFolders(environment: ["HOME": "/h", "OBSCURA_LIBRARY": ""])
    #expect(plain.pictures == "/h/Pictures/Obscura" && plain.catalogue == "/h/.local/share/obscura")
    #expect(plain.thumbnails == "/h/.cache/thumbnails")
    #expect(plain.deferredPhotos == "/h/.local/share/obscura/deferred-photos")
    let set = LibraryFolders(environment: [
      "HOME": "/h", "XDG_PICTURES_DIR": "/p/", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c",
    ])
    #expect(
      set.pictures == "/p/Obscura" && set.catalogue == "/d/obscura" && set.thumbnails == "/c/thumbnails")
    #expect(set.deferredPhotos == "/d/obscura/deferred-photos")
    for (word, folder) in [("~", "/h"), ("~/All", "/h/All"), ("/l/", "/l"), ("~root/l", "/root/l")] {
      let place = LibraryFolders(environment: ["HOME": "/h", "OBSCURA_LIBRARY": word, "XDG_DATA_HOME": "/d"])
      #expect(place == LibraryFolders(folder: folder))
      #expect([place.database, place.deferredPhotos].allSatisfy { $0.hasPrefix("\(folder)/") })
    }
  }
}
