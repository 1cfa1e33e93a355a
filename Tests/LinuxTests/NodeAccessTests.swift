import Foundation
import Linux
import Testing

@Suite("Linux: who may open a node")
struct NodeAccessTests {
  /// A file with these rights that belongs to this user's group.
  func access(_ mode: mode_t, group: gid_t? = nil) throws -> NodeAccess {
    let path = NSTemporaryDirectory() + "obscura-access-\(UUID().uuidString)"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    defer { unlink(path) }
    if let group { #expect(chown(path, getuid(), group) == 0) }
    #expect(chmod(path, mode) == 0)
    return NodeAccess(path: path)
  }

  @Test func `a node that its group may not write is for no group`() throws {
    #expect(try access(0o600).group == nil)
    #expect(try access(0o640).group == nil)
  }

  @Test(.enabled(if: getuid() == 0, "only the superuser gives files away"))
  func `the group of a node is named, or numbered where it has no name`() throws {
    #expect(try access(0o660, group: 0).group == nil, "no one is advised to join root's group")
    let video = getgrnam("video").map { $0.pointee.gr_gid }
    if let video { #expect(try access(0o660, group: video).group == "video") }
    #expect(try access(0o660, group: 54321).group == "54321")
  }

  @Test func `what is not there may not be used`() {
    #expect(NodeAccess(path: "/nowhere") == NodeAccess())
  }
}
