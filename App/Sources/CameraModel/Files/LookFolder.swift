import Foundation

/// The folder of the user's own looks: `.cube` files, each a filter by its name.
package struct LookFolder: Sendable {
  /// The folder; made when the first look comes.
  package let url: URL

  /// The folder at `url`.
  package init(_ url: URL) {
    self.url = url
  }

  /// The largest file that is read; a cube of 65 takes some eight megabytes.
  private static let sizeLimit = 1 << 26

  /// The names of the looks, as a reader sorts them.
  package var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "cube" }
      .map { $0.deletingPathExtension().lastPathComponent }
      .sorted { $0.localizedStandardCompare($1) == .orderedAscending }
  }

  /// Reads a look.
  ///
  /// Cost: of a cube of 33 some 40 ms, of one of 65 a quarter of a second.
  func table(_ name: String) throws(LookProblem) -> CubeTable {
    try CubeTable(try Self.read(url.appendingPathComponent("\(name).cube")))
  }

  /// Copies a file that holds a look into the folder; one of the same name is replaced.
  ///
  /// - Returns: The look's name.
  package func add(_ file: URL) throws(LookProblem) -> String {
    let data = try Self.read(file)
    _ = try CubeTable(data)
    let name = file.deletingPathExtension().lastPathComponent
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try WholeFile.write(data, to: url.appendingPathComponent("\(name).cube"))
    } catch {
      throw .file(reason: error.localizedDescription)
    }
    return name
  }

  private static func read(_ file: URL) throws(LookProblem) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: file)
      defer { try? handle.close() }
      let data = try handle.read(upToCount: sizeLimit + 1) ?? Data()
      guard data.count <= sizeLimit else { throw LookProblem.noTable }
      return data
    } catch let problem as LookProblem {
      throw problem
    } catch {
      throw .file(reason: error.localizedDescription)
    }
  }
}
