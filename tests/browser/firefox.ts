// Firefox on a profile folder, which can be killed as Chromium can.
import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { firefox, type BrowserContext, type Page } from 'playwright-core'
import { screens, collectPageErrors } from './chromium.ts'
import { findProgram } from './find-program.ts'

/** One run of Firefox on a profile; the profile outlives it. */
export class Firefox {
  readonly #context: BrowserContext
  readonly #pid: number

  private constructor(context: BrowserContext, pid: number) {
    this.#context = context
    this.#pid = pid
  }

  /** Starts Firefox on the folder `profile`; `complaints` are as those of Chromium. */
  static async start(
    profile: string,
    origins: readonly string[],
    complaints: string[],
  ): Promise<Firefox> {
    const executablePath = findProgram({
      name: 'Firefox',
      variable: 'FIREFOX_PATH',
      files: ['firefox-esr', 'firefox'],
      packages: ['firefox-esr'],
    })
    const context = await firefox.launchPersistentContext(profile, {
      channel: 'moz-firefox',
      executablePath,
      timeout: 120_000,
    })
    context.setDefaultTimeout(60_000)
    await collectPageErrors(context, origins, complaints)
    // The profile is locked by a link that names the process: address:+pid.
    const pid = Number(readlinkSync(join(profile, 'lock')).split('+')[1])
    return new Firefox(context, pid)
  }

  /** A new tab, on `url`. */
  async open(url: string): Promise<Page> {
    const page = await this.#context.newPage()
    await page.goto(url)
    return page
  }

  screens(): Promise<string[]> {
    return screens(this.#context)
  }

  /** SIGKILL for every process of the browser: nothing is finished, nothing is said. */
  async kill(): Promise<void> {
    if (this.#context.browser()?.isConnected() === false) return
    const gone = this.#context.waitForEvent('close')
    process.kill(-this.#pid, 'SIGKILL')
    await gone
  }
}
