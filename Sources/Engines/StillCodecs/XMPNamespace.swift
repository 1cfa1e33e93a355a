/// The namespaces of properties that are looked for in XMP, by their URIs: which prefixes stand for them is each packet's own.
///
/// Source: XMP Specification 2 and 3; for depth maps and panoramas Google's "Depthmap Metadata" and "Photo Sphere XMP Metadata".
package enum XMPNamespace {
  package static let exif = "http://ns.adobe.com/exif/1.0/"
  package static let tiff = "http://ns.adobe.com/tiff/1.0/"
  package static let basic = "http://ns.adobe.com/xap/1.0/"
  package static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  package static let note = "http://ns.adobe.com/xmp/note/"
  package static let depthMap = "http://ns.google.com/photos/1.0/depthmap/"
  package static let panorama = "http://ns.google.com/photos/1.0/panorama/"
}
