/** Event on the window that opens the palette. */
export const OPEN_EVENT = 'openpalette'

/** Opens the command palette from anywhere in the app. */
export const openPalette = (): void => void window.dispatchEvent(new Event(OPEN_EVENT))
