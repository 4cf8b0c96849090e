// Chromium driven over the DevTools protocol: Playwright would attach to the service worker and pause it
// at its start, which is what is measured here.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from '../tests/browser/fixtures/chromium.ts'
import { waitUntil } from '../tests/browser/fixtures/wait-until.ts'

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--remote-debugging-port=0',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-extensions',
  '--no-first-run',
  '--no-default-browser-check',
]
/** Every request goes to a port without a listener, loopback addresses included. */
const NO_NETWORK = ['--proxy-server=127.0.0.1:1', '--proxy-bypass-list=<-loopback>']
const PHONE = { width: 412, height: 915, deviceScaleFactor: 1, mobile: true }

/** What the protocol needs besides a key's name, for keys where the name is not enough. */
const KEYS: Record<string, { code: string; number: number }> = {
  Backspace: { code: 'Backspace', number: 8 },
  k: { code: 'KeyK', number: 75 },
}

interface Answer {
  id?: number
  result?: Record<string, unknown>
  error?: { message: string }
}

/** One run of the browser on a profile folder, with one page at a phone's width. */
export class Browser {
  readonly #process: ChildProcess
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  #session: string | undefined
  #next = 0

  private constructor(process: ChildProcess, socket: WebSocket) {
    this.#process = process
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = JSON.parse(String(data)) as Answer
      const waiting = this.#waiting.get(id ?? -1)
      this.#waiting.delete(id ?? -1)
      if (error) waiting?.reject(new Error(error.message))
      else waiting?.resolve(result ?? {})
    })
  }

  /** `slowdown`: how many times slower than this machine the page's main thread runs. */
  static async start(profile: string, { offline = false, slowdown = 1 } = {}): Promise<Browser> {
    const portFile = join(profile, 'DevToolsActivePort')
    rmSync(portFile, { force: true })
    const flags = [...FLAGS, ...(offline ? NO_NETWORK : []), `--user-data-dir=${profile}`]
    const process = spawn(findBrowser(), [...flags, 'about:blank'], { stdio: 'ignore' })
    const [port, path] = await waitUntil('the browser accepts connections', () => {
      const lines = existsSync(portFile) ? readFileSync(portFile, 'utf8').split('\n') : []
      return lines[1] ? lines : null
    })
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`)
    await once(socket, 'open')
    const browser = new Browser(process, socket)
    await browser.#attach()
    await browser.send('Emulation.setDeviceMetricsOverride', PHONE)
    await browser.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    if (offline) {
      const dead = { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 }
      await browser.send('Network.enable')
      await browser.send('Network.emulateNetworkConditions', dead)
    }
    return browser
  }

  async #attach(): Promise<void> {
    const targetId = await waitUntil('the first page is open', async () => {
      const { targetInfos } = await this.send('Target.getTargets')
      const targets = targetInfos as { type: string; targetId: string }[]
      return targets.find(({ type }) => type === 'page')?.targetId
    })
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true })
    this.#session = sessionId as string
    await this.send('Page.enable')
  }

  async send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = (this.#next += 1)
    const answer = Promise.withResolvers<Record<string, unknown>>()
    this.#waiting.set(id, answer)
    this.#socket.send(JSON.stringify({ id, method, params, sessionId: this.#session }))
    return await answer.promise
  }

  /** Runs `work` at the start of each page from now on. */
  async atEachStart(work: () => void): Promise<void> {
    await this.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${String(work)})()` })
  }

  /** Navigates to `url`; resolves as soon as the navigation is committed. */
  async goto(url: string): Promise<void> {
    const { errorText } = await this.send('Page.navigate', { url })
    if (typeof errorText === 'string') throw new Error(`${url}: ${errorText}`)
  }

  /** Presses and releases a key; with `text` it types that text. */
  async press(key: string, more: { text?: string; modifiers?: number }): Promise<void> {
    const about = { key, code: KEYS[key]?.code ?? key, ...more }
    const windowsVirtualKeyCode = KEYS[key]?.number ?? key.charCodeAt(0)
    for (const type of ['keyDown', 'keyUp'])
      await this.send('Input.dispatchKeyEvent', { type, ...about, windowsVirtualKeyCode })
  }

  /** Runs a function in the page: it and its arguments are serialised. */
  async run<T, A extends unknown[]>(work: (...args: A) => T, ...args: A): Promise<Awaited<T>> {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression: `(${String(work)})(${args.map((one) => JSON.stringify(one)).join()})`,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
    return (result as { value: Awaited<T> }).value
  }

  /** Closes the browser normally, so that it writes its profile. */
  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#process, 'exit')
    this.#session = undefined
    // A browser that ends at once does not answer.
    void this.send('Browser.close')
    await exited
    this.#socket.close()
  }
}
