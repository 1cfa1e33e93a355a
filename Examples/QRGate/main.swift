import AVFoundation

guard let camera = AVCaptureDevice.default(for: .video) else {
  print("There is no camera; run this with OBSCURA_DEVICES=simulated.")
  exit(3)
}
// The whole of a portrait screen but its edges; an app draws a frame around the region.
let gate = try QRGate(
  camera: camera, screen: CGSize(width: 390, height: 844),
  region: CGRect(x: 20, y: 40, width: 350, height: 764),
  report: { sentence in FileHandle.standardError.write(Data((sentence + "\n").utf8)) }
) { text in
  // The terminal's bell is the sound of the door.
  print("\u{7}open for \(String(reflecting: text))")
  // Also where a pipe leads to what turns the lock.
  fflush(nil)
}
gate.start()
let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 10
Thread.sleep(forTimeInterval: seconds)
gate.stop()
