// Mail that is written to a folder, and its addresses.
import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readConfiguration } from '../../../server/configuration/configuration.ts'
import { createAfterCommit } from '../../../server/database/after-commit.ts'
import { createFolderMailer } from '../../../server/integrations/mail.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-mail-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a mail file is readable by its owner only, and header injection is impossible', async () => {
  const calls: string[] = []
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void calls.push(line))
  const outbox = join(folder, 'outbox')
  const mail = {
    to: 'mia@example.com\r\nBcc: eve@example.com',
    subject: 'Ada invites you to\r\nBcc: eve@example.com',
    text: 'First line\nSecond line',
  }
  await createFolderMailer(outbox).send(mail, 'one')
  spy.mockRestore()
  const [name = ''] = await readdir(outbox)
  expect(await readFile(join(outbox, name), 'utf8')).toBe(
    'To: mia@example.com Bcc: eve@example.com\nSubject: Ada invites you to Bcc: eve@example.com\n\nFirst line\nSecond line\n',
  )
  expect(((await stat(join(outbox, name))).mode & 0o777).toString(8)).toBe('600')
  expect(calls).toHaveLength(1)
  expect(calls[0]).toContain(name)
  expect(calls[0]).not.toContain('example.com')
})

test('after-commit hooks run for the attempt that committed, and fail independently', async () => {
  const done: string[] = []
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const after = createAfterCommit()
  after.newAttempt()(async () => void done.push('rolled back'))
  const add = after.newAttempt()
  add(() => Promise.reject(new Error('The mail server is away.')))
  add(async () => void done.push('committed'))
  await after.run()
  expect(spy).toHaveBeenCalledOnce()
  spy.mockRestore()
  expect(done).toEqual(['committed'])
})

test('links use the configured address, without which the server does not start', () => {
  const url = (PUBLIC_URL: string) => readConfiguration({ PUBLIC_URL }).publicUrl
  expect(url('https://cairn.example.com/')).toBe('https://cairn.example.com')
  expect(url('http://localhost:8080')).toBe('http://localhost:8080')
  expect(url('')).toBeUndefined()
  for (const wrong of ['cairn.example.com', 'javascript:alert(1)', 'https://a.example/#x'])
    expect(() => url(wrong)).toThrow(
      `PUBLIC_URL must be like https://cairn.example.com, not "${wrong}".`,
    )
})
