import { afterEach, expect, it, vi } from 'vitest'
import { readKey, SEQUENCE_MS } from '../../../src/app/keys/read-key.ts'
import { setSingleKeys } from '../../../src/ui/platform/set-single-keys.ts'
import { hasSingleKeys } from '../../../src/ui/platform/single-keys.ts'

const press = (
  key: string,
  { code = '', shiftKey = false, timeStamp = 0, startedAt = undefined as number | undefined } = {},
) => readKey({ key, code, shiftKey, timeStamp }, startedAt)

it.each([
  ['/', { kind: 'search' }],
  ['c', { kind: 'create' }],
  ['C', { kind: 'create' }],
  ['e', { kind: 'edit' }],
  ['x', { kind: 'select' }],
  ['j', { kind: 'move', steps: 1, isArrow: false }],
  ['ArrowUp', { kind: 'move', steps: -1, isArrow: true }],
  ['q', undefined],
  ['p', undefined],
  ['Enter', undefined],
])('%s is the key of %o', (key, command) => {
  expect(press(key)).toEqual({ command })
})

it('Shift makes another key of a letter, but not of ? and /, which need it on some keyboards', () => {
  expect(press('C', { shiftKey: true })).toEqual({})
  expect(press('ArrowDown', { shiftKey: true })).toEqual({})
  expect(press('?', { shiftKey: true })).toEqual({ command: { kind: 'help' } })
  expect(press('/', { shiftKey: true })).toEqual({ command: { kind: 'search' } })
})

it('g and a letter lead to a place, unless something else or too much time is between them', () => {
  const { startedAt } = press('g', { timeStamp: 100 })
  expect(startedAt).toBe(100)
  const next = (key: string, timeStamp = 200) => press(key, { timeStamp, startedAt })
  expect(next('a')).toEqual({ command: { kind: 'go', to: '/accounts' } })
  expect(next('h')).toEqual({ command: { kind: 'go', to: '/' } })
  // `c` alone would create; after `g` it is a slip.
  expect(next('c')).toEqual({})
  expect(next('a', 100 + SEQUENCE_MS)).toEqual({ command: undefined })
})

it.each([
  ['Russian', 'с', 'KeyC', { kind: 'create' }],
  ['Greek', 'Χ', 'KeyX', { kind: 'select' }],
  ['Arabic', 'ت', 'KeyJ', { kind: 'move', steps: 1, isArrow: false }],
  ['Hebrew', 'ק', 'KeyE', { kind: 'edit' }],
  ['German', 'ö', 'Semicolon', undefined],
  // On this one the place of `c` has another Latin letter.
  ['Dvorak', 'j', 'KeyC', { kind: 'move', steps: 1, isArrow: false }],
])('on a keyboard for %s, %s is the key of its place', (_, key, code, command) => {
  expect(press(key, { code })).toEqual({ command })
})

it('g and a letter are those of their places, too', () => {
  const { startedAt } = press('п', { code: 'KeyG', timeStamp: 100 })
  expect(startedAt).toBe(100)
  expect(press('ф', { code: 'KeyA', timeStamp: 200, startedAt })).toEqual({
    command: { kind: 'go', to: '/accounts' },
  })
})

afterEach(() => vi.unstubAllGlobals())

function stubStorage(stored: Record<string, string>) {
  const values = new Map(Object.entries(stored))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => values.set(key, value),
  })
}

it('each user turns single keys off for themselves', () => {
  stubStorage({})
  setSingleKeys('ada', false)
  expect([hasSingleKeys('ada'), hasSingleKeys('bob')]).toEqual([false, true])
  setSingleKeys('ada', true)
  expect(hasSingleKeys('ada')).toBe(true)
})

it('a user who had turned ? off in an earlier build has single keys off', () => {
  stubStorage({ help_key: 'off' })
  expect(hasSingleKeys('ada')).toBe(false)
  setSingleKeys('ada', true)
  expect(hasSingleKeys('ada')).toBe(true)
})
