public import FoundationExtras

/// What a GIF file says of itself, or of one of its pictures; a dictionary.
public let kCGImagePropertyGIFDictionary: CFString = "{GIF}"
/// How often the pictures are shown after the first time, of the whole file: 0 is for ever; a number.
public let kCGImagePropertyGIFLoopCount: CFString = "LoopCount"
/// For how long a picture is shown, in seconds, never less than a tenth.
public let kCGImagePropertyGIFDelayTime: CFString = "DelayTime"
/// For how long a picture is shown, in seconds, however short.
public let kCGImagePropertyGIFUnclampedDelayTime: CFString = "UnclampedDelayTime"
/// Whether the file has colours for pictures that have none of their own; here each has its own when it is written.
public let kCGImagePropertyGIFHasGlobalColorMap: CFString = "HasGlobalColorMap"
/// Pixels along x of what is shown, of the whole file; a number.
public let kCGImagePropertyGIFCanvasPixelWidth: CFString = "CanvasPixelWidth"
/// Pixels along y of what is shown, of the whole file; a number.
public let kCGImagePropertyGIFCanvasPixelHeight: CFString = "CanvasPixelHeight"
/// For how long each picture is shown, of the whole file: an array of dictionaries with the two delays.
public let kCGImagePropertyGIFFrameInfoArray: CFString = "FrameInfo"
