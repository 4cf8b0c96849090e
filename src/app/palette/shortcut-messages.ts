import { IS_MAC } from '../../ui/platform/is-mac.ts'

const withMod = (key: string) => (IS_MAC ? `⌘ ${key}` : `Ctrl + ${key}`)

/** What the list of keys says. */
export const shortcutMessages = {
  title: 'Keyboard shortcuts',
  groups: [
    {
      title: 'Everywhere',
      keys: [
        [withMod('K'), 'Search, or run a command'],
        ['?', 'This list'],
        ['Esc', 'Close what is open'],
      ],
    },
    {
      title: 'On a plan',
      keys: [
        [withMod('Enter'), 'Post the update'],
        ['↑ ↓', 'Move an action or initiative, on its handle'],
      ],
    },
    {
      title: 'In a review',
      keys: [
        ['←', 'Back'],
        ['→', 'Skip'],
        [withMod(IS_MAC ? '⇧ Enter' : 'Shift + Enter'), 'No change, on track'],
      ],
    },
  ],
  helpKey: 'Open this list with ?',
  helpKeyHint: 'Turn it off if single keys get pressed by accident, or by your voice.',
} as const
