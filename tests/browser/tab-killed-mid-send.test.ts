// The process of a tab dies while its update is on the way: another tab, or the next one, sends it
// again under the same key.
import { expect, test } from 'vitest'
import { card } from './app.ts'
import { anotherTab, areSentOnce, atAPlan, keysOf, postFrom, UPDATES } from './at-a-plan.ts'
import { until } from './until.ts'

const TEXT = 'The last words of a tab.'

test('killed with a request on its way: the other tab goes on at once, one update', async () => {
  const scene = await atAPlan()
  const { browser, network } = scene
  const tabs = [scene.page, await anotherTab(scene)] as const
  const release = network.hold({ method: 'POST', path: UPDATES })
  const [page, other] = await postFrom(tabs, TEXT)
  await network.sees('POST', UPDATES)
  await card(other, TEXT).waitFor()
  await browser.crash(page)
  await network.sees('POST', UPDATES, 2)
  // Both reach the server at once, and with them the second of two with one key.
  release()
  await areSentOnce(scene, other, TEXT)
  await until('both are answered', () =>
    network.seen('POST', UPDATES).every(({ upstream }) => upstream === 201),
  )
  const sent = network.seen('POST', UPDATES)
  expect(keysOf(sent)).toBe(1)
  expect(sent.filter(({ replayed }) => !replayed)).toHaveLength(1)
  await areSentOnce(scene, other, TEXT)
})
