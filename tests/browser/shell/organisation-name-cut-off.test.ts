// The organisation's name in the header beside the sync state, in the narrowest windows and with touch,
// where buttons are wider.
import { expect, test } from 'vitest'
import { cardIn, post, SAVED } from '../fixtures/app.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'

/** Enough for six letters and what tells that there are more. */
const READABLE_PX = 50

test('on phones and tablets the name stays readable beside what waits offline', async () => {
  const { browser, page } = await openPlanFixture()
  await browser.context.setOffline(true)
  await post(page, 'Written on the train.')
  await cardIn(page, 'Written on the train', SAVED).waitFor()
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
  await devtools.send('Emulation.setScrollbarsHidden', { hidden: true })
  const name = page.getByRole('link', { name: /^Organisation: / }).locator('span')
  const pill = page.getByRole('button', { name: 'Sync: Offline · 1 waiting. Show details' })
  await pill.waitFor()
  const widths: Record<number, number> = {}
  for (const width of [320, 360, 390, 768]) {
    await page.setViewportSize({ width, height: 800 })
    const overflowPx = () =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        return scrollWidth - clientWidth
      })
    // Some parts follow the width a moment later.
    await expect.poll(overflowPx).toBe(0)
    widths[width] = await name.evaluate((element) => element.clientWidth)
    expect((await pill.textContent())?.startsWith('Offline')).toBe(true)
  }
  expect(Math.min(...Object.values(widths)), JSON.stringify(widths)).toBeGreaterThan(READABLE_PX)
})
