public import FoundationExtras

// The keys of a pixel buffer's attributes, with Apple's texts.

/// The pixel format, a number; in a request also a list of numbers, best first.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// Who allocates the memory; remembered, and ignored on Linux.
public let kCVPixelBufferMemoryAllocatorKey: CFString = "MemoryAllocator"
/// The width in pixels.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// The height in pixels.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// How many pixels of memory lie left of the picture.
public let kCVPixelBufferExtendedPixelsLeftKey: CFString = "ExtendedPixelsLeft"
/// How many rows of memory lie above the picture.
public let kCVPixelBufferExtendedPixelsTopKey: CFString = "ExtendedPixelsTop"
/// How many pixels of memory lie right of the picture.
public let kCVPixelBufferExtendedPixelsRightKey: CFString = "ExtendedPixelsRight"
/// How many rows of memory lie below the picture.
public let kCVPixelBufferExtendedPixelsBottomKey: CFString = "ExtendedPixelsBottom"
/// What the distance between rows is a multiple of, in bytes; 64 when absent.
public let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
/// What the start of each plane is a multiple of, in bytes; 64 when absent.
public let kCVPixelBufferPlaneAlignmentKey: CFString = "PlaneAlignment"
/// Whether a bitmap context must be able to draw into it; every buffer here can serve one.
public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"
/// Whether an image must be able to show it; every buffer here can serve one.
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
/// Whether OpenGL must be able to use it; remembered, and without effect on Linux.
public let kCVPixelBufferOpenGLCompatibilityKey: CFString = "OpenGLCompatibility"
/// Whether OpenGL ES must be able to use it; remembered, and without effect on Linux.
public let kCVPixelBufferOpenGLESCompatibilityKey: CFString = "OpenGLESCompatibility"
/// Whether Metal must be able to use it; remembered, and without effect on Linux.
public let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"
/// Asks for memory that processes can share; remembered, and without effect on Linux.
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
