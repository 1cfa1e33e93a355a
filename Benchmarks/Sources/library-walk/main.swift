import Foundation
@_spi(Benchmarks) import Photos

// library-walk FOLDER: opens the photo library in a folder, shows the newest 200 with their thumbnails' paths, then walks through
// all of it. Prints the most memory in bytes that it has had resident before, after showing, and at the end.

func peakBytes() throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  guard let kilobytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap({ Int($0) }) else {
    exit(1)
  }
  return kilobytes * 1024
}

let before = try peakBytes()
try LibraryMeasurement.open(CommandLine.arguments[1])
let options = PHFetchOptions()
options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
options.fetchLimit = 200
let newest = PHAsset.fetchAssets(with: options)
let shown = newest.objects(at: IndexSet(integersIn: 0..<newest.count))
guard try LibraryMeasurement.thumbnailPaths(of: shown).count == 200 else { exit(1) }
let afterShowing = try peakBytes()
var pixels = 0
PHAsset.fetchAssets(with: nil).enumerateObjects { asset, _, _ in pixels += asset.pixelWidth }
guard pixels == 100_000 * 4000 else { exit(1) }
print(before, afterShowing, try peakBytes())
