// With text of twice the size a screen of a phone scrolls sideways, and its bottom bar is out of sight.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn, waitForOfflineReady } from '../fixtures/app.ts'
import { routesFor } from '../fixtures/app-routes.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

/** What reaches beyond the right edge, and the links of the bottom bar whose words are wider than they are. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    const isBeyond = (one: Element) => one.getBoundingClientRect().right > clientWidth + 1
    const beyond = [...document.querySelectorAll('header *, main *')].filter(
      (one) =>
        isBeyond(one) && ![...one.children].some(isBeyond) && !one.closest('.overflow-x-auto'),
    )
    const links = [...document.querySelectorAll('nav[aria-label="Main"] a')]
    return [
      ...(scrollWidth > clientWidth ? beyond : []),
      ...links.filter((link) => link.scrollWidth > link.clientWidth),
    ].map((one) => one.outerHTML.slice(0, 160))
  })

test('no screen of a phone scrolls sideways with text of twice the size', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, plan, url } = scene
  const page = await browser.open()
  await page.setViewportSize({ width: 360, height: 780 })
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('Page.enable')
  // What a user sets in the browser, unlike a size that a page gives itself.
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  await signIn(page, url, ada)
  await waitForOfflineReady(page)
  const paths = [
    ...routesFor(scene).in,
    `/success-plans/${plan.id}?show=initiatives`,
    `/success-plans/${plan.id}?show=about`,
    '/success-plans?review',
  ]
  const faults: string[] = []
  for (const path of paths) {
    await page.goto(url + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const loading = page.getByRole('status').filter({ hasText: /^Loading/ })
    await waitUntil('all of it is loaded', async () => (await loading.count()) === 0)
    for (const fault of await tooWide(page)) faults.push(`${path}: ${fault}`)
  }
  expect(faults).toEqual([])
})
