/** Whether the device's keyboard has a ⌘ key in place of Ctrl. */
export const IS_MAC = /mac|iphone|ipad/i.test(navigator.platform)

/** A key pressed with ⌘ or Ctrl, as the device writes it: `⌘ K`, `Ctrl + K`. */
export const withModifier = (key: string) => (IS_MAC ? `⌘ ${key}` : `Ctrl + ${key}`)

/** The key that is called Return on a Mac. */
export const ENTER = IS_MAC ? 'Return' : 'Enter'

/** The letter of a shortcut, in lower case; on a layout without Latin letters that of the same place: `k` for `л`. */
export const shortcutLetter = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string =>
  // A code such as `KeyK`.
  (key > '~' ? code.slice(3) : key).toLowerCase()
