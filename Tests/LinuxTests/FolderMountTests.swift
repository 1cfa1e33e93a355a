import Linux
import Testing

@Suite("The mount of a folder")
struct FolderMountTests {
  private static let mounts = """
    21 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw
    40 21 0:50 / /home rw,relatime shared:20 - nfs4 server:/home rw,vers=4.2
    41 40 8:17 / /home/ann/Local\\040Disk rw - ext4 /dev/sdb1 rw
    42 21 0:51 / /mnt/far rw,nosuid master:1 shared:2 - fuse.sshfs ann@server: rw
    43 21 8:33 / /mnt/near rw - xfs /dev/sdc1 rw
    44 21 0:52 / /mnt/near rw - cifs //server/share rw
    broken line
    """

  @Test(
    "is the one with the longest folder, and the last of several",
    arguments: [
      ("/usr/share", "ext4", false), ("/home", "nfs4", true), ("/home/ann/Pictures", "nfs4", true),
      ("/home/ann/Local Disk/Pictures", "ext4", false), ("/homely", "ext4", false),
      ("/mnt/far/a", "fuse.sshfs", true), ("/mnt/near/a", "cifs", true),
    ])
  func longest(path: String, fileSystem: String, isOnNetwork: Bool) throws {
    let mount = try #require(FolderMount(of: path, in: Self.mounts))
    #expect(mount.fileSystem == fileSystem && mount.isOnNetwork == isOnNetwork)
  }

  @Test("is unknown without a list")
  func unknown() {
    #expect(FolderMount(of: "/home", in: "") == nil)
  }
}
