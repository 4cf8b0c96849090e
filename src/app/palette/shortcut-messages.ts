import { ENTER, IS_MAC, withModifier } from '../../ui/platform/keyboard.ts'
import type { Messages } from '../../../contract/text/catalogue.ts'

/** Texts of the list of keyboard shortcuts. */
export const shortcutMessages = {
  title: 'Keyboard shortcuts',
  groups: [
    {
      title: 'Everywhere',
      keys: [
        [withModifier('K'), 'Search, or run a command'],
        ['?', 'This list'],
        ['Esc', 'Close what is open'],
      ],
    },
    {
      title: 'On a plan',
      keys: [
        [withModifier(ENTER), 'Post the update'],
        ['↑ ↓', 'Move an action or initiative by its handle'],
      ],
    },
    {
      title: 'In a review',
      keys: [
        ['←', 'Back'],
        ['→', 'Skip'],
        [withModifier(`${IS_MAC ? '⇧' : 'Shift +'} ${ENTER}`), 'No change'],
      ],
    },
  ],
  helpKey: 'Open this list with ?',
  helpKeyHint: 'Turn this off if you press single keys by accident or control the device by voice.',
} as const satisfies Messages
