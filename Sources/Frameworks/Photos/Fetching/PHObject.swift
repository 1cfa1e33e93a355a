internal import Foundation

/// The base of the library's objects, each as it was when it was fetched.
///
/// Two objects are equal when they mean the same thing of the library. Thread-safe. Apple: `PHObject`.
open class PHObject: NSObject, NSCopying, @unchecked Sendable {  // Safe because it is constant after init.
  /// The identifier of the object as long as it is in the library; no other object gets it later.
  public var localIdentifier: String {
    switch name {
    case .asset(let uuid): LocalIdentifier.asset(uuid)
    case .text(let text): text
    }
  }
  /// Its key in the catalogue; below zero for what is not in it.
  package let key: Int
  private let name: Name

  /// The source of the identifier, whose text is made when asked for: of a page of assets, few are.
  private enum Name: Sendable {
    case asset(UUID)
    case text(String)
  }

  /// Stands for what the catalogue has under `key`.
  package init(key: Int, localIdentifier: String) {
    self.key = key
    name = .text(localIdentifier)
  }

  /// Stands for the asset that the catalogue has under `key`.
  init(key: Int, asset: UUID) {
    self.key = key
    name = .asset(asset)
  }

  /// The object itself, which never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether both mean the same thing of the library.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? PHObject)?.localIdentifier == localIdentifier
  }

  /// Follows ``isEqual(_:)``.
  open override var hash: Int { localIdentifier.hashValue }

  /// The kind and the identifier, for logs.
  open override var description: String { "<\(type(of: self)): \(localIdentifier)>" }
}

/// Stands for an object that a change will make.
///
/// Apple: `PHObjectPlaceholder`.
public final class PHObjectPlaceholder: PHObject, @unchecked Sendable {}  // Safe: it is constant.

/// The text form of local identifiers.
enum LocalIdentifier {
  static func asset(_ uuid: UUID) -> String { uuid.uuidString + "/L0/001" }
  static func album(_ uuid: UUID) -> String { uuid.uuidString + "/L0/040" }
  static func folder(_ uuid: UUID) -> String { uuid.uuidString + "/L0/020" }

  /// The identifier's own part; `nil` for what is none.
  static func uuid(_ identifier: String) -> UUID? { UUID(uuidString: String(identifier.prefix(36))) }
}
