// Takes pictures of every screen with the demo data. `npm run screens` renews docs/screens: each screen
// on a desktop in light and on a phone in dark, and the four in the README.
// `npm run screens -- <folder>` takes each in all states at five widths, in light and dark, into that
// folder, with contact sheets in its folder `sheets`; `-- <folder> 768 1920-dark` only those of these looks.
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { cardIn, post, SAVED } from '../fixtures/app.ts'
import { buildApp } from '../fixtures/build-app.ts'
import { Chromium } from '../fixtures/chromium.ts'
import { FaultProxy } from '../fixtures/fault-proxy.ts'
import {
  captureLoadedScreens,
  captureOtherStates,
  waitForLoaded,
  type ScreenCapture,
} from './capture-screens.ts'
import { captureMoreStates, discardRejected, postAsColleague } from './capture-states.ts'
import { writeContactSheets } from './contact-sheets.ts'
import { ServerProcess } from '../fixtures/server-process.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

const DOCS = join(import.meta.dirname, '../../../docs/screens')

interface Variant {
  name: string
  width: number
  height: number
  colorScheme: 'light' | 'dark'
}

const PHONE = { width: 360, height: 780 }
const DESK = { width: 1280, height: 800 }
const LOOKS_OF_DOCS: Variant[] = [
  { name: 'desktop', ...DESK, colorScheme: 'light' },
  { name: 'phone', ...PHONE, colorScheme: 'dark' },
]
const ALL_LOOKS: Variant[] = [
  { width: 320, height: 700 },
  PHONE,
  { width: 768, height: 1024 },
  DESK,
  { width: 1920, height: 1080 },
].flatMap((size) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${size.width}-${colorScheme}`,
    ...size,
    colorScheme,
  })),
)

const [, , asked, ...only] = process.argv
const folder = await mkdtemp(join(tmpdir(), 'cairn-screens-'))
const dist = await buildApp(join(folder, 'app'))
const server = await ServerProcess.start({ dataDir: join(folder, 'data'), dist, demoData: true })
const network = await FaultProxy.start(server.port)
const browser = await Chromium.start(join(folder, 'profile'), [network.url])
try {
  const page = await browser.open(network.url)
  const devtools = await browser.context.newCDPSession(page)
  await devtools.send('Emulation.setScrollbarsHidden', { hidden: true })
  await (asked === undefined ? captureForDocs(page) : captureAll(page, resolve(asked)))
} finally {
  await browser.kill()
  await network.goDown()
  await server.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** All screens, in normal and other states. */
async function capture(
  page: Page,
  into: string,
  looks: Variant[],
  type: 'png' | 'jpeg',
): Promise<ScreenCapture> {
  await mkdir(into, { recursive: true })
  const picture: ScreenCapture['picture'] = async (screen, open) => {
    for (const { name, width, height, colorScheme } of looks) {
      // An open dialog would keep the layout of the size before.
      if (open) await closeDialog(page)
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await waitUntil('the theme follows the system', async () => {
        const scheme = await page.evaluate(
          () => getComputedStyle(document.documentElement).colorScheme,
        )
        return scheme.includes(colorScheme)
      })
      // Another size may need code of its own.
      if (!screen.endsWith('-loading')) await waitForLoaded(page)
      await open?.()
      // A change of size may scroll.
      if (!open) await page.evaluate(() => scrollTo(0, 0))
      const path = join(into, `${screen}-${name}.${type === 'png' ? 'png' : 'jpg'}`)
      const quality = type === 'jpeg' ? { quality: 72 } : {}
      await page.screenshot({ path, type, animations: 'disabled', ...quality })
    }
  }
  const stage: ScreenCapture = { page, browser, network, url: network.url, picture }
  await captureLoadedScreens(stage)
  await captureOtherStates(stage)
  return stage
}

async function closeDialog(page: Page): Promise<void> {
  const dialog = page.locator('[role$=dialog]:visible')
  if ((await dialog.count()) === 0) return
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

/** Every screen in every state and look, and contact sheets of them. */
async function captureAll(page: Page, into: string): Promise<void> {
  const looks = ALL_LOOKS.filter(
    ({ name }) => only.length === 0 || only.some((one) => name.startsWith(one)),
  )
  const stage = await capture(page, into, looks, 'png')
  try {
    await captureMoreStates(stage)
  } finally {
    await writeContactSheets(browser.context, into)
  }
}

async function captureForDocs(page: Page): Promise<void> {
  await capture(page, DOCS, LOOKS_OF_DOCS, 'jpeg')
  await browser.context.setOffline(false)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(DESK)
  await page.goto(`${network.url}/success-plans`)
  await discardRejected(page)
  await page.screenshot({ path: join(DOCS, 'desktop.png') })
  await page.setViewportSize({ width: 390, height: 780 })
  await page.locator('[data-plan]').nth(1).click()
  await browser.context.setOffline(true)
  await post(page, 'Go-live agreed for the first of the month. Training starts next week.')
  await cardIn(page, 'Go-live agreed', SAVED).waitFor()
  await page.getByRole('button', { name: /Sync: / }).waitFor()
  await page.getByRole('heading', { name: 'Updates' }).evaluate((heading) => {
    heading.scrollIntoView()
  })
  await page.screenshot({ path: join(DOCS, 'phone.png') })
  await browser.context.setOffline(false)
  await captureConflict(page)
}

/** A plan in the dark theme, and the question after a colleague changed its progress meanwhile. */
async function captureConflict(page: Page): Promise<void> {
  await page.setViewportSize(DESK)
  await page.goto(`${network.url}/success-plans`)
  const row = page.locator('[data-plan]').filter({ hasText: 'Castellan Bank' }).first()
  const plan = (await row.getAttribute('data-plan')) ?? ''
  await row.click()
  const slider = page.getByRole('slider', { name: 'Progress' })
  await slider.waitFor()
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.screenshot({ path: join(DOCS, 'dark.png'), animations: 'disabled' })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await browser.context.setOffline(true)
  await slider.fill('60')
  const text = 'The sponsor approved the budget. Contract review starts on Monday.'
  await post(page, text)
  await cardIn(page, text, SAVED).waitFor()
  const organisation = await page.evaluate(() => localStorage.getItem('active_organisation'))
  const { id } = JSON.parse(organisation ?? '{}') as { id: string }
  await postAsColleague(network.url, id, plan, {
    body: 'Legal signed off on the terms.',
    progress: 75,
  })
  await browser.context.setOffline(false)
  // An open page waits up to 30 s for its next try, where the first one got no answer in time.
  await page.goto(`${network.url}/success-plans/${plan}`)
  await page.setViewportSize({ width: 820, height: 900 })
  const conflict = page.getByRole('form', { name: /^Progress/ })
  await conflict.waitFor()
  await page.getByText('Legal signed off').waitFor()
  // Away from the button, whose tip would cover the card.
  await page.mouse.move(0, 0)
  const card = page.getByRole('article').filter({ has: conflict })
  await card.screenshot({ path: join(DOCS, 'conflict.png'), animations: 'disabled' })
}
