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
        ['Esc', 'Close what is open'],
        ['/', 'Search the list, or everything'],
        ['C', 'Create: a plan, or what the screen lists'],
        [withModifier('Z'), 'Undo, while a message offers it'],
        ['?', 'This list'],
      ],
    },
    {
      title: 'Go to',
      keys: [
        ['G H', 'Home'],
        ['G P', 'Success plans'],
        ['G A', 'Accounts'],
        ['G I', 'Initiatives'],
        ['G T', 'Templates'],
      ],
    },
    {
      title: 'In a list',
      keys: [
        ['J', 'Next row'],
        ['K', 'Previous row'],
        ['↑ ↓', 'The same, from a row'],
        [ENTER, 'Open the row'],
        ['Space', 'Show the row beside a wide list'],
        ['E', 'Edit the row, or what is open'],
        ['X', 'Select the row'],
        ['Shift + ↑ ↓', 'Select a range'],
        [withModifier('A'), 'Select all'],
        [withModifier(ENTER), 'Go to the actions for what is selected'],
        ['Esc', 'Select nothing'],
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
} as const satisfies Messages
