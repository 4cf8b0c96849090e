// A secret that an operator puts into a file is not read, or is read in silence from the wrong place.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfiguration } from '../../../server/configuration/configuration.ts'
import { SECRETS, withSecretFiles } from '../../../server/configuration/secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-secrets-'))
afterAll(() => rmSync(folder, { recursive: true }))
const fileWith = (text: string) => {
  const file = join(folder, 'secret')
  writeFileSync(file, text)
  return file
}

test.each(SECRETS)('%s comes from a file as well, without its line break', (name) => {
  const env = withSecretFiles({ [`${name}_FILE`]: fileWith('a secret \n') })
  expect(env[name]).toBe('a secret ')
})

test('a key from a file is the key of the server', () => {
  const { tokenKey } = readConfiguration({ TOKEN_KEY_FILE: fileWith(`${'5e'.repeat(32)}\r\n`) })
  expect(tokenKey?.toString('hex')).toBe('5e'.repeat(32))
})

test('a secret that is set twice stops the start', () => {
  const env = { METRICS_TOKEN: 'one', METRICS_TOKEN_FILE: fileWith('another') }
  expect(() => readConfiguration(env)).toThrow(
    'METRICS_TOKEN and METRICS_TOKEN_FILE are both set. Set one of them.',
  )
})

test('a file that is missing, a folder or empty stops the start with its name', () => {
  const read = (METRICS_TOKEN_FILE: string) => () => readConfiguration({ METRICS_TOKEN_FILE })
  const missing = join(folder, 'missing')
  expect(read(missing)).toThrow(`METRICS_TOKEN_FILE: the file ${missing} cannot be read (ENOENT).`)
  expect(read(folder)).toThrow(`METRICS_TOKEN_FILE: the file ${folder} cannot be read (EISDIR).`)
  const empty = fileWith('\n')
  expect(read(empty)).toThrow(`METRICS_TOKEN_FILE: the file ${empty} is empty.`)
})

test('each of them is documented', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
  const listed = text.slice(text.indexOf('## Secrets from files')).split('\n## ')[0] ?? ''
  expect(SECRETS.filter((name) => !listed.includes(`\`${name}\``))).toEqual([])
})
