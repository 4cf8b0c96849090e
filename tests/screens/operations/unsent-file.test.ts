// @vitest-environment jsdom
// Pending operations exported as a text file.
import { expect, it } from 'vitest'
import { unsentExport } from '../../../src/app/device/unsent-export.ts'
import { operationWith, PLAN_ID, posting } from '../fixtures/record-fixtures.ts'

const NOW = new Date(2026, 2, 4, 8, 5).getTime()
const WRITTEN = new Date(2026, 2, 3, 10, 12).toISOString()

const fileOf = (...operations: Parameters<typeof unsentExport>[0]) =>
  unsentExport(
    operations,
    {
      author: 'Ada Fell',
      nameOf: (_of, id) => (id === PLAN_ID ? 'Roll out alerts' : undefined),
      organisationOf: (id) => (id === 'lumen' ? 'Lumen' : undefined),
    },
    NOW,
  )

it('contains everything that was not sent', () => {
  const { name, text } = fileOf(
    posting(
      { body: 'Go-live agreed.\nTraining next week.', progress: 60 },
      { created_at: WRITTEN },
    ),
    operationWith({
      endpoint: 'createAccount',
      input: { body: { id: 'a', name: 'Northwind', tags: ['pilot'], website: '' } },
      organisation_id: 'other',
      created_at: WRITTEN,
      state: 'attention',
      last_error: { status: 403, message: 'You may not do this.' },
    }),
  )
  expect(name).toBe('cairn-unsent-2026-03-04.txt')
  expect(text).toBe(`Cairn: not sent yet
Ada Fell, Mar 4, 2026, 08:05
2 changes

----

1. Update on “Roll out alerts”
Lumen · written Mar 3, 2026, 10:12 · Saved on this device

Go-live agreed.
Training next week.

Progress: 60%

----

2. New account “Northwind”
another organisation · written Mar 3, 2026, 10:12 · Needs attention · You may not do this.

Name: Northwind
Tags: pilot
`)
})

it('says why in the words of the screens where the server had none', () => {
  const { text } = fileOf(
    posting(
      { body: 'Go-live agreed.' },
      { state: 'attention', last_error: { status: 0, code: 'undecided', message: '' } },
    ),
  )
  expect(text).toContain('Needs attention · The answer to this was lost, and nothing on the server')
})
