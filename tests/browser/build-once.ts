// Before the first browser test: finds the browser, builds the app, and founds the team whose data
// each test gets a copy of.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildApp } from './build-app.ts'
import { findBrowser } from './chromium.ts'
import { Server } from './server.ts'
import { foundTeam, type Team } from './team.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built app. */
    dist: string
    /** The data folder of a server that knows the team; to be copied. */
    dataDir: string
    team: Team
  }
}

export default async function setUp(project: TestProject) {
  findBrowser()
  const folder = await mkdtemp(join(tmpdir(), 'cairn-build-'))
  const dist = await buildApp(join(folder, 'app'))
  const dataDir = join(folder, 'data')
  const server = await Server.start({ dataDir, dist })
  project.provide('dist', dist)
  project.provide('dataDir', dataDir)
  project.provide('team', await foundTeam(server.url))
  await server.stop()
  return () => rm(folder, { recursive: true, force: true })
}
