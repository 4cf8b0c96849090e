// A plan at 360 × 800 px, the size of most phones, and on a tablet: what one came for is on the first screen.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { SAVED, cardIn, composer, planRow, post } from '../fixtures/app.ts'
import { openPlanFixture } from '../fixtures/open-plan-fixture.ts'
import { axeViolationsNow } from '../fixtures/axe-violations.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { longTest } from '../../long-test.ts'

const button = (page: Page) => page.getByRole('button', { name: 'Post update' })
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Parts of this plan' }).getByRole('link', { name })

/** Whether the middle of the button can be pressed: on the screen, and under nothing else. */
const isInReach = (page: Page) =>
  button(page).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const there = document.elementFromPoint(left + width / 2, top + height / 2)
    return element.contains(there)
  })

/** The controls of the open composer that lie under its bar when they take the focus. */
const coveredControls = (page: Page) =>
  composer(page).evaluate((box) => {
    const form = box.closest('form')
    const bar = form?.querySelector('[type=submit]')?.parentElement
    if (!form || !bar) throw new Error('There is no bar.')
    return [...form.querySelectorAll<HTMLElement>('input, select, button, summary')]
      .filter((control) => {
        scrollTo(0, 0)
        control.focus()
        const { top, bottom } = control.getBoundingClientRect()
        const place = bar.getBoundingClientRect()
        return bar.contains(control)
          ? top < place.top || bottom > place.bottom
          : bottom > place.top && top < place.bottom
      })
      .map((control) => `${control.localName} ${control.textContent}`)
  })

test('posting is in reach, with and without a keyboard on the screen, and what was agreed is one tap away', async () => {
  const { page, plan } = await openPlanFixture()
  await page.setViewportSize({ width: 360, height: 800 })
  await page.reload()
  await composer(page).waitFor()
  await expect.poll(() => isInReach(page)).toBe(true)
  // One line: neither progress nor health is asked for yet.
  expect((await composer(page).boundingBox())?.height).toBeLessThanOrEqual(48)
  expect(await page.getByLabel('Health').count()).toBe(0)

  await composer(page).click()
  await page.getByLabel('Health').waitFor()
  expect(await composer(page).evaluate((box) => box === document.activeElement)).toBe(true)
  await expect.poll(() => isInReach(page)).toBe(true)
  // The on-screen keyboard of a phone makes the page this much smaller.
  await page.setViewportSize({ width: 360, height: 480 })
  await composer(page).evaluate((box) => box.scrollIntoView({ block: 'center' }))
  await expect.poll(() => isInReach(page)).toBe(true)
  // Whatever takes the focus is above the bar with the button, and what is in the bar is whole.
  for (let height = 480; height <= 800; height += 40) {
    await page.setViewportSize({ width: 360, height })
    await expect.poll(() => coveredControls(page), { message: `${height} px` }).toEqual([])
  }
  expect(await axeViolationsNow(page, 'an open composer')).toEqual([])

  await composer(page).fill('Half of a thought')
  await tab(page, 'About').click()
  await page.getByRole('complementary', { name: 'About this plan' }).waitFor()
  expect(await composer(page).isVisible()).toBe(false)
  expect(new URL(page.url()).search).toBe('?show=about')
  expect(await axeViolationsNow(page, '360 px')).toEqual([])

  // The draft opens the composer, also after a reload at the plan's own address.
  await page.goto(new URL(`/success-plans/${plan.id}`, page.url()).href)
  await page.getByText('Draft restored').waitFor()
  expect(await composer(page).inputValue()).toBe('Half of a thought')
  await page.context().setOffline(true)
  await post(page, 'Posted from a phone.')
  const posted = cardIn(page, 'Posted from a phone.', SAVED)
  await posted.waitFor()
  // One line again: what was posted is on the screen, and can be seen.
  const box = async (one: Locator) => (await one.boundingBox()) ?? { y: Infinity, height: Infinity }
  await expect.poll(async () => (await box(composer(page))).height).toBeLessThanOrEqual(48)
  await expect.poll(async () => (await box(posted)).y).toBeLessThan(600)
  await expect
    .poll(() => button(page).evaluate((post) => post === document.activeElement))
    .toBe(true)
  await page.context().setOffline(false)

  await tab(page, 'Work').click()
  await waitUntil('the link to the initiatives still leads there', () =>
    page.url().endsWith('?show=initiatives'),
  )
})

longTest(
  'posting is in reach far down the updates and on the other tabs, and covers nothing on a low screen',
  async () => {
    const { ada, page, plan } = await openPlanFixture()
    for (let at = 1; at <= 12; at += 1)
      await ada.call('POST', `/api/v1/success-plans/${plan.id}/updates`, { body: `Week ${at}` })
    await page.setViewportSize({ width: 360, height: 800 })
    await page.reload()
    await page.getByText('Week 12').waitFor()
    const bar = page.getByRole('link', { name: 'Post update' })
    // The composer is in sight.
    expect(await bar.count()).toBe(0)

    const oldest = page.getByText('Week 1', { exact: true })
    await oldest.scrollIntoViewIfNeeded()
    await bar.click()
    await waitUntil('the composer has the focus', () =>
      composer(page).evaluate((box) => box === document.activeElement),
    )
    await bar.waitFor({ state: 'detached' })

    for (const name of ['Work', 'About']) {
      await tab(page, name).click()
      await bar.waitFor()
      // Above the navigation.
      const [box, navigation] = await Promise.all([
        bar.boundingBox(),
        page.getByRole('navigation', { name: 'Main' }).boundingBox(),
      ])
      expect(box?.height).toBeGreaterThanOrEqual(24)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(navigation?.y ?? 0)
      expect(await axeViolationsNow(page, name)).toEqual([])
      await bar.click()
      await waitUntil('the composer has the focus', () =>
        composer(page).evaluate((box) => box === document.activeElement),
      )
    }

    await tab(page, 'Work').click()
    await bar.waitFor()
    await page.emulateMedia({ media: 'print' })
    await bar.waitFor({ state: 'hidden' })
    await page.emulateMedia({ media: null })
    // 1,280 × 1,024 px at 400 %: the bar scrolls with the page.
    await page.setViewportSize({ width: 320, height: 256 })
    await expect
      .poll(() => bar.evaluate((link) => getComputedStyle(link.parentElement ?? link).position))
      .toBe('static')
  },
)

test('posting is in reach on a tablet, on each tab and far down, and moves nothing when it comes', async () => {
  const { ada, page, plan } = await openPlanFixture()
  for (let at = 1; at <= 12; at += 1)
    await ada.call('POST', `/api/v1/success-plans/${plan.id}/updates`, { body: `Week ${at}` })
  await page.setViewportSize({ width: 768, height: 1024 })
  await page.reload()
  await page.getByText('Week 12').waitFor()
  const link = page.getByRole('link', { name: 'Post update' })
  const row = page.getByRole('navigation', { name: 'Parts of this plan' })
  const rowHeight = async () => (await row.boundingBox())?.height
  const height = await rowHeight()
  // The composer is in sight.
  expect(await link.count()).toBe(0)

  await page.getByText('Week 1', { exact: true }).scrollIntoViewIfNeeded()
  await link.waitFor()
  expect(await rowHeight()).toBe(height)
  await link.click()
  await waitUntil('the composer has the focus', () =>
    composer(page).evaluate((box) => box === document.activeElement),
  )
  await link.waitFor({ state: 'detached' })

  for (const name of ['Work', 'About']) {
    await tab(page, name).click()
    await link.waitFor()
    expect(await rowHeight()).toBe(height)
    expect(await axeViolationsNow(page, name)).toEqual([])
    await link.click()
    await waitUntil('the composer has the focus', () =>
      composer(page).evaluate((box) => box === document.activeElement),
    )
  }

  // What takes the focus is not under the tabs, as it would be where they lay half over it.
  const covered = await page.getByRole('main').evaluate((main) => {
    const tabs = main.querySelector('nav')
    const below = [...main.querySelectorAll<HTMLElement>('nav ~ * :is(a, button, textarea)')]
    const controls = below.filter((control) => control.checkVisibility())
    if (!tabs || controls.length < 2) throw new Error('There are no tabs, or no controls below.')
    return controls
      .filter((control) => {
        control.blur()
        const row = tabs.getBoundingClientRect()
        scrollBy(0, control.getBoundingClientRect().top - row.bottom + row.height / 2)
        control.focus()
        return control.getBoundingClientRect().top < tabs.getBoundingClientRect().bottom
      })
      .map((control) => control.ariaLabel ?? control.textContent)
  })
  expect(covered).toEqual([])

  // What was agreed is beside the updates, and its address shows those.
  await page.setViewportSize({ width: 1024, height: 700 })
  await page.goto(new URL(`/success-plans/${plan.id}?show=about`, page.url()).href)
  await page.getByText('Week 12').waitFor()
  await expect.poll(() => link.count()).toBe(0)
  expect(await tab(page, 'Updates').getAttribute('aria-current')).toBe('page')
  expect(await tab(page, 'About').count()).toBe(0)
})

longTest(
  'the list’s filters are in one sheet behind one button that tells how many are set',
  async () => {
    const { page, plan } = await openPlanFixture()
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(new URL('/success-plans', page.url()).href)
    await planRow(page, plan).waitFor()
    // Three lines, and the per cent once.
    expect((await planRow(page, plan).boundingBox())?.height).toBeLessThanOrEqual(108)
    await page.getByRole('link', { name: new RegExp(`^${plan.title} \\d+%[^%]*$`) }).waitFor()
    // The filters are not on the screen, and the first row starts in its upper half.
    expect(await page.getByLabel('Status').count()).toBe(0)
    expect((await page.locator('[data-row]').first().boundingBox())?.y).toBeLessThan(400)
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Filter' })
    await sheet.getByLabel('Health').selectOption('off-track')
    await sheet.getByLabel('Status').selectOption('open')
    await sheet.getByLabel('Owner').selectOption('')
    await sheet.getByLabel('Sort').selectOption('title')
    expect(await axeViolationsNow(page, '360 px')).toEqual([])
    await sheet.getByRole('button', { name: /^Show/ }).click()
    await page.getByRole('button', { name: 'Filter (2)' }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=open&health=off-track&sort=title')
    await page.getByRole('button', { name: 'Filter (2)' }).click()
    await sheet.getByRole('button', { name: 'Clear filters' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Filter', exact: true }).waitFor()
    await planRow(page, plan).waitFor()
  },
)
