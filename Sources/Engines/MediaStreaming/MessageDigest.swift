internal import CFFmpeg

/// Digests of bytes, as logins to machines of the network ask for them.
///
/// Both are old, and guard nothing but what those logins guard.
package enum MessageDigest {
  /// SHA-1: 20 bytes, all zero where there is no memory for it.
  package static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 20)
    _ = cam_sha1(bytes, bytes.count, &digest)
    return digest
  }

  /// MD5: 16 bytes.
  package static func md5(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 16)
    cam_md5(bytes, bytes.count, &digest)
    return digest
  }
}
