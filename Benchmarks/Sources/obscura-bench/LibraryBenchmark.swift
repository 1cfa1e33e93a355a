import CPeers
import Foundation
@_spi(Benchmarks) import Photos

/// A photo library of 100 000 assets beside plain C with SQLite.
enum LibraryBenchmark {
  private static let count = 100_000
  private static let shown = 200

  static func run() throws -> [Figure] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = folder.appendingPathComponent("library").path
    try LibraryMeasurement.open(library)
    try LibraryMeasurement.fill(count)
    LibraryMeasurement.close()
    return try [insert(folder.path), open(library), page(library), memory(library)]
  }

  /// Inserting all of them in one transaction, beside the same rows in the same tables with the same indexes.
  private static func insert(_ folder: String) throws -> Figure {
    var number = 0
    let result = try medianRatio(
      pairs: 5,
      ours: {
        number += 1
        let library = "\(folder)/ours-\(number)"
        try LibraryMeasurement.open(library)
        defer {
          LibraryMeasurement.close()
          try? FileManager.default.removeItem(atPath: library)
        }
        return try wallSeconds { try LibraryMeasurement.fill(count) }
      },
      peer: {
        let library = "\(folder)/peer-\(number)"
        guard let peer = peer_library_create(library, LibraryMeasurement.schema) else {
          throw BenchmarkError("C's library cannot be made.")
        }
        defer {
          peer_library_destroy(peer)
          try? FileManager.default.removeItem(atPath: library)
        }
        return try wallSeconds {
          guard peer_library_fill(peer, Int32(count)) != 0 else {
            throw BenchmarkError("C's library failed.")
          }
        }
      })
    return Figure(
      name: "library.insert", value: result.ratio,
      detail: String(
        format: "%d assets in one transaction in %.0f ms, C %.0f ms", count, result.ours * 1000,
        result.peer * 1000))
  }

  /// Opening the library and showing the newest with their thumbnails' paths.
  private static func open(_ library: String) throws -> Figure {
    func peer(withPaths: Bool) throws -> Double {
      try wallSeconds {
        let found = peer_library_newest(
          LibraryMeasurement.database(of: library), library, Int32(shown), withPaths ? 1 : 0)
        guard found == shown else { throw BenchmarkError("C found \(found) photos.") }
      }
    }
    var bare: [Double] = []
    let result = try medianRatio(
      pairs: 101, ours: { try wallSeconds { try show(library) } },
      peer: {
        bare.append(try peer(withPaths: false))
        return try peer(withPaths: true)
      })
    return Figure(
      name: "library.open", value: result.ratio,
      detail: String(
        format: "%.2f ms, C %.2f ms, and %.2f ms without naming the thumbnails", result.ours * 1000,
        result.peer * 1000, bare.median * 1000))
  }

  private static func show(_ library: String) throws {
    LibraryMeasurement.use(library)
    defer { LibraryMeasurement.close() }
    let paths = try LibraryMeasurement.thumbnailPaths(of: newest())
    guard paths.count == shown, !paths.contains(nil) else { throw BenchmarkError("Photos are missing.") }
  }

  private static func newest() -> [PHAsset] {
    let options = PHFetchOptions()
    options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    options.fetchLimit = shown
    let found = PHAsset.fetchAssets(with: options)
    return found.objects(at: IndexSet(integersIn: 0..<found.count))
  }

  /// A page from the middle of a list of all of them, beside the first page: it must not cost what lies before it.
  private static func page(_ library: String) throws -> Figure {
    try LibraryMeasurement.open(library)
    func read(_ first: Int) throws -> Double {
      let all = PHAsset.fetchAssets(with: nil)
      return try wallSeconds {
        let page = all.objects(at: IndexSet(integersIn: first..<first + shown))
        guard page.count == shown else { throw BenchmarkError("A page is missing.") }
      }
    }
    let result = try medianRatio(pairs: 21, ours: { try read(count / 2) }, peer: { try read(0) })
    return Figure(
      name: "library.page", value: result.ratio,
      detail: String(
        format: "the middle page %.2f ms, the first %.2f ms", result.ours * 1000, result.peer * 1000))
  }

  /// The memory of a process that opens the library, shows the newest and walks through all of it.
  private static func memory(_ library: String) throws -> Figure {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("library-walk")
    process.arguments = [library]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard process.terminationStatus == 0, words.count == 3 else {
      throw BenchmarkError("The process that walks through the library failed: \(text)")
    }
    return Figure(
      name: "library.memory", value: words[1] / 1_048_576,
      detail: String(
        format:
          "MB of a process that has shown the newest, all that it links included; %.0f MB before, %.0f MB once it has walked through all",
        words[0] / 1_048_576, words[2] / 1_048_576))
  }
}
