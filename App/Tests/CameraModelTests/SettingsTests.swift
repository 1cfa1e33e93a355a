import Foundation
@_spi(Benchmarks) import Photos
import Testing

@testable import CameraModel

extension Screens {
  @Test func `what is chosen is there after a new start`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    shop.model.changeSettings {
      $0.format = .heic
      $0.showsGrid = true
      $0.timer = .ten
      $0.appearance = .dark
    }
    let again = CameraModel(folders: shop.model.folders, time: shop.time)
    #expect(again.settings.value == shop.model.settings.value)
    #expect(again.state.value.timer == .ten)
  }

  @Test func `the mode and the window are as they were when the program ended`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    shop.model.setMode(.video)
    shop.model.keepWindow(width: 500, height: 700, isMaximized: true)
    shop.model.keepWindow(width: 0, height: 0, isMaximized: false)
    let again = CameraModel(folders: shop.model.folders, time: shop.time)
    #expect(again.state.value.mode == .video && again.engine.mode == .video)
    let window = again.settings.value.window
    #expect(window.width == 500 && window.height == 700 && window.isMaximized)
  }

  @Test func `the folder that is looked at before a photo is the one where the library lies`() async throws {
    let shop = try Workshop(usesLibrary: true)
    defer { shop.end() }
    #expect(shop.state.lockedFolder == nil)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("file-\(UUID().uuidString)")
    try Data().write(to: file)
    // No folder can be made below a file, by no one.
    let library = file.path + "/library"
    LibraryMeasurement.use(library)
    defer {
      LibraryMeasurement.close()
      try? FileManager.default.removeItem(at: file)
    }
    shop.model.checkFolder()
    #expect(shop.state.lockedFolder == library)
    LibraryMeasurement.close()
    shop.model.checkFolder()
    #expect(shop.state.lockedFolder == nil)
  }

  @Test(.enabled(if: geteuid() != 0, "The superuser may write everywhere."))
  func `a library's folder that may not be written is said before the first photo`() async throws {
    let shop = try Workshop(usesLibrary: true)
    defer { shop.end() }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("locked-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o555])
    LibraryMeasurement.use(folder.path)
    defer {
      LibraryMeasurement.close()
      try? FileManager.default.removeItem(at: folder)
    }
    shop.model.checkFolder()
    #expect(shop.state.lockedFolder == folder.path)
  }

  @Test func `the microphone is the chosen one, or none`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    try await shop.start()
    shop.model.readMicrophones()
    #expect(await shop.run { !$0.microphones.isEmpty })
    let microphone = try #require(shop.state.microphones.last)
    shop.model.changeSettings { $0.microphone = microphone.id }
    shop.model.setMode(.video)
    #expect(await shop.run { _ in shop.model.engine.microphone?.device.uniqueID == microphone.id })
    shop.model.changeSettings { $0.usesMicrophone = false }
    #expect(await shop.run { _ in shop.model.engine.microphone == nil })
    #expect(shop.model.engine.session.inputs.count == 1)
  }

  @Test func `the switches of responsive photos reach the camera`() async throws {
    let shop = try Workshop()
    defer { shop.end() }
    try await shop.start()
    let output = shop.model.engine.photoOutput
    #expect(output.isZeroShutterLagEnabled && output.isResponsiveCaptureEnabled)
    shop.model.changeSettings {
      $0.zeroShutterLag = false
      $0.responsiveCapture = false
    }
    await shop.advance(0.1)
    #expect(!output.isZeroShutterLagEnabled && !output.isResponsiveCaptureEnabled)
  }
}

@Suite struct FileTests {
  private let root = FileManager.default.temporaryDirectory.appendingPathComponent(
    "files-\(UUID().uuidString)")

  @Test func `settings of another version keep what is known`() throws {
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    let url = root.appendingPathComponent("settings.json")
    try Data(#"{"showsGrid":true,"format":"raw","flash":"auto","unheard":1}"#.utf8).write(to: url)
    let settings = SettingsFile(url).read()
    #expect(settings.showsGrid && settings.flash == .auto && settings.format == .jpeg)
    try Data("no settings".utf8).write(to: url)
    #expect(SettingsFile(url).read() == Settings())
  }

  @Test func `photos of one second have names of their own, and nothing half-written stays`() throws {
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = PhotoFolder(root)
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let names = try (0..<3).map {
      try folder.store(Data([UInt8($0)]), suffix: "jpg", date: date).lastPathComponent
    }
    #expect(Set(names).count == 3)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path).count == 3)
    #expect(try Data(contentsOf: root.appendingPathComponent(names[0])) == Data([0]))
    #expect(folder.photos().count == 3)
  }

  @Test func `the user's folders are those of the environment and the desktop`() throws {
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try Data("XDG_PICTURES_DIR=\"$HOME/Bilder\"\n".utf8).write(
      to: root.appendingPathComponent("user-dirs.dirs"))
    let folders = ProgramFolders(environment: ["HOME": "/home/a", "XDG_CONFIG_HOME": root.path])
    #expect(folders.pictures.path == "/home/a/Bilder")
    #expect(folders.settings.path == root.path + "/obscura-camera/settings.json")
    #expect(folders.looks.path == "/home/a/.local/share/obscura-camera/looks")
    let usual = ProgramFolders(environment: ["HOME": "/home/b", "XDG_CONFIG_HOME": "relative"])
    #expect(usual.pictures.path == "/home/b/Pictures")
    #expect(usual.settings.path == "/home/b/.config/obscura-camera/settings.json")
  }
}
