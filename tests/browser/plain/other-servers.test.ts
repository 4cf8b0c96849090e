// What a server may do otherwise than the plain one: work done offline arrives once, and is shown as the server has it.
import { expect, test } from 'vitest'
import type { PlainOptions } from '../../plain-server/plain-options.ts'
import { waitForOfflineReady } from '../fixtures/app.ts'
import { ORIGIN } from '../fixtures/chromium.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { nothingWaits, signedIn } from './signed-in.ts'

/** Which servers, and the texts that they store. */
const SERVERS: [string, Partial<PlainOptions>, { body: string; notes: string }?][] = [
  ['UUIDs as ids, and pages with a cursor', { ids: 'uuids', pagination: 'cursor' }],
  ['ids over 2^53, and simple pages', { ids: 'large-integers', pagination: 'simple' }],
  [
    'a PUT that replaces the record, and texts that are cleaned',
    { put: 'replaces', text: 'sanitised' },
    { body: 'They signed &amp; left.', notes: 'Call Tom &amp; Jerry.' },
  ],
  ['records without an author', { oddities: { 'no-author': 'all' } }],
  ['a refusal of each If-Match', { ifMatch: 'refused' }],
]

test.for(SERVERS)('%s', async ([, options, stored]) => {
  const { api, page, restart } = await signedIn(options)
  const { tables } = api.records
  const [account] = tables.accounts
  const [plan] = tables['success-plans']
  if (!account || !plan) throw new Error('The plain server has no records.')
  const before = { ...account }
  await waitForOfflineReady(page)
  await page.goto(`${ORIGIN}/success-plans/${plan.id}`)
  await page.getByText('Kick-off of plan 1.').waitFor()

  const offline = await restart(`/success-plans/${plan.id}`, { isOffline: true })
  const typed = { body: 'They <b>signed</b>  & left.', notes: 'Call Tom  & <i>Jerry</i>.' }
  await offline.getByRole('textbox', { name: 'Update', exact: true }).fill(typed.body)
  await offline.getByRole('button', { name: 'Post update' }).click()
  // The worker of a page that is offline in a test may have sent it already.
  await offline.getByRole('article').filter({ hasText: 'signed' }).waitFor()
  await offline.goto(`${ORIGIN}/accounts/${account.id}?edit`)
  await offline.getByRole('textbox', { name: /^Notes/ }).fill(typed.notes)
  await offline.getByRole('button', { name: 'Save changes', exact: true }).click()
  await offline.getByText('Jerry').waitFor()

  const online = await restart(`/success-plans/${plan.id}`)
  const { body, notes } = stored ?? typed
  await waitUntil('the edit has arrived', () => account.notes === notes)
  await nothingWaits(online)
  const writes = api.requests
    .filter(({ method, path }) => /POST|PUT|PATCH/.test(method) && !path.startsWith('/oauth'))
    .map(({ method, path }) => `${method} ${path}`)
  expect(writes).toEqual([
    `POST /api/v1/success-plans/${plan.id}/updates`,
    `PUT /api/v1/accounts/${account.id}`,
  ])
  const { updated_at: _, ...shown } = account
  expect(shown).toEqual({ ...before, notes })
  const updates = tables.updates.filter((one) => one.success_plan_id === plan.id)
  expect(updates.map((one) => one.body)).toEqual(['Kick-off of plan 1.', body])
  const cards = online.getByRole('article').filter({ hasText: 'signed' })
  expect(await cards.count()).toBe(1)
})
