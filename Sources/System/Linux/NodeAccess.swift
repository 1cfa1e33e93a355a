internal import Glibc

/// The group that may open a device node, and this user's membership, for the message to a refused user.
package struct NodeAccess: Sendable, Hashable {
  /// The group that may read and write it; `nil` where groups have no such right, or it is root's.
  package var group: String?
  /// Whether the group's list names this user, though this process does not have the group: they have joined it after
  /// logging in.
  package var hasJoinedSinceLogin: Bool

  /// An access.
  package init(group: String? = nil, hasJoinedSinceLogin: Bool = false) {
    self.group = group
    self.hasJoinedSinceLogin = hasJoinedSinceLogin
  }

  /// Asks the file system and the list of groups; some 100 µs.
  package init(path: String) {
    self.init()
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & (S_IRGRP | S_IWGRP) == S_IRGRP | S_IWGRP,
      status.st_gid != 0
    else { return }
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    guard getgrgid_r(status.st_gid, &entry, &buffer, buffer.count, &found) == 0, found != nil else {
      group = String(status.st_gid)
      return
    }
    group = String(cString: entry.gr_name)
    var members: Set<String> = []
    var next = entry.gr_mem
    while let name = next?.pointee {
      members.insert(String(cString: name))
      next = next?.advanced(by: 1)
    }
    hasJoinedSinceLogin = (SystemUser()?.name).map(members.contains) == true && !Self.isInGroup(status.st_gid)
  }

  private static func isInGroup(_ group: gid_t) -> Bool {
    if getegid() == group { return true }
    var groups = [gid_t](repeating: 0, count: Int(max(getgroups(0, nil), 0)))
    let count = getgroups(Int32(groups.count), &groups)
    return groups.prefix(Int(max(count, 0))).contains(group)
  }
}
