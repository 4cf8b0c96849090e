// One person on one device edits a field again and again without a network, with kills of the browser right
// after saving: no edit is lost, and none is taken for someone else's.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const criteria = (page: Page) => page.getByLabel('Success criteria')

test('edits of one field, saved before and after kills, arrive in order without a question', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada, plan } = scene
  await openPlans(scene)
  await scene.server.stop()
  await scene.network.goDown()
  const texts = ['Text 1', 'Text 2', 'Text 3', 'Text 4', 'Text 5', 'Text 6']
  const url = `${scene.url}/success-plans/${plan.id}`
  let page = await scene.browser.open(url)
  for (const [index, text] of texts.entries()) {
    await page.goto(`${url}?edit`)
    await criteria(page).waitFor()
    // What was saved is in the form, and is not offered as a draft.
    if (index > 0) expect(await criteria(page).inputValue()).toBe(texts[index - 1])
    expect(await page.getByText('Draft restored').count()).toBe(0)
    await criteria(page).fill(text)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await criteria(page).waitFor({ state: 'detached' })
    if (index % 2 === 0) continue
    await scene.restartBrowser()
    page = await scene.browser.open(url)
  }
  // Without it the last edit could be sent before the pill has shown that something waits.
  await page.getByRole('button', { name: /Sync: Offline · 6 waiting/ }).waitFor()
  await scene.network.goUp()
  await scene.server.start()
  await waitUntil(
    'the server has the last text',
    async () => (await ada.readPlan(plan)).success_criteria === texts.at(-1),
    60_000,
  )
  // It says for a few seconds only that all is sent.
  await page
    .getByRole('button', { name: /^Sync: (?!All changes sent)/ })
    .waitFor({ state: 'detached' })
  expect(await page.getByText('was changed by someone else').count()).toBe(0)
  // They leave in a batch.
  const edits = scene.network.operations.filter(
    ({ method, path }) => method === 'PATCH' && /\/success-plans\//.test(path),
  )
  expect(edits.length).toBeGreaterThanOrEqual(texts.length)
  expect(edits.filter(({ upstream }) => upstream === 412)).toEqual([])
})
