import AVFoundation

guard AVCaptureDevice.default(for: .video) != nil else {
  print("There is no camera; run this with OBSCURA_DEVICES=simulated.")
  exit(3)
}
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("video-recorder")
let recorder = try VideoRecorder(folder: folder)
recorder.start()
let movie = try await recorder.record(seconds: 3)
recorder.stop()
for movie in try recorder.movies() {
  let duration = try await AVURLAsset(url: movie).load(.duration)
  let picture = try await recorder.thumbnail(of: movie)
  print("\(movie.lastPathComponent): \(duration.seconds) s, thumbnail \(picture.width)×\(picture.height)")
}
try recorder.delete(movie)
