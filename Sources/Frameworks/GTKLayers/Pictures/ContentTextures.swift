#if GTKLayers
  internal import CoreVideo
  internal import Foundation
  internal import GraphicsCore
  internal import QuartzCore

  /// The contents of layers as GTK takes them, made once for each picture.
  struct ContentTextures {
    private struct Entry {
      var contents: AnyObject
      var texture: Texture?
      var isUsed: Bool
    }

    private var entries: [ObjectIdentifier: Entry] = [:]

    /// The layer's contents: a `CGImage`, a pixel buffer of BGRA, or a ``Texture``; `nil` for anything else.
    mutating func texture(of layer: CALayer) -> Texture? {
      let contents: AnyObject
      switch layer.contents {
      case let texture as Texture: return texture
      case let image as CGImage: contents = image
      case let buffer as CVPixelBuffer: contents = buffer
      default: return nil
      }
      return texture(of: contents, in: layer)
    }

    /// A picture that a layer shows: a `CGImage`, or a pixel buffer of BGRA.
    mutating func texture(of contents: AnyObject, in layer: CALayer) -> Texture? {
      let key = ObjectIdentifier(layer)
      if let entry = entries[key], entry.contents === contents {
        entries[key]?.isUsed = true
        return entry.texture
      }
      let texture = Self.pixels(of: contents).map { Texture($0) }
      entries[key] = Entry(contents: contents, texture: texture, isUsed: true)
      return texture
    }

    /// Lets go what no layer has used since the last call.
    mutating func forgetUnused() {
      entries = entries.filter(\.value.isUsed)
      for key in entries.keys { entries[key]?.isUsed = false }
    }

    private static func pixels(of contents: AnyObject) -> Pixels? {
      guard let image = contents as? CGImage else {
        return (contents as? CVPixelBuffer).flatMap { LockedPicture($0)?.pixels }
      }
      guard image.width > 0, image.height > 0,
        let bytes = NSMutableData(length: image.width * image.height * 4)
      else { return nil }
      image.copyPixels8(
        into: bytes.mutableBytes, bytesPerRow: image.width * 4, order: .bgra, alpha: .premultiplied)
      return Pixels(
        width: image.width, height: image.height, bytesPerRow: image.width * 4,
        base: UnsafeRawPointer(bytes.mutableBytes), isOpaque: image.alphaInfo == .none, owner: bytes)
    }
  }
#endif
