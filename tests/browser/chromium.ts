// A real browser on a profile folder, which can be killed like a phone's battery kills it.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { findProgram, isRoot } from './find-program.ts'
import { waitUntil } from './until.ts'

/** The browser to test with, and to measure with. */
export const findBrowser = (): string =>
  findProgram({
    name: 'Chromium',
    variable: 'CHROMIUM_PATH',
    files: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    packages: ['chromium'],
  })

const FLAGS = [
  '--headless=new',
  '--remote-debugging-port=0',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-gpu',
  // Pages of the browser's own window, which nobody sees, are half of what a start costs.
  '--disable-features=PreloadTopChromeWebUI,WebUIOmniboxPopup,WebUIOmniboxAimPopup,OptimizationHints,MediaRouter,Translate',
  '--no-first-run',
  '--no-default-browser-check',
  '--hide-crash-restore-bubble',
  '--password-store=basic',
  '--force-color-profile=srgb',
  '--lang=en-GB',
  ...(isRoot ? ['--no-sandbox'] : []),
]

/**
 * Where a test's browser finds the app: one origin for all, so that a profile can be given to the next
 * browser, with what the app has kept in it.
 */
export const ORIGIN = 'http://cairn.localhost:4000'

/** Violations of the security policy reach the console of every page by this. */
const REPORT_CSP_VIOLATIONS = () =>
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error(`CSP: ${event.violatedDirective} refused ${event.blockedURI}`)
  })

/** Notes in `complaints` what no page may do: throw, violate the policy, ask another origin. */
export async function collectPageErrors(
  context: BrowserContext,
  origins: readonly string[],
  complaints: string[],
): Promise<void> {
  await context.addInitScript(REPORT_CSP_VIOLATIONS)
  context.on('weberror', (error) => {
    complaints.push(String(error.error().stack ?? error.error()))
  })
  context.on('console', (message) => {
    if (/content.security.policy|^CSP:/i.test(message.text())) complaints.push(message.text())
  })
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && !origins.includes(url.origin))
      complaints.push(`asked another origin: ${request.url()}`)
  })
}

/** What a page says on its screen, below its address. */
export const screens = (context: BrowserContext): Promise<string[]> =>
  Promise.all(
    context.pages().map(async (page) => {
      const text = await page.locator('body').innerText({ timeout: 2_000 }).catch(String)
      return `${page.url()}\n${text}`
    }),
  )

/** One run of the browser on a profile; the profile outlives it. */
export class Chromium {
  readonly context: BrowserContext
  readonly #process: ChildProcess
  readonly #browser: Browser

  private constructor(process: ChildProcess, browser: Browser, context: BrowserContext) {
    this.#process = process
    this.#browser = browser
    this.context = context
  }

  /**
   * Starts the browser on the folder `profile`. What no page may do (throw, violate the security
   * policy, ask another origin than `origins`) is noted in `complaints`. `ORIGIN` leads to `port`.
   */
  static async start(
    profile: string,
    origins: readonly string[],
    complaints: string[] = [],
    port?: number,
  ): Promise<Chromium> {
    const portFile = join(profile, 'DevToolsActivePort')
    rmSync(portFile, { force: true })
    const flags = [
      ...FLAGS,
      `--user-data-dir=${profile}`,
      ...(port === undefined
        ? []
        : [`--host-resolver-rules=MAP ${new URL(ORIGIN).host} 127.0.0.1:${port}`]),
    ]
    const child = spawn(findBrowser(), [...flags, 'about:blank'], {
      // A group of its own: killing it leaves no renderer that could still finish a write.
      detached: true,
      stdio: 'ignore',
    })
    const endWithUs = () => killGroup(child)
    process.once('exit', endWithUs)
    child.once('exit', () => process.off('exit', endWithUs))
    const [devtools] = await waitUntil('the browser listens', () =>
      existsSync(portFile) ? /^\d+(?=\n)/.exec(readFileSync(portFile, 'utf8')) : null,
    )
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${devtools}`)
    const [context] = browser.contexts()
    if (!context) throw new Error('The browser has no context.')
    context.setDefaultTimeout(40_000)
    await collectPageErrors(context, origins, complaints)
    return new Chromium(child, browser, context)
  }

  /** A new tab, on `url` when given. */
  async open(url?: string): Promise<Page> {
    const page = await this.context.newPage()
    if (url !== undefined) await page.goto(url)
    return page
  }

  screens(): Promise<string[]> {
    return screens(this.context)
  }

  /**
   * Freezes a tab where it stands: none of its code, timers and messages run any more, and it keeps
   * the locks that it holds. Returns what thaws it.
   */
  async freeze(page: Page): Promise<() => Promise<void>> {
    const devtools = await this.context.newCDPSession(page)
    await devtools.send('Debugger.enable')
    const stands = new Promise<void>((resolve) => devtools.once('Debugger.paused', () => resolve()))
    await devtools.send('Debugger.pause')
    // It stops at the next statement: this one, which therefore is not answered until it thaws.
    const stopped = devtools.send('Runtime.evaluate', { expression: 'void 0' })
    await stands
    return async () => {
      await devtools.send('Debugger.resume')
      await stopped
      await devtools.detach()
    }
  }

  /** Kills the process of a tab, with whatever it was doing. */
  async crash(page: Page): Promise<void> {
    const devtools = await this.context.newCDPSession(page)
    const gone = page.waitForEvent('crash')
    // Never answered: who would?
    void devtools.send('Page.crash').catch(() => undefined)
    await gone
  }

  /** Closes it as its user does: what it keeps is written down. */
  async quit(): Promise<void> {
    const gone = once(this.#process, 'exit')
    const devtools = await this.#browser.newBrowserCDPSession()
    await devtools.send('Browser.close')
    await gone
    await this.#browser.close()
  }

  /** SIGKILL for every process of the browser: nothing is finished, nothing is said. */
  async kill(): Promise<void> {
    const { exitCode, signalCode } = this.#process
    if (exitCode === null && signalCode === null) {
      const gone = once(this.#process, 'exit')
      killGroup(this.#process)
      await gone
    }
    await this.#browser.close().catch(() => undefined)
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}
