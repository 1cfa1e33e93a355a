/// The permission of the program for the photo library.
///
/// Apple: `PHAuthorizationStatus`.
public enum PHAuthorizationStatus: Int, Sendable {
  /// The user was not asked yet; never so here.
  case notDetermined = 0
  /// The program may not, and the user cannot change that: the library lies where nothing can be written.
  case restricted = 1
  /// The program may not: the rights of the library's folder deny it.
  case denied = 2
  /// The program may.
  case authorized = 3
  /// The program may see some of the library; never so here.
  case limited = 4
}

/// The level of access to the photo library that a program asks for.
///
/// Apple: `PHAccessLevel`.
public enum PHAccessLevel: Int, Sendable {
  /// Only add to it.
  case addOnly = 1
  /// Read and change it.
  case readWrite = 2
}
