import CaptureDevice
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import PhotoProcessing
import Photos
import SeededNumbers

// Works in the library of $OBSCURA_LIBRARY without end, for tests that kill it: saves, defers, finishes, edits and deletes in
// an order that its second argument chooses. The first argument is a picture file. Each line that it prints is of something done;
// `deleting` of something that is about to be.
//
// With a third argument it shows the library on a full disk, removes the file of that name, and then adds the picture.

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  // A line that cannot be printed is of a test that has ended.
  if write(1, bytes, bytes.count) != bytes.count { exit(1) }
}

func frame(_ shade: Int) -> CapturedFrame? {
  var made: CVPixelBuffer?
  CVPixelBufferCreate(nil, 160, 120, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
  guard let pixels = made else { return nil }
  for plane in pixels.planes {
    for row in 0..<plane.height {
      let bytes = plane.row(row)
      for column in bytes.indices { bytes[column] = UInt8(truncatingIfNeeded: row &* 3 &+ column &+ shade) }
    }
  }
  return CapturedFrame(
    picture: .pixels(pixels), timestamp: MonotonicInstant(nanoseconds: 1_500_000_000), sequence: 45,
    conditions: FrameConditions(exposure: FrameExposure(durationNanoseconds: 8_333_333, iso: 64)))
}

/// A proxy's file whose frames are stored.
func proxy(_ shade: Int, _ store: LibraryStore) throws -> Data? {
  guard let frame = frame(shade) else { return nil }
  var request = PhotoProcessingRequest(
    uniqueID: 3, encoding: .jpeg(quality: nil), orientation: .right, prioritization: .quality,
    camera: PhotoCamera(make: "Maker", model: "Model"), clientMetadata: PhotoMetadata([:]))
  request.frame = PhotoFrameFacts(frame)
  let identifier = PhotoProxy.newIdentifier()
  try DeferredPhotoStore(folder: store.place.deferredPhotos).save([frame], for: request, as: identifier)
  return try PhotoProcessor().process([frame], for: request.proxy(identifier)).file
}

func add(_ type: PHAssetResourceType, _ data: Data) throws -> String {
  var name = ""
  try PHPhotoLibrary.shared().performChangesAndWait {
    let request = PHAssetCreationRequest.forAsset()
    request.addResource(with: type, data: data, options: nil)
    name = request.placeholderForCreatedAsset?.localIdentifier ?? ""
  }
  return name
}

func input(_ asset: PHAsset) -> PHContentEditingInput? {
  let found = Locked<PHContentEditingInput?>(nil)
  let done = DispatchSemaphore(value: 0)
  asset.requestContentEditingInput(with: nil) { input, _ in
    found.withLock { $0 = input }
    done.signal()
  }
  done.wait()
  return found.withLock { $0 }
}

func work() throws {
  DeferredFinishing.isAutomatic = false
  let picture = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
  var dice = SeededGenerator(seed: UInt64(CommandLine.arguments[2]) ?? 1)
  let store = try SharedLibrary.store()
  for step in 0... {
    let assets = PHAsset.fetchAssets(with: nil)
    let chosen = assets.count > 0 ? assets[Int.random(in: 0..<assets.count, using: &dice)] : nil
    switch Int.random(in: 0..<9, using: &dice) {
    case 0...2: say("kept \(try add(.photo, picture))")
    case 3, 4:
      if let proxy = try proxy(step, store) { say("kept \(try add(.photoProxy, proxy))") }
    case 5:
      guard let entry = try ProxyJournal.entries(store).randomElement(using: &dice),
        let finisher = DeferredFinishing.finisher
      else { continue }
      _ = try ProxyJournal(store, finisher).finish(entry.asset)
    case 6, 7:
      guard let chosen else { continue }
      // Of a photo that is not finished, this finishes it first.
      guard let input = input(chosen) else { throw PHPhotosError(.missingResource) }
      let output = PHContentEditingOutput(contentEditingInput: input)
      try picture.write(to: output.renderedContentURL)
      try PHPhotoLibrary.shared().performChangesAndWait {
        PHAssetChangeRequest(for: chosen).contentEditingOutput = output
      }
      say("edited \(chosen.localIdentifier)")
    default:
      guard let chosen, assets.count > 12 else { continue }
      say("deleting \(chosen.localIdentifier)")
      try PHPhotoLibrary.shared().performChangesAndWait { PHAssetChangeRequest.deleteAssets([chosen]) }
      say("deleted \(chosen.localIdentifier)")
    }
  }
}

/// What a program does that is open when its disk gets room again.
func workOnFullDisk(removing path: String) throws {
  let picture = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
  let before = PHAsset.fetchAssets(with: nil)
  say("listed \(before.count)")
  try FileManager.default.removeItem(atPath: path)
  let began = MonotonicInstant.now
  _ = try add(.photo, picture)
  say(MonotonicInstant.now.nanoseconds - began.nanoseconds < 5_000_000_000 ? "soon" : "late")
  // What was fetched before is still to be read, also by rows that were not.
  say("listed \(PHAsset.fetchAssets(with: nil).count) of width \(before.lastObject?.pixelWidth ?? 0)")
}

Thread.detachNewThread {
  do {
    if CommandLine.arguments.count > 3 {
      try workOnFullDisk(removing: CommandLine.arguments[3])
      exit(0)
    }
    try work()
  } catch {
    say("failed \(error)")
    exit(1)
  }
}
// Handlers are called on the main queue.
dispatchMain()
