// Before the first browser test: finds the browser, builds the app, founds the team and signs its
// founder in. Each test gets a copy of the server's data, and most get one of the browser's.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildApp } from './build-app.ts'
import { waitForOfflineReady, signIn } from './app.ts'
import { Chromium, findBrowser, ORIGIN } from './chromium.ts'
import { ApiUser } from './person.ts'
import { ServerProcess } from './server.ts'
import { createDemoTeam, type Team } from './team.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built app. */
    dist: string
    /** The data folder of a server that knows the team; to be copied. */
    dataDir: string
    /** The profile of a browser in which the team's founder is signed in; to be copied. */
    profile: string
    team: Team
  }
}

export default async function setUp(project: TestProject) {
  findBrowser()
  const folder = await mkdtemp(join(tmpdir(), 'cairn-build-'))
  const dist = await buildApp(join(folder, 'app'))
  const dataDir = join(folder, 'data')
  const server = await ServerProcess.start({ dataDir, dist })
  const team = await createDemoTeam(server.url)
  const profile = join(folder, 'profile')
  await prepareProfile(profile, server, new ApiUser(server.url, team.founder))
  await server.stop()
  project.provide('dist', dist)
  project.provide('dataDir', dataDir)
  project.provide('profile', profile)
  project.provide('team', team)
  return () => rm(folder, { recursive: true, force: true })
}

/** Signs somebody in with a new browser, waits until the organisation is there, and closes it. */
async function prepareProfile(
  profile: string,
  server: ServerProcess,
  person: ApiUser,
): Promise<void> {
  const complaints: string[] = []
  const browser = await Chromium.start(profile, [ORIGIN], complaints, server.port)
  const page = await browser.open()
  await signIn(page, ORIGIN, person)
  await waitForOfflineReady(page)
  await browser.quit()
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
}
