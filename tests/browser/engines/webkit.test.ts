// WebKit: offline, a reload and a start after a kill show everything, and pending operations are sent
// once.
import { error } from 'selenium-webdriver'
import { expect, test } from 'vitest'
import type { SuccessPlan } from '../../../contract/schemas/success-plans.ts'
import { SAVED } from '../fixtures/app.ts'
import { UPDATES_PATH } from '../fixtures/open-plan-fixture.ts'
import { createBrowserFixtureWith } from '../fixtures/browser-fixture.ts'
import { HISTORY } from '../screenshots/demo-team.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { WebKit } from '../fixtures/webkit.ts'

const TEXT = 'Written in the tunnel.'

/** The update's card shows that it is saved on the device. */
async function isSaved(browser: WebKit): Promise<boolean | undefined> {
  const card = await browser.waitForElement('article', TEXT)
  try {
    return (await card.getText()).includes(SAVED)
  } catch (problem) {
    // It was rendered again in the meantime.
    if (problem instanceof error.StaleElementReferenceError) return undefined
    throw problem
  }
}

async function openPlan(browser: WebKit, plan: SuccessPlan): Promise<void> {
  await (await browser.waitForElement(`[data-plan="${plan.id}"]`)).click()
  await browser.waitForElement('h1', plan.title)
}

test('WebKit keeps plans and a pending update after a kill offline, and sends it once', async () => {
  const scene = await createBrowserFixtureWith((profile) => WebKit.start(profile))
  const { ada, browser, network, plan, unopened, url } = scene
  const { driver } = browser
  await driver.get(`${url}/success-plans`)
  await (await browser.field('Email')).sendKeys(ada.email)
  await (await browser.field('Password')).sendKeys(ada.password)
  await (await browser.waitForElement('button', 'Sign in')).click()
  await (await browser.waitForElement('ul[aria-label="Your organisations"] button')).click()
  await browser.waitForElement('body', 'Up to date')
  await waitUntil('the worker controls the page', () =>
    driver.executeScript<boolean>(
      'return navigator.serviceWorker.controller?.state === "activated"',
    ),
  )

  await network.goDown()
  await driver.navigate().refresh()
  await browser.waitForElement('body', 'Offline · as of')
  await openPlan(browser, plan)
  // Days are computed in the organisation's time zone, with the browser's own calendar.
  const facts = await browser.waitForElement('body', 'of the time gone')
  expect(await facts.getText()).toMatch(/4\d% of the time gone/)
  await (await browser.field('Update')).sendKeys(TEXT)
  await (await browser.waitForElement('button', 'Post update')).click()
  await waitUntil('the update is saved on the device', () => isSaved(browser))

  const restarted = await scene.restartBrowser()
  await restarted.driver.get(`${url}/success-plans`)
  await restarted.waitForElement('body', 'Offline · as of')
  await openPlan(restarted, unopened)
  await restarted.waitForElement('body', HISTORY.unopened)
  // Full page loads one after another: the last page goes into the back/forward cache with its open
  // connection, and must not block the database for the next.
  for (const path of [
    '/accounts',
    '/initiatives',
    '/',
    '/accounts',
    '/initiatives',
    '/success-plans',
  ])
    await restarted.driver.get(`${url}${path}`)
  await openPlan(restarted, plan)
  await waitUntil('the update is still saved on the device', () => isSaved(restarted))

  // The first answer is lost.
  network.injectFault({ method: 'POST', path: UPDATES_PATH }, { kind: 'answer-lost' }, 1)
  await network.goUp()
  await waitUntil(
    'the server has it',
    async () => (await ada.updatesWithText(plan, TEXT)).length > 0,
  )
  const answers = () => network.requests('POST', UPDATES_PATH).map(({ status }) => status)
  await waitUntil('the update is answered', () => answers().includes(201))
  await waitUntil('nothing is pending', async () => (await isSaved(restarted)) === false)
  expect(answers()).toEqual([undefined, 201])
  expect(await ada.updatesWithText(plan, TEXT)).toHaveLength(1)
})
