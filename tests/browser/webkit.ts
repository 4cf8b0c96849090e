// WebKitGTK on a profile folder and on a screen that nobody sees, driven as people drive it, which can be
// killed as Chromium can.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { By, Builder, until as becomes, type WebDriver, type WebElement } from 'selenium-webdriver'
import { findProgram } from './find-program.ts'
import { freePort } from './server.ts'
import { waitUntil } from './until.ts'

const PACKAGES = ['webkit2gtk-driver', 'gjs', 'gir1.2-webkit2-4.1', 'xvfb']
const WINDOW = fileURLToPath(new URL('webkit-window.js', import.meta.url))
const SCREEN = ['-screen', '0', '1280x900x24']
/** Milliseconds. */
const TIMEOUT_MS = 60_000

export class WebKit {
  readonly driver: WebDriver
  readonly #service: ChildProcess
  readonly #screen: ChildProcess

  private constructor(driver: WebDriver, service: ChildProcess, screen: ChildProcess) {
    this.driver = driver
    this.#service = service
    this.#screen = screen
  }

  /** Starts the browser on the folder `profile`. */
  static async start(profile: string): Promise<WebKit> {
    const driverFile = find('WebKitWebDriver', 'WEBKIT_DRIVER_PATH', 'WebKitWebDriver')
    const binary = find('GNOME’s JavaScript', 'GJS_PATH', 'gjs')
    const screenFile = find('Xvfb', 'XVFB_PATH', 'Xvfb')
    const screen = startGroup(screenFile, ['-displayfd', '1', '-nolisten', 'tcp', ...SCREEN])
    let display = ''
    screen.stdout?.on('data', (part: Buffer) => (display += part.toString()))
    await waitUntil('the screen is there', () => display.endsWith('\n'))
    const port = await freePort()
    const service = startGroup(driverFile, [`--port=${port}`], {
      DISPLAY: `:${display.trim()}`,
      GDK_BACKEND: 'x11',
      HOME: profile,
    })
    const url = `http://127.0.0.1:${port}`
    await waitUntil('the driver listens', () =>
      fetch(`${url}/status`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const driver = await new Builder()
      .disableEnvironmentOverrides()
      .usingServer(url)
      .withCapabilities({
        browserName: 'WebKitGTK',
        'webkitgtk:browserOptions': { binary, args: ['-m', WINDOW, profile] },
      })
      .build()
    return new WebKit(driver, service, screen)
  }

  /**
   * Waits for the first element of that CSS selector, with that text in it, to be seen: not in the
   * picture of the last screen, which goes as soon as the screen is there.
   */
  async waitForElement(selector: string, text = ''): Promise<WebElement> {
    const found = await waitUntil(
      `${selector} says “${text}”`,
      async () => {
        const there = By.css(`${selector}:not([inert] *)`)
        // A page that changes while it is searched is an error to the driver: it is searched again.
        for (const element of await this.driver.findElements(there).catch(() => []))
          if (await isSeen(element, text)) return element
        return null
      },
      TIMEOUT_MS,
    )
    return found
  }

  /** The field that bears that label. */
  async field(label: string): Promise<WebElement> {
    const named = By.xpath(`//*[@id=//label[normalize-space()='${label}']/@for]`)
    return await this.driver.wait(becomes.elementLocated(named), TIMEOUT_MS)
  }

  async screens(): Promise<string[]> {
    const body = await this.driver.findElement(By.css('body'))
    return [`${await this.driver.getCurrentUrl()}\n${await body.getText()}`]
  }

  /** SIGKILL for the browser and its driver; the screen takes its traces with it. */
  async kill(): Promise<void> {
    await endGroup(this.#service, 'SIGKILL')
    await endGroup(this.#screen, 'SIGTERM')
  }
}

async function endGroup(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = once(child, 'exit')
  process.kill(-child.pid, signal)
  await gone
}

const find = (name: string, variable: string, file: string): string =>
  findProgram({ name, variable, files: [file], packages: PACKAGES })

/** Elements may go while they are read: then another one is there. */
const isSeen = (element: WebElement, text: string): Promise<boolean> =>
  Promise.all([element.isDisplayed(), element.getText()]).then(
    ([shown, says]) => shown && says.includes(text),
    () => false,
  )

/** A program in a group of its own, which ends with us. */
function startGroup(file: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(file, args, {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const endWithUs = () => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', endWithUs)
  child.once('exit', () => process.off('exit', endWithUs))
  return child
}
