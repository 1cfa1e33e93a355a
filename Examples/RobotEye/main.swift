import AVFoundation

// A pipe whose reader has gone away makes writing fail, and does not end the program.
signal(SIGPIPE, SIG_IGN)
let cameras = AVCaptureDevice.DiscoverySession(
  deviceTypes: [.builtInTrueDepthCamera], mediaType: .video, position: .unspecified)
guard let camera = cameras.devices.first else {
  FileHandle.standardError.write(
    Data("There is no camera that measures depth; run this with OBSCURA_DEVICES=simulated.\n".utf8))
  exit(3)
}
let eye = try RobotEye(camera: camera, pipe: .standardOutput) { _ in exit(0) }
eye.start()
let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 10
Thread.sleep(forTimeInterval: seconds)
eye.stop()
