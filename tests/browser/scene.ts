// What every proof begins with: a server with a team's plans, a network that can be broken, a browser
// with a new profile; and all of it gone afterwards.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished } from 'vitest'
import { Chromium, ORIGIN } from './chromium.ts'
import { FaultProxy } from './fault-server.ts'
import { ApiUser } from './person.ts'
import { freePort, ServerProcess } from './server.ts'
import type { Team } from './team.ts'

/** What every browser can, whatever drives it. */
interface AnyBrowser {
  /** What its pages say, for a test that failed. */
  screens(): Promise<string[]>
  /** SIGKILL for all of it; nothing when it is gone already. */
  kill(): Promise<void>
}

/** Starts a browser on the folder of its profile, and notes what its pages complain of. */
type StartBrowser<B> = (
  profile: string,
  origins: readonly string[],
  complaints: string[],
  /** Where the network listens. */
  port: number,
) => Promise<B>

export interface BrowserFixture<B = Chromium> extends Team {
  ada: ApiUser
  server: ServerProcess
  /** Between browser and server. */
  network: FaultProxy
  /** Where the browser finds the app. */
  url: string
  browser: B
  usedBefore: boolean
  /** What no page may do: throw, violate the security policy, ask another origin. */
  pageErrors: string[]
  /** SIGKILL, and a new start on the same profile. */
  restartBrowser(): Promise<B>
}

export interface BrowserFixtureOptions {
  accessTokenSeconds?: number
  dist?: string
  /** More of the server's environment. */
  env?: Record<string, string>
  /** Other origins that pages may ask. */
  origins?: readonly string[]
  /** Ada has used this browser before: she is signed in, and her organisation is on the device. */
  usedBefore?: boolean
}

/** Sets the scene for one test. What pages complained of fails the test at its end. */
export const createBrowserFixture = (
  options: BrowserFixtureOptions = {},
): Promise<BrowserFixture> =>
  createBrowserFixtureWith((...given) => Chromium.start(...given), options, ORIGIN)

/** The same in another browser, which nobody has used before. */
export async function createBrowserFixtureWith<B extends AnyBrowser>(
  start: StartBrowser<B>,
  options: BrowserFixtureOptions = {},
  origin?: string,
): Promise<BrowserFixture<B>> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-browser-'))
  // These hooks run in reverse; one that throws ends the row, so the judgement is the last.
  const complaints: string[] = []
  onTestFinished(() => expect(complaints).toEqual([]))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { dist = inject('dist'), origins = [], usedBefore = false, ...more } = options
  const dataDir = join(folder, 'data')
  await cp(inject('dataDir'), dataDir, { recursive: true })
  const port = await freePort()
  const network = await FaultProxy.start(port)
  onTestFinished(() => network.goDown())
  const team = inject('team')
  const profile = join(folder, 'profile')
  if (usedBefore) await cp(inject('profile'), profile, { recursive: true })
  const url = origin ?? network.url
  const startBrowser = () => start(profile, [url, ...origins], complaints, network.port)
  const startServer = async () => {
    const server = await ServerProcess.start({ dataDir, dist, port, ...more })
    onTestFinished(() => server.kill())
    const ada = new ApiUser(server.url, team.founder, team.organisation)
    await ada.signIn()
    return { server, ada }
  }
  const [{ server, ada }, browser] = await Promise.all([startServer(), startBrowser()])
  const scene: BrowserFixture<B> = {
    ...team,
    ada,
    server,
    network,
    url,
    pageErrors: complaints,
    browser,
    usedBefore,
    async restartBrowser() {
      await scene.browser.kill()
      scene.browser = await startBrowser()
      return scene.browser
    },
  }
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await logState(scene)
    await scene.browser.kill()
  })
  return scene
}

/** What stood on the screens and went over the network when a test failed. */
async function logState({ browser, network }: BrowserFixture<AnyBrowser>): Promise<void> {
  console.error((await browser.screens()).join('\n'))
  const calls = network.exchanges.filter(({ path }) => /^\/(api|oauth|healthz)/.test(path))
  console.error(calls.map((call) => JSON.stringify(call)).join('\n'))
}
