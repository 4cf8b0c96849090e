// Two tabs, one queue, one session: what waits is sent once, and the tokens are renewed once.
import { expect, test } from 'vitest'
import { cardIn, openPlan, post, readyForTheAir, SAVED, signIn } from './app.ts'
import { setScene } from './scene.ts'
import { until } from './until.ts'

const UPDATES = /\/updates$/
const TOKEN = /^\/oauth\/token$/
const LIFETIME = 10

test('both come online at once with an expired token: one refresh, one POST for each update', async () => {
  const scene = await setScene({ accessTokenSeconds: LIFETIME })
  const { ada, browser, network, plan, unopened } = scene
  const one = await browser.open()
  await signIn(one, scene.url, ada)
  await readyForTheAir(one)
  await openPlan(one, plan)
  const other = await browser.open(`${scene.url}/success-plans/${unopened.id}`)
  await other.getByRole('heading', { name: unopened.title, level: 1 }).waitFor()
  await browser.context.setOffline(true)
  await post(one, 'Said in one tab.')
  await post(other, 'Said in the other tab.')
  await cardIn(one, 'Said in one tab.', SAVED).waitFor()
  await cardIn(other, 'Said in the other tab.', SAVED).waitFor()
  const issued = network.seen('POST', TOKEN)
  const expires = Number(issued.at(-1)?.answered) + (LIFETIME + 1) * 1_000
  await until('the access token runs out', () => Date.now() > expires)

  await browser.context.setOffline(false)
  await until('both are answered', () => {
    const done = network.seen('POST', UPDATES).filter(({ status }) => status === 201)
    return done.length >= 2
  })
  // Looked at at once: the new one runs out as well.
  const refreshes = network.seen('POST', TOKEN).slice(issued.length)
  expect(refreshes.map(({ status }) => status)).toEqual([200])
  for (const page of [one, other])
    await page.getByText(SAVED).first().waitFor({ state: 'detached' })
  const accepted = network.seen('POST', UPDATES).filter(({ status }) => status !== 401)
  expect(accepted.map(({ status }) => status)).toEqual([201, 201])
  expect(accepted.map(({ replayed }) => replayed)).toEqual([false, false])
  await ada.signIn()
  expect(await ada.updatesSaying(plan, 'Said in one tab.')).toHaveLength(1)
  expect(await ada.updatesSaying(unopened, 'Said in the other tab.')).toHaveLength(1)
})

test('said in one tab, it waits in the other as well', async () => {
  const scene = await setScene()
  const { browser, plan } = scene
  const one = await browser.open()
  await signIn(one, scene.url, scene.ada)
  await readyForTheAir(one)
  await openPlan(one, plan)
  const other = await browser.open(`${scene.url}/success-plans/${plan.id}`)
  await other.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  await browser.context.setOffline(true)
  await post(one, 'Seen in both.')
  await cardIn(other, 'Seen in both.', SAVED).waitFor()
  await browser.context.setOffline(false)
  for (const page of [one, other])
    await page.getByText(SAVED).first().waitFor({ state: 'detached' })
  expect(await scene.ada.updatesSaying(plan, 'Seen in both.')).toHaveLength(1)
})
