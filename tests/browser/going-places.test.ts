// Going from place to place: what leads there, what is left behind, and a part of the app that is missing.
import { expect, test } from 'vitest'
import { askToSignOut, openPlan, openPlans, planRow, signIn } from './app.ts'
import { atAPlan } from './at-a-plan.ts'
import { setScene } from './scene.ts'
import { until } from './until.ts'

const FAILED = 'This screen could not be loaded'

test('a plan opens in its middle, and the way back leads to the top of the list', async () => {
  const scene = await atAPlan()
  const { page } = scene
  await page.setViewportSize({ width: 360, height: 320 })
  await page.goBack()
  await planRow(page, scene.plan).waitFor()
  const scrolled = () => page.evaluate(() => scrollY)
  await page.evaluate(() => scrollTo(0, 160))
  // What is clicked is scrolled to by itself.
  await planRow(page, scene.plan).scrollIntoViewIfNeeded()
  const left = await scrolled()
  expect(left).toBeGreaterThan(0)
  await openPlan(page, scene.plan)
  await until('the plan is at its top', async () => (await scrolled()) === 0)
  await page.goBack()
  await until('the list is where it was', async () => (await scrolled()) === left)
})

test('a reload in the middle of a long list leads to the middle', async () => {
  const scene = await setScene({ usedBefore: true })
  const { ada } = scene
  for (let made = 0; made < 7; made += 1)
    await ada.call('POST', '/api/v1/success-plans', { title: `Ridge ${made}`, type: 'project' })
  const page = await openPlans(scene)
  await page.setViewportSize({ width: 360, height: 320 })
  const place = 1_300
  const scrolled = () => page.evaluate(() => scrollY)
  await page.evaluate(async (top) => {
    const told = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }))
    scrollTo(0, top)
    await told
  }, place)
  expect(await scrolled()).toBe(place)
  await page.reload()
  await page.locator('[data-plan]:not([inert] *)').first().waitFor()
  await until('it is there again', async () => (await scrolled()) === place)
})

test('a menu closes for a scroll that does not move it, or stays where its button was', async () => {
  const { page } = await atAPlan()
  await page.setViewportSize({ width: 360, height: 320 })
  const menu = page.getByRole('menu')
  const scrollOn = (far: number) =>
    page.evaluate(async (top) => {
      const told = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }))
      scrollBy(0, top)
      await told
    }, far)
  // The header stays where it is.
  await page.getByRole('button', { name: /Your menu/ }).click()
  await menu.waitFor()
  await scrollOn(20)
  expect(await menu.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Change status', expanded: false }).click()
  await page.getByRole('button', { name: 'Change status', expanded: true }).waitFor()
  await scrollOn(20)
  await menu.waitFor({ state: 'hidden' })
})

test('who leaves is asked to come back to where somebody was', async () => {
  const { page, plan } = await atAPlan()
  // So that the files of signing in are still to be fetched when the session is over.
  await page.reload()
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  await askToSignOut(page)
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  expect(new URL(page.url()).search).toBe('')
})

test.for(['begin', 'detail-screen'])('without its file %s the app stands still', async (name) => {
  const scene = await setScene()
  const page = await scene.browser.open()
  const mend = scene.network.break(
    { path: new RegExp(`/assets/${name}-.*js$`) },
    { kind: 'answered', status: 503, body: '' },
  )
  if (name === 'begin') await page.goto(scene.url)
  else {
    await signIn(page, scene.url, scene.ada)
    await planRow(page, scene.plan).click()
  }
  await page.getByRole('heading', { name: FAILED }).waitFor()
  mend()
  await page.getByRole('button', { name: 'Reload' }).click()
  // Nobody goes anywhere before the reload has led somewhere: it would end the other way there.
  const there = name === 'begin' ? 'Sign in' : scene.plan.title
  await page.getByRole('heading', { name: there, level: 1 }).waitFor()
  if (name === 'begin') await signIn(page, scene.url, scene.ada)
})
