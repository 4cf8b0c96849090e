// The specification's command palette, sentence by sentence.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { sampleOf } from '../../sample.ts'
import {
  arrives,
  heading,
  openPalette,
  palette,
  paletteLine,
  paletteOptions,
  shareScene,
} from './specification-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const scene = shareScene()

const isGone = (page: Page) => palette(page).waitFor({ state: 'detached' })
const group = (page: Page, name: string | RegExp) => palette(page).getByRole('group', { name })
const results = (page: Page) => group(page, /^search results$/i)
const labelsIn = (page: Page, name: string) =>
  group(page, name).getByRole('option').allTextContents()

async function atThePlans(): Promise<Page> {
  const page = await scene().browser.open(`${scene().url}/success-plans`)
  await page.setViewportSize({ width: 1280, height: 800 })
  await heading(page, 'Success plans').waitFor()
  return page
}

describe('opens and closes', () => {
  test.for(['Control+k', 'Meta+k'])('Opens and closes with Ctrl+K or Cmd+K: %s', async (key) => {
    const page = await atThePlans()
    await openPalette(page, key)
    await page.keyboard.press(key)
    await isGone(page)
    await page.close()
  })

  test('It is a modal dialog that cannot be dragged', async () => {
    const page = await atThePlans()
    await openPalette(page)
    expect(await palette(page).evaluate((element) => element.matches(':modal'))).toBe(true)
    await waitUntil('it has arrived', () =>
      palette(page).evaluate((element) =>
        element.getAnimations().every(({ playState }) => playState === 'finished'),
      ),
    )
    const before = await palette(page).boundingBox()
    const { x = 0, y = 0 } = before ?? {}
    await page.mouse.move(x + 8, y + 8)
    await page.mouse.down()
    await page.mouse.move(x + 108, y + 108, { steps: 5 })
    expect(await palette(page).boundingBox()).toEqual(before)
    await page.mouse.up()
    expect(await palette(page).boundingBox()).toEqual(before)
  })

  test('closes on Escape or a click on the mask, and clears its search text when hidden', async () => {
    const page = await atThePlans()
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(20, 400),
      () => page.keyboard.press('Control+k'),
    ]) {
      await openPalette(page)
      expect(await paletteLine(page).inputValue()).toBe('')
      await paletteLine(page).fill('profile')
      await close()
      await isGone(page)
    }
  })

  test('dialog max width 680px; content max height about 24rem', async () => {
    const page = await atThePlans()
    await openPalette(page)
    await expect.poll(async () => (await palette(page).boundingBox())?.width).toBe(680)
    const content = palette(page).getByRole('listbox')
    const [height, rem] = await content.evaluate((element) => [
      Number.parseFloat(getComputedStyle(element).maxHeight),
      Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
    ])
    expect((height ?? 0) / (rem ?? 1)).toBe(24)
  })
})

describe('Actions by group', () => {
  test('Success plans: view success plans; create new success plan; create new success plan template', async () => {
    const page = await atThePlans()
    await openPalette(page)
    expect(await labelsIn(page, 'Success plans')).toEqual([
      'View success plans',
      'Create new success plan',
      'Create new success plan template',
    ])
  })

  test('Organisation: switch organisation; upgrade to pro (shown only to the organisation owner)', async () => {
    const page = await atThePlans()
    await openPalette(page)
    expect(await labelsIn(page, 'Organisation')).toEqual(['Switch organisation', 'Upgrade to pro'])
  })

  test('Settings: switch light/dark theme; open profile; open notification settings; open organisation settings; open members settings', async () => {
    const page = await atThePlans()
    await openPalette(page)
    const labels = await labelsIn(page, 'Settings')
    // The browser may offer to install the app, which is an action beside the ten.
    expect(labels.filter((label) => label !== 'Install Cairn')).toEqual([
      'Switch light/dark theme',
      'Open profile',
      'Open notification settings',
      'Open organisation settings',
      'Open members settings',
    ])
  })

  const PLACES = [
    ['View success plans', '/success-plans'],
    ['Create new success plan', '/success-plans/new'],
    ['Create new success plan template', '/templates'],
    ['Switch organisation', '/organisations'],
    ['Upgrade to pro', '/settings/organisation/plans'],
    ['Open profile', '/settings/profile'],
    ['Open notification settings', '/settings/notifications'],
    ['Open organisation settings', '/settings/organisation/general'],
    ['Open members settings', '/settings/organisation/members'],
  ] as const
  test.for(sampleOf(PLACES, 4, 'places'))('%s: leads to %s', async ([label, path]) => {
    const { browser, url } = scene()
    const page = await browser.open(`${url}/accounts`)
    await heading(page, 'Accounts').waitFor()
    await openPalette(page)
    await palette(page).getByRole('option', { name: label, exact: true }).click()
    await arrives(page, path)
    await isGone(page)
    await heading(page).waitFor()
    await page.close()
  })

  test('switch light/dark theme. Theme: toggles between light and dark', async () => {
    const page = await atThePlans()
    await page.emulateMedia({ colorScheme: 'light' })
    const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(await scheme()).toBe('light')
    for (const theme of ['dark', 'light']) {
      await openPalette(page)
      await palette(page).getByRole('option', { name: 'Switch light/dark theme' }).click()
      await isGone(page)
      expect(await scheme()).toBe(theme)
    }
    await page.evaluate(() => localStorage.removeItem('theme'))
  })
})

describe('Typing', () => {
  test('Typing filters the actions by a case-insensitive substring of the label.', async () => {
    const page = await atThePlans()
    await openPalette(page)
    for (const [typed, labels] of [
      ['PLAN TEMPL', ['Create new success plan template']],
      [
        'oPeN',
        [
          'Open profile',
          'Open notification settings',
          'Open organisation settings',
          'Open members settings',
        ],
      ],
      ['light/dark', ['Switch light/dark theme']],
      ['opne', []],
    ] as const) {
      await paletteLine(page).fill(typed)
      const actions = palette(page).getByRole('group', {
        name: /^(Success plans|Organisation|Settings)$/,
      })
      const shown = await actions.getByRole('option').allTextContents()
      expect(shown).toEqual(labels)
    }
  })

  test('If no success-plan action matches and a search term exists, a ‘search results’ section lists matching success plans.', async () => {
    const { unopened } = scene()
    const page = await atThePlans()
    await openPalette(page)
    expect(await results(page).count()).toBe(0)
    // In the label of an action, and in the title of a plan.
    await paletteLine(page).fill('view')
    await waitUntil('it is filtered', async () => (await paletteOptions(page).count()) < 10)
    expect(await labelsIn(page, 'Success plans')).toEqual(['View success plans'])
    expect(await results(page).count()).toBe(0)
    await paletteLine(page).fill('every harbour')
    await results(page).getByRole('option').filter({ hasText: unopened.title }).click()
    await arrives(page, `/success-plans/${unopened.id}`)
  })
})
