internal import Foundation
internal import Glibc
package import Linux

/// The place where PipeWire answers: a socket, found as libpipewire finds it.
///
/// Source: `pipewire(1)`, sections on `PIPEWIRE_REMOTE` and `PIPEWIRE_RUNTIME_DIR`.
package struct PipeWireServer: Sendable, Hashable {
  /// The sockets that are tried, in their order.
  package let sockets: [String]

  /// The server that an environment names.
  package init(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
    func word(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let remote = word("PIPEWIRE_REMOTE") ?? "pipewire-0"
    guard !remote.hasPrefix("/") else {
      sockets = [remote]
      return
    }
    let own = word("PIPEWIRE_RUNTIME_DIR") ?? word("XDG_RUNTIME_DIR") ?? word("HOME")
    let folders = word("PIPEWIRE_RUNTIME_DIR") == nil ? [own, "/run/pipewire"] : [own]
    sockets = folders.compactMap { $0.map { "\($0)/\(remote)" } }
  }

  /// Whether there is a socket; a server that has ended may have left one.
  package var hasSocket: Bool {
    sockets.contains { path in
      var facts = stat()
      return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFSOCK
    }
  }

  /// A connection's descriptor, which the caller closes.
  ///
  /// - Throws: ``SystemError``; where nothing answers the reason of the first socket.
  package func connect() throws(SystemError) -> Int32 {
    var first: Int32?
    for path in sockets {
      switch Self.connect(to: path) {
      case .success(let descriptor): return descriptor
      case .failure(let error): first = first ?? error.errno
      }
    }
    throw SystemError("reach PipeWire", errno: first ?? ENOENT)
  }

  private static func connect(to path: String) -> Result<Int32, SystemError> {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      return .failure(SystemError("reach PipeWire", errno: ENAMETOOLONG))
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return .failure(.last("reach PipeWire")) }
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result != 0 else { return .success(descriptor) }
    let error = SystemError.last("reach PipeWire")
    close(descriptor)
    return .failure(error)
  }

  /// The folders in which a socket may come, to be watched.
  var places: [FolderWatch.Place] {
    sockets.compactMap { path in
      guard let slash = path.lastIndex(of: "/") else { return nil }
      return FolderWatch.Place(
        slash == path.startIndex ? "/" : String(path[..<slash]),
        prefix: String(path[path.index(after: slash)...]))
    }
  }
}
