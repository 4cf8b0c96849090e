// A real browser on a profile folder, which can be killed like a phone's battery kills it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { getuid } from 'node:process'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { until } from './until.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const APT = '/usr/bin/apt-get'
const isRoot = getuid?.() === 0

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/**
 * The browser to test with: CHROMIUM_PATH, else the system's Chromium or Chrome, else Debian's, which
 * root may install. Throws one line that says what to run where there is none.
 */
export function findBrowser(): string {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen !== undefined && chosen !== '') {
    if (existsSync(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH names ${chosen}, which does not exist.`)
  }
  const found = onPath()
  if (found !== undefined) return found
  if (!isRoot || !existsSync(APT))
    throw new Error(
      'The browser tests need Chromium. Install it (on Debian: sudo apt-get install chromium) or set CHROMIUM_PATH to one.',
    )
  execFileSync(APT, ['update'], { stdio: 'inherit' })
  execFileSync(APT, ['install', '--yes', '--no-install-recommends', 'chromium'], {
    stdio: 'inherit',
  })
  const installed = onPath()
  if (installed === undefined) throw new Error('Chromium was installed, and is not in PATH.')
  return installed
}

const FLAGS = [
  '--headless=new',
  '--remote-debugging-port=0',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-gpu',
  '--disable-features=PreloadTopChromeWebUI,OptimizationHints,MediaRouter,Translate',
  '--no-first-run',
  '--no-default-browser-check',
  '--hide-crash-restore-bubble',
  '--password-store=basic',
  '--force-color-profile=srgb',
  '--lang=en-GB',
  ...(isRoot ? ['--no-sandbox'] : []),
]

/** Violations of the security policy reach the console of every page by this. */
const TELL_VIOLATIONS = () =>
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error(`CSP: ${event.violatedDirective} refused ${event.blockedURI}`)
  })

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
   * policy, ask another origin than `origin`) is noted in `complaints`.
   */
  static async start(
    profile: string,
    origin: string,
    complaints: string[] = [],
  ): Promise<Chromium> {
    const portFile = join(profile, 'DevToolsActivePort')
    rmSync(portFile, { force: true })
    const child = spawn(findBrowser(), [...FLAGS, `--user-data-dir=${profile}`, 'about:blank'], {
      // A group of its own: killing it leaves no renderer that could still finish a write.
      detached: true,
      stdio: 'ignore',
    })
    const endWithUs = () => killGroup(child)
    process.once('exit', endWithUs)
    child.once('exit', () => process.off('exit', endWithUs))
    const [port] = await until('the browser listens', () =>
      existsSync(portFile) ? /^\d+(?=\n)/.exec(readFileSync(portFile, 'utf8')) : null,
    )
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
    const [context] = browser.contexts()
    if (!context) throw new Error('The browser has no context.')
    context.setDefaultTimeout(40_000)
    const started = new Chromium(child, browser, context)
    await started.#watch(origin, complaints)
    return started
  }

  async #watch(origin: string, complaints: string[]): Promise<void> {
    await this.context.addInitScript(TELL_VIOLATIONS)
    this.context.on('weberror', (error) => {
      complaints.push(String(error.error().stack ?? error.error()))
    })
    this.context.on('console', (message) => {
      if (/content.security.policy|^CSP:/i.test(message.text())) complaints.push(message.text())
    })
    this.context.on('request', (request) => {
      const url = new URL(request.url())
      if (/^https?:$/.test(url.protocol) && url.origin !== origin)
        complaints.push(`asked another origin: ${request.url()}`)
    })
  }

  /** A new tab, on `url` when given. */
  async open(url?: string): Promise<Page> {
    const page = await this.context.newPage()
    if (url !== undefined) await page.goto(url)
    return page
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
