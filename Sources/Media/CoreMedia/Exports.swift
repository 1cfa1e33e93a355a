// A client that imports Core Media alone finds pixel buffers and the Core Foundation names too, as with Apple.
@_exported public import CoreVideo
@_exported public import FoundationExtras
