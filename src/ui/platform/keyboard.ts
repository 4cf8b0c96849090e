/** Whether the device's keyboard has a ⌘ key in place of Ctrl. */
export const IS_MAC = /mac|iphone|ipad/i.test(navigator.platform)

/** A key pressed with ⌘ or Ctrl, as the device writes it: `⌘ K`, `Ctrl + K`. */
export const withModifier = (key: string) => (IS_MAC ? `⌘ ${key}` : `Ctrl + ${key}`)

/** The key that is called Return on a Mac. */
export const ENTER = IS_MAC ? 'Return' : 'Enter'

/**
 * The letter of a shortcut, in lower case; on a layout without Latin letters that of the same place: `k` for `л`. A
 * Latin letter beyond ASCII, as `ğ` on a Turkish keyboard, is itself: that layout has the shortcut's own letter.
 */
export const shortcutLetter = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string =>
  // A code such as `KeyK`.
  (key > '~' && !/\p{sc=Latin}/u.test(key) ? code.slice(3) : key).toLowerCase()
