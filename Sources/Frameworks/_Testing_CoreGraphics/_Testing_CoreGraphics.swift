/// What a test file that imports both Testing and CoreGraphics cross-imports; see ARCHITECTURE.md.
@_exported public import CoreGraphics
@_exported public import Testing
