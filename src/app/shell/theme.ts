// The chosen theme. `boot-script.js` applies it, before the first paint and on its changes.
import { deviceSetting } from '../../ui/platform/device-setting.ts'

/** The theme settings; `auto` follows the system. */
export const THEMES = ['light', 'dark', 'auto'] as const

export const theme = deviceSetting('theme', THEMES, 'auto')

/** Switches between light and dark, starting from what is shown now, including the system's choice. */
export const switchTheme = (): void =>
  theme.choose(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark')
