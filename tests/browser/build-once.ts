// Before the first browser test: finds the browser, builds the app, founds the team and signs its
// founder in. Each test gets a copy of the server's data, and most get one of the browser's.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildApp } from './build-app.ts'
import { readyForTheAir, signIn } from './app.ts'
import { Chromium, findBrowser, ORIGIN } from './chromium.ts'
import { Person } from './person.ts'
import { Server } from './server.ts'
import { foundTeam, type Team } from './team.ts'

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
  const server = await Server.start({ dataDir, dist })
  const team = await foundTeam(server.url)
  const profile = join(folder, 'profile')
  await useBefore(profile, server, new Person(server.url, team.founder))
  await server.stop()
  project.provide('dist', dist)
  project.provide('dataDir', dataDir)
  project.provide('profile', profile)
  project.provide('team', team)
  return () => rm(folder, { recursive: true, force: true })
}

/** Signs somebody in with a new browser, waits until the organisation is there, and closes it. */
async function useBefore(profile: string, server: Server, person: Person): Promise<void> {
  const complaints: string[] = []
  const browser = await Chromium.start(profile, [ORIGIN], complaints, server.port)
  const page = await browser.open()
  await signIn(page, ORIGIN, person)
  await readyForTheAir(page)
  await browser.quit()
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
}
