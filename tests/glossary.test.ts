// A word that the glossary replaces comes back as a name in the code or as a text for users.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const rows = read('GLOSSARY.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| name '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
const words = (cell: string) => cell.split(', ').map((word) => word.replaceAll('`', ''))
const names = rows.flatMap(([, name = '']) => words(name))
const replaced = rows.flatMap(([, , , not = '']) => words(not)).filter(Boolean)

const sources = globSync('{contract,conform,src,sw,server,tests,bench}/**/*.{ts,tsx}', {
  cwd: root,
})
const COMMENT = /\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g
const TEXT = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

/** `queuedEdit` and `queued_edit` as `queued edit`. */
const spoken = (identifier: string) =>
  identifier
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

/** A replaced word, in lower case and whole. */
const REPLACED = new RegExp(String.raw`(?<![\w-])(${replaced.join('|')})(?![\w-])`)

test('a name stands for one thing', () => {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  expect(replaced.filter((word) => names.includes(word))).toEqual([])
})

test('no identifier bears a replaced name', () => {
  const wrong = sources.flatMap((file) => {
    const code = read(file).replaceAll(COMMENT, '').replaceAll(TEXT, '')
    const identifiers = [...new Set(code.match(/[A-Za-z_]\w*/g))]
    return identifiers.filter((one) => REPLACED.test(spoken(one))).map((one) => `${file}: ${one}`)
  })
  expect(wrong).toEqual([])
})

test('no text for users says a replaced name', () => {
  const wrong = sources
    // Headings that other products give their columns are read as they are.
    .filter((file) => file.endsWith('messages.ts') && !file.endsWith('column-messages.ts'))
    .flatMap((file) => {
      const texts = read(file).replaceAll(COMMENT, '').match(TEXT) ?? []
      return texts
        .filter((text) => REPLACED.test(text.toLowerCase()))
        .map((text) => `${file}: ${text}`)
    })
  expect(wrong).toEqual([])
})
