// One device of an exploration: a browser with a profile, its user, its own network, one to three tabs.
import type { Page } from 'playwright-core'
import type { ApiUser } from '../fixtures/api-user.ts'
import { PAGE_TIMEOUT_MS, type Chromium } from '../fixtures/chromium.ts'
import type { FaultProxy } from '../fixtures/fault-proxy.ts'
import { waitUntil } from '../fixtures/wait-until.ts'
import { watchPages } from './page-watch.ts'
import { readView, type View } from './view.ts'
import { Weather } from './weather.ts'

/** How long a click may take, in milliseconds; longer means that something covers the control. */
const ACTION_TIMEOUT_MS = 5_000
const SIZES = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
}

export interface DeviceOptions {
  person: ApiUser
  network: FaultProxy
  url: string
  /** Paths of records that both users work on. */
  records: readonly string[]
  /** Starts the browser on the device's profile, or kills it and starts it again. */
  start: () => Promise<Chromium>
  size: keyof typeof SIZES
  violate: (property: string, why: string) => void
}

export class Device {
  readonly name: string
  readonly person: ApiUser
  readonly network: FaultProxy
  readonly weather: Weather
  readonly url: string
  readonly records: readonly string[]
  readonly violate: DeviceOptions['violate']
  tabs: Page[] = []
  /** Whether the user chose to sign out; nothing else may end the session. */
  isSignedOut = false
  readonly #start: DeviceOptions['start']
  readonly #size: DeviceOptions['size']
  #browser: Chromium | undefined

  constructor({ person, network, url, records, start, size, violate }: DeviceOptions) {
    this.name = person.name.split(' ')[0] ?? person.name
    this.person = person
    this.network = network
    this.weather = new Weather(network)
    this.url = url
    this.records = records
    this.#start = start
    this.#size = size
    this.violate = violate
  }

  /** Starts the browser, or kills it and starts it again, with these addresses in its tabs. */
  async start(addresses: readonly string[]): Promise<void> {
    this.tabs = []
    this.#browser = await this.#start()
    const { context } = this.#browser
    await watchPages(context, this.network, this.weather, this.violate)
    for (const address of addresses) await this.openTab(address)
  }

  get browser(): Chromium {
    if (!this.#browser) throw new Error(`The browser of ${this.name} is not started.`)
    return this.#browser
  }

  async openTab(address: string): Promise<Page> {
    const page = await this.browser.open()
    await page.setViewportSize(SIZES[this.#size])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    // Otherwise a step's shorter timeout would hold for its navigations, too.
    page.setDefaultNavigationTimeout(PAGE_TIMEOUT_MS)
    this.tabs.push(page)
    await page.goto(address)
    return page
  }

  async closeTab(page: Page): Promise<void> {
    this.tabs = this.tabs.filter((one) => one !== page)
    await page.close()
  }

  /** Runs a step, whose clicks and texts on that page fail soon where the control cannot be operated. */
  async operate(page: Page, run: () => Promise<void>): Promise<void> {
    page.setDefaultTimeout(ACTION_TIMEOUT_MS)
    try {
      await run()
    } finally {
      page.setDefaultTimeout(PAGE_TIMEOUT_MS)
    }
  }

  /** The screen once it can be operated; the picture shown before the app has started cannot. */
  async view(page: Page): Promise<View> {
    await page.bringToFront()
    // A tab in the background learns late that the user signed in again in another one.
    const isHonest = () => this.isSignedOut || new URL(page.url()).pathname !== '/auth'
    await waitUntil('the screens of a signed-in user', isHonest, PAGE_TIMEOUT_MS).catch(() =>
      this.violate('only the user signs out', page.url()),
    )
    let unread = ''
    return await waitUntil(
      'a screen that can be operated',
      async () => {
        const view = await readView(page).catch((error: unknown) => {
          unread = String(error)
        })
        return view && view.controls.length > 0 ? view : undefined
      },
      PAGE_TIMEOUT_MS,
      async () => `${unread}\n${await page.locator('body').innerText().catch(String)}`,
    )
  }
}
