public import FoundationExtras

/// What a GIF file says of itself, or of one of its pictures; a dictionary.
public let kCGImagePropertyGIFDictionary: CFString = "{GIF}"
/// How often the pictures are shown after the first time, of the whole file: 0 is for ever; a number.
public let kCGImagePropertyGIFLoopCount: CFString = "LoopCount"
/// For how long a picture is shown, in seconds; below a fiftieth it is a tenth, as browsers have it.
public let kCGImagePropertyGIFDelayTime: CFString = "DelayTime"
/// For how long a picture is shown, in seconds, however short.
public let kCGImagePropertyGIFUnclampedDelayTime: CFString = "UnclampedDelayTime"
/// Whether all pictures share their colours; here each has its own.
public let kCGImagePropertyGIFHasGlobalColorMap: CFString = "HasGlobalColorMap"
