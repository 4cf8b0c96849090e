/** Whether the device's keyboard has a ⌘ key in place of Ctrl. */
export const IS_MAC = /mac|iphone|ipad/i.test(navigator.platform)

/** A key pressed with ⌘ or Ctrl, as the device writes it: `⌘ K`, `Ctrl + K`. */
export const withModifier = (key: string) => (IS_MAC ? `⌘ ${key}` : `Ctrl + ${key}`)

/** The key that is called Return on a Mac. */
export const ENTER = IS_MAC ? 'Return' : 'Enter'
