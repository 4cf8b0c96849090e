// A text beside the mark "Saved on this device" is counted for the wrong user, or a sign-out is not counted as one.
import { expect, test } from 'vitest'
import { markersOf } from './screen-checks.ts'
import { isSignOut } from './sign-out.ts'

test('only texts that the user typed are claimed, also where the next word follows without a space', () => {
  const texts = [
    'Ada FellSaved on this deviceText w269x9x0w of MiaText w269x12x0w of Ada60%',
    'Action w269x14x0w of AdaNorthwind Harbour',
  ]
  expect(markersOf(texts, 'Ada')).toEqual(['w269x12x0w', 'w269x14x0w'])
  expect(markersOf(texts, 'Mia')).toEqual(['w269x9x0w'])
})

test.for([
  ['Discard', 'Sign out?', true],
  ['Keep on this device', 'Sign out?', true],
  ['Send now', 'Sign out?', false],
  ['Stay signed in', 'Sign out?', false],
  ['Discard', 'Discard the draft?', false],
  ['Discard', undefined, false],
] as const)('the button “%s” of the dialog “%s” signs out: %s', ([name, dialog, expected]) => {
  expect(isSignOut({ name, isOnTop: true }, { dialog })).toBe(expected)
})

test('a button outside the dialog does not sign out', () => {
  expect(isSignOut({ name: 'Discard', isOnTop: false }, { dialog: 'Sign out?' })).toBe(false)
})
