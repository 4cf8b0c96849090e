// One server, one browser and one recorded network for all tests of a file that quotes the specification.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject, onTestFinished } from 'vitest'
import { fillSignIn, NOT_INERT, pickOrganisation } from '../fixtures/app.ts'
import { Chromium, ORIGIN } from '../fixtures/chromium.ts'
import { FaultProxy } from '../fixtures/fault-proxy.ts'
import { ApiUser } from '../fixtures/api-user.ts'
import { copyFolder } from '../fixtures/copy-folder.ts'
import type { BrowserFixture } from '../fixtures/browser-fixture.ts'
import { freePort, ServerProcess } from '../fixtures/server-process.ts'
import { waitUntil } from '../fixtures/wait-until.ts'

/** A request as the browser sent it. */
export interface Sent {
  method: string
  /** Path and query, not decoded. */
  path: string
  headers: IncomingHttpHeaders
  /** The parsed JSON body; undefined without one. */
  body: unknown
}

export interface SpecificationScene extends BrowserFixture {
  /** All requests of the browser so far, in the order of arrival. */
  sent: Sent[]
  /** The requests of that method and path so far. */
  sentTo: (method: string, path: RegExp) => Sent[]
  /** Answers those requests in the server's place with that JSON, waitUntil the test ends. */
  answer: (which: { method?: string; path: RegExp }, status: number, body: object) => void
  /** A tab of another browser, in which no user is signed in; it is closed with the test. */
  visitor: () => Promise<Page>
  /** The same, signed in as that person (Ada unless given) and in the only organisation. */
  member: (person?: ApiUser) => Promise<Page>
}

interface Options {
  /** More of the server's environment. */
  env?: Record<string, string>
  /** Other origins that pages may ask. */
  origins?: readonly string[]
}

/** Starts one scene before the tests of a file and ends it after them. Returns how to get it. */
export function shareScene(
  prepare: () => Options | Promise<Options> = () => ({}),
): () => SpecificationScene {
  let scene: SpecificationScene | undefined
  const atEnd: (() => unknown)[] = []
  beforeAll(async () => {
    scene = await startScene(await prepare(), atEnd)
  })
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.error((await scene?.browser.screens())?.join('\n'))
  })
  afterAll(async () => {
    for (const end of atEnd.toReversed()) await end()
    expect(scene?.pageErrors ?? []).toEqual([])
  })
  return () => {
    if (!scene) throw new Error('The scene is not started.')
    return scene
  }
}

async function startScene(
  { env, origins = [] }: Options,
  atEnd: (() => unknown)[],
): Promise<SpecificationScene> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-specification-'))
  atEnd.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const [dataDir, profile] = [join(folder, 'data'), join(folder, 'profile')]
  await copyFolder(inject('dataDir'), dataDir)
  await copyFolder(inject('profile'), profile)
  const port = await freePort()
  const network = await FaultProxy.start(port)
  atEnd.push(() => network.goDown())
  const sent: Sent[] = []
  const recorder = await startRecorder(network.port, sent)
  atEnd.push(recorder.close)
  const server = await ServerProcess.start({
    dataDir,
    dist: inject('dist'),
    port,
    ...(env && { env }),
  })
  atEnd.push(() => server.stop())
  const team = inject('team')
  const ada = new ApiUser(server.url, team.founder, team.organisation)
  ada.continueSession(team.founderToken)
  const pageErrors: string[] = []
  const allowed = [ORIGIN, ...origins]
  const start = () => Chromium.start(profile, allowed, pageErrors, recorder.port)
  const scene: SpecificationScene = {
    ...team,
    ada,
    server,
    network,
    url: ORIGIN,
    browser: await start(),
    usedBefore: true,
    pageErrors,
    async restartBrowser() {
      await scene.browser.kill()
      scene.browser = await start()
      return scene.browser
    },
    sent,
    sentTo: (method, path) => sent.filter((one) => one.method === method && path.test(one.path)),
    answer(which, status, body) {
      const headers = { 'Content-Type': 'application/json' }
      onTestFinished(
        network.injectFault(which, {
          kind: 'answered',
          status,
          headers,
          body: JSON.stringify(body),
        }),
      )
    },
    async visitor() {
      const own = await mkdtemp(join(folder, 'visitor-'))
      // The installed app has the policy of the usual configuration.
      if (!env) await copyFolder(inject('signedOutProfile'), join(own, 'profile'))
      const browser = await Chromium.start(join(own, 'profile'), allowed, pageErrors, recorder.port)
      onTestFinished(async ({ task }) => {
        if (task.result?.state === 'fail') console.error((await browser.screens()).join('\n'))
        await browser.kill()
      })
      return await browser.open()
    },
    async member(person = ada) {
      const page = await scene.visitor()
      await page.goto(`${ORIGIN}/success-plans`)
      await fillSignIn(page, person)
      await pickOrganisation(page)
      return page
    },
  }
  atEnd.push(() => scene.browser.kill())
  return scene
}

/** A proxy in front of the faults that notes each request and passes it on. */
async function startRecorder(upstream: number, sent: Sent[]) {
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url: path = '/', headers } = incoming
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const body = Buffer.concat(parts)
      sent.push({ method, path, headers, body: parsed(body.toString()) })
      const asked = request(
        { host: '127.0.0.1', port: upstream, method, path, headers },
        (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
          // Either side may go away; then the other one goes, too.
          void pipeline(answer, outgoing).catch(() => undefined)
        },
      )
      asked.on('error', () => outgoing.destroy())
      outgoing.on('close', () => asked.destroy())
      asked.end(body)
    })
  }).listen(await freePort(), '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The recorder does not listen.')
  return { port: address.port, close }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the specification's four keys of the local storage hold; null for each that is missing. */
export const storedKeys = (page: Page): Promise<Record<string, string | null>> =>
  page.evaluate(() =>
    Object.fromEntries(
      ['access_token', 'active_organisation', 'refresh_token', 'user'].map((key) => [
        key,
        localStorage.getItem(key),
      ]),
    ),
  )

/** Waits waitUntil the tab is at that path. */
export const arrives = (page: Page, path: string): Promise<true> =>
  waitUntil(`the page is at ${path}`, () => new URL(page.url()).pathname === path)

/** Goes to a path of the app without a page load. */
export const navigateWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate((path) => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

/** A heading of the app itself, not of the boot snapshot shown before it. */
export const heading = (page: Page, name?: string | RegExp) =>
  page
    .getByRole('heading', { level: 1, ...(name !== undefined && { name }) })
    .and(page.locator(NOT_INERT))

/** The background colour behind a tag's text, and the one that the severity has. */
export const tagColours = (tag: Locator, severity: string) =>
  tag.evaluate((element, severity) => {
    const probe = document.body.appendChild(document.createElement('i'))
    const colourOf = (value: string) => {
      probe.style.background = value
      return getComputedStyle(probe).backgroundColor
    }
    const clear = colourOf('transparent')
    let painted: Element | null = element
    while (painted && getComputedStyle(painted).backgroundColor === clear)
      painted = painted.parentElement
    const found = painted ? getComputedStyle(painted).backgroundColor : clear
    const wanted = colourOf(`var(--color-${severity})`)
    probe.remove()
    return { found, wanted }
  }, severity)

/** The command palette, and what is in it. */
export const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
export const paletteLine = (page: Page) => palette(page).getByRole('combobox')
export const paletteOptions = (page: Page) => palette(page).getByRole('option')

export async function openPalette(page: Page, key = 'Control+k'): Promise<void> {
  await page.keyboard.press(key)
  await paletteOptions(page).first().waitFor()
}
