// The app at an address without HTTPS: the browser has no service worker and no Web Locks there.
import { expect, test } from 'vitest'
import { fillSignIn, openPlan, pickOrganisation, post } from '../fixtures/app.ts'
import { createBrowserFixtureWith } from '../fixtures/browser-fixture.ts'
import { Chromium } from '../fixtures/chromium.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const ORIGIN = 'http://cairn.test:4000'

const open = () =>
  createBrowserFixtureWith(
    (profile, origins, complaints, { port }) =>
      Chromium.start(profile, origins, complaints, port, ORIGIN),
    {},
    ORIGIN,
  )

test('two tabs work online, and the screens say what is missing', async () => {
  const { ada, browser, url, plan } = await open()
  const first = await browser.open(`${url}/success-plans`)
  expect(await first.evaluate(() => window.isSecureContext)).toBe(false)
  await first.getByText(/your password travels unprotected/).waitFor()
  await fillSignIn(first, ada)
  await pickOrganisation(first)
  await first.getByText(/works online only/).waitFor()
  const second = await browser.open(`${url}/success-plans`)
  for (const [index, page] of [first, second].entries()) {
    await openPlan(page, plan)
    const text = `Written without HTTPS in tab ${index + 1}`
    await post(page, text)
    await waitUntil(
      `the server has "${text}"`,
      async () => (await ada.updatesWithText(plan, text)).length === 1,
    )
  }
})
