// What every proof begins with: a server with a team's plans, a network that can be broken, a browser
// with a new profile; and all of it gone afterwards.
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished } from 'vitest'
import { Chromium } from './chromium.ts'
import { FaultServer } from './fault-server.ts'
import { Person } from './person.ts'
import { Server } from './server.ts'
import type { Team } from './team.ts'

export interface Scene extends Team {
  ada: Person
  server: Server
  /** Between browser and server. */
  network: FaultServer
  /** Where the browser finds the app. */
  url: string
  browser: Chromium
  /** What no page may do: throw, violate the security policy, ask another origin. */
  complaints: string[]
  /** SIGKILL, and a new start on the same profile. */
  restartBrowser(): Promise<Chromium>
}

interface SceneOptions {
  accessTokenSeconds?: number
  dist?: string
}

/** Sets the scene for one test. What pages complained of fails the test at its end. */
export async function setScene(options: SceneOptions = {}): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-browser-'))
  // These hooks run in reverse; one that throws ends the row, so the judgement is the last.
  const complaints: string[] = []
  onTestFinished(() => expect(complaints).toEqual([]))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { dist = inject('dist'), ...more } = options
  const dataDir = join(folder, 'data')
  await cp(inject('dataDir'), dataDir, { recursive: true })
  const server = await Server.start({ dataDir, dist, ...more })
  onTestFinished(() => server.kill())
  const network = await FaultServer.start(server.port)
  onTestFinished(() => network.goDown())
  const team = inject('team')
  const ada = new Person(server.url, team.founder, team.organisation)
  await ada.signIn()
  const profile = join(folder, 'profile')
  const startBrowser = () => Chromium.start(profile, network.url, complaints)
  const scene: Scene = {
    ...team,
    ada,
    server,
    network,
    url: network.url,
    complaints,
    browser: await startBrowser(),
    async restartBrowser() {
      await scene.browser.kill()
      scene.browser = await startBrowser()
      return scene.browser
    },
  }
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await describe(scene)
    await scene.browser.kill()
  })
  return scene
}

/** What stood on the screens and went over the network when a test failed. */
async function describe({ browser, network }: Scene): Promise<void> {
  for (const page of browser.context.pages())
    console.error(
      page.url(),
      await page.locator('body').innerText({ timeout: 2_000 }).catch(String),
    )
  const calls = network.exchanges.filter(({ path }) => /^\/(api|oauth|healthz)/.test(path))
  console.error(calls.map((call) => JSON.stringify(call)).join('\n'))
}
