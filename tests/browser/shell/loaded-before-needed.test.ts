// A start loads code that nothing on its first screen needs.
import { expect, inject, test } from 'vitest'
import { filesOf } from '../../../bench/bytes.ts'
import { openPlans } from '../fixtures/app.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const COUNTED = /\.(js|css|woff2)$/

test('a phone loads until it is idle what the budget counts, and nothing else', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const page = await openPlans(scene)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  const counted = [...filesOf(inject('dist')).until_idle.keys()].filter((one) => COUNTED.test(one))
  const loaded = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1)),
    )
  await waitUntil('all that is counted is loaded', async () => {
    const names = new Set(await loaded())
    return counted.every((one) => names.has(one))
  })
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  const names = (await loaded()).filter((one) => COUNTED.test(one))
  expect(names.filter((one) => !counted.includes(one))).toEqual([])
})
