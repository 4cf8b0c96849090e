// Navigation: links, scroll positions and focus, and a chunk that is missing.
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { chooseSignOut, openPlan, openPlans, planRow, signIn } from '../fixtures/app.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'
import { sampleOf } from '../../sample.ts'

const FAILED = 'This screen could not be loaded'

test('opens a plan at its top and restores the scroll position of the list on the way back', async () => {
  const scene = await openPlanFixture()
  const { page } = scene
  await page.setViewportSize({ width: 360, height: 320 })
  await page.goBack()
  await planRow(page, scene.plan).waitFor()
  const scrolled = () => page.evaluate(() => scrollY)
  await page.evaluate(() => scrollTo(0, 160))
  // Playwright scrolls to what it clicks.
  await planRow(page, scene.plan).scrollIntoViewIfNeeded()
  const left = await scrolled()
  expect(left).toBeGreaterThan(0)
  await openPlan(page, scene.plan)
  await waitUntil('the plan is at its top', async () => (await scrolled()) === 0)
  await page.goBack()
  await waitUntil('the list is at its scroll position', async () => (await scrolled()) === left)
})

longTest(
  'opens a screen by its address at the top, wherever the one before was scrolled to',
  async () => {
    const { page, url } = await openPlanFixture()
    await page.setViewportSize({ width: 360, height: 320 })
    await page.goto(`${url}/success-plans`)
    await page.getByRole('heading', { name: 'Success plans', level: 1 }).waitFor()
    const scrolled = () => page.evaluate(() => scrollY)
    const scrollTo = (top: number) =>
      waitUntil('it is scrolled', () =>
        page.evaluate((place) => {
          window.scrollTo(0, place)
          return scrollY === place
        }, top),
      )
    await scrollTo(160)
    await page.goto(`${url}/settings/profile`)
    // The last part of a screen that is longer than that.
    await page.getByRole('button', { name: 'Delete my account' }).waitFor()
    expect(await scrolled()).toBe(0)
    await scrollTo(90)
    // A page that the browser has kept as it was does not load again.
    await page.goBack({ waitUntil: 'commit' })
    await waitUntil('the list is at its scroll position', async () => (await scrolled()) === 160)
  },
)

longTest('shows a plan from its top when its form was saved far below', async () => {
  const { page, plan } = await openPlanFixture()
  await page.setViewportSize({ width: 360, height: 320 })
  await page.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill(`${plan.title}, edited`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  const title = page.getByRole('heading', { name: `${plan.title}, edited`, level: 1 })
  await title.waitFor()
  await waitUntil('the title has the focus', () =>
    title.evaluate((heading) => document.activeElement === heading),
  )
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

longTest(
  'the list behind a plan is not in the page, and shown again with its search and what has changed',
  async () => {
    const scene = await openPlanFixture()
    const { ada, page, plan } = scene
    await page.goBack()
    await page.getByRole('searchbox').fill(plan.title)
    await waitUntil('the search is in the address', () => page.url().includes('search='))
    const row = await planRow(page, plan).elementHandle()
    await openPlan(page, plan)
    expect(await page.locator('[data-plan], input[type=search]').count()).toBe(0)
    const title = `${plan.title}, second part`
    await ada.call('PATCH', `/api/v1/success-plans/${plan.id}`, { title })
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await page.goBack()
    await planRow(page, plan).getByText(title).waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe(plan.title)
    expect(await row?.evaluate((element) => element.isConnected)).toBe(true)
    await page.getByRole('link', { name: 'Accounts', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor()
    expect(await planRow(page, plan).count()).toBe(0)
  },
)

test.each(sampleOf([360, 768], 1, 'every place'))(
  'every place can be reached at %i px',
  async (width) => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const page = await openPlans(scene)
    await page.setViewportSize({ width, height: 800 })
    const main = page.getByRole('navigation', { name: 'Main' })
    for (const [link, title] of [
      ['Home', /^What needs your attention/],
      ['Initiatives', 'Initiatives'],
      ['Accounts', 'Accounts'],
      ['Success plans', 'Success plans'],
    ] as const) {
      await main.getByRole('link', { name: link, exact: true }).click()
      await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    }
    // The bar of a phone has no room for them.
    if (width === 768) await main.getByRole('link', { name: 'Templates' }).click()
    else {
      await page.getByRole('button', { name: /^Your menu/ }).click()
      await page.getByRole('menuitem', { name: 'Templates' }).click()
    }
    await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor()
  },
)

const WAYS_TO_REACH: [string, (link: Locator) => Promise<void>][] = [
  ['pointer', (link) => link.hover()],
  ['focus', (link) => link.focus()],
]

test.each(sampleOf(WAYS_TO_REACH, 1, 'reach'))(
  'the screen behind a link is loaded when the %s reaches it',
  async (_, reach) => {
    const scene = await createBrowserFixture({ usedBefore: true })
    const page = await openPlans(scene)
    const isLoaded = () =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('detail-screen')),
      )
    expect(await isLoaded()).toBe(false)
    await reach(page.getByRole('link', { name: scene.plan.title }))
    await waitUntil('the screen of a plan is loaded', isLoaded)
  },
)

test('restores the scroll position of a long list after a reload', async () => {
  const scene = await createBrowserFixture({ usedBefore: true })
  const { ada } = scene
  await ada.call('POST', '/api/v1/subscriptions', { plan: 'professional' })
  // More than a start shows before all of the list has been read.
  for (let made = 0; made < 60; made += 1)
    await ada.call('POST', '/api/v1/success-plans', { title: `Ridge ${made}`, type: 'project' })
  const page = await openPlans(scene)
  await page.setViewportSize({ width: 360, height: 320 })
  const place = 4_500
  const scrolled = () => page.evaluate(() => scrollY)
  const isLong = (top: number) => document.documentElement.scrollHeight >= top + innerHeight
  await waitUntil('all plans are in the list', () => page.evaluate(isLong, place))
  await page.evaluate(async (top) => {
    const scrollEvent = new Promise((resolve) =>
      addEventListener('scroll', resolve, { once: true }),
    )
    scrollTo(0, top)
    await scrollEvent
  }, place)
  expect(await scrolled()).toBe(place)
  await page.reload()
  await page.locator('[data-plan]:not([inert] *)').first().waitFor()
  await waitUntil('the scroll position is restored', async () => (await scrolled()) === place)
})

longTest(
  'a menu ignores scrolling that does not move its button and closes when it does',
  async () => {
    const { page } = await openPlanFixture()
    // In a lower window the header scrolls away.
    await page.setViewportSize({ width: 360, height: 420 })
    const menu = page.getByRole('menu')
    const scrollOn = (far: number) =>
      page.evaluate(async (top) => {
        const scrollEvent = new Promise((resolve) =>
          addEventListener('scroll', resolve, { once: true }),
        )
        scrollBy(0, top)
        await scrollEvent
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

    // A menu that is opened while the code of a dialog loads is closed by the dialog.
    const button = page.getByRole('button', { name: 'Change status' })
    await button.click()
    await page.getByRole('menuitem', { name: 'Pause' }).waitFor()
    await button.evaluate((element: HTMLElement) => {
      const [item] = document.querySelectorAll<HTMLElement>(':popover-open [role=menuitem]')
      item?.click()
      element.click()
    })
    await page.getByRole('dialog').getByRole('textbox').waitFor()
    expect(await page.locator(':popover-open').count()).toBe(0)
  },
)

longTest('a dialog closes the palette opened while its code loaded, and can be used', async () => {
  const { page } = await openPlanFixture()
  const field = page.getByRole('combobox', { name: 'Search the organisation, or run a command' })
  // The palette's own code is loaded first.
  await page.keyboard.press('Control+k')
  await field.waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Change status' }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).evaluate((item: HTMLElement) => {
    item.click()
    dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
  })
  const reason = page.getByRole('dialog').getByRole('textbox')
  await reason.waitFor()
  // The palette would lie above the dialog, inert.
  await waitUntil('the palette is closed', async () => (await page.locator('dialog').count()) === 0)
  await reason.click()
})

longTest('signing out leaves no return path behind', async () => {
  const { page, plan } = await openPlanFixture()
  // So that the sign-in screen's files are not cached yet when the session ends.
  await page.reload()
  await page.getByRole('heading', { name: plan.title, level: 1 }).waitFor()
  await chooseSignOut(page)
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  expect(new URL(page.url()).search).toBe('')
})

test.for(sampleOf(['start-app', 'detail-screen'], 1, 'missing chunk'))(
  'offers a reload when the chunk %s cannot be fetched',
  async (name) => {
    const scene = await createBrowserFixture({ newDevice: true })
    const page = await scene.browser.open()
    const repair = scene.network.injectFault(
      { path: new RegExp(`/assets/build-.*/${name}\\d*\\.js$`) },
      { kind: 'answered', status: 503, body: '' },
    )
    if (name === 'start-app') await page.goto(scene.url)
    else {
      await signIn(page, scene.url, scene.ada)
      await planRow(page, scene.plan).click()
    }
    await page.getByRole('heading', { name: FAILED }).waitFor()
    repair()
    await page.getByRole('button', { name: 'Reload' }).click()
    // No navigation before the reload is complete, which it would cancel.
    const target = name === 'start-app' ? 'Sign in' : scene.plan.title
    await page.getByRole('heading', { name: target, level: 1 }).waitFor()
    if (name === 'start-app') await signIn(page, scene.url, scene.ada)
  },
)
