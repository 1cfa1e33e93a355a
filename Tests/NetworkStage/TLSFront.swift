import Foundation
import Glibc
import Linux

/// Takes connections by TLS for a server of this process, and hands on what they carry: a program in Python, with a certificate of OpenSSL's.
package final class TLSFront {
  /// Whether this machine has both.
  package static let isInstalled = [python, openssl].allSatisfy { (path: String) in access(path, X_OK) == 0 }

  private static let python = "/usr/bin/python3"
  private static let openssl = "/usr/bin/openssl"
  private static let program = """
    import asyncio, ssl, sys

    folder, inside = sys.argv[1], int(sys.argv[2])

    async def carry(reader, writer):
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async def serve(reader, writer):
        their_reader, their_writer = await asyncio.open_connection("127.0.0.1", inside)
        await asyncio.gather(carry(reader, their_writer), carry(their_reader, writer))

    async def main():
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

    asyncio.run(main())
    """

  /// Its port.
  package let port: UInt16
  /// The file of its certificate, which no authority has signed.
  package var certificate: String { folder.appendingPathComponent("certificate.pem").path }
  private let folder: URL
  private let process = Process()
  /// Ends the program when this process ends, too.
  private let input = Pipe()

  /// A program that takes connections.
  ///
  /// - Parameters:
  ///   - inside: The port of the server on this machine.
  ///   - host: The host that the certificate is for, as OpenSSL writes it: `IP:127.0.0.1`, `DNS:camera.local`.
  package init(to inside: UInt16, for host: String = "IP:127.0.0.1") throws {
    // A path with all that means something in FFmpeg's options.
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "it's a=b: \(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let maker = Process()
    maker.executableURL = URL(fileURLWithPath: Self.openssl)
    maker.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
      "-subj",
      "/CN=camera", "-addext", "subjectAltName=\(host)", "-keyout",
      folder.appendingPathComponent("key.pem").path,
      "-out", folder.appendingPathComponent("certificate.pem").path,
    ]
    maker.standardError = FileHandle.nullDevice
    try maker.run()
    maker.waitUntilExit()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: Self.python)
    process.arguments = ["-c", Self.program, folder.path, "\(inside)"]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw CocoaError(.fileReadUnknown) }
      line += more
    }
    guard let port = UInt16(String(decoding: line.dropLast(), as: UTF8.self)) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    self.port = port
  }

  deinit {
    // Children of a test's thread ignore gentler signals, which such threads block.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}
