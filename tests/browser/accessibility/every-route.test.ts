// The routes of the specification under other conditions: at 320 px, with wider text spacing, by touch,
// in forced colours, by keyboard, and by screen reader.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  chooseFromMenu,
  pickOrganisation,
  fillSignIn,
  waitForOfflineReady,
  signIn,
} from '../fixtures/app.ts'
import { routesFor } from '../fixtures/app-routes.ts'
import { createBrowserFixture } from '../fixtures/browser-fixture.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { sampleOf } from '../../sample.ts'

/** Routes of signed-in users under all these conditions outside of a long run. */
const SAMPLE = 8

/** Text spacing of WCAG 2.2, 1.4.12, as a style sheet of its own, because the policy allows no inline style. */
const widenText = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
      p { margin-bottom: 2em !important; }
    `)
    document.adoptedStyleSheets = [sheet]
  })

/** Elements that are cut off, or lie outside the viewport. */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const faults =
      scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px beyond the edge`] : []
    for (const element of document.body.querySelectorAll('*')) {
      const hasText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      )
      const { overflowY, clip, clipPath, webkitLineClamp, textOverflow } = getComputedStyle(element)
      // Visually hidden text, or text truncated with the whole one click away.
      const isMeant =
        clip !== 'auto' ||
        clipPath !== 'none' ||
        webkitLineClamp !== 'none' ||
        textOverflow === 'ellipsis'
      if (!hasText || isMeant || !/hidden|clip/.test(overflowY)) continue
      if (element.scrollHeight > element.clientHeight + 2) faults.push(`cut: ${element.outerHTML}`)
    }
    return faults
  })

/** Touch targets smaller than 44 px, except links within a line of text. */
const smallTargets = (page: Page) =>
  page.evaluate(() => {
    const LEAST = 44
    const faults: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [role="tab"], [role="switch"], [role="option"]',
    )) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      const label = element instanceof HTMLInputElement ? element.closest('label') : null
      const { width, height, bottom } = (label ?? element).getBoundingClientRect()
      const { clipPath, display } = getComputedStyle(element)
      const isVisuallyHidden = width <= 1 || height <= 1 || bottom < 0 || clipPath !== 'none'
      const isInText = display === 'inline'
      if (isVisuallyHidden || isInText) continue
      // Rounding may lose half a pixel.
      if (Math.min(width, height) >= LEAST - 0.5) continue
      element.scrollIntoView({ block: 'center' })
      const { left, right, top, width: w, height: h } = element.getBoundingClientRect()
      const y = top + h / 2
      const isThere = (px: number, py: number) => {
        const hit = document.elementFromPoint(px, py)
        return hit !== null && (element.contains(hit) || hit.closest('label')?.control === element)
      }
      const reachX = w < LEAST ? LEAST / 2 - 1 : 0
      const reachY = h < LEAST ? LEAST / 2 - 1 : 0
      // A square of that size around its centre or one of its ends must be free.
      const isHit = [left + w / 2, left + LEAST / 2, right - LEAST / 2].some(
        (x) =>
          isThere(x - reachX, y) &&
          isThere(x + reachX, y) &&
          isThere(x, y - reachY) &&
          isThere(x, y + reachY),
      )
      if (!isHit)
        faults.push(`${Math.round(w)} × ${Math.round(h)}: ${element.outerHTML.slice(0, 160)}`)
    }
    return faults
  })

/** Focusable elements without a visible focus. */
async function elementsWithoutFocusRing(page: Page): Promise<string[]> {
  // The browser shows the focus only to users of the keyboard.
  await page.keyboard.press('Tab')
  return await page.evaluate(() => {
    const faults: string[] = []
    for (const element of document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    )) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      element.focus()
      if (document.activeElement !== element) continue
      const shown = [element, element.parentElement, element.nextElementSibling].some((one) => {
        if (!one) return false
        const { outlineStyle, outlineWidth } = getComputedStyle(one)
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      })
      if (!shown) faults.push(element.outerHTML.slice(0, 160))
    }
    return faults
  })
}

/** What is open or chosen, such as a link to the current screen, without a mark in forced colours. */
const unmarkedCurrent = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[aria-current]')]
      .filter((one) => one.checkVisibility() && getComputedStyle(one).outlineStyle === 'none')
      .map((one) => `${one.textContent} is marked by its background alone`),
  )

test('routes work at 320 px, with wide text, touch, forced colours and reduced motion', async () => {
  const scene = await createBrowserFixture()
  const { ada, browser, url } = scene
  const page = await browser.open()
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  await waitUntil('touch input is emulated', () =>
    page.evaluate(() => matchMedia('(pointer: coarse)').matches),
  )
  const faults: string[] = []
  const look = async (path: string) => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(url + path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /^Loading/ })
      .first()
      .waitFor({ state: 'detached' })
    const note = (what: string, found: string[]) =>
      faults.push(...found.map((fault) => `${path}, ${what}: ${fault}`))
    note('320 px', await cutOff(page))
    note('thumb', await smallTargets(page))
    await widenText(page)
    note('320 px and wide letters', await cutOff(page))
    for (const forcedColors of ['none', 'active'] as const) {
      await page.emulateMedia({ forcedColors, reducedMotion: 'reduce' })
      note(`focus, forced colours ${forcedColors}`, await elementsWithoutFocusRing(page))
    }
    note('forced colours', await unmarkedCurrent(page))
    await page.emulateMedia({ forcedColors: 'none', reducedMotion: 'reduce' })
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .filter((one) => Number(one.effect?.getComputedTiming().activeDuration) > 50)
        .map((one) => `${one.constructor.name} runs`),
    )
    note('reduced motion', moving)
  }
  const routes = routesFor(scene)
  for (const path of routes.out) await look(path)
  await page.setViewportSize({ width: 1280, height: 800 })
  await signIn(page, url, ada)
  await waitForOfflineReady(page)
  for (const path of sampleOf(routes.in, SAMPLE, '320 px')) await look(path)
  expect([...routes.out, ...routes.in]).toHaveLength(18)
  expect(faults).toEqual([])
})

test('every screen sets its title and focuses its heading', async () => {
  const { account, ada, browser, plan, url } = await createBrowserFixture()
  const page = await browser.open(url)
  await page.setViewportSize({ width: 1280, height: 800 })
  const titles: string[] = []
  const title = () =>
    waitUntil('the screen has a title', async () => {
      const current = await page.title()
      return current.endsWith(' · Cairn') && current
    })
  /** The title is the screen's own, and the heading has the focus. */
  const isAnnounced = async (heading: string | RegExp) => {
    const h1 = page.getByRole('heading', { name: heading, level: 1, exact: true })
    await waitUntil(`“${String(heading)}” has the focus`, () =>
      h1.evaluate((one) => one === document.activeElement),
    )
    titles.push(await title())
  }
  const follow = async (link: string | RegExp, heading: string | RegExp = link) => {
    await page.getByRole('link', { name: link, exact: true }).first().click()
    await isAnnounced(heading)
  }
  await page.getByLabel('Email').waitFor()
  titles.push(await title())
  await follow('Create an account', /Create your account/)
  await follow('Sign in')
  titles.pop()
  await fillSignIn(page, ada)
  await isAnnounced('Choose an organisation')
  await pickOrganisation(page)
  await follow('Home', /^What needs your attention/)
  await follow('Success plans')
  await follow('New plan', 'New success plan')
  await follow('Success plans')
  titles.pop()
  await page.locator(`[data-plan="${plan.id}"]`).click()
  await isAnnounced(plan.title)
  await follow('Initiatives')
  await follow('Accounts')
  await follow(new RegExp(account.name), account.name)
  await follow('Templates')
  await page.getByRole('button', { name: /Your menu/ }).click()
  await chooseFromMenu(page, 'Settings')
  await isAnnounced('Profile')
  for (const place of ['Notifications', 'General', 'Members', 'Billing', 'Pricing'])
    await follow(place)
  await page.goto(`${url}/onboarding`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  titles.push(await title())
  expect([...new Set(titles)]).toEqual(titles)
  expect(titles).toHaveLength(18)
})
