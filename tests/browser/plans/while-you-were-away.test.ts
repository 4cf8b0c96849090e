// The summary of others’ changes is shown once after a return, and only to the users concerned.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPlan, openPlans, planRow, waitForOfflineReady } from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { createBrowserFixture, type BrowserFixture } from '../fixtures/browser-fixture.ts'
import { readAllStorage } from '../fixtures/readable-storage.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const TWO_HOURS = 2 * 60 * 60_000
const WORDS = 'Their new sponsor wants a pilot in Lisbon.'

const absenceSummary = (page: Page) => page.getByRole('region', { name: 'While you were away' })

/** Ada leaves; Mia works; Ada returns two hours later by her device's clock. */
async function returnAfterAbsence(): Promise<BrowserFixture & { page: Page }> {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { account, ada, browser, plan, unopened, url } = scene
  const mia = await addMember(scene, 'Mia Okafor')
  const first = await openPlans(scene)
  await mia.postUpdate(plan, { body: 'Posted while Ada is here.' })
  await openPlan(first, plan)
  await first.getByText('Posted while Ada is here.').waitFor()
  // It is shown before the device has noted that she was there.
  const { version } = (await ada.call('GET', '/api/v1/changes?since=0')) as { version: number }
  await waitUntil('her presence is noted', async () =>
    new RegExp(`\\bto\\W+${version}\\b`).test(JSON.stringify(await readAllStorage(first))),
  )
  await first.close()

  await mia.postUpdate(plan, { body: WORDS, progress: 45, health: 'at-risk' })
  await mia.postUpdate(unopened, { body: 'On hold.', status: 'paused' })
  const unrelated = await mia.createPlan({ title: 'Hers alone', account_id: account.id })
  await mia.postUpdate(unrelated, { body: 'No one else follows this.' })
  await ada.postUpdate(plan, { body: 'Posted by Ada at another device.' })
  await browser.context.clock.install({ time: Date.now() + TWO_HOURS })
  const page = await browser.open(`${url}/success-plans`)
  return { ...scene, page }
}

test('lists what others did to followed plans, until it is read', async () => {
  const { browser, page, plan, unopened } = await returnAfterAbsence()
  await absenceSummary(page).waitFor()
  const links = absenceSummary(page).getByRole('link')
  const entries = await waitUntil('the names are read', async () => {
    const texts = await links.allInnerTexts()
    return texts.every((text) => text.includes('Mia Okafor')) && texts
  })
  expect(entries).toHaveLength(2)
  expect(entries.find((one) => one.includes(plan.title))).toMatch(
    /20 → 45%[^]*At risk[^]*Mia Okafor: Their new sponsor/,
  )
  expect(entries.find((one) => one.includes(unopened.title))).toMatch(/In progress → paused/)

  await browser.context.setOffline(true)
  await page.reload()
  await absenceSummary(page).getByText(WORDS).waitFor()
  await links.filter({ hasText: plan.title }).click()
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  await page.getByRole('article').filter({ hasText: WORDS }).waitFor()
  await page.goBack()
  await absenceSummary(page).waitFor()
  await waitUntil('one is left', async () => (await links.count()) === 1)
  // Opening the plan in another way marks it as read as well.
  await planRow(page, unopened).click()
  await page.getByRole('article').filter({ hasText: 'On hold.' }).waitFor()
  await page.goBack()
  await planRow(page, plan).waitFor()
  await absenceSummary(page).waitFor({ state: 'detached' })
  await page.reload()
  await planRow(page, plan).waitFor()
  expect(await absenceSummary(page).count()).toBe(0)
})

longTest('a dismissed summary does not return, and the focus moves to the heading', async () => {
  const { page, plan } = await returnAfterAbsence()
  await absenceSummary(page)
    .getByRole('button', { name: /^Dismiss/ })
    .click()
  await absenceSummary(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
  await waitUntil('it is stored as read', async () =>
    /"from":(\d+),"to":\1\b/.test(Object.values(await readAllStorage(page)).join()),
  )
  await page.reload()
  await waitForOfflineReady(page)
  await planRow(page, plan).waitFor()
  expect(await absenceSummary(page).count()).toBe(0)
})
