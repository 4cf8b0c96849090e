/** The event on the window that asks for the palette. */
export const OPEN_EVENT = 'openpalette'

/** Opens the command palette, from wherever a button for it stands. */
export const openPalette = (): void => void window.dispatchEvent(new Event(OPEN_EVENT))
