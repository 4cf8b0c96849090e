// The command palette, by its key and by its button, with a network and without.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { SAVED, cardIn, composer, openPlan, openPlans, post, signIn } from '../fixtures/app.ts'
import { addMember } from '../fixtures/member-fixture.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { nextFrames } from '../fixtures/frames.ts'
import { HISTORY } from '../screenshots/demo-team.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const PLANS = /^\/api\/v1\/success-plans\?/
const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
const line = (page: Page) => palette(page).getByRole('combobox')
const options = (page: Page) => palette(page).getByRole('option')
const selected = (page: Page) => palette(page).locator('[aria-selected=true]')

async function plansFixture() {
  const scene = await createBrowserFixture({ usedBefore: true })
  const page = await openPlans(scene)
  return { ...scene, page }
}

async function open(page: Page, key = 'Control+k'): Promise<void> {
  await page.keyboard.press(key)
  await options(page).first().waitFor()
}

const waitForClosed = (page: Page) => palette(page).waitFor({ state: 'detached' })

test('the palette opens and closes by key, Escape and backdrop, empties itself and returns the focus', async () => {
  const { page, plan } = await plansFixture()
  await page.getByLabel('Search by title, account or owner').focus()
  for (const [opening, close] of [
    ['Control+k', () => page.keyboard.press('Control+k')],
    ['Meta+k', () => page.keyboard.press('Meta+k')],
    ['Control+k', () => page.keyboard.press('Escape')],
    ['Control+k', () => page.mouse.click(20, 300)],
  ] as const) {
    await open(page, opening)
    expect(await line(page).inputValue()).toBe('')
    await line(page).fill('profile')
    // A click inside it does not reach the backdrop.
    await palette(page).getByText('Settings').click()
    expect(await line(page).evaluate((element) => element === document.activeElement)).toBe(true)
    await close()
    await waitForClosed(page)
    const focusedType = await page.evaluate(() => document.activeElement?.getAttribute('type'))
    expect(focusedType).toBe('search')
  }
  await openPlan(page, plan)
})

longTest(
  'an option that is cut off stays where it is under the pointer, and a press there runs it',
  async () => {
    const { page } = await plansFixture()
    await open(page)
    const list = palette(page).getByRole('listbox')
    const option = palette(page).getByRole('option', { name: 'View renewals', exact: true })
    const scrollTop = () => list.evaluate((element) => element.scrollTop)
    await option.evaluate((element) => {
      const list = element.closest('[role=listbox]')
      if (!list) throw new Error('It is in no list.')
      const { top, height } = element.getBoundingClientRect()
      // Its upper half is in the list, its lower half below it.
      list.scrollTop += Math.round(top + height / 2 - list.getBoundingClientRect().bottom)
    })
    const before = await scrollTop()
    expect(before).toBeGreaterThan(0)
    const box = await option.boundingBox()
    if (!box) throw new Error('It is not shown.')
    await page.mouse.move(box.x + 40, box.y + box.height / 4)
    await waitUntil(
      'it is selected',
      async () => (await selected(page).textContent()) === 'View renewals',
    )
    // What follows from the selection has happened with the next frame.
    await nextFrames(page)
    expect(await scrollTop()).toBe(before)
    await page.mouse.down()
    await page.mouse.up()
    await waitForClosed(page)
    // By keyboard it comes into view as a whole.
    await open(page)
    await page.keyboard.press('ArrowUp')
    await waitUntil('the last option is in view', async () => (await scrollTop()) > 0)
  },
)

longTest(
  'what is typed while the palette loads is in its field, and runs no shortcut',
  async () => {
    const { page } = await plansFixture()
    await page.reload()
    await page.locator('[data-plan]').first().waitFor()
    // In one task, so that nothing can load in between: `c` alone would create a plan.
    await page.evaluate(() => {
      for (const key of ['k', 'c', 'x', 'Backspace', 'u', 's'])
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', {
            key,
            ctrlKey: key === 'k',
            bubbles: true,
            cancelable: true,
          }),
        )
    })
    await line(page).waitFor()
    expect(await line(page).inputValue()).toBe('cus')
    expect(new URL(page.url()).pathname).toBe('/success-plans')
    await page.keyboard.type('tomer')
    expect(await line(page).inputValue()).toBe('customer')
  },
)

longTest('the shortcut works on the boot snapshot, before the app has loaded', async () => {
  const { browser, page, url } = await plansFixture()
  await waitUntil('there is a boot snapshot of the list', () =>
    page.evaluate(() => localStorage.getItem('first_picture')?.includes('data-plan')),
  )
  // Pressed while the page is still being read: no module runs before its end.
  await browser.context.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[inert] [data-plan]')) return
      observer.disconnect()
      for (const key of ['k', 'h', 'a', 'r'])
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', {
            key,
            ctrlKey: key === 'k',
            bubbles: true,
            cancelable: true,
          }),
        )
    }).observe(document, { childList: true, subtree: true })
  })
  const next = await browser.open(`${url}/success-plans`)
  await line(next).waitFor()
  expect(await line(next).inputValue()).toBe('har')
})

longTest('actions lead to their targets by keyboard and by pointer', async () => {
  const { page, url } = await plansFixture()
  await open(page)
  const { width = 0, height = 0 } = (await palette(page).boundingBox()) ?? {}
  expect(width).toBeLessThanOrEqual(680)
  const list = await palette(page).getByRole('listbox').boundingBox()
  expect(Math.round(list?.height ?? Infinity)).toBeLessThanOrEqual(384)
  expect(height).toBeGreaterThan(0)
  expect(await palette(page).getByRole('group').allInnerTexts()).toEqual([
    expect.stringMatching(/^Success plans/),
    expect.stringMatching(/^Organisation/),
    expect.stringMatching(/^Settings/),
    expect.stringMatching(/^Places/),
    expect.stringMatching(/^More/),
  ])
  expect(await options(page).filter({ hasText: 'Upgrade to pro' }).count()).toBe(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await selected(page).innerText()).toBe('Create new success plan template')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Templates', level: 1 }).waitFor()
  await waitForClosed(page)

  await page.getByRole('button', { name: 'Search and commands' }).click()
  await line(page).fill('SWITCH ORG')
  await options(page).filter({ hasText: 'Switch organisation' }).click()
  await page.getByRole('heading', { name: 'Choose an organisation' }).waitFor()

  await page.goto(url)
  await page.getByRole('heading', { name: /^What needs your attention/, level: 1 }).waitFor()
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
  const before = await theme()
  await open(page)
  await line(page).fill('theme')
  await page.keyboard.press('Enter')
  expect(await theme()).not.toBe(before)
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe(await theme())

  await open(page)
  await line(page).fill('export')
  await page.keyboard.press('Enter')
  await waitUntil('the export has the focus', () =>
    page.evaluate(() => document.activeElement?.textContent === 'Export organisation'),
  )
  await open(page)
  await line(page).fill('sign out')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  await waitForClosed(page)
  expect(await page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
})

longTest('only the owner is offered the upgrade', async () => {
  const scene = await createBrowserFixture()
  const cleo = await addMember(scene, 'Cleo Marsh')
  const page = await scene.browser.open()
  await signIn(page, scene.url, cleo)
  await open(page)
  await line(page).fill('o')
  await options(page).filter({ hasText: 'Switch organisation' }).waitFor()
  expect(await options(page).filter({ hasText: 'Upgrade to pro' }).count()).toBe(0)
})

longTest(
  'results on the device appear at once; the server’s are appended and move nothing',
  async () => {
    const { ada, network, page, unopened, url } = await plansFixture()
    // Before the first request: one in flight could already include the added record.
    const release = network.hold({ path: /^\/api\/v1\/(changes|events)/ })
    await page.goto(url)
    await page.getByRole('heading', { name: /^What needs your attention/, level: 1 }).waitFor()
    const added = await ada.createPlan({ title: 'Harbour of the far north', type: 'project' })
    const before = network.requests('GET', PLANS).length
    const answer = network.hold({ method: 'GET', path: PLANS })
    await open(page)
    await line(page).fill('harbour')
    await options(page).filter({ hasText: unopened.title }).waitFor()
    await expect.poll(() => options(page).count()).toBe(3)
    const found = await options(page).allInnerTexts()
    const isTitled = await palette(page).getByText('Search results').isVisible()
    await page.keyboard.press('ArrowDown')
    const chosen = await selected(page).innerText()
    // Before a search is given up, which is after 20 s.
    answer()
    expect(isTitled).toBe(true)
    expect(found.every((one) => one.includes('On this device'))).toBe(true)
    // The account first, which matches as well, and its contact last.
    expect(found[0]).toMatch(/^Northwind Harbour/)
    expect(found[1]).toMatch(/In progress[^]*80%/)
    expect(found[2]).toMatch(/^Mira Stone/)

    await options(page).filter({ hasText: added.title }).waitFor()
    const all = await options(page).allInnerTexts()
    expect(all.slice(0, 3)).toEqual(found)
    expect(all[3]).toMatch(/^Harbour of the far north/)
    expect(all[3]).not.toContain('On this device')
    expect(await selected(page).innerText()).toBe(chosen)
    const searches = network.requests('GET', PLANS).slice(before)
    expect(searches.map(({ path }) => decodeURIComponent(path))).toEqual([
      expect.stringContaining('filters[title]=harbour'),
    ])
    await palette(page).getByRole('status').filter({ hasText: '4 results' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: unopened.title, level: 1 }).waitFor()
    release()
  },
)

longTest(
  'results are hidden while an action for success plans matches or nothing is typed',
  async () => {
    const { page } = await plansFixture()
    await open(page)
    const results = palette(page).getByText('Search results')
    expect(await results.count()).toBe(0)
    await line(page).fill('re')
    await options(page).filter({ hasText: 'Create new success plan template' }).waitFor()
    expect(await results.count()).toBe(0)
    await line(page).fill('rene')
    await options(page).filter({ hasText: 'Renewal review' }).waitFor()
    expect(await results.count()).toBe(1)
    await line(page).fill('   ')
    await options(page).filter({ hasText: 'View success plans' }).waitFor()
    expect(await results.count()).toBe(0)
  },
)

test('offline the palette finds plans, accounts and updates, and lists recent records first', async () => {
  const { account, browser, page, unopened } = await plansFixture()
  await openPlan(page, unopened)
  await page.goBack()
  const recent = palette(page).getByRole('group', { name: 'Recent' })
  await open(page)
  await recent.getByRole('option', { name: unopened.title }).waitFor()
  await browser.context.setOffline(true)
  await page.goto(new URL('/success-plans', page.url()).href)
  await page.getByText(/Offline · as of/).waitFor()
  await open(page)
  await recent.getByRole('option', { name: unopened.title }).waitFor()
  expect(await recent.getByRole('option').count()).toBe(1)
  await line(page).fill('last three follow')
  const update = options(page).filter({ hasText: `Update of ${unopened.title}` })
  await update.waitFor()
  expect(HISTORY.unopened).toContain('the last three follow')
  await line(page).fill('northwind')
  await options(page).filter({ hasText: account.name }).first().click()
  await page.getByRole('heading', { name: account.name, level: 1 }).waitFor()
  await open(page)
  await palette(page)
    .getByRole('group', { name: 'This account' })
    .getByRole('option', { name: 'Edit account' })
    .click()
  await page.getByRole('heading', { name: 'Edit account', level: 1 }).waitFor()
  await page.goBack()
  await open(page)
  await line(page).fill('there is no such thing')
  await palette(page)
    .getByText(/No results on this device/)
    .last()
    .waitFor()
})

longTest('on a plan the palette posts, changes the status and copies the link', async () => {
  const { ada, browser, page, plan, url } = await plansFixture()
  await openPlan(page, plan)
  await browser.context.setOffline(true)
  await open(page)
  await page.keyboard.press('Enter')
  await waitForClosed(page)
  await waitUntil('the composer has the focus', () =>
    composer(page).evaluate((element) => element === document.activeElement),
  )
  await post(page, 'Written from the palette.')
  await cardIn(page, 'Written from the palette.', SAVED).waitFor()
  await open(page)
  await line(page).fill('pause')
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Pause' })
  await question.getByLabel('Note').fill('Their budget is frozen.')
  await question.getByRole('button', { name: 'Pause' }).click()
  await cardIn(page, 'Their budget is frozen.', SAVED).waitFor()
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page)
  await line(page).fill('copy')
  await page.keyboard.press('Enter')
  await page.getByText('Link copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${url}/success-plans/${plan.id}`,
  )
  await browser.context.setOffline(false)
  await waitUntil('the server has both', async () => {
    const written = await ada.updatesWithText(plan, 'Written from the palette.')
    const paused = await ada.updatesWithText(plan, 'Their budget is frozen.')
    return written.length === 1 && paused.length === 1
  })
})

longTest('? lists the shortcuts, except while typing or when turned off', async () => {
  const { page } = await plansFixture()
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const search = page.getByLabel('Search by title, account or owner')
  await search.press('?')
  expect(await search.inputValue()).toBe('?')
  await search.fill('')
  await search.evaluate((field) => field.blur())
  await page.keyboard.press('?')
  await keys.getByText('Search, or run a command').waitFor()
  await keys.getByRole('switch', { name: 'Shortcuts of one key' }).click()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  // Chunks that load after the key press are available, and the list's is not.
  await open(page)
  expect(await keys.count()).toBe(0)
})

longTest('Enter and Escape of an input method do not reach the palette', async () => {
  const { page } = await plansFixture()
  await open(page)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Input.imeSetComposition', {
    text: 'theme',
    selectionStart: 5,
    selectionEnd: 5,
  })
  expect(await line(page).inputValue()).toBe('theme')
  const before = await page.evaluate(() => document.documentElement.dataset.theme)
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(before)
  expect(await palette(page).isVisible()).toBe(true)
})

longTest('its key does nothing while a dialog is open, which stays usable', async () => {
  const { page } = await plansFixture()
  await page.getByRole('button', { name: /Your menu/ }).click()
  await page.getByRole('menuitem', { name: 'This device' }).click()
  const dialog = page.getByRole('dialog', { name: 'This device' })
  await dialog.getByText('Stored here').waitFor()
  await page.keyboard.press('Control+k')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await palette(page).count()).toBe(0)
  await open(page)
})
