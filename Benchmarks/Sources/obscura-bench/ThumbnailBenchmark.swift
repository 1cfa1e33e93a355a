import AVFoundation
import Foundation
@_spi(Benchmarks) import Photos
import SimulatedDevices

/// Small pictures for a grid, made and kept, beside the program `vipsthumbnail` with the same file.
enum ThumbnailBenchmark {
  private static let pairs = 15
  private static let edge = 256

  static func run() throws -> [Figure] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let library = folder.appendingPathComponent("library")
    // Before the photo is taken: a program without a library keeps no pictures of frames.
    try LibraryMeasurement.open(library.path)
    let photo = try take()
    // A file that this program did not make: to tell it from its own, a byte behind the picture is enough.
    let imported = photo + Data([0])
    return try [("thumbnail.taken", photo), ("thumbnail.imported", imported)].map { name, data in
      let file = folder.appendingPathComponent("\(name).jpg")
      try data.write(to: file)
      return try figure(name, asset(data), file, library)
    }
  }

  /// A 12 MP JPEG of the built-in scene.
  private static func take() throws -> Data {
    var scene = Scene.builtIn
    scene.isStill = true
    let run = try PhotoRun(scene)
    defer { run.stop() }
    // Until the exposure has settled.
    Thread.sleep(forTimeInterval: 1)
    let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
    guard let data = try run.take(settings).fileDataRepresentation() else {
      throw BenchmarkError("The photo has no file.")
    }
    return data
  }

  private static func asset(_ data: Data) throws -> PHAsset {
    let name = Name()
    try PHPhotoLibrary.shared().performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      request.addResource(with: .photo, data: data, options: nil)
      name.text = request.placeholderForCreatedAsset?.localIdentifier
    }
    guard
      let asset = PHAsset.fetchAssets(withLocalIdentifiers: [name.text ?? ""], options: nil).firstObject
    else { throw BenchmarkError("The photo is not in the library.") }
    return asset
  }

  private static func figure(
    _ name: String, _ asset: PHAsset, _ file: URL, _ library: URL
  ) throws -> Figure {
    guard let path = try LibraryMeasurement.thumbnailPaths(of: [asset])[0] else {
      throw BenchmarkError("The photo has no file.")
    }
    let options = PHImageRequestOptions()
    options.isSynchronous = true
    options.deliveryMode = .highQualityFormat
    let result = try medianRatio(
      pairs: pairs,
      ours: {
        try? FileManager.default.removeItem(atPath: path)
        let seconds = wallSeconds {
          _ = PHImageManager.default().requestImage(
            for: asset, targetSize: CGSize(width: edge, height: edge), contentMode: .aspectFit,
            options: options
          ) { _, _ in }
        }
        guard FileManager.default.fileExists(atPath: path) else {
          throw BenchmarkError("No thumbnail was made.")
        }
        return seconds
      },
      peer: {
        try wallSeconds {
          let process = Process()
          process.executableURL = URL(fileURLWithPath: "/usr/bin/vipsthumbnail")
          process.arguments = ["--size", "\(edge)", "--output", "\(file.path).png", file.path]
          try process.run()
          process.waitUntilExit()
          guard process.terminationStatus == 0 else {
            throw BenchmarkError("vipsthumbnail failed; is it installed?")
          }
        }
      })
    return Figure(
      name: name, value: result.ratio,
      detail: String(
        format: "%.1f ms, vipsthumbnail %.1f ms for the same PNG of %d pixels", result.ours * 1000,
        result.peer * 1000, edge))
  }
}

/// Written and read on one thread.
private final class Name: @unchecked Sendable {  // Safe because the block runs on the caller's thread.
  var text: String?
}
