// A screen breaks, by a damaged record on the device or a missing chunk: the frame stays, the other
// screens work, and drafts are not lost.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { composer, openPlan, planRow, signIn } from '../fixtures/app.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'
import { axeViolationsOf } from '../fixtures/axe-violations.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { corruptRecord } from '../fixtures/corrupt-record.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const DRAFT = 'Half a thought, to be finished.'

const expectNavigation = async (page: Page) => {
  await page.getByRole('link', { name: 'Accounts' }).first().waitFor()
  await page.getByRole('button', { name: /^Your menu/ }).waitFor()
}

test('a record that breaks its screen leaves navigation, drafts and other screens working', async () => {
  const { ada, browser, page, plan } = await openPlanFixture()
  await composer(page).fill(DRAFT)
  await corruptRecord(page, plan.id)
  await page.reload()
  const broken = page.getByRole('heading', { name: 'Internal Server Error', level: 1 })
  await broken.waitFor()
  await page.getByText('500', { exact: true }).waitFor()
  await expectNavigation(page)
  expect(await axeViolationsOf(page, 'a broken screen')).toEqual([])
  await browser.context.setOffline(true)
  await page.getByRole('button', { name: /Sync: Offline/ }).waitFor()
  await browser.context.setOffline(false)

  await page.getByRole('link', { name: 'Accounts' }).first().click()
  await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
  await page.goBack()
  await broken.waitFor()
  await page.getByRole('link', { name: 'Go to success plans' }).click()
  await planRow(page, plan).click()
  await broken.waitFor()

  // The screen recovers as soon as the record is valid again.
  await ada.call('PATCH', `/api/v1/success-plans/${plan.id}`, { description: 'Whole again.' })
  const title = page.getByRole('heading', { name: plan.title, level: 1 })
  await waitUntil('the screen is rendered', async () => {
    if (await title.isVisible()) return true
    // The screen may recover meanwhile.
    const again = page.getByRole('button', { name: 'Try again' })
    await again.evaluateAll((buttons: HTMLElement[]) => buttons[0]?.click())
    return false
  })
  await waitUntil(
    'the draft is restored',
    async () => (await composer(page).inputValue()) === DRAFT,
  )
})

longTest(
  'a missing chunk leaves navigation and drafts working and is not requested for ever',
  async () => {
    const scene = await createBrowserFixture({ newDevice: true })
    const { ada, browser, network, plan, url } = scene
    const page = await browser.open()
    const part = /\/assets\/.*profile-screen.*js$/
    network.injectFault({ path: part }, { kind: 'answered', status: 404, body: '' })
    await signIn(page, url, ada)
    await openPlan(page, plan)
    await composer(page).fill(DRAFT)

    // Reloading should help; where it does not, the app shows the error and continues.
    const fresh = page.waitForEvent('load')
    await page.evaluate(() => {
      history.pushState(null, '', '/settings/profile')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await fresh
    await page.getByRole('heading', { name: 'This screen could not be loaded', level: 1 }).waitFor()
    await expectNavigation(page)
    expect(new URL(page.url()).pathname).toBe('/settings/profile')
    await page.getByRole('link', { name: 'Notifications' }).click()
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
    await page.goto(`${url}/success-plans`)
    await openPlan(page, plan)
    await waitUntil(
      'the draft is restored',
      async () => (await composer(page).inputValue()) === DRAFT,
    )
  },
)
