/// An element of an XML document, without prefixes: makers choose these as they like.
package struct MarkupElement: Sendable, Hashable {
  /// The name behind the prefix.
  package var name: String
  /// The values of its attributes, by their names behind the prefix; declarations of namespaces are left out.
  package var attributes: [String: String] = [:]
  /// All text that stands in it directly, without white space around it.
  package var text = ""
  /// The elements in it, in their order.
  package var children: [MarkupElement] = []

  /// The first element on a way of names from here; `nil` where the way ends before.
  package func child(_ way: String...) -> MarkupElement? {
    var place = self
    for name in way {
      guard let next = place.children.first(where: { $0.name == name }) else { return nil }
      place = next
    }
    return place
  }

  /// Every element of a name in it, at any depth.
  package func all(_ name: String) -> [MarkupElement] {
    children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
  }
}
