// A search typed at the pace of the URL's debounce, on a slow device: no character is lost, and a link
// that clears the search wins.
import { expect, test } from 'vitest'
import { NOT_INERT, openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { sampleOf } from '../../sample.ts'

const TEXT = 'each key comes close to the debounce'
/** Milliseconds between two keys: close to the debounce. */
const PACES = [5, 300, 320]

// The lists share the field: one of them outside of a long run, because a slow device costs much.
test.for(sampleOf(['/success-plans', '/accounts', '/initiatives'], 1, 'search'))(
  'a search typed slowly reaches the address unchanged, and clearing it wins: %s',
  async (path) => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const { ada, plan, url } = scene
    await ada.call('POST', '/api/v1/initiatives', { title: 'Roll out', success_plan_id: plan.id })
    const page = await openPlans(scene)
    await page.goto(url + path)
    const line = page.getByRole('searchbox').and(page.locator(NOT_INERT))
    await line.waitFor()
    const device = await page.context().newCDPSession(page)
    await device.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    for (const delay of PACES) {
      const text = TEXT.slice(0, delay < 100 ? undefined : 12)
      await line.pressSequentially(text, { delay })
      await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe(text)
      expect(await line.inputValue()).toBe(text)
      await page.getByRole('link', { name: /^Show all/ }).click()
      await expect.poll(() => new URL(page.url()).search).toBe('')
      await expect.poll(() => line.inputValue()).toBe('')
    }
  },
)
