// A server whose errors have no CORS headers: the browser shows them as no answer at all.
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { ORIGIN } from '../fixtures/chromium.ts'
import { isQueueEmpty } from '../fixtures/previous-app.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { signedIn } from './signed-in.ts'
import { longTest } from '../../long-test.ts'

const CORS = {
  origin: ORIGIN,
  exposesHeaders: false,
  onErrors: false,
  allowedHeaders: 'Authorization, Content-Type, Accept, X-organisation',
}

async function postUpdate(page: Page): Promise<void> {
  await page.getByText('Plan 1', { exact: true }).first().click()
  await page.getByRole('textbox', { name: 'Update', exact: true }).fill('They signed.')
  await page.getByRole('button', { name: 'Post update' }).click()
}

test('an expired session is refreshed, and what waits is sent', async () => {
  const { api, page } = await signedIn({ cors: CORS })
  api.tokens.expireAll()
  await postUpdate(page)
  await waitUntil('the update has arrived', () =>
    api.seen('POST', /updates$/).some(({ status }) => status === 201),
  )
  await waitUntil('the queue is empty', () => isQueueEmpty(page))
  const problem = page.getByRole('button', { name: /^Sync: (?:Offline|Server problem)/ })
  await problem.waitFor({ state: 'detached' })
})

longTest('a session that has ended is not taken for a lost network', async () => {
  const { api, page } = await signedIn({ cors: CORS })
  // Without its session the app cannot download the plan any more.
  await page.getByText('Plan 1', { exact: true }).first().waitFor()
  api.tokens.revokeAll()
  await postUpdate(page)
  await page.getByRole('button', { name: /^Sync: Server problem · 1 waiting/ }).waitFor()
})
