// What Apple's module brings along: rectangles, transforms, colours, time intervals.
@_exported public import DrawingCore
@_exported public import Foundation
@_exported public import FoundationExtras
@_exported public import GraphicsCore
