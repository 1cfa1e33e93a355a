/// What a test file that imports both Testing and CoreImage cross-imports; see ARCHITECTURE.md.
@_exported public import CoreImage
@_exported public import Testing
