// The specification's search of plans in the command palette, sentence by sentence.
import { describe, expect, test } from 'vitest'
import {
  heading,
  openPalette,
  palette,
  paletteLine,
  shareScene,
  tagColours,
} from './specification-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const scene = shareScene()

const SEARCH = /^\/api\/v1\/success-plans\?filters/

describe('The palette’s plan search', () => {
  test('sends a filters object with title and reads data[] with id, title, status, end_date, progress', async () => {
    const { sentTo, url } = scene()
    const id = '0198c0de-0000-7000-8000-000000000001'
    // In this year: another one is shown with its number.
    const end_date = `${new Date().getFullYear()}-03-09`
    const found = {
      id,
      title: 'Known to the server only',
      status: 'on-ice',
      end_date,
      progress: 35,
    }
    scene().answer({ method: 'GET', path: SEARCH }, 200, { data: [found] })
    const page = await scene().browser.open(`${url}/success-plans`)
    await heading(page, 'Success plans').waitFor()
    await openPalette(page)
    await paletteLine(page).fill('to the server & only')
    const result = palette(page)
      .getByRole('group', { name: /^search results$/i })
      .getByRole('option')
      .filter({ hasText: found.title })
    await result.waitFor()
    for (const text of ['on ice', 'Mar 9', '35%'])
      expect(await result.getByText(text, { exact: true }).count()).toBeGreaterThan(0)
    // Tag colours: primary for any other value.
    const { found: colour, wanted } = await tagColours(result.getByText('on ice'), 'primary')
    expect(colour).toBe(wanted)
    // Brackets are not encoded, the value is, and nothing that is empty is sent.
    expect(sentTo('GET', SEARCH).at(-1)?.path).toBe(
      '/api/v1/success-plans?filters[title]=to%20the%20server%20%26%20only',
    )
    await result.click()
    await waitUntil('it is opened', () => page.url() === `${url}/success-plans/${id}`)
  })
})

describe('Palette search debounce: 500 ms', () => {
  /** A tab whose clock moves only as it is told, with the palette open; how to let time pass there. */
  async function atPausedClock() {
    const page = await scene().member()
    await page.clock.install()
    await page.goto(`${scene().url}/success-plans`)
    await heading(page, 'Success plans').waitFor()
    await openPalette(page)
    await page.clock.pauseAt(Date.now() + 60_000)
    const before = scene().sentTo('GET', SEARCH).length
    const searches = () => scene().sentTo('GET', SEARCH).slice(before)
    /** Lets so many milliseconds pass; what is sent by then has arrived. */
    const pass = async (milliseconds: number) => {
      await page.clock.runFor(milliseconds)
      for (let fence = 0; fence < 3; fence += 1)
        await page.evaluate(async () => void (await fetch('/healthz')))
      return searches().length
    }
    return { page, pass, searches }
  }

  test('500 ms after the last key, at the network', async () => {
    const { page, pass, searches } = await atPausedClock()
    await paletteLine(page).fill('har')
    expect(await pass(499)).toBe(0)
    await paletteLine(page).fill('harb')
    expect(await pass(499)).toBe(0)
    await page.clock.runFor(1)
    await waitUntil('it is asked', () => searches().length > 0)
    expect(searches().map(({ path }) => path)).toEqual([
      '/api/v1/success-plans?filters[title]=harb',
    ])
  })

  test('The command palette searches only when the trimmed, debounced text is non-empty.', async () => {
    const { page, pass } = await atPausedClock()
    expect(await pass(2_000)).toBe(0)
    await paletteLine(page).fill('   ')
    expect(await pass(2_000)).toBe(0)
    await paletteLine(page).fill(' harbour ')
    await pass(500)
    await waitUntil('it is asked', () =>
      scene().sentTo('GET', SEARCH).at(-1)?.path.endsWith('[title]=harbour'),
    )
  })

  test('Queries do not retry and do not refetch on window focus.', async () => {
    scene().answer({ method: 'GET', path: SEARCH }, 500, { message: 'Out of order.' })
    const { page, pass, searches } = await atPausedClock()
    await paletteLine(page).fill('harbour')
    await page.clock.runFor(500)
    await waitUntil('it is asked', () => searches().length > 0)
    // The longest delay between retries is 30 s; each pass may only see the failure.
    for (let turn = 0; turn < 4; turn += 1) expect(await pass(40_000)).toBe(1)
    await page.evaluate(() => {
      dispatchEvent(new Event('focus'))
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await pass(40_000)).toBe(1)
  })
})
