import Foundation

/// Joins a wireless network by NetworkManager's `nmcli`.
struct NetworkJoin: Sendable {
  /// The program and its first arguments.
  var program = ["/usr/bin/env", "nmcli"]

  /// Starts to join; `done` gets `nil`, or what the program says is wrong, on a thread of its own.
  ///
  /// The password goes through the program's standard input: its arguments can be read by every user of the machine.
  /// - Throws: When the program cannot be started.
  func join(_ network: WiFiNetwork, done: @escaping @Sendable (String?) -> Void) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program[0])
    process.arguments = program.dropFirst() + network.joinArguments
    let (input, output) = (Pipe(), Pipe())
    // It is in the pipe before anything reads: a program that ends at once cannot break it.
    if let password = network.password {
      try input.fileHandleForWriting.write(contentsOf: Data((password + "\n").utf8))
    }
    try input.fileHandleForWriting.close()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    process.terminationHandler = { process in
      let said = (try? output.fileHandleForReading.readToEnd()).flatMap { $0 } ?? Data()
      let text = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
      done(process.terminationStatus == 0 ? nil : text)
    }
    try process.run()
  }
}
