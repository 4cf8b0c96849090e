// Which command a key stands for. Pure.
import { shortcutLetter } from '../../ui/platform/keyboard.ts'

/** The places that `g` and a letter lead to. */
export const PLACE_KEYS: Readonly<Record<string, string>> = {
  h: '/',
  p: '/success-plans',
  a: '/accounts',
  i: '/initiatives',
  t: '/templates',
}

/** What a single key, or `g` and a letter, asks for. */
export type KeyCommand =
  | { kind: 'go'; to: string }
  | { kind: 'move'; steps: 1 | -1; isArrow: boolean }
  | { kind: 'search' | 'create' | 'edit' | 'select' | 'help' }

const COMMANDS: Readonly<Record<string, KeyCommand>> = {
  '/': { kind: 'search' },
  '?': { kind: 'help' },
  c: { kind: 'create' },
  e: { kind: 'edit' },
  x: { kind: 'select' },
  j: { kind: 'move', steps: 1, isArrow: false },
  k: { kind: 'move', steps: -1, isArrow: false },
  ArrowDown: { kind: 'move', steps: 1, isArrow: true },
  ArrowUp: { kind: 'move', steps: -1, isArrow: true },
}

/** For how long `g` waits for its letter: also for those who type slowly. */
export const SEQUENCE_MS = 5_000

interface PressedKey {
  key: string
  /** The place of the key on the keyboard. */
  code: string
  shiftKey: boolean
  /** In milliseconds. */
  timeStamp: number
}

/**
 * The command of a key, if it has one; and when `g` was pressed, if this key was the start of a sequence.
 * `startedAt` is what the key before returned.
 */
export function readKey(
  { key, code, shiftKey, timeStamp }: PressedKey,
  startedAt: number | undefined,
): { command?: KeyCommand | undefined; startedAt?: number } {
  // Caps Lock makes capitals without Shift.
  const name = key.length === 1 ? shortcutLetter({ key, code }) : key
  if (shiftKey && key !== '?' && key !== '/') return {}
  if (startedAt !== undefined && timeStamp - startedAt < SEQUENCE_MS) {
    const to = PLACE_KEYS[name]
    return to === undefined ? {} : { command: { kind: 'go', to } }
  }
  if (name === 'g') return { startedAt: timeStamp }
  return { command: COMMANDS[name] }
}
