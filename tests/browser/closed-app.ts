// The app closed on a device that goes on: no tab of it is left, and the browser may call its worker.
import type { CDPSession } from 'playwright-core'
import { REPLAY_TAG } from '../../src/sync/background.ts'
import type { Chromium } from './chromium.ts'
import { waitUntil } from './until.ts'

interface Registration {
  registrationId: string
  scopeURL: string
  isDeleted: boolean
}

export class ClosedApp {
  readonly #session: CDPSession
  readonly #origin: string
  readonly #registrationId: string

  private constructor(session: CDPSession, origin: string, registrationId: string) {
    this.#session = session
    this.#origin = origin
    this.#registrationId = registrationId
  }

  /** Closes every tab of the app at `url`; one that shows nothing stays, or the browser would end. */
  static async close(browser: Chromium, url: string): Promise<ClosedApp> {
    const blank = await browser.open()
    for (const page of browser.context.pages()) if (page !== blank) await page.close()
    const session = await browser.context.newCDPSession(blank)
    const known: Registration[] = []
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) =>
      known.push(...registrations),
    )
    await session.send('ServiceWorker.enable')
    const origin = new URL(url).origin
    const ours = await waitUntil('the worker is registered', () =>
      known.find((one) => one.scopeURL.startsWith(origin) && !one.isDeleted),
    )
    return new ClosedApp(session, origin, ours.registrationId)
  }

  /** Does what the browser does by itself some time after the network has come back. */
  async callWorker(lastChance = false): Promise<void> {
    await this.#session.send('ServiceWorker.dispatchSyncEvent', {
      origin: this.#origin,
      registrationId: this.#registrationId,
      tag: REPLAY_TAG,
      lastChance,
    })
  }

  /** Ends the worker wherever it is, as the browser does when it is short of memory. */
  async stopWorker(): Promise<void> {
    await this.#session.send('ServiceWorker.stopAllWorkers')
  }
}
