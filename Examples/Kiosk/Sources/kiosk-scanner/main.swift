import AVFoundation
import Kiosk

// kiosk-scanner TICKETS: a ticket in each line of the file. Ends with SIGTERM; kiosk.service runs it for good.
guard let path = CommandLine.arguments.dropFirst().first,
  let tickets = try? String(contentsOfFile: path, encoding: .utf8)
else {
  FileHandle.standardError.write(Data("kiosk-scanner: name a file that has a ticket in each line.\n".utf8))
  exit(2)
}
guard let camera = AVCaptureDevice.default(for: .video) else {
  FileHandle.standardError.write(
    Data("kiosk-scanner: there is no camera; plug one in, or set OBSCURA_DEVICES=simulated.\n".utf8))
  exit(3)
}
let desk = TicketDesk(tickets: tickets.split(whereSeparator: \.isNewline).map(String.init))
let kiosk = try Kiosk(camera: camera, desk: desk) { ticket, answer in
  print("\(String(reflecting: ticket)): \(answer.rawValue)")
  // The journal shows each answer at once.
  fflush(nil)
}
kiosk.start()
signal(SIGTERM, SIG_IGN)
let stop = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
stop.setEventHandler {
  kiosk.stop()
  exit(0)
}
stop.resume()
dispatchMain()
