// A name of a user reorders or breaks the sentence around it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isolate, sentence } from '../../contract/text/sentence.ts'
import { formatList } from '../../src/ui/text/format.ts'

const root = join(import.meta.dirname, '..', '..')

test('a name cannot reorder the sentence, or break it', () => {
  expect(sentence`Remove ${'Mia\u202Eadmin na\u202C'}?`).toBe('Remove Miaadmin na?')
  expect(sentence`Remove ${'Mia\u2069\u2067'}?`).toBe('Remove Mia?')
  expect(sentence`Remove ${'Mia\r\n\nYour account was closed.'}?`).toBe(
    'Remove Mia Your account was closed.?',
  )
  expect(sentence`Remove ${'Mia\u2028Jonas'}?`).toBe('Remove Mia Jonas?')
})

test('a name in letters from right to left is isolated, in lists too', () => {
  expect(sentence`${'חנה'} (you)`).toBe('\u2068חנה\u2069 (you)')
  expect(sentence`Owner: ${'مريم 3'}, ${2} plans`).toBe('Owner: \u2068مريم 3\u2069, 2 plans')
  expect(formatList(['Mia', 'חנה'])).toBe('Mia and \u2068חנה\u2069')
})

test('other names stay as they are, so that they can be copied and searched for', () => {
  for (const name of ['Mia O’Neill', 'Zoë', '李小龍', 'Мария', '👩‍🚀 Ada', ''])
    expect(isolate(name)).toBe(name)
})

test('every sentence with a name is written with `sentence`', () => {
  // A name that is copied to confirm a deletion stays as it is.
  const asItIs = ['deleteRepeat']
  const plain = globSync('src/**/messages.ts', { cwd: root })
    .concat(
      globSync('src/**/*-messages.ts', { cwd: root }),
      globSync('server/jobs/{digest,due,push}*.ts', { cwd: root }),
    )
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter((line) => /(?<!\w)`[^`]*\$\{(?:\w+\.)?(?:name|title|author)\}/.test(line))
        .filter((line) => !asItIs.some((name) => line.includes(name)))
        .map((line) => `${file}: ${line.trim()}`),
    )
  expect(plain).toEqual([])
})
